import { createSiweMessage } from 'viem/siwe'
import { describe, expect, test } from 'vitest'
import { assertSignInMatchesOrigin, isOwnSignIn } from '../../src/lib/sign-in-text.ts'
import { resource, statement } from '../../src/login/wallet/service.ts'
import { siweMessage } from '../../src/login/wallet/siwe-message.ts'
import { siwsMessage } from '../../src/protocol/siws-message.ts'
import { limit } from '../support/limit.ts'

const origin = 'https://host.example'
const refusal = 'The message signs in to another site'
const account = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const siwe = (domain: string, uri: string, chain = 'Ethereum') =>
  `${domain} wants you to sign in with your ${chain} account:\n${account}\n\nWelcome.\n\nURI: ${uri}\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00.000Z`
const evil = siwe('evil.example', 'https://evil.example')

const elsewhere: Record<string, string> = {
  'as the standard writes it': evil,
  'on Solana': siwe('evil.example', 'https://evil.example', 'Solana'),
  'for an account of another chain': siwe('evil.example', 'https://evil.example', 'Starknet'),
  'behind a newline': `\n${evil}`,
  'behind a carriage return': `\r${evil}`,
  'behind blanks': `   \t${evil}`,
  'behind a byte order mark': `\ufeff${evil}`,
  'behind a next-line character': `\u0085${evil}`,
  'behind a line separator': `\u2028${evil}`,
  'behind a paragraph separator': `\u2029${evil}`,
  'behind a zero-width space': `\u200b${evil}`,
  'behind a bidi override': `\u202e${evil}`,
  'behind a soft hyphen and a Hangul filler': `\u00ad\u3164${evil}`,
  'behind a first line of its own': `Welcome to Harbor.\n\n${evil}`,
  'behind a sign-in of the page’s own': `${siwe('host.example', origin)}\n\n${evil}`,
  'in capitals': evil.toUpperCase(),
  'with blanks of another kind': evil.replace('wants you to', 'wants\u00a0you\u2003to'),
  'with words that are spread over lines': evil.replace('wants you', 'wants\nyou'),
  'with the domain on a line of its own': evil.replace(' wants', '\nwants'),
  'with zero-width characters in the words': evil.replace('wants', 'wa\u200bnts'),
  'in full-width letters': evil.replace('wants you', 'ｗａｎｔｓ you'),
  'with a scheme': siwe('https://evil.example', 'https://evil.example'),
  'with the page’s host as the user': siwe('host.example@evil.example', origin),
  'with another port': siwe('host.example:8443', origin),
  'with a trailing dot': siwe('host.example.', origin),
  'with a subdomain': siwe('login.host.example', origin),
  'with a longer name': siwe('host.example.evil.example', origin),
  'with a letter of another alphabet': siwe('h\u043est.example', origin),
  'in punycode': siwe('xn--hst-1ye.example', origin),
  'without a domain': siwe('', origin),
  'by the page’s host without encryption': siwe('http://host.example', origin),
}

const otherUris: Record<string, string> = {
  'another site': 'https://evil.example',
  'another path of another site': 'https://evil.example/https://host.example',
  'another scheme': 'http://host.example',
  'another port': 'https://host.example:444',
  'the page’s host as the user': 'https://host.example@evil.example',
  'a user of the page’s host': 'https://ada@host.example',
  'a trailing dot': 'https://host.example.',
  'a backslash': 'https://evil.example\\@host.example',
  'a scheme that names no site': 'did:key:abc',
  'no address': 'host.example',
  nothing: '',
}

const own: Record<string, string> = {
  'as the standard writes it': siwe('host.example', origin),
  'on Solana': siwe('host.example', origin, 'Solana'),
  'with a path': siwe('host.example', `${origin}/login?next=%2F`),
  'in mixed case': siwe('Host.Example', 'https://HOST.example'),
  'with its scheme': siwe('https://host.example', origin),
  'without an address': `host.example wants you to sign in with your Ethereum account:\n${account}`,
  'behind a greeting': `Welcome to Harbor.\n\n${siwe('host.example', origin)}`,
  'that is no sign-in': 'Please sign this.\nURI: https://evil.example',
  'that only speaks of signing in': 'Sign in to evil.example to see who wants you.',
}

const byLibrary = (more: Partial<Parameters<typeof createSiweMessage>[0]> = {}) =>
  createSiweMessage({
    domain: 'host.example',
    address: account,
    uri: `${origin}/login`,
    version: '1',
    chainId: 8453,
    nonce: 'a1b2c3d4e5f6',
    issuedAt: new Date(0),
    ...more,
  })
const every = {
  statement: 'Welcome to Harbor: by this you agree to its terms (https://docs.example/terms).',
  scheme: 'https',
  expirationTime: new Date(9e12),
  notBefore: new Date(0),
  requestId: 'request-1',
  resources: ['https://docs.example/terms', 'ipfs://bafy/2'],
}
const solanaAccount = 'So11111111111111111111111111111111111111112'
const once = { domain: 'host.example', address: solanaAccount, nonce: 'a1b2c3d4' }
const siws = (more: Partial<Parameters<typeof siwsMessage>[0]> = {}) => siwsMessage({ ...once, ...more })
const everyOfSolana = {
  statement: 'Welcome to Harbor.',
  uri: `${origin}/login`,
  version: '1',
  chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  issuedAt: '2026-01-01T00:00:00.000Z',
  expirationTime: '2026-01-01T00:00:00.000Z',
  notBefore: '2026-01-01T00:00:00.000Z',
  requestId: 'request-1',
  resources: ['https://docs.example/terms'],
}

const harmless: Record<string, string> = {
  'as the kit builds it': siweMessage({
    origin,
    address: account,
    chainId: 1,
    nonce: 'a1b2c3d4',
    issuedAt: new Date(0),
  }),
  'as viem builds it': byLibrary(),
  'as viem builds it with every optional field': byLibrary(every),
  ...Object.fromEntries(
    Object.entries(every).map(([field, value]) => [
      `as viem builds it with its ${field}`,
      byLibrary({ [field]: value }),
    ]),
  ),
  'without resources after their title': byLibrary({ resources: [] }),
  'without a statement or an empty line for it': byLibrary().replace('\n\n\n', '\n\n'),
  'with an address in small letters': byLibrary().replace(account, account.toLowerCase()),
  'with the time of another zone': byLibrary().replace('00:00:00.000Z', '01:00:00+01:00'),
  'on Solana, as the kit builds it': siwsMessage({
    ...once,
    uri: origin,
    statement,
    version: '1',
    chainId: 'mainnet',
    issuedAt: new Date(0).toISOString(),
    resources: [resource],
  }),
  'on Solana with every optional field': siws(everyOfSolana),
  'on Solana with no optional field but a nonce': siws(),
  ...Object.fromEntries(
    Object.entries(everyOfSolana).map(([field, value]) => [
      `on Solana with its ${field}`,
      siws({ [field]: value }),
    ]),
  ),
  ...Object.fromEntries(
    Object.keys(everyOfSolana).map((field) => [
      `on Solana without its ${field}`,
      siws({ ...everyOfSolana, [field]: undefined }),
    ]),
  ),
}

const notHarmless: Record<string, string> = {
  'for another account': byLibrary({ address: `0x${'12'.repeat(20)}` }),
  'for another account on Solana': siws({ address: 'So11111111111111111111111111111111111111113' }),
  'for an account on Solana in other letters': siws({ address: solanaAccount.replace('So', 'so') }),
  'with another account in its statement': byLibrary({ address: `0x${'12'.repeat(20)}`, statement: account }),
  'at another site': byLibrary({ domain: 'evil.example' }),
  'at another site on Solana': siws({ domain: 'evil.example' }),
  'whose URI is at another site': byLibrary({ uri: 'https://evil.example' }),
  'whose URI is at another site on Solana': siws({ uri: 'https://evil.example' }),
  'by another scheme': byLibrary({ scheme: 'http' }),
  ...Object.fromEntries(
    ['URI', 'Version', 'Chain ID', 'Nonce', 'Issued At'].map((field) => [
      `without its ${field}`,
      byLibrary().replace(new RegExp(`${field}: .*\n?`), ''),
    ]),
  ),
  'on Solana without its nonce': siws({ ...everyOfSolana, nonce: undefined }),
  'on Solana with nothing but domain and address': siws({ nonce: undefined }),
  'with a nonce of seven characters': byLibrary().replace('a1b2c3d4e5f6', 'a1b2c3d'),
  'with a nonce of seven characters on Solana': siws({ nonce: 'a1b2c3d' }),
  'with the chain of Solana on Ethereum': byLibrary().replace('Chain ID: 8453', 'Chain ID: mainnet'),
  'of another version': byLibrary().replace('Version: 1', 'Version: 2'),
  'of another version on Solana': siws({ version: '2' }),
  'with its fields in another order': siws({ ...everyOfSolana, uri: undefined }).replace(
    /(Version: 1)\n(Chain ID: .*)/,
    '$2\n$1',
  ),
  'with a field twice': byLibrary().replace('Version: 1', 'Version: 1\nVersion: 1'),
  'with a field of its own': byLibrary().replace('Version: 1', 'Version: 1\nAmount: 5'),
  'with a statement of two lines': siws({ statement: 'Welcome.\nAnd more.' }),
  'with letters of another script in its statement': siws({ statement: 'W\u0435lcome' }),
  'with a capability for somebody else (ERC-5573)': byLibrary({ resources: ['urn:recap:eyJ9'] }),
  'with a line before it': `Welcome.\n${byLibrary()}`,
  'with a line behind it': `${byLibrary()}\nand more`,
  'with an empty line behind it': `${byLibrary()}\n`,
  'with line ends of Windows': byLibrary().replaceAll('\n', '\r\n'),
}

/** The account that signs is that of the chain that the text names. */
const signerOf = (text: string) => ({
  origin,
  address: text.includes('Solana account') ? solanaAccount : account,
})

describe('sign-in text', () => {
  test.each(Object.entries(elsewhere))('sign-in text: one for another site is refused, %s', (_, text) => {
    expect(() => assertSignInMatchesOrigin(text, origin)).toThrow(refusal)
  })
  test.each(Object.entries(otherUris))('sign-in text: one whose URI has %s is refused', (_, uri) => {
    expect(() => assertSignInMatchesOrigin(siwe('host.example', uri), origin)).toThrow(refusal)
  })
  test.each(['uri:', 'Uri :', '  URI:', '\u200bURI:', 'ＵＲＩ：', 'Welcome. URI:'])(
    'sign-in text: a second URI for another site is refused, written %o',
    (name) => {
      expect(() =>
        assertSignInMatchesOrigin(`${siwe('host.example', origin)}\n${name} https://evil.example`, origin),
      ).toThrow(refusal)
    },
  )
  test.each(Object.entries(own))('sign-in text: one of the page’s own is accepted, %s', (_, text) => {
    expect(() => assertSignInMatchesOrigin(text, origin)).not.toThrow()
  })
  test('sign-in text: the port of the page counts', () => {
    const local = 'http://localhost:4810'
    expect(() => assertSignInMatchesOrigin(siwe('localhost:4810', local), local)).not.toThrow()
    expect(() => assertSignInMatchesOrigin(siwe('localhost', 'http://localhost'), local)).toThrow(refusal)
    expect(() => assertSignInMatchesOrigin(siwe('localhost:4811', local), local)).toThrow(refusal)
  })
  test('sign-in text: a text as long as a request may be is read at once', () => {
    const before = performance.now()
    assertSignInMatchesOrigin('a'.repeat(120_000), origin)
    assertSignInMatchesOrigin('uri '.repeat(30_000), origin)
    assertSignInMatchesOrigin('wants you to '.repeat(10_000), origin)
    expect(performance.now() - before).toBeLessThan(limit(500))
  })
  test.each(Object.entries(harmless))(
    'sign-in text: a whole one of the page’s own is harmless, %s',
    (_, text) => {
      expect(() => assertSignInMatchesOrigin(text, origin)).not.toThrow()
      expect(isOwnSignIn(text, signerOf(text))).toBe(true)
    },
  )
  test.each(Object.entries(notHarmless))('sign-in text: one is more than harmless, %s', (_, text) =>
    expect(isOwnSignIn(text, signerOf(text))).toBe(false),
  )
  test('sign-in text: whether one of the greatest length is harmless is known at once', () => {
    const before = performance.now()
    isOwnSignIn(byLibrary({ statement: 'a '.repeat(60_000) }).slice(0, -1), signerOf(''))
    isOwnSignIn(`${byLibrary()}\nResources:${'\n- a:b'.repeat(20_000)}\n`, signerOf(''))
    expect(performance.now() - before).toBeLessThan(limit(500))
  })
})
