import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { HARDENED_OFFSET, HDKey } from '@scure/bip32'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { type Bytes, bytesToHex, concatBytes, utf8, wipe } from './bytes.ts'

/** BIP-39 fixes it. */
const ROUNDS = 2_048
/** m/44'/60'/0'/0/0 of BIP-44. */
const PATH = [44 + HARDENED_OFFSET, 60 + HARDENED_OFFSET, HARDENED_OFFSET, 0, 0]

/**
 * Derives the Ethereum key of an entropy and lends it to `work`; its bytes are zeroed when `work` is done.
 * The address is in EIP-55 form. Rejects when `work` does.
 */
export async function withKey<T>(
  entropy: Bytes,
  work: (privateKey: Bytes, address: string) => T | Promise<T>,
): Promise<T> {
  const seed = await entropyToSeed(entropy)
  const line: HDKey[] = []
  let privateKey: Bytes | null | undefined
  try {
    let key = HDKey.fromMasterSeed(seed)
    line.push(key)
    for (const index of PATH) {
      key = key.deriveChild(index)
      line.push(key)
    }
    privateKey = key.privateKey as Bytes | null
    const { publicKey } = key
    if (!privateKey || !publicKey) throw new Error('A derived key is only half a key')
    return await work(privateKey, addressOf(publicKey))
  } finally {
    wipe(seed, privateKey ?? undefined)
    for (const key of line) key.wipePrivateData()
  }
}

/**
 * BIP-39: entropy (16 to 32 bytes) -> seed of 64 bytes, by WebCrypto. The sentence in between exists as bytes only,
 * and they are zeroed: a string would stay in memory until the browser feels like clearing it.
 */
export async function entropyToSeed(entropy: Bytes, passphrase = ''): Promise<Bytes> {
  const sentence = mnemonicBytes(entropy)
  try {
    const key = await crypto.subtle.importKey('raw', sentence, 'PBKDF2', false, ['deriveBits'])
    const salt = utf8(`mnemonic${passphrase}`.normalize('NFKD'))
    const how = { name: 'PBKDF2', hash: 'SHA-512', salt, iterations: ROUNDS }
    return new Uint8Array(await crypto.subtle.deriveBits(how, key, 512))
  } finally {
    wipe(sentence)
  }
}

/** BIP-39: the English sentence of an entropy, as bytes; the caller wipes them. */
export function mnemonicBytes(entropy: Bytes): Bytes {
  const count = (entropy.length * 3) / 4
  const checked = concatBytes(entropy, sha256(entropy).subarray(0, 1))
  const indexes = new Uint16Array(count)
  let found = 0
  let bits = 0
  let held = 0
  for (const byte of checked) {
    held = ((held << 8) | byte) & 0x7ffff
    bits += 8
    if (bits < 11 || found === count) continue
    bits -= 11
    indexes[found++] = (held >> bits) & 0x7ff
  }
  const words = Array.from(indexes, (index) => wordlist[index] ?? '')
  const sentence = new Uint8Array(words.reduce((length, word) => length + word.length + 1, -1))
  let at = 0
  for (const word of words) {
    new TextEncoder().encodeInto(at > 0 ? ` ${word}` : word, sentence.subarray(at))
    at += word.length + (at > 0 ? 1 : 0)
  }
  indexes.fill(0)
  wipe(checked)
  return sentence
}

/** The EIP-55 address of a public key in either encoding. */
export function addressOf(publicKey: Uint8Array): string {
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false)
  return checksummed(bytesToHex(keccak_256(point.subarray(1)).subarray(12)))
}

/** EIP-55: capitals as a checksum. `hex` is 40 digits without a prefix, in any case. */
export function checksummed(hex: string): string {
  const lower = hex.toLowerCase()
  const sum = bytesToHex(keccak_256(utf8(lower)))
  const digits = Array.from(lower, (digit, i) =>
    Number.parseInt(sum[i] ?? '0', 16) > 7 ? digit.toUpperCase() : digit,
  )
  return `0x${digits.join('')}`
}
