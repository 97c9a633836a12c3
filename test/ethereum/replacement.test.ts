import { describe, expect, test } from 'vitest'
import { prepareTransaction } from '../../src/ethereum/prepare-transaction.ts'
import { cancel, replacementKind, speedUp } from '../../src/ethereum/replacement.ts'
import { createNode } from '../../src/ethereum/rpc.ts'
import { fakeNode } from '../support/chain-node.ts'
import { testClock } from '../support/clock.ts'
import { from, sentTransaction, to } from './support/scripted-chain.ts'

const gwei = 1_000_000_000n
const { transaction: sent } = sentTransaction('first', {
  data: '0xabcd',
  maxFeePerGas: 8n * gwei,
  maxPriorityFeePerGas: 2n * gwei,
})

async function prepared({ request, replaces }: ReturnType<typeof speedUp>, baseFee = gwei) {
  const { fetch, methods } = fakeNode({
    eth_getBlockByNumber: { gasLimit: '0x1c9c380', baseFeePerGas: `0x${baseFee.toString(16)}` },
  })
  const node = createNode({ url: 'https://node.example/', fetch, clock: testClock() })
  const { transaction, levels } = await prepareTransaction(node, request, { replaces })
  return { transaction, levels, methods: methods() }
}

describe('replacements', () => {
  test('sped up: the same transaction under the same nonce, both fees 12.5 % up', async () => {
    const { transaction, methods } = await prepared(speedUp(sent))
    expect(transaction).toMatchObject({
      ...sent,
      accessList: undefined,
      maxFeePerGas: 9n * gwei + 1n,
      maxPriorityFeePerGas: (gwei * 9n) / 4n + 1n,
    })
    expect(methods).not.toContain('eth_estimateGas')
  })

  test('sped up: at least what the market asks', async () => {
    const { transaction, levels } = await prepared(speedUp(sent), 100n * gwei)
    expect(transaction.maxFeePerGas).toBe(201n * gwei)
    expect(levels?.slow.perGas).toMatchObject({ maxPriorityFeePerGas: (gwei * 9n) / 4n + 1n })
  })

  test('cancelled: nothing to oneself, under the same nonce', async () => {
    const { transaction } = await prepared(cancel(sent))
    expect(transaction).toMatchObject({
      from,
      to: from,
      value: 0n,
      data: '0x',
      nonce: 7n,
      gasLimit: 21_000n,
      maxFeePerGas: 9n * gwei + 1n,
    })
  })

  test('a legacy one stays legacy', async () => {
    const { maxFeePerGas: _, maxPriorityFeePerGas: __, ...rest } = sent
    const { transaction } = await prepared(speedUp({ ...rest, type: 0, gasPrice: 8n * gwei }))
    expect(transaction).toMatchObject({ type: 0, gasPrice: 9n * gwei + 1n })
  })

  test.each([
    ['sped-up', { to, value: 5n, data: '0xabcd' }],
    ['cancelled', { to: from, value: 0n, data: '0x' }],
    ['other', { to, value: 5n, data: '0x' }],
    ['other', { to: from, value: 1n, data: '0x' }],
  ] as const)('are told apart by their effects: %s', (kind, by) => {
    expect(replacementKind(sent, by)).toBe(kind)
  })
})
