/**
 * What `dist/cdn/latchkey.js` starts with: the elements and, when the page already holds one that is to be open,
 * everything that its dialog needs, all asked for at once. A static import would make the dialog wait for the shell.
 * The kit comes first, and its promise is handed over: the app's settings are on their way while React is evaluated.
 */
import path from 'node:path'
import { openingModules } from './chunks.mjs'

const id = 'latchkey:cdn-entry'

/** The input to give to rollup, and the plugin that knows what it is. */
export const cdnEntry = id

export function cdnEntryPlugin(root) {
  const lazy = (file) => `import(${JSON.stringify(file)})`
  return {
    name: 'cdn-entry',
    resolveId: (source) => (source === id ? `\0${id}` : null),
    load(asked) {
      if (asked !== `\0${id}`) return null
      const [kit, ...others] = openingModules.map(lazy)
      return `
        let kit
        if (globalThis.document?.querySelector('[api-url][open]')) {
          kit = ${kit}
          for (const part of [kit, ${others.join(', ')}]) part.catch(() => {})
        }
        ${lazy(path.join(root, 'elements/cdn.ts'))}.then(({ start }) => start(kit))
      `
    },
  }
}
