/**
 * What `dist/cdn/latchkey.js` starts with: the elements and, when the page already holds one that is to be open,
 * everything that its dialog needs, all asked for at once. A static import would make the dialog wait for the shell.
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
      return `
        ${lazy(path.join(root, 'elements/cdn.ts'))}
        if (globalThis.document?.querySelector('[api-url][open]')) {
          ${openingModules.map((each) => `${lazy(each)}.catch(() => {})`).join('\n')}
        }
      `
    },
  }
}
