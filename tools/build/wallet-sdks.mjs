/**
 * Fits the SDKs of WalletConnect, Coinbase and Solana into a page without touching their text: modules that are never wanted are
 * aliased away, and each package comes in one copy. What has to be changed in Coinbase's is in coinbase-patches.mjs.
 */
import fs from 'node:fs'
import path from 'node:path'

const walletConnect = '@walletconnect/ethereum-provider'
const solana = '@solana/web3.js'

/** Modules that are never needed, by the name under which they are imported: who imports each, and what replaces it. */
const aliases = {
  // The vendor's own dialog, in a hundred files. `showQrModal: false` is said, and the kit draws the code.
  '@reown/appkit/core': { askedBy: walletConnect, text: 'export {}' },
  // The library is given a logger, and a storage, by its options.
  pino: { askedBy: walletConnect, text: 'export const levels = { values: {} }; export default () => {}' },
  '@walletconnect/keyvaluestorage': {
    askedBy: walletConnect,
    text: 'export class IKeyValueStorage {} export class KeyValueStorage {} export default KeyValueStorage',
  },
  // Every browser that we draw in has it.
  'cross-fetch': { askedBy: walletConnect, text: 'export default (...input) => fetch(...input)' },
  // web3.js opens it for subscriptions, which the kit doesn't use: it polls for confirmations. Its licence (LGPL-3.0) is
  // none that our bundles carry.
  'rpc-websockets': {
    askedBy: solana,
    text: `export class CommonClient {
      on() {}
      close() {}
      connect() { throw new Error('Subscriptions to a Solana node are not part of this bundle') }
    }
    export const WebSocket = undefined`,
  },
  // A stand-in for what every browser has, under a licence that our bundles don't carry.
  'text-encoding-utf-8': { askedBy: solana, text: 'export const { TextDecoder, TextEncoder } = globalThis' },
}
const idOf = (name) => `\0alias:${name}`

export function walletSdks(root) {
  const places = onePlaceEach(root)
  return {
    name: 'wallet-sdks',
    async resolveId(source, importer, options) {
      if (!importer?.includes('/node_modules/')) return null
      if (Object.hasOwn(aliases, source)) return idOf(source)
      if (source === './hashes/sha2.js' && importer.includes('/node_modules/multiformats/'))
        // The package names this file for browsers, in a form that @rollup/plugin-node-resolve does not read.
        return this.resolve('./hashes/sha2-browser.js', importer, { ...options, skipSelf: true })
      if (/^[./\0]/.test(source)) return null
      const found = await this.resolve(source, importer, { ...options, skipSelf: true })
      const folder = found && /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(found.id)?.[0]
      const place = folder && places.get(path.relative(root, folder))
      if (!place) return found
      // Asked for from where it lies, so that what the package says of itself is heeded.
      const neighbour = path.join(root, place.slice(0, place.lastIndexOf('node_modules/')), 'index.js')
      return this.resolve(source, neighbour, { ...options, skipSelf: true })
    },
    load: (id) => Object.entries(aliases).find(([name]) => id === idOf(name))?.[1].text,
    buildEnd(error) {
      if (error) return
      const modules = [...this.getModuleIds()]
      const packages = new Set(modules.map((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1]))
      const missing = Object.entries(aliases).find(
        ([name, { askedBy }]) => packages.has(askedBy) && !modules.includes(idOf(name)),
      )
      if (missing)
        this.error(`Nothing in ${missing[1].askedBy} imports ${missing[0]} any longer: see wallet-sdks.mjs`)
    },
  }
}

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
