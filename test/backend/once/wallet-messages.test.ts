/** What anybody may send as a signed message: 100,000 inputs for each reader, which must read exactly what was written. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checksummed, readEthereumAddress, readSolanaAddress } from '../../../demo/backend/chains/address.ts'
import { readSiweMessage } from '../../../demo/backend/login/siwe/message.ts'
import { readSiwsMessage } from '../../../demo/backend/login/siws/message.ts'
import { fuzz, nearly, oddText } from '../../fuzz/fuzz.ts'

const timeout = 180_000
const of = (letters: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength, maxLength })
const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const moment = fc
  .date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') })
  .map((date) => date.toISOString())
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

const fields = fc
  .record({
    uri: maybe(fc.webUrl()),
    version: maybe(fc.constantFrom('1', '1', '2')),
    chainId: maybe(fc.oneof(fc.nat().map(String), fc.constantFrom('mainnet', '1', '01', 'eip155:1'))),
    nonce: maybe(of('abcdefABC0189', 6, 24)),
    issuedAt: maybe(moment),
    expirationTime: maybe(moment),
    notBefore: maybe(moment),
    requestId: maybe(of('ab-._~%2', 0, 6)),
    resources: maybe(fc.array(fc.webUrl(), { maxLength: 3 })),
  })
  .map((parts) => {
    const labels = [
      'URI',
      'Version',
      'Chain ID',
      'Nonce',
      'Issued At',
      'Expiration Time',
      'Not Before',
      'Request ID',
    ]
    const { resources, ...named } = parts
    const lines = Object.values(named).flatMap((value, at) =>
      value === undefined ? [] : [`${labels[at]}: ${value}`],
    )
    return [...lines, ...(resources ? ['Resources:', ...resources.map((each) => `- ${each}`)] : [])].join(
      '\n',
    )
  })
const head = (chain: string, address: fc.Arbitrary<string>) =>
  fc
    .tuple(
      chain === 'Solana' ? fc.constant(undefined) : maybe(fc.constantFrom('https', 'http')),
      fc.constantFrom('host.example', 'localhost:1', '[::1]:80'),
      address,
    )
    .map(
      ([scheme, domain, at]) =>
        `${scheme ? `${scheme}://` : ''}${domain} wants you to sign in with your ${chain} account:\n${at}`,
    )
const statement = fc.constantFrom('', 'A statement.\n', 'Two\nlines\n', 'URI: https://x\n', '\n')
const message = (chain: string, address: fc.Arbitrary<string>) => {
  const whole = fc
    .tuple(head(chain, address), statement, fields)
    .map(([top, said, end]) => `${top}\n\n${said}\n${end}`)
  const full = fc
    .tuple(
      head(chain, address),
      fc.constantFrom('', 'A statement.\n'),
      fc.webUrl(),
      of('abc0189', 8, 24),
      moment,
    )
    .map(
      ([top, said, uri, nonce, at]) =>
        `${top}\n\n${said}\nURI: ${uri}\nVersion: 1\nChain ID: 1\nNonce: ${nonce}\nIssued At: ${at}`,
    )
  return fc.oneof(
    { weight: 3, arbitrary: full },
    { weight: 3, arbitrary: nearly(full) },
    { weight: 2, arbitrary: nearly(whole) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
    { weight: 1, arbitrary: oddText },
  )
}

describe('messages that wallets sign', { timeout }, () => {
  test('of Ethereum are read exactly as written, or not at all', () => {
    const address = of('0123456789abcdef', 40, 40).map(checksummed)
    fuzz('SIWE reader', message('Ethereum', address), readSiweMessage, (read, text) => {
      const { scheme, domain, address: at, statement: said, resources, ...named } = read
      const { uri, version, chainId, nonce, issuedAt, expirationTime, notBefore, requestId } = named
      const line = (label: string, value: unknown) => (value === undefined ? [] : [`${label}: ${value}`])
      expect(
        [
          `${scheme ? `${scheme}://` : ''}${domain} wants you to sign in with your Ethereum account:`,
          ...[at, '', ...(said === undefined ? [] : [said]), ''],
          ...[`URI: ${uri}`, `Version: ${version}`, `Chain ID: ${chainId}`, `Nonce: ${nonce}`],
          ...[`Issued At: ${issuedAt}`, ...line('Expiration Time', expirationTime)],
          ...[...line('Not Before', notBefore), ...line('Request ID', requestId)],
          ...(resources ? ['Resources:', ...resources.map((each) => `- ${each}`)] : []),
        ].join('\n'),
      ).toBe(text.replace(/^HTTPS?/i, (word) => word.toLowerCase()))
      for (const time of [issuedAt, expirationTime ?? issuedAt, notBefore ?? issuedAt])
        expect(Date.parse(time)).not.toBeNaN()
    })
  })

  test('of Solana are read exactly as written, or not at all', () => {
    fuzz('SIWS reader', message('Solana', of(base58, 32, 44)), readSiwsMessage, (read, text) => {
      const lines = text.split('\n')
      expect(lines.slice(0, 2)).toEqual([
        `${read.domain} wants you to sign in with your Solana account:`,
        read.address,
      ])
      for (const [label, value] of [
        ['URI', read.uri],
        ['Nonce', read.nonce],
        ['Issued At', read.issuedAt],
      ])
        expect(lines.filter((each) => each.startsWith(`${label}: `))).toEqual(
          value === undefined ? [] : [`${label}: ${value}`],
        )
      if (read.statement !== undefined) expect(text).toContain(`\n\n${read.statement}`)
    })
  })

  test('come from addresses that have one form', () => {
    const digits = of('0123456789abcdef', 40, 40)
    const ethereum = fc.oneof(
      digits.map(checksummed),
      digits.map((each) => `0x${each}`),
      of('0123456789abcdefABCDEF', 38, 42).map((each) => `0x${each}`),
    )
    fuzz(
      'Ethereum addresses',
      fc.oneof(ethereum, nearly(ethereum), oddText),
      readEthereumAddress,
      (read, text) => {
        expect(read.toLowerCase()).toBe(text.trim().toLowerCase())
        expect(readEthereumAddress(read)).toBe(read)
      },
    )
    const solana = of(base58, 30, 46)
    fuzz('Solana addresses', fc.oneof(solana, nearly(solana), oddText), readSolanaAddress, (read, text) =>
      expect(read).toBe(text.trim()),
    )
  })

  // A pattern that tries its parts again and again would not come to an end.
  test.each([
    ['a line of a megabyte', `${'x'.repeat(1_000_000)} wants you to sign in with your Ethereum account:`],
    ['a million lines', '\n'.repeat(1_000_000)],
    ['a million resources', `Resources:${'\n- https://x'.repeat(1_000_000)}`],
    [
      'a domain of a million colons',
      `${':'.repeat(1_000_000)} wants you to sign in with your Solana account:\nA`,
    ],
  ])('%s is refused', (_, text) => {
    expect([readSiweMessage(text), readSiwsMessage(text)]).toEqual([undefined, undefined])
  })
})
