import { HDKey } from '@scure/bip32'
import { entropyToMnemonic, mnemonicToEntropy, mnemonicToSeedWebcrypto } from '@scure/bip39'
import { wordlist as czech } from '@scure/bip39/wordlists/czech.js'
import { wordlist as french } from '@scure/bip39/wordlists/french.js'
import { wordlist as italian } from '@scure/bip39/wordlists/italian.js'
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese.js'
import { wordlist as korean } from '@scure/bip39/wordlists/korean.js'
import { wordlist as portuguese } from '@scure/bip39/wordlists/portuguese.js'
import { wordlist as simplifiedChinese } from '@scure/bip39/wordlists/simplified-chinese.js'
import { wordlist as spanish } from '@scure/bip39/wordlists/spanish.js'
import { wordlist as traditionalChinese } from '@scure/bip39/wordlists/traditional-chinese.js'
import { entropyToSeed, mnemonicBytes } from '../../../src/vault/keys/bip39.ts'
import { fromHex, read, type Suite, same, toHex } from './suite.ts'

type Case = readonly [entropy: string, mnemonic: string, seed: string, root: string]
const file = 'bip39/trezor-vectors.json'
const passphrase = 'TREZOR'

/** The product knows English only: entropy -> sentence -> seed -> root key go through the vault's own code. */
export const english: Suite = {
  name: 'BIP-39, English, through the vault',
  async run(load) {
    const { english: cases } = await read<{ english: readonly Case[] }>(load, file)
    const words = (await load('bip39/english.txt'))?.trim().split(/\s+/) ?? []
    for (const [entropy, mnemonic, seed, root] of cases) {
      const sentence = new TextDecoder().decode(mnemonicBytes(fromHex(entropy)))
      same(sentence, mnemonic, `mnemonic of ${entropy}`)
      for (const word of sentence.split(' ')) same(words.includes(word), true, word)
      const ours = await entropyToSeed(fromHex(entropy), passphrase)
      same(toHex(ours), seed, `seed of ${entropy}`)
      same(HDKey.fromMasterSeed(ours).privateExtendedKey, root, `root key of ${entropy}`)
    }
    return `BIP-39: ${cases.length} English cases through the vault's code`
  },
}

const lists: Record<string, string[]> = {
  chinese_simplified: simplifiedChinese,
  chinese_traditional: traditionalChinese,
  czech,
  french,
  italian,
  japanese,
  korean,
  portuguese,
  spanish,
}

/** The other languages through @scure/bip39; for two of them it has no word list, so only the seed is checked. */
export const otherLanguages: Suite = {
  name: 'BIP-39, other languages, through @scure/bip39',
  async run(load) {
    const { english: _, ...languages } = await read<Record<string, readonly Case[]>>(load, file)
    let cases = 0
    let withList = 0
    for (const [language, vectors] of Object.entries(languages))
      for (const [entropy, mnemonic, seed, root] of vectors) {
        const list = lists[language]
        if (list) {
          same(toHex(mnemonicToEntropy(mnemonic, list)), entropy, `${language}: entropy of ${mnemonic}`)
          same(
            entropyToMnemonic(fromHex(entropy), list).normalize('NFKD'),
            mnemonic.normalize('NFKD'),
            language,
          )
          withList++
        }
        const found = await mnemonicToSeedWebcrypto(mnemonic, passphrase)
        same(toHex(found), seed, `${language}: seed of ${mnemonic}`)
        same(HDKey.fromMasterSeed(found).privateExtendedKey, root, `${language}: root key`)
        cases++
      }
    const names = Object.keys(languages).filter((language) => !lists[language])
    return `BIP-39: ${cases} cases in 11 other languages, ${withList} with words (no list for ${names.join(' and ')})`
  },
}
