/** An operation that was displayed can still be sent as it was, or is displayed anew. */
import { expect, test } from 'vitest'
import { NodeError } from '../../src/lib/node-errors.ts'
import { signingLimits } from '../../src/signing/limits.ts'
import { createOperationCalls, type PreparedCalls } from '../../src/signing/user-operation/adapter.ts'
import { loadSmartAccountCodec } from '../../src/wallets/smart/accounts/features.ts'
import { testClock } from '../support/clock.ts'
import { walletAccount } from '../support/embedded-kit.ts'

const account = `0x${'12'.repeat(20)}` as const
const to = `0x${'ab'.repeat(20)}` as const
const { signal } = new AbortController()

/** An account whose sponsor says so many seconds ahead until when it pays. */
async function setUp(vouchesFor: number | undefined) {
  const clock = testClock()
  const codec = await loadSmartAccountCodec('light_account')
  const adapter = createOperationCalls({
    chains: { host: {} },
    origin: 'https://host.example',
    chainId: 1,
    account: { address: account, codec, owner: walletAccount() },
    requests: [{ chainId: 1, from: account, to, value: 5n, data: '0x' }],
    node: {
      async ask() {
        throw new NodeError(-32_601, 'no such method')
      },
    } as never,
    clock,
    isSponsored: true,
    prepare: async (calls) =>
      ({
        outcome: 'prepared',
        operation: {
          sender: account,
          nonce: 7n,
          callData: '0x',
          callGasLimit: 1n,
          verificationGasLimit: 1n,
          preVerificationGas: 1n,
          maxFeePerGas: 1n,
          maxPriorityFeePerGas: 1n,
          signature: '0x',
        },
        calls,
        chainId: 1,
        deploysAccount: false,
        sponsor: { name: 'Harbor' },
        isForeignSponsor: false,
        validity:
          vouchesFor === undefined
            ? undefined
            : { after: 0, until: Math.floor(clock.now() / 1_000) + vouchesFor },
        fee: 3n,
        balance: 10n,
        deposit: 0n,
        isUnderfunded: false,
        blockNumber: 1n,
      }) as unknown as PreparedCalls,
  })
  const displayed = await adapter.prepare(signal)
  return { clock, renew: () => adapter.renew(displayed, signal) }
}
const second = 1_000

test.each([
  ['still pays for long enough', 60, 60 * second - signingLimits.inclusionTime - 2 * second],
  ['says nothing of its end', undefined, signingLimits.sponsorshipAge],
])('smart account: what was displayed holds while its sponsor %s', async (_, vouchesFor, later) => {
  const { clock, renew } = await setUp(vouchesFor)
  await clock.advance(later)
  expect(await renew()).toBeUndefined()
})

test.each([
  ['would stop before it is included', 60, 60 * second - signingLimits.inclusionTime + second],
  ['has stopped', 60, 61 * second],
  ['says nothing of its end, and was asked too long ago', undefined, signingLimits.sponsorshipAge + second],
])('smart account: it is displayed anew where its sponsor %s', async (_, vouchesFor, later) => {
  const { clock, renew } = await setUp(vouchesFor)
  await clock.advance(later)
  expect(await renew()).toMatchObject({ sponsor: { name: 'Harbor' } })
})
