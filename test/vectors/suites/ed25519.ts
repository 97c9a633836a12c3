import { ed25519 } from '@noble/curves/ed25519.js'
import { fromHex, read, type Suite, same, toHex, type Wycheproof } from './suite.ts'

interface Group {
  readonly publicKey: { readonly pk: string }
}
interface Case {
  readonly msg: string
  readonly sig: string
}

/** RFC 8032, section 7.1, tests 1 to 3: seed, public key, message, signature. */
const rfc: readonly (readonly [string, string, string, string])[] = [
  [
    '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
]

/** Strict: small orders and values that are not reduced are refused, as the backend does. */
export const ed25519Suite: Suite = {
  name: 'Ed25519, strict, by @noble/curves',
  async run(load) {
    for (const [seed, publicKey, message, signature] of rfc) {
      same(toHex(ed25519.getPublicKey(fromHex(seed))), publicKey, 'public key')
      same(toHex(ed25519.sign(fromHex(message), fromHex(seed))), signature, 'signature')
    }
    const { testGroups } = await read<Wycheproof<Group, Case>>(load, 'wycheproof/ed25519_test.json')
    const count = { valid: 0, refused: 0 }
    for (const { tests, publicKey } of testGroups)
      for (const { tcId, comment, result, msg, sig } of tests) {
        const verified = verifies(fromHex(sig), fromHex(msg), fromHex(publicKey.pk))
        same(verified, result === 'valid', `Ed25519 ${tcId} ${comment}`)
        if (verified) count.valid++
        else count.refused++
      }
    return `Ed25519: ${rfc.length} signed, ${count.valid} verified, ${count.refused} refused`
  },
}

/** What throws counts as refused: a signature of another length. */
function verifies(signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, message, key, { zip215: false })
  } catch {
    return false
  }
}
