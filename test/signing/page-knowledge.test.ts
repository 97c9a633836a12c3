/** What the page's review says in words of descriptors: of the app, of the server's registry, behind proxies and inside of batches. */
import { encodeFunctionData, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { readDescriptor } from '../../src/clear-signing/index.ts'
import { packRegistry } from '../../src/clear-signing/registry.ts'
import type { DescriptorSelection } from '../../src/protocol/descriptors.ts'
import { learnOnPage, type WordOptions } from '../../src/signing/page-knowledge.ts'
import type { TransactionPreview } from '../../src/signing/preview.ts'
import { missingKnowledge, toPreview } from '../../src/signing/transaction/preview.ts'
import { testClock } from '../support/clock.ts'

const wallet = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const harbor = '0xcDcDcDCdcDCDCDCDcDCDcDCDcDCDcDcDcDcDcDCD'.toLowerCase()
const proxy = `0x${'ef'.repeat(20)}`
const account = `0x${'9a'.repeat(20)}`
const abi = parseAbi([
  'function berth(uint256 number)',
  'function leave(uint256 number)',
  'function aggregate((address target, bytes data)[] calls)',
])
const encode = (functionName: string, ...args: unknown[]) =>
  encodeFunctionData({ abi, functionName, args } as never)
const descriptorOf = (owner: string, address = harbor) => ({
  context: { contract: { deployments: [{ chainId: 1, address }] } },
  metadata: { owner },
  display: {
    formats: {
      'berth(uint256 number)': {
        intent: 'Book a berth',
        interpolatedIntent: 'Book berth {number}',
        fields: [{ path: 'number', label: 'Number', format: 'raw' }],
      },
    },
  },
})
const registryOf = (owner: string, address = harbor) =>
  packRegistry({ repository: 'https://registry.example', licence: 'none' }, [
    {
      descriptor: readDescriptor(descriptorOf(owner, address)),
      origin: 'registry',
      auditors: [],
      path: 'registry/harbor.json',
      attestations: [],
    },
  ])
const empty = { registry: undefined, implementations: {} }

type Answer = Awaited<ReturnType<NonNullable<WordOptions['select']>>>
/** Reviews a call, with a server that answers what is given. */
async function review(
  data: `0x${string}`,
  {
    to = harbor,
    server,
    descriptors,
  }: {
    to?: string
    server?: (selection: DescriptorSelection) => Answer | Promise<Answer>
    descriptors?: readonly object[]
  },
): Promise<{ preview: TransactionPreview; asked: readonly DescriptorSelection[] }> {
  const asked: DescriptorSelection[] = []
  const clock = testClock()
  const words: WordOptions = {
    own: descriptors,
    ...(server && {
      async select(selection: DescriptorSelection) {
        asked.push(selection)
        return server(selection)
      },
    }),
  }
  const { signal } = new AbortController()
  const request = { chainId: 1, from: wallet, to, value: 0n, data } as never
  const learning = learnOnPage({ clock, words }, { chainId: 1, wallet, signal }, (known) => ({
    ...missingKnowledge(request, known),
    messages: [],
  }))
  const { facts: _, ...knowledge } = await learning
  const preview = toPreview({ host: {} }, request, { origin: 'https://host.example', wallet, ...knowledge })
  return { preview, asked }
}

describe('descriptors on the page', () => {
  test('page: a call has the words of the registry, which say that nobody has checked them', async () => {
    const { preview, asked } = await review(encode('berth', 7n), {
      server: () => ({ registry: registryOf('Harbor'), implementations: {} }),
    })
    expect(preview.actions).toMatchObject([
      { kind: 'described', sentence: 'Book berth 7', owner: 'Harbor', trust: 'registry' },
    ])
    expect(asked).toEqual([{ chainId: 1, contracts: [harbor], messages: [] }])
  })

  test('page: the app’s own descriptor is used where the registry has none, and is named as the app’s', async () => {
    const { preview } = await review(encode('berth', 7n), {
      server: () => empty,
      descriptors: [descriptorOf('The app')],
    })
    expect(preview.actions).toMatchObject([{ kind: 'described', owner: 'The app', trust: 'app' }])
  })

  test('page: the registry’s descriptor goes before the app’s own', async () => {
    const { preview } = await review(encode('berth', 7n), {
      server: () => ({ registry: registryOf('Harbor'), implementations: {} }),
      descriptors: [descriptorOf('The app')],
    })
    expect(preview.actions).toMatchObject([{ kind: 'described', owner: 'Harbor', trust: 'registry' }])
  })

  test('page: a proxy has the words of the code behind it', async () => {
    const { preview } = await review(encode('berth', 7n), {
      to: proxy,
      server: () => ({ registry: registryOf('Harbor'), implementations: { [proxy]: harbor } }),
    })
    expect(preview.actions).toMatchObject([{ kind: 'described', sentence: 'Book berth 7' }])
  })

  test('page: a descriptor of the proxy itself goes before that of the code behind it', async () => {
    const { descriptors: own, ...rest } = registryOf('The proxy', proxy)
    const registry = { ...rest, descriptors: { ...registryOf('Harbor').descriptors, ...own } }
    const { preview } = await review(encode('berth', 7n), {
      to: proxy,
      server: () => ({ registry, implementations: { [proxy]: harbor } }),
    })
    expect(preview.actions).toMatchObject([{ kind: 'described', owner: 'The proxy' }])
  })

  const batch = (...calls: readonly `0x${string}`[]) =>
    encode(
      'aggregate',
      calls.map((data) => ({ target: harbor, data })),
    )
  test('page: a batch has one sentence for all of its calls, joined by “and”', async () => {
    const { preview, asked } = await review(batch(encode('berth', 7n), encode('berth', 8n)), {
      to: account,
      server: () => ({ registry: registryOf('Harbor'), implementations: {} }),
    })
    expect(preview.sentence).toBe('Book berth 7 and Book berth 8')
    expect(preview.actions).toMatchObject([
      { kind: 'described', sentence: 'Book berth 7' },
      { kind: 'described', sentence: 'Book berth 8' },
    ])
    expect(asked[0]?.contracts).toContain(harbor)
  })

  test('page: a batch with a call that nobody describes has no sentence, and names that call', async () => {
    const { preview } = await review(batch(encode('berth', 7n), encode('leave', 8n)), {
      to: account,
      server: () => ({ registry: registryOf('Harbor'), implementations: {} }),
    })
    expect(preview.sentence).toBeUndefined()
    expect(preview.actions.map(({ kind }) => kind)).toEqual(['described', 'call'])
  })

  test.each<[string, () => Answer]>([
    [
      'fails',
      () => {
        throw new Error('503')
      },
    ],
    ['says nothing', () => empty],
    ['gives a descriptor of another contract', () => ({ ...empty, registry: registryOf('Other', proxy) })],
    ['says that the contract is its own code', () => ({ ...empty, implementations: { [harbor]: harbor } })],
  ])('page: where the server %s, a call stays a contract call', async (_, server) => {
    const { preview } = await review(encode('berth', 7n), { server })
    expect(preview.actions.map(({ kind }) => kind)).toEqual(['call'])
  })
})
