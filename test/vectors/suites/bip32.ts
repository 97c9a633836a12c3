import { HDKey } from '@scure/bip32'
import { fromHex, read, refused, type Suite, same } from './suite.ts'

interface Seed {
  readonly seed: string
  readonly chains: readonly { readonly path: string; readonly xpub: string; readonly xprv: string }[]
}
interface Invalid {
  readonly invalid: readonly { readonly key: string; readonly why: string }[]
}

export const bip32: Suite = {
  name: 'BIP-32',
  async run(load) {
    const entries = await read<readonly (Seed | Invalid)[]>(load, 'bip32/bip32-vectors.json')
    let nodes = 0
    let keys = 0
    for (const entry of entries) {
      if ('invalid' in entry) {
        for (const { key, why } of entry.invalid) {
          await refused(() => HDKey.fromExtendedKey(key), why)
          keys++
        }
        continue
      }
      const root = HDKey.fromMasterSeed(fromHex(entry.seed))
      for (const { path, xprv, xpub } of entry.chains) {
        const node = root.derive(path)
        same(node.privateExtendedKey, xprv, `${path} private`)
        same(node.publicExtendedKey, xpub, `${path} public`)
        same(HDKey.fromExtendedKey(xprv).publicExtendedKey, xpub, `${path} read back`)
        nodes++
      }
    }
    return `BIP-32: ${nodes} nodes, ${keys} refused`
  },
}
