import { wordlist } from '@scure/bip39/wordlists/english.js'
import { limits } from '../../core/limits.ts'

/** A recovery password for somebody who wants one made: words of a list of 2,048, by the browser's CSPRNG. Wire 10.4. */
export function newPassphrase(): string {
  // 2,048 divides 2^16: all words are equally likely.
  const drawn = crypto.getRandomValues(new Uint16Array(limits.passphraseWords))
  return Array.from(drawn, (number) => wordlist[number % wordlist.length] ?? '').join('-')
}
