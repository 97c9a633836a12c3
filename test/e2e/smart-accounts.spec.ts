/** Smart wallets on a real chain: created, sponsored, paid by the user, asked by viem, and vouching before they have code. */
import { type Hex, parseEther } from 'viem'
import { expect, test } from './support/demo.ts'
import { press } from './support/embedded.ts'
import { load, stepsOf } from './support/libraries.ts'
import { type Mode, modes, newAddress, type Review, reviewOf, soakUnless } from './support/sending.ts'
import { behave, closeComplete, gift, newOwner, send } from './support/smart-wallets.ts'

test.beforeEach(({ demo }) => test.skip(!demo.chains[1], 'This machine has no anvil'))

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
    await closeComplete(page)
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
    await closeComplete(page)
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
    await behave(demo, 'paymaster', 'decline')
    try {
      const to = newAddress()
      const sending = send(page, smart, to, gift)
      await press(page, 'Pay the fee yourself')
      const review = await reviewOf(page)
      await expect(review.fact('Fee')).toContainText('ETH')
      await expect(review.screen).not.toContainText(/paid by/i)
      await review.press('Approve')
      await closeComplete(page)
      const { transactionHash, status } = await sending
      expect(status).toBe('success')
      expect(await chain.getTransactionReceipt({ hash: transactionHash })).toMatchObject({
        status: 'success',
      })
      expect(await chain.getBalance({ address: to })).toBe(gift)
      expect(await chain.getBalance({ address: smart })).toBeLessThan(parseEther('1') - gift)
    } finally {
      await behave(demo, 'paymaster', 'normal')
    }
  })
}

/** The vault names a sponsor as the app's own server does, beside the address of its contract. */
async function expectSponsor({ screen, fact }: Review, mode: Mode): Promise<void> {
  await expect(screen).toContainText('Paid by Latchkey Demo')
  if (mode === 'strict') await expect(fact('Fee paid by')).toHaveText(/0x/)
}
