/** What wallets are asked to sign: built from random inputs, it says what was put in and nothing else. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSiwsMessage } from '../../demo/backend/login/siws/message.ts'
import { KitError } from '../../src/errors/kit-error.ts'
import { signInPage, statement } from '../../src/login/wallet/service.ts'
import { siweMessage } from '../../src/login/wallet/siwe-message.ts'
import { takeReturn } from '../../src/protocol/address-bar.ts'
import { readReturn } from '../../src/protocol/returns.ts'
import { type SiwsFields, siwsMessage } from '../../src/protocol/siws-message.ts'
import { walletBrowserQuery } from '../../src/protocol/wallet-browser.ts'
import { counted } from '../support/soak.ts'
import { fuzz, inputs, nearly, oddText } from './fuzz.ts'

const timeout = 120_000
/** Nothing but typed errors may leave a builder. */
const typed = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof KitError) return undefined
    throw cause
  }
}
const from = (letters: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength, maxLength })
const evil = fc.constantFrom(
  '\nURI: https://evil.example',
  '\n\nNonce: evilevil',
  '\r',
  '\u2028',
  '\u202e',
  '',
  ' x',
)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const bent = (text: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 6, arbitrary: text },
    { weight: 1, arbitrary: nearly(text) },
    { weight: 1, arbitrary: evil },
  )

describe(`messages to sign, of ${counted(inputs)} random inputs`, { timeout }, () => {
  it('for Solana read as they were meant', () => {
    const times = fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') })
      .map((date) => date.toISOString())
    const fields: fc.Arbitrary<SiwsFields> = fc.record({
      domain: bent(fc.constantFrom('host.example', 'localhost:4810', '[::1]:80')),
      address: bent(from('123ABCxyz', 32, 44)),
      statement: maybe(bent(from('Abc \n.-:', 1, 40))),
      uri: maybe(bent(fc.webUrl())),
      version: maybe(fc.constantFrom('1', '2', '1\n')),
      chainId: maybe(bent(fc.constantFrom('mainnet', 'solana:devnet'))),
      nonce: maybe(bent(from('abcABC019', 8, 20))),
      issuedAt: maybe(bent(times)),
      expirationTime: maybe(times),
      notBefore: maybe(times),
      requestId: maybe(bent(from('abc-019', 0, 8))),
      resources: maybe(fc.array(bent(fc.webUrl()), { maxLength: 3 })),
    })
    fuzz(
      'SIWS builder',
      fields,
      (input) => typed(() => siwsMessage(input)),
      (text, input) => {
        const read = readSiwsMessage(text)
        // The server reads stricter than the standard writes; what it does read is what was meant.
        if (!read) return
        const meant = Object.entries(input).filter(([, value]) => value !== undefined)
        expect(read).toEqual(Object.fromEntries(meant))
      },
    )
  })

  it('for Ethereum name the page, the wallet and the chain that they are for', () => {
    const hex = from('0123456789abcdefABCDEF', 40, 40).map((digits) => `0x${digits}`)
    const input = fc.record({
      origin: bent(
        fc.oneof(
          fc.webUrl({ withFragments: false }).map((url) => new URL(url).origin),
          fc.constantFrom('null', 'file://', 'http://localhost:1'),
        ),
      ),
      address: bent(hex),
      chainId: fc.oneof(fc.maxSafeNat(), fc.double(), fc.constantFrom(1, 0, -1)),
      nonce: bent(from('abcABC019', 8, 20)),
      issuedAt: fc.date(),
    })
    fuzz(
      'SIWE builder',
      input,
      (wish) => typed(() => siweMessage(wish)),
      (text, { origin, address, chainId, nonce, issuedAt }) => {
        const lines = text.split('\n')
        expect(lines[1]?.toLowerCase()).toBe(address.toLowerCase())
        expect([lines[0], ...lines.slice(2)]).toEqual([
          `${new URL(origin).host} wants you to sign in with your Ethereum account:`,
          ...['', statement, '', `URI: ${origin}`, 'Version: 1', `Chain ID: ${chainId}`, `Nonce: ${nonce}`],
          ...[`Issued At: ${issuedAt.toISOString()}`, 'Resources:', '- urn:latchkey:sign-in'],
        ])
      },
    )
  })

  it('name no page that is none', () => {
    fuzz(
      'origins',
      fc.oneof(nearly(fc.webUrl()), fc.string(), oddText),
      (origin) => typed(() => signInPage(origin)),
      ({ domain, uri }, origin) => expect([uri, domain]).toEqual([origin, new URL(origin).host]),
    )
  })
})

describe(`what an address bar brings, of ${counted(inputs)} random inputs`, { timeout }, () => {
  it('of a wallet’s browser is a claim of known shape, or nothing', () => {
    const part = fc
      .tuple(
        fc.constantFrom('privy_connector', 'privy_wallet_client', 'privy_token', 'privy_connect_only', 'a'),
        fc.oneof(fc.constantFrom('injected', 'solana_adapter', 'phantom', 'true', 'AbC-_1'), oddText),
      )
      .map(([name, value]) => `${name}=${value}`)
    const address = fc
      .array(part, { maxLength: 6 })
      .map((parts) => `https://host.example/?${parts.join('&')}`)
    const links = fc
      .record({
        connector: fc.constantFrom('injected' as const, 'solana_adapter' as const),
        client: fc.constantFrom('phantom', 'phantom_solana', 'okx_wallet'),
        token: maybe(from('abcXYZ-_019', 43, 43)),
        connectOnly: maybe(fc.boolean()),
      })
      .map((link) => `https://host.example/?a=1&${walletBrowserQuery(link)}`)
    fuzz(
      'links into wallets’ browsers',
      fc.oneof({ weight: 3, arbitrary: address }, { weight: 3, arbitrary: nearly(links) }),
      (text) => {
        const taken = takeReturn({ address: () => text, rewrite: () => {} })
        return taken && readReturn(taken)
      },
      (read) => {
        if (read.kind !== 'wallet-browser') return
        expect(['injected', 'solana_adapter']).toContain(read.connector)
        expect(read.client).toMatch(/^[\w.-]{1,64}$/)
        if (read.token !== undefined) expect(read.token).toMatch(/^[\w.~-]{1,512}$/)
      },
    )
  })
})
