import { decodeAbiParameters, encodeAbiParameters, namehash } from 'viem'
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
const flag = (letters: string) =>
  `🏴${[...letters].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}\u{e007f}`
const england = flag('gbeng')
const scotland = flag('gbsct')
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

describe('recipient: a name, character by character', () => {
  test.each([
    ['a family, joined by U+200D', '👨\u200d👩\u200d👧.eth', '👨\u200d👩\u200d👧.eth'],
    ['a technologist with a tone of skin', '🧑🏽\u200d💻.eth', '🧑🏽\u200d💻.eth'],
    ['the flag of England', `${england}.eth`, `${england}.eth`],
    ['the flag of Scotland at the end', `x.${scotland}`, `x.${scotland}`],
    ['a heart on fire', '❤\ufe0f\u200d🔥.eth', '❤\ufe0f\u200d🔥.eth'],
    ['a keycap', '1\ufe0f\u20e3.eth', '1\ufe0f\u20e3.eth'],
    ['a Persian joiner', 'نامه\u200cای.eth', 'نامه\u200cای.eth'],
    ['an address of hex and a dot', '0xabc.eth', '0xabc.eth'],
    ['a whole address and a dot', `${address.toLowerCase()}.eth`, `${address.toLowerCase()}.eth`],
    ['a soft hyphen, which ENS leaves out', 'vi\u00adtalik.eth', 'vi\u00adtalik.eth'],
    ['what a chat adds around it', '\u200b\u200e Vitalik.eth\u2069\ufeff\n', 'Vitalik.eth'],
  ])('%s', (_, text, name) => {
    expect(parseRecipient(text, { allowsNames: true })).toEqual({ kind: 'name', name })
    expect(parseRecipient(text)).toEqual({ kind: 'invalid', problem: 'names-off' })
  })
})

describe('names', () => {
  const resolver = '0x231b0Ee14048e9dCcD1d247744d114a4EB5E8E63'
  const word = (value: string) => encodeAbiParameters([{ type: 'address' }], [value as `0x${string}`])
  const wrapped = (value: `0x${string}`) => encodeAbiParameters([{ type: 'bytes' }], [value])
  const none = `0x${'0'.repeat(64)}` as const
  const yes = `0x${'1'.padStart(64, '0')}`
  const offchain = { error: { code: 3, message: 'execution reverted', data: '0x556f183000' } }
  const functions: Readonly<Record<string, keyof Answers>> = {
    '0x0178b8bf': 'resolver',
    '0x3b3b57de': 'addr',
    '0xf1cb7e06': 'chainAddr',
    '0x01ffc9a7': 'extended',
    '0x9061b923': 'resolve',
  }
  interface Answers {
    /** By the names that have a resolver; a single value counts for the whole name. */
    resolver?: unknown
    addr?: unknown
    chainAddr?: unknown
    extended?: unknown
    resolve?: unknown
  }

  async function resolve(
    answers: Answers,
    { typed = 'Friend.eth', chainId = 1, nodeChain = '0x1', holders = [typed.toLowerCase()] } = {},
  ) {
    const { fetch, asked } = fakeNode({
      eth_chainId: nodeChain,
      eth_call([call]): NodeAnswer {
        const { data } = call as { data: string }
        const name = functions[data.slice(0, 10)] ?? 'addr'
        const isHolder = holders.some((each) => data.endsWith(namehash(each).slice(2)))
        const registered = name === 'resolver' && !isHolder ? none : undefined
        const all = {
          resolver: word(resolver),
          addr: word(address),
          chainAddr: '0x',
          extended: none,
          resolve: '0x',
        }
        const result = registered ?? { ...all, ...answers }[name]
        return typeof result === 'object' && result !== null ? (result as never) : { result }
      },
    })
    const node = createNode({ url: 'https://node.example/', fetch, clock: testClock() })
    return { asked, result: await resolveName(node, typed, { chainId }) }
  }
  const calls = (asked: readonly { method: string; params: readonly unknown[] }[]) =>
    asked.filter(({ method }) => method === 'eth_call').map(({ params }) => params[0])

  test('are normalized, and asked of the registry and of their resolver', async () => {
    const { result, asked } = await resolve({})
    expect(result).toEqual({ kind: 'resolved', name: 'friend.eth', address, isForChain: true })
    const hash = namehash('friend.eth').slice(2)
    expect(calls(asked)).toEqual([
      { to: '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e', data: `0x0178b8bf${hash}` },
      { to: resolver, data: `0x01ffc9a79061b923${'0'.repeat(56)}` },
      { to: resolver, data: `0x3b3b57de${hash}` },
    ])
  })

  test.each([
    ['👨\u200d👩\u200d👧.eth', '👨👩👧.eth'],
    [`${england}.eth`, '🏴.eth'],
    ['🧑\u200d🚀.eth', '🧑🚀.eth'],
  ])('%s is asked for itself, not for the name without its joiners and tags', async (typed, other) => {
    const read = parseRecipient(typed, { allowsNames: true })
    if (read.kind !== 'name') throw new TypeError('Not read as a name')
    const { result, asked } = await resolve({}, { typed: read.name, holders: [typed] })
    expect(result).toMatchObject({ kind: 'resolved', name: typed })
    expect(JSON.stringify(calls(asked))).toContain(namehash(typed).slice(2))
    expect(JSON.stringify(calls(asked))).not.toContain(namehash(other).slice(2))
  })

  test('on another chain, the address for that chain comes first', async () => {
    const chainAddr = wrapped(own)
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
    ['that are kept elsewhere', { addr: offchain }, 'elsewhere'],
    ['with an address of dirty upper bytes', { addr: `0x01${word(address).slice(4)}` }, 'no-address'],
  ])('%s', async (_, answers, reason) => {
    expect((await resolve(answers)).result).toEqual({ kind: 'unresolved', reason })
  })

  describe('below a resolver that answers for other names as well', () => {
    const wildcard = { typed: 'me.friend.eth', holders: ['friend.eth'] }

    test('have the address that it gives for the whole name', async () => {
      const { result, asked } = await resolve({ extended: yes, resolve: wrapped(word(address)) }, wildcard)
      expect(result).toEqual({ kind: 'resolved', name: 'me.friend.eth', address, isForChain: true })
      const last = calls(asked).at(-1) as { data: `0x${string}` }
      expect(decodeAbiParameters([{ type: 'bytes' }, { type: 'bytes' }], `0x${last.data.slice(10)}`)).toEqual(
        ['0x026d6506667269656e640365746800', `0x3b3b57de${namehash('me.friend.eth').slice(2)}`],
      )
    })

    test('on another chain, have the address for that chain', async () => {
      const { result } = await resolve(
        { extended: yes, resolve: wrapped(wrapped(own)) },
        { ...wildcard, chainId: 10 },
      )
      expect(result).toMatchObject({ address: own, isForChain: true })
    })

    test.each([
      ['is kept at a server', yes, offchain, 'elsewhere'],
      [
        'is kept at a server, which the node says in words alone',
        yes,
        { error: { code: -32000, message: 'execution reverted: custom error 0x556f1830' } },
        'elsewhere',
      ],
      [
        'is kept at a server, with the data at a depth',
        yes,
        { error: { code: 3, message: 'reverted', data: { data: '0x556f1830' } } },
        'elsewhere',
      ],
      ['is refused', yes, { error: { code: 3, message: 'execution reverted' } }, 'no-address'],
      ['is none', yes, wrapped(none), 'no-address'],
      ['is no bytes', yes, '0x01', 'no-address'],
      ['is of a resolver for one name alone', none, wrapped(word(address)), 'unknown-name'],
      [
        'is of a resolver that knows no interfaces',
        { error: { code: 3, message: 'execution reverted' } },
        wrapped(word(address)),
        'unknown-name',
      ],
    ])('whose address %s', async (_, extended, answer, reason) => {
      expect((await resolve({ extended, resolve: answer }, wildcard)).result).toEqual({
        kind: 'unresolved',
        reason,
      })
    })

    test('two levels down, and for a DNS name under its top level', async () => {
      for (const more of [
        { typed: 'a.b.friend.eth', holders: ['friend.eth'] },
        { typed: 'friend.com', holders: ['com'] },
      ])
        expect((await resolve({ extended: yes, resolve: offchain }, more)).result).toMatchObject({
          reason: 'elsewhere',
        })
    })

    test('with a resolver of their own that answers by that way alone', async () => {
      const refuses = { error: { code: 3, message: 'execution reverted' } }
      const { result } = await resolve({ extended: yes, addr: refuses, resolve: wrapped(word(address)) })
      expect(result).toMatchObject({ kind: 'resolved', address })
    })
  })

  test.each([
    ['is busy', { error: { code: -32005, message: 'limit exceeded' } }],
    ['has lost its state', { error: { code: -32000, message: 'missing trie node' } }],
    ['has no contract of ENS', '0x'],
  ])('of a node that %s, nobody says that the name is unknown', async (_, answer) => {
    await expect(resolve({ resolver: answer })).rejects.toThrow(NodeError)
  })

  test.each([
    'a..eth',
    'with space.eth',
    'fri\u0435nd.eth',
    'under_score_.eth',
    'نامه\u200cای.eth',
    'fri\u200dend.eth',
    'fri\u200cend.eth',
    '\u202efriend.eth',
    'friend\u3002eth',
    'friend.eth.',
    'xn--friend.eth',
    'fri\u{e0067}end.eth',
    '👨\u200d👨\u200d\u200d👧.eth',
  ])('%j is no name', async (typed) => {
    expect((await resolve({}, { typed })).result).toEqual({ kind: 'unresolved', reason: 'invalid-name' })
  })

  test('are asked of Ethereum alone', async () => {
    await expect(resolve({}, { nodeChain: '0xa' })).rejects.toThrow(NodeError)
  })
})
