import { encodeAbiParameters, namehash } from 'viem'
import { describe, expect, test } from 'vitest'
import { resolveName } from '../../src/ethereum/names.ts'
import { looksAlike, parseRecipient } from '../../src/ethereum/recipient.ts'
import { createNode } from '../../src/ethereum/rpc.ts'
import { NodeError } from '../../src/lib/node-errors.ts'
import { fakeNode, type NodeAnswer } from '../support/chain-node.ts'
import { testClock } from '../support/clock.ts'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const own = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const lookalike = '0x7099ffffffffffffffffffffffffffffffff79c8'

describe('recipient: an address', () => {
  test.each([
    ['with its checksum', address],
    ['in lower case', address.toLowerCase()],
    ['with a capital X', address.replace('0x', '0X')],
    ['with what a chat adds', `\u200b ${address}\n`],
  ])('%s', (_, text) => {
    expect(parseRecipient(text)).toEqual({ kind: 'address', address, relation: 'new' })
  })

  test('own and recent ones are told apart from new ones', () => {
    const context = { own: [own.toLowerCase()], recent: [address] }
    expect(parseRecipient(own, context)).toMatchObject({ relation: 'own' })
    expect(parseRecipient(address, context)).toMatchObject({ relation: 'recent' })
  })

  test('a new one that begins and ends like a recent one names it', () => {
    expect(parseRecipient(lookalike, { recent: [address] })).toMatchObject({
      relation: 'new',
      looksLike: address,
    })
    expect(parseRecipient(lookalike.replace(/.$/, '9'), { recent: [address] })).not.toHaveProperty(
      'looksLike',
    )
    expect(parseRecipient(lookalike, { recent: [address, lookalike] })).not.toHaveProperty('looksLike')
    expect(looksAlike(address, address.toLowerCase())).toBe(false)
  })
})

describe('recipient: invalid', () => {
  test.each([
    ['nothing', '  ', 'empty'],
    ['a wrong checksum', address.replace('C8', 'c8'), 'wrong-checksum'],
    ['a missing digit', address.slice(0, -1), 'wrong-length'],
    ['a digit too many', `${address}0`, 'wrong-length'],
    ['a letter that is no digit', address.replace('7099', '7O99'), 'not-an-address'],
    ['an address of Solana', '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T', 'other-chain'],
    ['an address of Bitcoin', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'other-chain'],
    ['the zero address', `0x${'0'.repeat(40)}`, 'zero-address'],
    ['the token’s own contract', token.toLowerCase(), 'token-contract'],
    ['a name, which the app has turned off', 'vitalik.eth', 'names-off'],
    ['words', 'my friend', 'not-an-address'],
    ['a URL', 'https://vitalik.eth/', 'not-an-address'],
    ['a megabyte', `0x${'0'.repeat(1_000_000)}`, 'not-an-address'],
  ])('%s', (_, text, problem) => {
    expect(parseRecipient(text, { tokens: [token] })).toEqual({ kind: 'invalid', problem })
  })
})

test('recipient: a name, where the app allows names', () => {
  expect(parseRecipient(' Vitalik.eth ', { allowsNames: true })).toEqual({
    kind: 'name',
    name: 'Vitalik.eth',
  })
})

describe('names', () => {
  const resolver = '0x231b0Ee14048e9dCcD1d247744d114a4EB5E8E63'
  const word = (value: string) => encodeAbiParameters([{ type: 'address' }], [value as `0x${string}`])
  const none = `0x${'0'.repeat(64)}`

  async function resolve(
    answers: { resolver?: unknown; addr?: unknown; chainAddr?: unknown },
    { typed = 'Friend.eth', chainId = 1, nodeChain = '0x1' } = {},
  ) {
    const { fetch, asked } = fakeNode({
      eth_chainId: nodeChain,
      eth_call([call]): NodeAnswer {
        const { data } = call as { data: string }
        const name = { '0x0178b8bf': 'resolver', '0x3b3b57de': 'addr', '0xf1cb7e06': 'chainAddr' }[
          data.slice(0, 10)
        ]
        const result = { resolver: word(resolver), addr: word(address), chainAddr: '0x', ...answers }[
          name as 'addr'
        ]
        return typeof result === 'object' && result !== null ? (result as never) : { result }
      },
    })
    const node = createNode({ url: 'https://node.example/', fetch, clock: testClock() })
    return { asked, result: await resolveName(node, typed, { chainId }) }
  }

  test('are normalized, and asked of the registry and of their resolver', async () => {
    const { result, asked } = await resolve({})
    expect(result).toEqual({ kind: 'resolved', name: 'friend.eth', address, isForChain: true })
    const calls = asked.filter(({ method }) => method === 'eth_call').map(({ params }) => params[0])
    const hash = namehash('friend.eth').slice(2)
    expect(calls).toEqual([
      { to: '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e', data: `0x0178b8bf${hash}` },
      { to: resolver, data: `0x3b3b57de${hash}` },
    ])
  })

  test('on another chain, the address for that chain comes first', async () => {
    const chainAddr = encodeAbiParameters([{ type: 'bytes' }], [own])
    expect((await resolve({ chainAddr }, { chainId: 10 })).result).toMatchObject({
      address: own,
      isForChain: true,
    })
    expect((await resolve({}, { chainId: 10 })).result).toMatchObject({ address, isForChain: false })
  })

  test.each([
    ['without a resolver', { resolver: none }, 'unknown-name'],
    ['without an address', { addr: none }, 'no-address'],
    ['whose resolver refuses', { addr: { error: { code: 3, message: 'execution reverted' } } }, 'no-address'],
    [
      'that are kept elsewhere',
      { addr: { error: { code: 3, message: 'reverted', data: '0x556f1830' } } },
      'elsewhere',
    ],
    ['with an address of dirty upper bytes', { addr: `0x01${word(address).slice(4)}` }, 'no-address'],
  ])('%s', async (_, answers, reason) => {
    expect((await resolve(answers)).result).toEqual({ kind: 'unresolved', reason })
  })

  test.each(['a..eth', 'with space.eth', 'fri\u0435nd.eth', 'under_score_.eth'])(
    '%s is no name',
    async (typed) => {
      expect((await resolve({}, { typed })).result).toEqual({ kind: 'unresolved', reason: 'invalid-name' })
    },
  )

  test('are asked of Ethereum alone', async () => {
    await expect(resolve({}, { nodeChain: '0xa' })).rejects.toThrow(NodeError)
  })
})
