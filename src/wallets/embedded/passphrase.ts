import { wordlist } from '@scure/bip39/wordlists/english.js'
import { walletsLimits } from '../limits.ts'

/** A generated recovery password: words from a list of 2,048, chosen by the browser's CSPRNG. */
export function newPassphrase(): string {
  // 2,048 divides 2^16, so all words are equally likely.
  const drawn = crypto.getRandomValues(new Uint16Array(walletsLimits.passphraseWords))
  return Array.from(drawn, (number) => wordlist[number % wordlist.length] ?? '').join('-')
}
