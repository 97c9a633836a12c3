/** Allowances that the user lowers in the vault's own window, over bytes that the vault has read. */
import '../../support/quick-stretching.ts'
import {
  encodeFunctionData,
  hashTypedData,
  maxUint256,
  parseAbi,
  parseTransaction,
  recoverAddress,
} from 'viem'
import { describe, expect, test } from 'vitest'
import type { EditableAllowance, TransactionPreview } from '../../../../src/signing/preview.ts'
import { notSupported, reviewSigning, transactionOf } from '../../support/signing-review.ts'

const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const spender = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function multicall(bytes[] data)',
])
const encode = (functionName: string, ...args: unknown[]) =>
  encodeFunctionData({ abi, functionName, args } as never)
const approve = (amount: bigint) => encode('approve', spender, amount)
const figures = { balance: '1000', supply: '1000000', symbol: 'USDC', decimals: 6 }
const permit = (value: bigint) => ({
  domain: { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: token },
  types: {
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'Permit',
  message: { owner: spender, spender, value: String(value), nonce: '0', deadline: '99' },
})

type Previewed = { data?: string; gasLimit?: string }
/** A request before a user, with further fields of it. */
async function review(
  request: (address: string) => object,
  more: { isEditable?: boolean } = {},
  said: object | null = figures,
) {
  const previewed: Previewed[] = []
  const approval = await reviewSigning(
    (address) => ({ ...request(address), ...more }),
    (path, body) => {
      if (path === '/preview') previewed.push((body.request as { transaction: Previewed }).transaction)
      if (path === '/tokens/figures' && said) return Response.json(said)
      return ['/preview', '/tokens/figures', '/descriptors'].includes(path) ? notSupported() : undefined
    },
  )
  approval.done.catch(() => {})
  const props = () => approval.seen.at(-1)?.props
  const preview = () => props()?.preview as TransactionPreview | undefined
  return { ...approval, previewed, props, preview }
}
const transaction = (data: string) => transactionOf({ to: token, data, gasLimit: '0xc350' })
const typedData = (data: object) => () => ({ kind: 'typedData', typedData: data as never }) as const
const signedData = (done: unknown) => parseTransaction((done as { signed: `0x${string}` }).signed)

describe('allowance in the vault', () => {
  test('edit: the maximum is lowered to what the wallet has, and that very transaction is signed', async () => {
    const { act, done, seen, previewed, preview } = await review(transaction(approve(maxUint256)))
    await act(
      ['approve-transaction', { edited: { allowance: { at: 0, amount: 1_000n } } }],
      ['approve-transaction', 'approve'],
    )
    const result = await done
    expect(signedData(result).data).toBe(approve(1_000n))
    expect(result).toMatchObject({
      edited: { transaction: { data: approve(1_000n) } },
    })
    const [first] = seen.map(({ props }) => (props.preview as TransactionPreview).allowances?.[0])
    expect(first).toEqual({
      at: 0,
      token,
      spender,
      asked: maxUint256,
      amount: maxUint256,
      isMaximum: true,
      once: 1_000n,
      asset: { symbol: 'USDC', decimals: 6 },
    } satisfies EditableAllowance)
    expect(preview()).toMatchObject({
      actions: [{ kind: 'token', call: { amount: 1_000n, unlimited: false, reach: 'all' } }],
      allowances: [{ asked: maxUint256, amount: 1_000n }],
    })
    // The server is asked about the bytes that are reviewed then.
    expect(previewed.map(({ data }) => data)).toEqual([approve(maxUint256), approve(1_000n)])
  })

  test('edit: a lower amount is no danger, may be raised again, and the fee covers the other bytes', async () => {
    const { act, done, preview } = await review(transaction(approve(maxUint256)))
    await act(['approve-transaction', { edited: { allowance: { at: 0, amount: 999n } } }])
    await expect.poll(() => preview()?.warnings.length).toBe(0)
    expect(preview()?.fee).toBe(55_000n)
    await act(
      ['approve-transaction', { edited: { allowance: { at: 0, amount: maxUint256 } } }],
      ['approve-transaction', 'approve'],
    )
    const result = await done
    expect(signedData(result)).toMatchObject({ data: approve(maxUint256), gas: 50_000n })
  })

  test('edit: an allowance inside of a batch is lowered, and nothing else of the batch changes', async () => {
    const batch = (amount: bigint) => encode('multicall', [encode('transfer', spender, 5n), approve(amount)])
    const { act, done } = await review(transaction(batch(500n)))
    await act(
      ['approve-transaction', { edited: { allowance: { at: 0, amount: 7n } } }],
      ['approve-transaction', 'approve'],
    )
    expect(signedData(await done).data).toBe(batch(7n))
  })

  test.each([
    ['more than is asked for', { edited: { allowance: { at: 0, amount: 501n } } }],
    ['nothing', { edited: { allowance: { at: 0, amount: 0n } } }],
    ['another allowance than there is', { edited: { allowance: { at: 1, amount: 5n } } }],
    ['an end that the allowance does not have', { edited: { allowance: { at: 0, expires: 5n } } }],
    ['an amount that is no bigint', { edited: { allowance: { at: 0, amount: 5 } } }],
    ['something else', { edited: null }],
  ])('edit: an answer with %s changes nothing, and approves nothing', async (_, answer) => {
    const { act, done, trace } = await review(transaction(approve(500n)))
    await act(['approve-transaction', answer], ['approve-transaction', 'approve'])
    const result = await done
    expect(signedData(result).data).toBe(approve(500n))
    expect(result).not.toHaveProperty('edited')
    expect(trace()).toEqual(['window approve-transaction', 'window approve-transaction'])
  })

  test.each<[string, object | null]>([
    ['can’t be asked', null],
    ['gives no decimals', { balance: '1000' }],
    ['gives a symbol that would mislead', { ...figures, symbol: 'US DC' }],
  ])('edit: nothing can be chosen where the server %s', async (_, said) => {
    const { act, done, preview } = await review(transaction(approve(maxUint256)), {}, said)
    await act(['approve-transaction', 'cancel'])
    await expect(done).rejects.toThrow()
    expect(preview()?.allowances).toBeUndefined()
    expect(preview()?.warnings[0]?.code).toBe('unlimited-allowance')
  })

  test('edit: a permit is lowered where the requester takes what was signed, which is valid for that alone', async () => {
    const { act, done, address, props } = await review(typedData(permit(maxUint256)), { isEditable: true })
    await act(
      ['sign-typed-data', { edited: { allowance: { at: 0, amount: 1_000n } } }],
      ['sign-typed-data', 'sign'],
    )
    const result = (await done) as { signed: `0x${string}`; edited?: { typedData: unknown } }
    const hash = hashTypedData(permit(1_000n) as never)
    expect(await recoverAddress({ hash, signature: result.signed })).toBe(address)
    expect(hashTypedData(result.edited?.typedData as never)).toBe(hash)
    expect(props()).toMatchObject({
      permit: { amount: 1_000n, unlimited: false },
      permitAsset: { symbol: 'USDC' },
    })
  })

  test('edit: a permit whose requester sends its own values along can’t be lowered, and that is said', async () => {
    const { act, done, address, props } = await review(typedData(permit(maxUint256)))
    await act(
      ['sign-typed-data', { edited: { allowance: { at: 0, amount: 1_000n } } }],
      ['sign-typed-data', 'sign'],
    )
    const result = (await done) as { signed: `0x${string}` }
    expect(props()).toMatchObject({ allowanceNote: 'sentAlong' })
    expect(props()).not.toHaveProperty('allowances')
    const hash = hashTypedData(permit(maxUint256) as never)
    expect(await recoverAddress({ hash, signature: result.signed })).toBe(address)
    expect(result).not.toHaveProperty('edited')
  })
})

describe('a transfer of more tokens than the wallet has', () => {
  const transfer = transaction(encode('transfer', spender, 2_500n))
  const fundable = (from: string) => ({ ...transfer(from), fundableToken: token, state: 'reverts' as const })

  test('add funds: the token is named with what the server finds missing, and the page adds it', async () => {
    const { act, done, props } = await review(fundable)
    await expect.poll(() => props()?.isFundable).toBe(true)
    expect(props()?.preview).toMatchObject({
      tokenShortage: { token, missing: 1_500n, asset: { symbol: 'USDC', decimals: 6 } },
      warnings: [{ code: 'insufficient-funds' }],
    })
    await act(['approve-transaction', 'add-funds'])
    expect(await done).toEqual({ wants: 'funds', token, missing: '1500' })
  })

  test('add funds: another look is for the page, which brings the request anew', async () => {
    const { act, done } = await review(fundable)
    await act(['approve-transaction', 'recheck'])
    expect(await done).toEqual({ again: true })
  })

  test.each([
    ['the page offers none', transfer, figures],
    ['the wallet has enough', fundable, { ...figures, balance: '2500' }],
    ['the server does not say', fundable, null],
  ] as const)('add funds: where %s, the transfer is reviewed as any other', async (_, request, said) => {
    const { act, done, props } = await review(request, {}, said)
    await act(['approve-transaction', 'approve'])
    expect(await done).toMatchObject({ signed: expect.stringMatching(/^0x02/) })
    expect(props()).not.toHaveProperty('isFundable')
  })
})
