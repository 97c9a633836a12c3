import { describe, expect, it } from 'vitest'
import type { HostConfig } from '../../src/app/config.ts'
import { parseEthereumAddress } from '../../src/ethereum/address.ts'
import {
  addChainParams,
  type Chain,
  chainOf,
  defaultChainId,
  defaultChains,
  explorerUrlOf,
  rpcUrlOf,
  supportedChainIds,
} from '../../src/ethereum/chains.ts'
import { parseChainNumber, parseQuantity } from '../../src/ethereum/integer.ts'
import { ethereumChainNumber } from '../../src/lib/caip.ts'
import { parseSolanaAddress } from '../../src/solana/base58.ts'

const config = (host: HostConfig = {}) => ({ host })
const local: Chain = {
  id: 31337,
  name: 'Here',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['http://127.0.0.1:8545', 'http://node.example', 'javascript:alert(1)'] } },
  blockExplorers: { default: { name: 'Explorer', url: 'javascript:alert(1)' } },
}

describe('the explorer of a transaction', () => {
  const { blockExplorers: _, ...unnamed } = local
  const options = config({
    supportedChains: [unnamed, { ...unnamed, id: 1, name: 'Mine' }, { ...unnamed, id: 8453, name: 'Base' }],
  })

  it('is that of a known chain, also where the host names none', () => {
    expect(explorerUrlOf(options, 1, '0xab')).toBe('https://etherscan.io/tx/0xab')
    expect(explorerUrlOf(options, 8453, '0xab')).toBe('https://basescan.org/tx/0xab')
  })

  it('is none for a chain that nobody knows, and never another chain’s', () => {
    expect(explorerUrlOf(options, 31337, '0xab')).toBeUndefined()
    expect(explorerUrlOf(options, 10, '0xab')).toBeUndefined()
  })
})

describe('chains', () => {
  it('are the twenty-six of the wire for an app that names none, in its order', () => {
    expect(supportedChainIds(config())).toEqual([
      ...[42161, 421614, 11155111, 1, 10, 11155420, 137, 80002, 42220, 314, 314159, 8453, 84532],
      ...[42, 59144, 43114, 43113, 7777777, 999, 999999999, 690, 17069],
    ])
    expect(defaultChainId(config())).toBe(1)
  })

  it('have a name that people know, amounts of 18 decimals, a node and mostly an explorer over https', () => {
    expect(defaultChains.map(({ name }) => name)).toEqual([
      ...['Arbitrum One', 'Arbitrum Sepolia', 'Sepolia', 'Ethereum', 'OP Mainnet', 'OP Sepolia', 'Polygon'],
      ...['Polygon Amoy', 'Celo', 'Filecoin Mainnet', 'Filecoin Calibration', 'Base'],
      ...['Base Sepolia', 'LUKSO', 'Linea Mainnet', 'Avalanche'],
      ...['Avalanche Fuji', 'Zora', 'HyperEVM', 'Zora Sepolia', 'Redstone', 'Garnet Testnet'],
    ])
    for (const { name, nativeCurrency, rpcUrls, blockExplorers } of defaultChains) {
      expect(nativeCurrency.decimals, name).toBe(18)
      expect(rpcUrls.default.http[0], name).toMatch(/^https:\/\//)
      expect(blockExplorers?.default.url, name).toMatch(/^https:\/\//)
    }
  })

  it('are the host’s where it names some', () => {
    const own = config({
      supportedChains: [local],
      rpcConfig: { rpcUrls: { 31337: 'https://mine.example/key' } },
    })
    expect(supportedChainIds(own)).toEqual([31337])
    expect(chainOf(own, 1)).toBeUndefined()
    expect(defaultChainId(own)).toBe(31337)
    expect(rpcUrlOf(own, 31337)).toBe('https://mine.example/key')
  })

  it('always hold the one that the host calls its default', () => {
    const own = config({ defaultChain: local })
    expect(defaultChainId(own)).toBe(31337)
    expect(chainOf(own, 31337)).toBe(local)
  })

  it('are passed to a wallet without the host’s own node, and without addresses that are not nodes', () => {
    expect(addChainParams(local)).toEqual({
      chainId: '0x7a69',
      chainName: 'Here',
      nativeCurrency: local.nativeCurrency,
      rpcUrls: ['http://127.0.0.1:8545'],
    })
  })
})

describe('numbers from a wallet', () => {
  it.each([
    ['0x1', 1],
    ['0x2105', 8453],
    ['0x01', 1],
    ['8453', 8453],
    [8453, 8453],
  ])('%j is chain %d', (value, id) => expect(parseChainNumber(value)).toBe(id))

  it('are no chain’s where they are zero, a fraction, too large, or no number', () => {
    for (const value of [
      ...[undefined, null, '', '0x', '0x0', 0, -1, 1.5, '1.5', '1e3', ' 1', 2 ** 53, Number.NaN, [1], true],
      ...['0x20000000000000', '99999999999999999999', {}, { valueOf: () => 1 }],
    ])
      expect(parseChainNumber(value), String(value)).toBeUndefined()
  })

  it('are quantities only without zeros in front, and of no more than 256 bits', () => {
    expect(parseQuantity('0x0')).toBe(0n)
    expect(parseQuantity(`0x${'f'.repeat(64)}`)).toBe(2n ** 256n - 1n)
    for (const bad of ['0x', '0x01', '1', 1, `0x1${'0'.repeat(64)}`, undefined])
      expect(parseQuantity(bad)).toBeUndefined()
  })

  it('are chain ids of CAIP-2 only with a number that is one', () => {
    expect(ethereumChainNumber('eip155:8453')).toBe(8453)
    for (const bad of ['eip155:0', 'eip155:01', 'eip155:x', 'eip155:9999999999999999', 'solana:1', 1])
      expect(ethereumChainNumber(bad)).toBeUndefined()
  })
})

describe('addresses from a wallet', () => {
  const address = '0x22227A31dd842196A246d8f3b775998560eAa61d'
  it('come out checksummed', () => {
    for (const text of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`])
      expect(parseEthereumAddress(text)).toBe(address)
  })
  it('are refused when a letter has the wrong case', () => {
    expect(parseEthereumAddress(address.replace('A', 'a'))).toBeUndefined()
  })
  it('are refused when they are none', () => {
    for (const text of ['', '0x', `${address}0`, ` ${address}`, undefined, { toString: () => 'x' }])
      expect(parseEthereumAddress(text)).toBeUndefined()
  })
  it('of Solana are 32 bytes of base58', () => {
    const key = '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv'
    expect(parseSolanaAddress(key)).toBe(key)
    for (const bad of [key.slice(3), `${key}1`, key.replace('7', '0'), '', 'x'.repeat(1e6), 5, undefined])
      expect(parseSolanaAddress(bad)).toBeUndefined()
  })
})
