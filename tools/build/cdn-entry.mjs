/**
 * What `dist/cdn/latchkey.js` starts with: the elements and, when the page already holds one that is to be open,
 * everything that its dialog needs, all asked for at once. A static import would make the dialog wait for the shell.
 */
import path from 'node:path'

const id = 'latchkey:cdn-entry'

/** The input to give to rollup, and the plugin that knows what it is. */
export const cdnEntry = id

export function cdnEntryPlugin(root) {
  const lazy = (file) => `import(${JSON.stringify(path.join(root, file))})`
  const forDialog = ['elements/create-kit.ts', 'elements/view.tsx', 'src/flows/login/index.ts']
  return {
    name: 'cdn-entry',
    resolveId: (source) => (source === id ? `\0${id}` : null),
    load(asked) {
      if (asked !== `\0${id}`) return null
      return `
        ${lazy('elements/index.ts')}
        if (globalThis.document?.querySelector('[api-url][open]'))
          for (const part of [${forDialog.map(lazy).join(', ')}]) part.catch(() => {})
      `
    },
  }
}
