/** Smart wallets on a real chain: created, sponsored, paid by the user, asked by viem, and vouching before they have code. */
import type { Browser, Page } from '@playwright/test'
import { type Address, type Hex, parseEther } from 'viem'
import type { LoginModal } from '../../src/index.ts'
import { inWindow, pressIn } from './support/approval.ts'
import { sponsored } from './support/apps.ts'
import { type Demo, expect, test } from './support/demo.ts'
import { press, untilClosed } from './support/embedded.ts'
import { load, stepsOf } from './support/libraries.ts'
import {
  type Mode,
  modes,
  newAddress,
  newSender,
  outcomeOf,
  type Review,
  reviewOf,
  type Sender,
  soakUnless,
  untilTitled,
} from './support/sending.ts'

test.beforeEach(({ demo }) => test.skip(!demo.chains[1], 'This machine has no anvil'))

interface Owner extends Sender {
  /** The smart wallet, which has 1 ETH and no code yet. */
  readonly smart: Address
}

/** A user who has a smart wallet, created by the host page. */
async function newOwner(browser: Browser, demo: Demo, mode: Mode): Promise<Owner> {
  const sender = await newSender(browser, demo, mode, { name: 'smart', app: sponsored[mode] })
  const { page, context, chain, address } = sender
  const creating = page.evaluate(async () => {
    const { kit } = document.querySelector('login-modal') as LoginModal
    if (!kit) throw new Error('No kit')
    return (await kit.createSmartWallet()).address
  })
  const linking = await reviewOf(page)
  await expect(linking.screen).toContainText('wants you to sign in with your Ethereum account')
  await linking.press('Sign and continue')
  // Strict apps have the vault ask for changes of an account.
  if (mode === 'strict') await pressIn(await inWindow(page, context), 'Add')
  const smart = (await creating) as Address
  await untilClosed(page)
  expect(smart).not.toBe(address)
  expect(await chain.getCode({ address: smart })).toBeUndefined()
  await chain.setBalance({ address: smart, value: parseEther('1') })
  return { ...sender, smart }
}

interface Sent {
  readonly transactionHash: Hex
  readonly userOpHash: Hex
  readonly status: string
}
/** Has the host page send from the smart wallet by the kit. */
const send = (page: Page, address: Address, to: Address, value: bigint): Promise<Sent> =>
  page.evaluate(
    async ([address, to, value]) => {
      const { kit } = document.querySelector('login-modal') as LoginModal
      if (!kit) throw new Error('No kit')
      const sent = await kit.sendTransaction({ to, value, chainId: 1 }, { address })
      const { transactionHash, userOpHash, receipt } = sent
      return { transactionHash, userOpHash, status: receipt.status } as Sent
    },
    [address, to, String(value)] as const,
  )

const gift = parseEther('0.25')
async function close(page: Page): Promise<void> {
  await untilTitled(page, 'Transactions complete!')
  await outcomeOf(page).getByRole('button', { name: 'All Done' }).click()
  await untilClosed(page)
}

for (const mode of modes) {
  test(`smart wallet, ${mode}: its first transaction is paid by the app’s sponsor, and confirmed${soakUnless(mode === 'strict')}`, async ({
    browser,
    demo,
  }) => {
    const { page, chain, smart } = await newOwner(browser, demo, mode)
    const to = newAddress()
    const sending = send(page, smart, to, gift)
    const review = await reviewOf(page)
    await expect(review.fact('First use')).toHaveText('Creates your smart account')
    await expectSponsor(review, mode)
    await review.press('Approve')
    await close(page)
    const { transactionHash, userOpHash, status } = await sending
    expect(status).toBe('success')
    expect(userOpHash).toMatch(/^0x[\da-f]{64}$/)
    expect(userOpHash).not.toBe(transactionHash)
    expect(await chain.getTransactionReceipt({ hash: transactionHash })).toMatchObject({ status: 'success' })
    expect(await chain.getBalance({ address: to })).toBe(gift)
    // The account has paid no fee.
    expect(await chain.getBalance({ address: smart })).toBe(parseEther('1') - gift)
    expect(await chain.getCode({ address: smart })).toBeDefined()
  })

  test(`smart wallet, ${mode}: viem’s two calls are one operation, and confirmed @soak`, async ({
    browser,
    demo,
  }) => {
    const { page, chain, smart } = await newOwner(browser, demo, mode)
    await load(page)
    const run = stepsOf(page, 'viem')
    expect(await run('chooseSmartWallet')).toEqual({ result: smart })
    expect(await run('capabilities')).toMatchObject({ result: { atomic: { status: 'supported' } } })
    const recipients = [newAddress(), newAddress()]
    const calls = recipients.map((to) => ({ to, value: String(gift) }))
    const sending = run('sendCalls', calls, { forceAtomic: true })
    const review = await reviewOf(page)
    await expect(review.screen.getByRole('listitem')).toHaveCount(2)
    await expect(review.fact('Total')).toContainText('0.5')
    await review.press('Approve')
    const { result: id } = await sending
    expect(await run('waitForCalls', id)).toEqual({
      result: { status: 'success', statusCode: 200, atomic: true, receipts: ['success'] },
    })
    for (const to of recipients) expect(await chain.getBalance({ address: to })).toBe(gift)
    await close(page)
  })

  test(`smart wallet, ${mode}: viem verifies a message that was signed before the account has code @soak`, async ({
    browser,
    demo,
  }) => {
    const { page, chain, smart } = await newOwner(browser, demo, mode)
    await load(page)
    const run = stepsOf(page, 'viem')
    await run('chooseSmartWallet')
    const signing = run('signAs', smart)
    await (await reviewOf(page)).press('Sign and continue')
    const signature = (await signing).result as Hex
    const signed = { address: smart, signature }
    expect(await chain.verifyMessage({ ...signed, message: 'Hello from a library' })).toBe(true)
    expect(await chain.verifyMessage({ ...signed, message: 'Hello from elsewhere' })).toBe(false)
    expect(await chain.getCode({ address: smart })).toBeUndefined()
  })

  test(`smart wallet, ${mode}: where the sponsor declines, the user chooses to pay the fee @soak`, async ({
    browser,
    ownDemo: { demo },
  }) => {
    const { page, chain, smart } = await newOwner(browser, demo, mode)
    await behave(demo, 'decline')
    try {
      const to = newAddress()
      const sending = send(page, smart, to, gift)
      await press(page, 'Pay the fee yourself')
      const review = await reviewOf(page)
      await expect(review.fact('Fee')).toContainText('ETH')
      await expect(review.screen).not.toContainText(/paid by/i)
      await review.press('Approve')
      await close(page)
      const { transactionHash, status } = await sending
      expect(status).toBe('success')
      expect(await chain.getTransactionReceipt({ hash: transactionHash })).toMatchObject({
        status: 'success',
      })
      expect(await chain.getBalance({ address: to })).toBe(gift)
      expect(await chain.getBalance({ address: smart })).toBeLessThan(parseEther('1') - gift)
    } finally {
      await behave(demo, 'normal')
    }
  })
}

/** The vault names a sponsor as the app's own server does, beside the address of its contract. */
async function expectSponsor({ screen, fact }: Review, mode: Mode): Promise<void> {
  await expect(screen).toContainText('Paid by Latchkey Demo')
  if (mode === 'strict') await expect(fact('Fee paid by')).toHaveText(/0x/)
}

/** Tells the demo's sponsor how to behave from now on. */
async function behave(demo: Demo, behaviour: string): Promise<void> {
  const body = new URLSearchParams({ behaviour })
  const answer = await fetch(`${demo.world}/paymaster/behaviour`, { method: 'POST', body })
  expect(answer.status).toBe(200)
}
