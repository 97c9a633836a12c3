import { sha256 } from '@noble/hashes/sha2.js'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { type Bytes, concatBytes, utf8, wipe } from '../bytes.ts'

/** BIP-39 fixes it. */
const ROUNDS = 2_048

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
