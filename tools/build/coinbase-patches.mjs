/**
 * All that the build changes in the text of Coinbase's SDK, each with the reason for it: the SDK draws on the host's page,
 * reloads it and leaves calls without an answer, and has no option against any of this. Its version is pinned; a change
 * that does not apply any more stops the build.
 */
const sdk = '@coinbase/wallet-sdk/dist'
const drawn = `${sdk}/sign/walletlink/relay/ui/components`

/** Whole modules, by the end of their path: why they are replaced, and by what. */
const modules = {
  [`${drawn}/Snackbar/Snackbar.js`]: {
    reason:
      'It draws a notice into the host’s page with styles that a strict policy forbids, and our screens say the same. ' +
      'Where a window was blocked, pressing its button is the only way to tell the caller, who would wait for ever.',
    code: `export class Snackbar {
      attach() {}
      clear() {}
      presentItem({ message, menuItems: [first] = [] }) {
        if (message.startsWith('Popup')) setTimeout(first.onClick)
        return () => {}
      }
    }`,
  },
  [`${drawn}/cssReset/cssReset.js`]: {
    reason: 'It puts a style element into the head of the host’s page, which a strict policy forbids.',
    code: 'export const injectCssReset = () => {}',
  },
  [`${drawn}/RedirectDialog/RedirectDialog.js`]: {
    reason:
      'It draws a dialog into the host’s page with styles that a strict policy forbids; our screens lead to the app.',
    code: 'export class RedirectDialog { attach() {} present() {} clear() {} }',
  },
}

/** Places within modules, by the end of the module’s path; each must be there exactly once. */
const texts = {
  [`${sdk}/core/communicator/Communicator.js`]: {
    reason:
      'When its window does not open, the error is thrown away and the caller waits for an answer for ever.',
    replace: [
      ['this.postMessage(request);', 'const posting = this.postMessage(request);'],
      [
        'return await responsePromise;',
        'return Promise.race([responsePromise, posting.then(() => responsePromise)]);',
      ],
    ],
  },
  [`${sdk}/sign/walletlink/relay/WalletLinkRelay.js`]: {
    reason:
      'When the wallet ends the connection, the SDK reloads the host’s page, with all that somebody has typed there.',
    replace: [['document.location.reload();', 'this.accountsCallback?.([]);']],
  },
}

/** The SDK expects Node's `Buffer` as a global. A page has none, and gets none: each module imports it for itself. */
const importOfBuffer = (id) =>
  id.endsWith('.cjs') ? "const { Buffer } = require('buffer');\n" : "import { Buffer } from 'buffer';\n"

/** The plugin that makes these changes. */
export function coinbasePatches() {
  const applied = new Set()
  const entryOf = (table, id) =>
    Object.entries(table).find(([end]) => id.endsWith(`/node_modules/${end}`)) ?? []
  return {
    name: 'coinbase-patches',
    buildStart: () => applied.clear(),
    load(id) {
      const [end, module] = entryOf(modules, id)
      if (end) applied.add(end)
      return module?.code
    },
    transform(code, id) {
      if (!id.includes(`/node_modules/${sdk}/`)) return null
      const [end, text] = entryOf(texts, id)
      let result = code
      for (const [from, to] of text?.replace ?? []) {
        if (result.split(from).length !== 2)
          this.error(`${id} does not hold "${from}" once any more: see coinbase-patches.mjs`)
        result = result.replace(from, to)
      }
      if (end) applied.add(end)
      if (/\bBuffer\b/.test(code)) result = importOfBuffer(id) + result
      return result === code ? null : { code: result, map: null }
    },
    buildEnd(error) {
      if (error || ![...this.getModuleIds()].some((id) => id.includes(`/node_modules/${sdk}/`))) return
      const missing = Object.keys({ ...modules, ...texts }).find((end) => !applied.has(end))
      if (missing) this.error(`${missing} is not part of the build any more: see coinbase-patches.mjs`)
    },
  }
}
