/**
 * Fits the SDKs of WalletConnect and Coinbase into a page: what they would draw beside our screens, log, or bring along
 * for pages older than ours is left out, and each package comes in one copy. Their versions are pinned, so that what is
 * replaced is known word by word; a replacement that finds nothing to replace stops the build.
 */
import fs from 'node:fs'
import path from 'node:path'

const coinbase = '@coinbase/wallet-sdk/dist'
const walletConnect = '@walletconnect/ethereum-provider/dist/index.es.js'

/** Whole modules, by the end of their path, and what stands in for them. */
const standIns = {
  // They are given a logger that says nothing, and a storage of ours.
  'pino/browser.js': 'export const levels = { values: {} }; export default () => {}',
  '@walletconnect/keyvaluestorage/dist/index.es.js':
    'export class IKeyValueStorage {} export class KeyValueStorage {} export default KeyValueStorage',
  // Asks for Node's; nothing here asks for it.
  'multiformats/esm/src/hashes/sha2.js': 'export const sha256 = undefined, sha512 = undefined',
  // Every browser that we draw in has it.
  'cross-fetch/dist/browser-ponyfill.js': 'export default (...input) => fetch(...input)',
  // A strict policy forbids its styles, and our screens say what it would say. A window that was blocked is only tried
  // once more, which tells the caller, who would wait for ever.
  [`${coinbase}/sign/walletlink/relay/ui/components/Snackbar/Snackbar.js`]: `export class Snackbar {
    attach() {}
    clear() {}
    presentItem({ message, menuItems: [first] = [] }) {
      if (message.startsWith('Popup')) setTimeout(first.onClick)
      return () => {}
    }
  }`,
  [`${coinbase}/sign/walletlink/relay/ui/components/cssReset/cssReset.js`]:
    'export const injectCssReset = () => {}',
  [`${coinbase}/sign/walletlink/relay/ui/components/RedirectDialog/RedirectDialog.js`]:
    'export class RedirectDialog { attach() {} present() {} clear() {} }',
}

/** Parts of modules, by the end of their path. */
const patches = {
  // A dialog of the vendor's, in a hundred files; the kit draws its own code.
  [walletConnect]: [
    ['import("@reown/appkit/core")', 'Promise.reject(new Error("There is no such dialog here"))'],
  ],
  // A window that does not open must not leave the caller waiting for its answer.
  [`${coinbase}/core/communicator/Communicator.js`]: [
    ['this.postMessage(request);', 'const posting = this.postMessage(request);'],
    [
      'return await responsePromise;',
      'return Promise.race([responsePromise, posting.then(() => responsePromise)]);',
    ],
  ],
  // An ended connection is no reason to load the host's page anew.
  [`${coinbase}/sign/walletlink/relay/WalletLinkRelay.js`]: [
    ['document.location.reload();', 'this.accountsCallback?.([]);'],
  ],
}

export function walletSdks(root) {
  const places = onePlaceEach(root)
  return {
    name: 'wallet-sdks',
    async resolveId(source, importer, options) {
      if (!importer?.includes('/node_modules/') || /^[./\0]/.test(source)) return null
      const found = await this.resolve(source, importer, { ...options, skipSelf: true })
      const folder = found && /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(found.id)?.[0]
      const place = folder && places.get(path.relative(root, folder))
      if (!place) return found
      // Asked for from where it lies, so that what the package says of itself is heeded.
      const neighbour = path.join(root, place.slice(0, place.lastIndexOf('node_modules/')), 'index.js')
      return this.resolve(source, neighbour, { ...options, skipSelf: true })
    },
    load(id) {
      return Object.entries(standIns).find(([end]) => id.endsWith(`/node_modules/${end}`))?.[1]
    },
    transform(code, id) {
      const wanted = Object.entries(patches).find(([end]) => id.endsWith(`/node_modules/${end}`))?.[1] ?? []
      let result = code
      for (const [from, to] of wanted) {
        if (result.split(from).length !== 2)
          this.error(`${id} does not hold ${from} once: see wallet-sdks.mjs`)
        result = result.replace(from, to)
      }
      if (id.includes(`/node_modules/${coinbase}/`) && /\bBuffer\b/.test(code))
        result = withBuffer(id) + result
      return result === code ? null : { code: result, map: null }
    },
    buildEnd(error) {
      if (error) return
      const modules = [...this.getModuleIds()]
      const has = (end) => modules.some((id) => id.includes(`/node_modules/${end}`))
      const missing = Object.keys({ ...standIns, ...patches }).find(
        (end) => has(end.startsWith(coinbase) ? `${coinbase}/` : walletConnect) && !has(end),
      )
      if (missing) this.error(`${missing} is not part of the build any more: see wallet-sdks.mjs`)
    },
  }
}

/** For the module alone: on the page there is no such global, and none is made. */
const withBuffer = (id) =>
  id.endsWith('.cjs') ? "const { Buffer } = require('buffer');\n" : "import { Buffer } from 'buffer';\n"

/** For each package that lies in several places in the same version: from the place to the outermost of them. */
function onePlaceEach(root) {
  const { packages } = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const first = new Map()
  const places = new Map()
  const depth = (place) => place.split('node_modules/').length
  for (const place of Object.keys(packages).sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))) {
    const { version } = packages[place]
    const key = `${place.slice(place.lastIndexOf('node_modules/'))}@${version}`
    if (first.has(key)) places.set(place, first.get(key))
    else first.set(key, place)
  }
  return places
}
