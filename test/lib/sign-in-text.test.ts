import { describe, expect, test } from 'vitest'
import { assertSignInMatchesOrigin } from '../../src/lib/sign-in-text.ts'
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
})
