/** Parsers of what wallets, links and storage say. */
import { readFile } from 'node:fs/promises'
import { base58 } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checksumAddress, parseEthereumAddress } from '../../src/ethereum/address.ts'
import { formatQuantity, parseChainNumber, parseQuantity } from '../../src/ethereum/integer.ts'
import * as caip from '../../src/lib/caip.ts'
import { parseBase58, parseSolanaAddress } from '../../src/solana/base58.ts'
import { parseHistory, writeHistory } from '../../src/wallets/external/history.ts'
import { walletConnectLinks } from '../../src/wallets/registry/links.ts'
import { walletByUrl } from '../../src/wallets/registry/registry.ts'
import { parseWalletConnectUri } from '../../src/wallets/wallet-connect-uri.ts'
import { counted } from '../support/soak.ts'
import { formatWalletConnectUri, isWalletLink } from '../support/wallet-links.ts'
import { fuzz, inputs, nearly, noText, oddText } from './fuzz.ts'

const timeout = 120_000
const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
const from = (letters: string, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength })
const naughty: readonly string[] = await readFile(
  new URL('../../../shared/vectors/fuzz/blns/blns.json', import.meta.url),
  'utf8',
).then(JSON.parse, () => ['<script>', '\u202etest', 'true', 'NaN'])
/** Empty means that nothing was accepted. */
const filled = <T extends object>(read: T) => (Object.keys(read).length > 0 ? read : undefined)
const anyInput = (real: fc.Arbitrary<string>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 6, arbitrary: nearly(real) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary' }) },
    { weight: 1, arbitrary: fc.constantFrom(...naughty) },
    { weight: 1, arbitrary: noText },
  )

const uris = fc
  .record({
    topic: hex(64),
    symKey: hex(64),
    relayProtocol: fc.constant('irn' as const),
    expiryTimestamp: fc.option(fc.integer({ min: 1, max: 2e9 }), { nil: undefined }),
    methods: fc.array(fc.constantFrom('wc_sessionPropose', 'wc_sessionAuthenticate'), { maxLength: 2 }),
  })
  .map(formatWalletConnectUri)

describe(`what is said of WalletConnect, of ${counted(inputs)} random inputs`, { timeout }, () => {
  it('an address is read only when it is one, and written again as it was', () => {
    fuzz('WalletConnect URI', anyInput(uris), parseWalletConnectUri, (read, text) => {
      expect(formatWalletConnectUri(read).toLowerCase()).toHaveLength(String(text).length)
      expect(Object.keys(read).sort()).toEqual([
        'expiryTimestamp',
        'methods',
        'relayProtocol',
        'symKey',
        'topic',
      ])
      expect(parseWalletConnectUri(formatWalletConnectUri(read))).toEqual(read)
    })
  })
  it('a link is made for nothing else, and never of another scheme', () => {
    fuzz(
      'links to wallets',
      fc.tuple(fc.constantFrom('metamask', 'rainbow', 'okx_wallet', 'trust', '__proto__'), nearly(uris)),
      ([id, uri]) => filled(walletConnectLinks(id, uri)),
      (links, [id, uri]) => {
        for (const link of Object.values(links)) {
          expect(isWalletLink(id, link)).toBe(true)
          expect(new URL(link).searchParams.get('uri')).toBe(uri)
        }
      },
    )
  })
  it('a peer is a known wallet only at home', () => {
    const urls = fc
      .tuple(
        fc.constantFrom('https://', 'http://', 'javascript:', '', '//'),
        oddText,
        fc.constantFrom('metamask.io', 'rainbow.me', 'okx.com'),
        oddText,
      )
      .map((parts) => parts.join(''))
    fuzz('peer addresses', fc.oneof(urls, fc.webUrl(), fc.string()), walletByUrl, (wallet, url) => {
      const { hostname } = new URL(url)
      expect(hostname === wallet.hostname || hostname.endsWith(`.${wallet.hostname}`)).toBe(true)
    })
  })
})

describe(`what is said of chains, of ${counted(inputs)} random inputs`, { timeout }, () => {
  const chains = fc.tuple(from('abcxyz-019', 8), from('abcXYZ-_019', 32)).map((parts) => parts.join(':'))
  const accounts = fc.tuple(chains, from('abcXYZ-.%019', 128)).map((parts) => parts.join(':'))
  const assets = fc
    .tuple(chains, from('abcxyz-019', 8), from('abcXYZ-.%019', 128), fc.option(from('abc-.%019', 78)))
    .map(([chain, kind, asset, token]) => `${chain}/${kind}:${asset}${token ? `/${token}` : ''}`)

  it('chains are written again as they were', () => {
    fuzz('CAIP-2', anyInput(chains), caip.parseChainId, (read, text) => {
      expect(caip.formatChainId(read)).toBe(text)
    })
  })
  it('accounts are', () => {
    fuzz('CAIP-10', anyInput(accounts), caip.parseAccountId, (read, text) => {
      expect(caip.formatAccountId(read)).toBe(text)
    })
  })
  it('assets are', () => {
    fuzz('CAIP-19', anyInput(assets), caip.parseAssetId, (read, text) => {
      expect(caip.formatAssetId(read)).toBe(text)
    })
  })
  it('quantities are, and the numbers of chains are whole ones', () => {
    const numbers = fc.oneof(
      fc.bigInt({ min: 0n, max: 2n ** 260n }).map((value) => formatQuantity(value)),
      fc.bigInt({ min: -5n, max: 2n ** 60n }).map(String),
      fc.double().map(String),
    )
    fuzz('hex quantity', anyInput(numbers), parseQuantity, (read, text) => {
      expect(formatQuantity(read)).toBe(String(text).toLowerCase())
    })
    fuzz('chain numbers', fc.oneof(anyInput(numbers), fc.double()), parseChainNumber, (id) => {
      expect(Number.isSafeInteger(id) && id > 0).toBe(true)
    })
  })
})

describe(`what is said of accounts, of ${counted(inputs)} random inputs`, { timeout }, () => {
  it('addresses of Ethereum come out checksummed, and are the same address', () => {
    const addresses = hex(40).map((digits) => `0x${digits}`)
    fuzz('Ethereum addresses', anyInput(addresses), parseEthereumAddress, (address, text) => {
      expect(address).toBe(checksumAddress(address.slice(2)))
      expect(address.toLowerCase()).toBe(String(text).toLowerCase())
    })
  })
  it('base58 is written again as it was', () => {
    const keys = fc.uint8Array({ minLength: 31, maxLength: 33 }).map((bytes) => base58.encode(bytes))
    fuzz(
      'base58',
      anyInput(keys),
      (text) => parseBase58(text, 32),
      (bytes, text) => {
        expect(base58.encode(bytes)).toBe(text)
      },
    )
    fuzz('Solana addresses', anyInput(keys), parseSolanaAddress, (address, text) =>
      expect(address).toBe(text),
    )
  })
})

describe(`what lies in storage, of ${counted(inputs)} random inputs`, { timeout }, () => {
  const value = fc.oneof(
    fc.string(),
    fc.double(),
    fc.constantFrom(null, true, '__proto__'),
    fc.jsonValue({ maxDepth: 1 }),
  )
  const good = fc.record({
    address: fc.string({ maxLength: 44 }),
    connectorType: fc.constantFrom('injected', 'solana_adapter'),
    walletClientType: fc.string({ maxLength: 12 }),
    connectedAt: fc.double({ noNaN: true, noDefaultInfinity: true }),
  })
  const odd = fc.dictionary(
    fc.constantFrom(
      'address',
      'connectorType',
      'walletClientType',
      'connectedAt',
      '__proto__',
      'constructor',
    ),
    value,
  )
  const lists = fc
    .array(fc.oneof({ weight: 8, arbitrary: good }, { weight: 1, arbitrary: odd }), { maxLength: 4 })
    .map((list) => JSON.stringify(list))

  it('is taken whole or not at all, and never reaches what all objects share', () => {
    const before = Object.getOwnPropertyNames(Object.prototype)
    fuzz(
      'history',
      anyInput(lists),
      (text) => filled(parseHistory(text)),
      (entries, text) => {
        for (const entry of entries) {
          expect(Object.keys(entry)).toEqual(['address', 'connectorType', 'walletClientType', 'connectedAt'])
          expect(Number.isFinite(entry.connectedAt)).toBe(true)
        }
        expect(JSON.parse(String(text)).length).toBeGreaterThanOrEqual(entries.length)
        expect(parseHistory(writeHistory(entries))).toEqual(entries)
      },
    )
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
  })
})
