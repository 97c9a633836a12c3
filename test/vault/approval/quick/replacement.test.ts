/** Replacements of pending transactions, which the user of a strict app approves in the vault. */
import '../../support/quick-stretching.ts'
import { encodeFunctionData, maxUint256, parseAbi, parseTransaction } from 'viem'
import { describe, expect, test } from 'vitest'
import { cancel, speedUp } from '../../../../src/ethereum/replacement.ts'
import { deserialize } from '../../../../src/ethereum/serialize.ts'
import { formatTransaction } from '../../../../src/ethereum/transaction.ts'
import { systemClock } from '../../../../src/lib/clock.ts'
import type { SignRequestOf } from '../../../../src/protocol/frame/sign-request.ts'
import { type TransactionPreview, titleOf } from '../../../../src/signing/preview.ts'
import { sign } from '../../../../src/vault/approval/sign/flow.ts'
import { createContext } from '../../../../src/vault/create-context.ts'
import { approvalOf } from '../../support/approval.ts'
import { partsOf, settings } from '../../support/device.ts'
import { recoveryMethodOf, withRecoveryMethod } from '../../support/recovery-methods.ts'

const to = `0x${'ab'.repeat(20)}`
const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const spender = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
const gwei = 10n ** 9n
const approve = (amount: bigint) =>
  encodeFunctionData({
    abi: parseAbi(['function approve(address spender, uint256 amount)']),
    args: [spender, amount],
  })

/** A wallet in a vault; `approved` has one transaction after the other approved there. */
async function openVault() {
  const {
    backend,
    device,
    token: accessToken,
    address,
  } = await withRecoveryMethod(recoveryMethodOf('automatic'))
  const fetch: typeof backend.fetch = async (input, init) => {
    const path = new URL(String(input)).pathname.replace('/api/v1/embedded_wallets', '')
    if (path === '/tokens/figures')
      return Response.json({ balance: '1000', supply: '1000000', symbol: 'USDC', decimals: 6 })
    if (path === '/preview') return Response.json({ code: 'not_supported' }, { status: 400 })
    return backend.fetch(input, init)
  }
  const vault = createContext({
    settings: { ...settings, vault: 'strict' },
    fetch,
    clock: systemClock,
    ...partsOf(device),
  })
  async function approved(transaction: object, ...answers: readonly unknown[]) {
    const request: SignRequestOf<'evmTransaction'> = {
      kind: 'evmTransaction',
      root: { chainType: 'ethereum', address },
      walletIndex: 0,
      address,
      action: 'send',
      transaction: transaction as never,
    }
    const approval = approvalOf<'sign'>(vault, accessToken, request)
    const done = sign(approval.cx)
    for (const answer of [...answers, 'approve']) await approval.act(['approve-transaction', answer])
    const { signed } = (await done) as { signed: `0x${string}` }
    const preview = approval.seen.at(-1)?.props.preview as TransactionPreview
    return { signed, preview, trace: approval.trace() }
  }
  const first = (more: object = {}) => ({
    from: address,
    to,
    value: '0x64',
    chainId: 1,
    nonce: 4,
    type: 2,
    gasLimit: '0x5208',
    maxFeePerGas: `0x${(20n * gwei).toString(16)}`,
    maxPriorityFeePerGas: `0x${gwei.toString(16)}`,
    ...more,
  })
  return { address, approved, first }
}

/** The replacement as the page prepares it: the network's fees, and no less than the replaced ones ask for. */
function prepared({ request, replaces }: ReturnType<typeof speedUp>, gasLimit: bigint) {
  const bump = (fee: bigint) => (fee * 9n) / 8n + 1n
  return formatTransaction({
    ...request,
    type: 2,
    gasLimit,
    maxFeePerGas: bump(replaces?.maxFeePerGas ?? 0n),
    maxPriorityFeePerGas: bump(replaces?.maxPriorityFeePerGas ?? 0n),
  })
}

describe('replacement in the vault', () => {
  test('speed up: the same transaction under the same nonce is reviewed with its higher fee, in the window', async () => {
    const { address, approved, first } = await openVault()
    const one = await approved(first())
    const sent = deserialize(one.signed, address)
    const two = await approved(prepared(speedUp(sent), 21_000n))
    const [before, after] = [one.signed, two.signed].map((raw) => parseTransaction(raw))
    expect(after).toMatchObject({ nonce: 4, value: 100n, to: before?.to, chainId: 1 })
    expect(after?.maxFeePerGas).toBeGreaterThanOrEqual(((before?.maxFeePerGas ?? 0n) * 9n) / 8n)
    expect(after?.maxPriorityFeePerGas).toBeGreaterThanOrEqual(
      ((before?.maxPriorityFeePerGas ?? 0n) * 9n) / 8n,
    )
    expect(two.preview.fee).toBeGreaterThan(one.preview.fee ?? 0n)
    expect(two.preview.actions).toEqual(one.preview.actions)
    expect(two.trace).toEqual(['window approve-transaction'])
  })

  test('cancel: nothing is sent to the wallet itself under the same nonce, and the review says so', async () => {
    const { address, approved, first } = await openVault()
    const one = await approved(first())
    const two = await approved(prepared(cancel(deserialize(one.signed, address)), 21_000n))
    expect(parseTransaction(two.signed)).toMatchObject({ nonce: 4, to: address.toLowerCase() })
    expect(parseTransaction(two.signed).value ?? 0n).toBe(0n)
    expect(two.preview).toMatchObject({
      value: 0n,
      actions: [{ kind: 'transfer', to: address, amount: 0n }],
      warnings: [],
    })
    expect(titleOf(two.preview)).toBe('transfer')
  })

  test('speed up: an allowance that was lowered in the vault stays lowered in its replacement', async () => {
    const { address, approved, first } = await openVault()
    const allowance = first({ to: token, value: '0x0', data: approve(maxUint256), gasLimit: '0xc350' })
    const one = await approved(allowance, { edited: { allowance: { at: 0, amount: 7n } } })
    const sent = deserialize(one.signed, address)
    expect(sent.data).toBe(approve(7n))
    const two = await approved(prepared(speedUp(sent), sent.gasLimit))
    expect(parseTransaction(two.signed)).toMatchObject({ nonce: 4, data: approve(7n) })
    // The request is now the lowered amount: the maximum is not offered again.
    expect(two.preview.allowances).toMatchObject([{ asked: 7n, isMaximum: false }])
  })
})
