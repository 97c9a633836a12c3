/** Many calls at once (EIP-5792), asked for by unmodified viem and by the kit: read once, sent in their order, and what becomes of them. */

import type { Page } from '@playwright/test'
import { Keypair, LAMPORTS_PER_SOL, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { type Address, encodeFunctionData, erc20Abi, parseEther } from 'viem'
import type { LoginModal } from '../../src/index.ts'
import { limit } from '../support/limit.ts'
import { closeReceipt } from './support/approval.ts'
import { expect, test } from './support/demo.ts'
import { untilClosed } from './support/embedded.ts'
import { load, stepsOf } from './support/libraries.ts'
import {
  lieAs,
  modes,
  newAddress,
  newSender,
  newSolanaSender,
  newToken,
  outcomeOf,
  request,
  reviewOf,
  type Sender,
  soakUnless,
  untilTitled,
} from './support/sending.ts'

test.beforeEach(({ demo }) => test.skip(!demo.chains[1], 'This machine has no anvil'))

const gift = (to: Address) => ({ to, value: String(parseEther('0.25')) })
const transferOf = (token: Address, to: Address, amount: bigint) => ({
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
})
const approvalOf = (token: Address, spender: Address, amount: bigint) => ({
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
})
const tokensOf = ({ chain }: Sender, token: Address, owner: Address) =>
  chain.readContract({ abi: erc20Abi, address: token, functionName: 'balanceOf', args: [owner] })

for (const mode of modes) {
  test(`calls, ${mode}: viem’s three calls are read once, approved, and confirmed${soakUnless(mode === 'strict')}`, async ({
    browser,
    demo,
  }) => {
    const sender = await newSender(browser, demo, mode)
    const { page, chain, address } = sender
    const token = await newToken(sender, 5_000_000n)
    await load(page)
    const run = stepsOf(page, 'viem')
    // The chain may have the contract whose code a wallet can get; this wallet has none.
    expect(await run('capabilities')).toMatchObject({
      result: { atomic: { status: expect.stringMatching(/^(unsupported|ready)$/) } },
    })

    const [spender, to] = [newAddress(), newAddress()]
    const calls = [approvalOf(token, spender, 1_000_000n), gift(to), transferOf(token, to, 2_000_000n)]
    const sending = run('sendCalls', calls, { id: '0x5792' })
    const steps: string[] = []
    const review = await reviewOf(page, undefined, async (screen) => {
      steps.push((await screen.textContent()) ?? '')
    })
    expect(steps).toHaveLength(3)
    for (const [at, words] of [spender.slice(2, 6), '0.25', to.slice(2, 6)].entries())
      expect(steps[at]?.replace(/\s/g, '')).toContain(words)
    await expect(
      review.screen.getByRole('heading', { name: 'Approve 3 transactions', exact: true }),
    ).toBeVisible()
    await expect(review.screen.getByRole('listitem')).toHaveCount(3)
    await expect(review.fact('Fees of all')).toContainText('ETH')
    await expect(review.fact('Total')).toContainText('0.25')
    await expect(review.screen).toContainText(/10\s*ETH/)
    expect(await chain.getTransactionCount({ address })).toBe(0)
    await review.press('Approve')

    expect(await sending).toEqual({ result: '0x5792' })
    expect(await run('waitForCalls', '0x5792')).toEqual({
      result: {
        status: 'success',
        statusCode: 200,
        atomic: false,
        receipts: ['success', 'success', 'success'],
      },
    })
    expect(await chain.getBalance({ address: to })).toBe(parseEther('0.25'))
    expect(await tokensOf(sender, token, to)).toBe(2_000_000n)
    await closeReceipt(page)
    await untilClosed(page)
    expect((await run('sendCalls', calls, { id: '0x5792' })).errors).toContain(5720)
    expect((await run('waitForCalls', '0x00')).errors).toContain(5730)
    expect(await run('showCalls', '0x5792')).toEqual({})
    await untilTitled(page, 'Transactions complete!')
  })

  test(`calls, ${mode}: rejected ones are 4001, and nothing is sent @soak`, async ({ browser, demo }) => {
    const { page, chain, address } = await newSender(browser, demo, mode)
    await load(page)
    const run = stepsOf(page, 'viem')
    const sending = run('sendCalls', [gift(newAddress()), gift(newAddress())])
    const review = await reviewOf(page)
    for (const step of [2, 1]) {
      await review.press('Back')
      await expect(review.screen).toContainText(`Step ${step} of 2`)
    }
    await review.press('Cancel')
    expect((await sending).errors).toEqual(expect.arrayContaining(['UserRejectedRequestError', 4001]))
    await untilClosed(page)
    expect(await chain.getTransactionCount({ address })).toBe(0)
  })

  test(`calls, ${mode}: one that fails in the middle stops the rest @soak`, async ({ browser, demo }) => {
    const sender = await newSender(browser, demo, mode)
    const { page, chain, address } = sender
    const token = await newToken(sender, 0n)
    await load(page)
    const run = stepsOf(page, 'viem')
    const [first, last] = [newAddress(), newAddress()]
    const sending = run('sendCalls', [gift(first), transferOf(token, last, 1n), gift(last)])
    const review = await reviewOf(page)
    await expect(review.screen).toContainText(/will likely fail/)
    await review.press('Approve')
    const { result: id } = await sending
    expect(await run('waitForCalls', id)).toEqual({
      result: { status: 'failure', statusCode: 600, atomic: false, receipts: ['success', 'reverted'] },
    })
    await untilTitled(page, 'Partly done')
    await expect(outcomeOf(page)).toContainText('Not sent')
    expect(await chain.getBalance({ address: first })).toBe(parseEther('0.25'))
    expect(await chain.getBalance({ address: last })).toBe(0n)
    expect(await chain.getTransactionCount({ address })).toBe(2)
  })

  test(`calls, ${mode}: after a reload in the middle the rest is sent once @soak`, async ({
    browser,
    demo,
  }) => {
    const { page, chain, address } = await newSender(browser, demo, mode)
    await load(page)
    const run = stepsOf(page, 'viem')
    const recipients = [newAddress(), newAddress(), newAddress()]
    const honest = await lieAs(page, demo.chains[1] ?? '', {
      eth_getTransactionReceipt: () => ({ result: null }),
    })
    const sending = run('sendCalls', recipients.map(gift))
    await (await reviewOf(page)).press('Approve')
    const { result: id } = await sending
    await untilTitled(page, 'Transactions submitted')
    await expect.poll(() => chain.getTransactionCount({ address })).toBe(1)
    expect((await request(page, 'wallet_getCallsStatus', [id])).result).toMatchObject({ status: 100 })
    await honest()
    await page.reload()
    await expect
      .poll(() => chain.getTransactionCount({ address }), { timeout: limit(60_000) })
      .toBe(recipients.length)
    await expect
      .poll(async () => (await request(page, 'wallet_getCallsStatus', [id])).result, {
        timeout: limit(60_000),
      })
      .toMatchObject({ status: 200, receipts: [{ status: '0x1' }, { status: '0x1' }, { status: '0x1' }] })
    for (const to of recipients) expect(await chain.getBalance({ address: to })).toBe(parseEther('0.25'))
  })

  test(`calls, ${mode}: two transactions of Solana are reviewed once and sent @soak`, async ({
    browser,
    demo,
  }) => {
    const { page, owner, connection } = await newSolanaSender(browser, demo, mode)
    const recipients = [Keypair.generate().publicKey, Keypair.generate().publicKey]
    const { blockhash } = await connection.getLatestBlockhash()
    const transactions = recipients.map((to) => {
      const transfer = SystemProgram.transfer({
        fromPubkey: owner,
        toPubkey: to,
        lamports: LAMPORTS_PER_SOL / 4,
      })
      const transaction = new Transaction({ feePayer: owner, recentBlockhash: blockhash }).add(transfer)
      return Array.from(transaction.serialize({ requireAllSignatures: false }))
    })
    const sending = sendAllByKit(page, transactions)
    const review = await reviewOf(page)
    await expect(review.fact('Total')).toContainText('SOL')
    await review.press('Approve')
    await closeReceipt(page)
    expect(await sending).toEqual({ status: 200, receipts: 2 })
    for (const to of recipients)
      expect(await connection.getBalance(new PublicKey(to))).toBe(LAMPORTS_PER_SOL / 4)
  })
}

/** Has the host page send transactions of Solana by the kit. */
const sendAllByKit = (page: Page, transactions: readonly (readonly number[])[]): Promise<object> =>
  page.evaluate(async (transactions) => {
    const { kit } = document.querySelector('login-modal') as LoginModal
    if (!kit) throw new Error('No kit')
    const bytes = transactions.map((each) => Uint8Array.from(each))
    const { status, receipts } = await kit.solana.signAndSendAllTransactions(bytes)
    return { status, receipts: receipts.length }
  }, transactions)
