import { HDKey } from '@scure/bip32'
import { getPublicKey } from '../../../src/vault/keys/secp256k1.ts'
import { withNode } from '../../../src/vault/keys/slip10.ts'
import { readPath } from './slip10.ts'
import { fromHex, read, refused, type Suite, same, toHex } from './suite.ts'

interface Seed {
  readonly seed: string
  readonly chains: readonly { readonly path: string; readonly xpub: string; readonly xprv: string }[]
}
interface Invalid {
  readonly invalid: readonly { readonly key: string; readonly why: string }[]
}

/** The vault has no extended keys as text: a library reads those of the vectors, the vault's own code derives. */
export const bip32: Suite = {
  name: 'BIP-32, through the vault',
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
      for (const { path, xprv, xpub } of entry.chains) {
        const secret = HDKey.fromExtendedKey(xprv)
        const open = HDKey.fromExtendedKey(xpub)
        const steps = readPath(path.replaceAll(/[hH]/g, "'"))
        await withNode('secp256k1', fromHex(entry.seed), steps, ({ key, chainCode }) => {
          same(toHex(key), toHex(secret.privateKey ?? new Uint8Array()), `${path} key`)
          same(toHex(chainCode), toHex(secret.chainCode ?? new Uint8Array()), `${path} chain code`)
          const publicKey = toHex(getPublicKey(key))
          same(publicKey, toHex(open.publicKey ?? new Uint8Array()), `${path} public key`)
        })
        nodes++
      }
    }
    return `BIP-32: ${nodes} nodes through the vault's code, ${keys} extended keys refused by the library`
  },
}
