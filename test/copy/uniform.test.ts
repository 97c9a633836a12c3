import { expect, test } from 'vitest'
import { en } from '../../src/copy/en/index.ts'
import { words as exportWords } from '../../src/vault/export/words.ts'
import { readTexts } from '../architecture/texts.ts'

const words: readonly (readonly [key: string, text: string])[] = [
  ...Object.entries(en),
  ...Object.entries(exportWords).map(([key, text]) => [`export.${key}`, String(text)] as const),
]
const sources = readTexts(['src', 'elements', 'demo/backend'])

/** Keys whose words match, without those whose words the product's specification gives. */
const keysOf = (wrong: RegExp, specified: readonly string[]) =>
  words.filter(([key, text]) => wrong.test(text) && !specified.includes(key)).map(([key]) => key)

test('words: another attempt is ‘Try again’, but where the specification says ‘Retry’', () => {
  const specified = ['login.captcha.retry', 'login.telegram.retry', 'error.oauth.denied', 'transaction.retry']
  expect(keysOf(/\bretry/i, specified)).toEqual([])
})

test('words: a wallet is recovered, and not backed up, but where the specification says so', () => {
  const specified = [
    'recovery.select.update',
    'device.drive.back-up.title',
    'error.drive.backUp',
    'error.drive.account',
  ]
  expect(keysOf(/\bback(ed|ing|s)?[ -]?up/i, specified)).toEqual([])
})

test('words: a passkey is added and removed, and neither linked, created nor deleted', () => {
  const specified = ['account.link.limitPasskeys', 'error.passkey.cannotLinkMore']
  const other = /\b(un)?link|\bcreat|\bdelet|\bmake|\bmade/i
  const ofPasskeys = keysOf(/passkey/i, specified).filter((key) => other.test(String(Object(en)[key])))
  expect(ofPasskeys).toEqual([])
})

test('icons: a passkey is drawn as a fingerprint, wherever it is shown', () => {
  const keys = sources.filter(({ file, text }) => /passkey/i.test(file) && text.includes('keyRound'))
  const named = sources.filter(({ text }) => /passkeys?'?: keyRound|'passkeys?', keyRound/.test(text))
  expect([...keys, ...named].map(({ file }) => file)).toEqual([])
})

test('words: apostrophes are straight, as in the specification', () => {
  // What users type, and what foreign messages say, may have any.
  const readers = [
    'src/lib/message-concern.ts',
    'src/ui/fields/phone-field/countries.ts',
    'src/ethereum/amount-input.ts',
  ]
  const curly = sources.filter(({ file, text }) => !readers.includes(file) && /[‘’]/.test(text))
  expect(curly.map(({ file }) => file)).toEqual([])
})
