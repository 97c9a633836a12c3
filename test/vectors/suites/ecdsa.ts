import { secp256k1 } from '@noble/curves/secp256k1.js'
import { verify } from '@noble/secp256k1'
// For the hashes that it gives the library.
import '../../../src/vault/keys/secp256k1.ts'
import { fromHex, read, type Suite, same, type Wycheproof } from './suite.ts'

interface Group {
  readonly publicKey: { readonly uncompressed: string }
}
interface Case {
  readonly msg: string
  readonly sig: string
}

export const ecdsa: Suite = {
  name: 'ECDSA secp256k1, low s, by @noble/secp256k1',
  async run(load) {
    const file = 'wycheproof/ecdsa_secp256k1_sha256_bitcoin_test.json'
    const { testGroups } = await read<Wycheproof<Group, Case>>(load, file)
    const count = { valid: 0, refused: 0 }
    for (const { tests, publicKey } of testGroups)
      for (const { tcId, comment, result, msg, sig } of tests) {
        const verified = verifies(fromHex(sig), fromHex(msg), fromHex(publicKey.uncompressed))
        same(verified, result === 'valid', `ECDSA ${tcId} ${comment}`)
        if (verified) count.valid++
        else count.refused++
      }
    return `ECDSA secp256k1: ${count.valid} verified, ${count.refused} refused`
  },
}

/** What throws is refused as well: a signature that is no DER at all, which another library has to read. */
function verifies(signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean {
  try {
    const compact = secp256k1.Signature.fromBytes(signature, 'der').toBytes('compact')
    return verify(compact, message, key, { lowS: true, prehash: true })
  } catch {
    return false
  }
}
