/** Transactions in the words of descriptors, which the vault asks its own server for while the user reads. */
import '../../support/quick-stretching.ts'
import { encodeFunctionData, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { readDescriptor } from '../../../../src/clear-signing/index.ts'
import { packRegistry } from '../../../../src/clear-signing/registry.ts'
import type { TransactionPreview } from '../../../../src/signing/preview.ts'
import { notSupported, reviewSigning, transactionOf } from '../../support/signing-review.ts'

const contract = `0x${'cd'.repeat(20)}`
const abi = parseAbi(['function berth(uint256 number)', 'function approve(address spender, uint256 amount)'])
const berth = encodeFunctionData({ abi, functionName: 'berth', args: [7n] })
const approval = encodeFunctionData({ abi, functionName: 'approve', args: [`0x${'ab'.repeat(20)}`, 5n] })
const berthDescriptor = (address: string) => ({
  context: { contract: { deployments: [{ chainId: 1, address }] } },
  metadata: { owner: 'Harbor' },
  display: {
    formats: {
      'berth(uint256 number)': {
        intent: 'Book a berth',
        fields: [{ path: 'number', label: 'Number', format: 'raw' }],
      },
    },
  },
})
const registryFor = (address: string) =>
  packRegistry({ repository: 'https://registry.example', licence: 'none' }, [
    {
      descriptor: readDescriptor(berthDescriptor(address)),
      origin: 'registry',
      auditors: [],
      path: 'registry/harbor/berth.json',
      attestations: [],
    },
  ])

/** @param answer the server's reply about descriptors; `undefined`: it can't be reached */
async function review(data: string, answer: unknown) {
  const asked: unknown[] = []
  const { act, done, seen, trace } = await reviewSigning(
    transactionOf({ to: contract, data }),
    (path, body) => {
      if (path === '/tokens/figures') return notSupported()
      if (path !== '/descriptors') return undefined
      asked.push(body)
      if (answer === undefined) throw new TypeError('Failed to fetch')
      return Response.json(answer)
    },
  )
  await act(['approve-transaction', 'approve'])
  await done
  const preview = seen.at(-1)?.props.preview as TransactionPreview | undefined
  return { actions: preview?.actions, asked, trace: trace() }
}

describe('descriptors in the vault', () => {
  test('descriptors: a call is reviewed in the window, in the words that the server has for its contract', async () => {
    const { actions, asked, trace } = await review(berth, { registry: registryFor(contract) })
    expect(actions).toMatchObject([
      {
        kind: 'described',
        intent: 'Book a berth',
        owner: 'Harbor',
        trust: 'registry',
        fields: [{ label: 'Number', value: '7' }],
      },
    ])
    expect(asked).toMatchObject([{ chain_id: 1, messages: [] }])
    expect(String((asked[0] as { contracts: string[] }).contracts).toLowerCase()).toBe(contract)
    expect(trace).toEqual(['window approve-transaction'])
  })

  test('descriptors: those of the app’s operator come from the vault’s own server, and count as the app’s', async () => {
    const empty = { ...registryFor(contract), descriptors: {}, calls: {} }
    const { actions } = await review(berth, { registry: empty, own: [berthDescriptor(contract)] })
    expect(actions).toMatchObject([{ kind: 'described', intent: 'Book a berth', trust: 'app' }])
    const known = await review(berth, { registry: registryFor(contract), own: [berthDescriptor(contract)] })
    expect(known.actions).toMatchObject([{ kind: 'described', trust: 'registry' }])
    const others = await review(berth, {
      registry: empty,
      own: [berthDescriptor(`0x${'ef'.repeat(20)}`), 'broken', {}],
    })
    expect(others.actions).not.toMatchObject([{ kind: 'described' }])
  })

  const changed = registryFor(contract)
  test.each<[string, unknown]>([
    ['that can’t be reached', undefined],
    ['that says nothing', {}],
    ['that has none', { registry: { ...changed, descriptors: {}, calls: {} } }],
    ['that gives one of another contract', { registry: registryFor(`0x${'ef'.repeat(20)}`) }],
    [
      'that gives one whose hash is another',
      {
        registry: {
          ...changed,
          descriptors: { [`0x${'11'.repeat(32)}`]: Object.values(changed.descriptors)[0] },
        },
      },
    ],
  ])('descriptors: of a server %s, a call stays a contract call, and can be approved', async (_, answer) => {
    const { actions } = await review(berth, answer)
    expect(actions).toMatchObject([{ kind: 'call' }])
  })

  test('descriptors: an approval of tokens needs none, and none is asked for', async () => {
    const { actions, asked } = await review(approval, { registry: registryFor(contract) })
    expect(actions).toMatchObject([{ kind: 'token', call: { action: 'approve' } }])
    expect(asked).toEqual([])
  })
})
