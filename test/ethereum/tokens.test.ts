import { encodeAbiParameters, stringToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { createNode } from '../../src/ethereum/rpc.ts'
import { readToken } from '../../src/ethereum/tokens.ts'
import { NodeError } from '../../src/lib/node-errors.ts'
import { fakeNode, type NodeAnswer } from '../support/chain-node.ts'
import { testClock } from '../support/clock.ts'

const address = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const owner = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value])
const number = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value])
const names = {
  '0x06fdde03': 'name',
  '0x95d89b41': 'symbol',
  '0x313ce567': 'decimals',
  '0x70a08231': 'balance',
}
const usdc = {
  name: text('USD Coin'),
  symbol: text('USDC'),
  decimals: number(6n),
  balance: number(1_500_000n),
}

function read(results: Partial<Record<keyof typeof usdc, unknown>>, options?: { owner: string }) {
  const { fetch, asked } = fakeNode({
    eth_call([call]): NodeAnswer {
      const { data } = call as { data: string }
      const name = names[data.slice(0, 10) as keyof typeof names] as keyof typeof usdc
      const result = { ...usdc, ...results }[name]
      return result === 'refused' ? { error: { code: 3, message: 'execution reverted' } } : { result }
    },
  })
  const node = createNode({ url: 'https://node.example/', fetch, clock: testClock() })
  return { asked, token: readToken(node, address, options) }
}

test('token: name, symbol, decimals and balance come from its contract', async () => {
  const { token, asked } = read({}, { owner })
  expect(await token).toEqual({
    kind: 'token',
    address,
    name: 'USD Coin',
    symbol: 'USDC',
    decimals: 6,
    balance: 1_500_000n,
  })
  expect(asked).toHaveLength(4)
})

test('token: without an owner no balance is asked for', async () => {
  const { token, asked } = read({})
  expect(await token).not.toHaveProperty('balance')
  expect(asked).toHaveLength(3)
})

test('token: old ones have their symbol in 32 bytes', async () => {
  const symbol = stringToHex('MKR', { size: 32 })
  expect(await read({ symbol, name: stringToHex('Maker', { size: 32 }) }).token).toMatchObject({
    kind: 'token',
    symbol: 'MKR',
    name: 'Maker',
  })
})

describe('token: unknown', () => {
  test.each<[string, Partial<Record<keyof typeof usdc, unknown>>, string]>([
    ['a contract that refuses', { symbol: 'refused', decimals: 'refused', name: 'refused' }, 'no-token'],
    ['an account without code', { symbol: '0x', decimals: '0x', name: '0x' }, 'no-token'],
    ['no decimals', { decimals: 'refused' }, 'no-token'],
    ['an empty symbol', { symbol: text('') }, 'no-token'],
    ['decimals of two words', { decimals: `${number(6n)}${'00'.repeat(32)}` }, 'no-token'],
    ['37 decimals', { decimals: number(37n) }, 'unsafe'],
    ['endless decimals', { decimals: number(2n ** 256n - 1n) }, 'unsafe'],
    ['a symbol of 12 characters', { symbol: text('USDCUSDCUSDC') }, 'unsafe'],
    ['a symbol that turns the line around', { symbol: text('USDC\u202e') }, 'unsafe'],
    ['an invisible character', { symbol: text('US\u200bDC') }, 'unsafe'],
    ['a control character', { symbol: text('US\u0007DC') }, 'unsafe'],
    ['two lines', { symbol: text('US\nDC') }, 'unsafe'],
    ['markup', { symbol: text('<b>USDC') }, 'unsafe'],
    ['a Cyrillic letter in a Latin symbol', { symbol: text('USD\u0421') }, 'unsafe'],
    ['full width', { symbol: text('\uff35\uff33\uff24\uff23') }, 'unsafe'],
    ['stacked marks', { symbol: text('U\u0301\u0301\u0301') }, 'unsafe'],
    ['a megabyte of symbol', { symbol: text('x'.repeat(400_000)) }, 'no-token'],
    ['bytes that are no text', { symbol: `0x${'ff'.repeat(32)}` }, 'no-token'],
  ])('%s', async (_, results, reason) => {
    expect(await read(results, { owner }).token).toEqual({
      kind: 'unknown',
      address,
      reason,
      balance: 1_500_000n,
    })
  })
})

test.each([
  ['markup', text('<img src=x onerror=alert(1)>')],
  ['more than 60 characters', text('x'.repeat(61))],
])('token: a name of %s is left out', async (_, name) => {
  expect(await read({ name }).token).toEqual({ kind: 'token', address, symbol: 'USDC', decimals: 6 })
})

test.each([
  ['a number', 6],
  ['markup', '<html>'],
  ['half a byte', '0x123'],
  ['nothing', null],
])('token: %s is no result of a call', async (_, decimals) => {
  await expect(read({ decimals }).token).rejects.toThrow(NodeError)
})
