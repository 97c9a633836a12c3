/** Changes that users make on a review, parts that hosts may leave out of it, and what is signed then. */

import { keccak256, maxUint256, parseEther, parseGwei, verifyTypedData } from 'viem'
import type { LoginModal } from '../../src/index.ts'
import { closeReceipt, look } from './support/approval.ts'
import { expect, test } from './support/demo.ts'
import { untilClosed } from './support/embedded.ts'
import {
  allowanceFor,
  allowanceOf,
  choose,
  hex,
  lieAs,
  lowerAmount,
  modes,
  multicallOf,
  newAddress,
  newSender,
  newTokenSender,
  outcomeOf,
  permitOf,
  type Review,
  reviewOf,
  sendByKit,
  transferOf,
  untilTitled,
} from './support/sending.ts'

test.beforeEach(({ demo }) => test.skip(!demo.chains[1], 'This machine has no anvil'))

const value = parseEther('0.1')
const gas = 21_000n

/** Opens the choice of fees, wherever the review is displayed. */
async function openFees({ screen, press }: Review): Promise<void> {
  await press('Change fee')
  await expect(screen.getByRole('radio', { name: 'Own fee' })).toBeVisible()
}

for (const mode of modes) {
  test(`choosing, ${mode}: own fees are displayed in the review, and these are signed @soak`, async ({
    browser,
    demo,
  }) => {
    const { page, chain } = await newSender(browser, demo, mode)
    const sending = sendByKit(page, { to: newAddress(), value: hex(value) })
    const review = await reviewOf(page)
    const { screen } = review
    await openFees(review)
    await look(screen.page())
    await choose(screen.getByRole('radio', { name: 'Own fee' }))
    await expect(review.button('Approve')).toBeDisabled()
    const [most, tip] = [screen.getByLabel('Max fee (gwei)'), screen.getByLabel('Tip (gwei)')]
    await most.fill('30')
    await tip.fill('31')
    await review.press('Use')
    await expect(screen).toContainText("The tip can't be more than the max fee.")
    await tip.fill('2')
    await review.press('Use')
    await expect(review.fact('Fee')).toContainText(/0\.00063\s*ETH/)
    await expect(screen.getByRole('radio', { name: 'Own fee' })).toBeChecked()
    await (await reviewOf(page)).press('Approve')
    await closeReceipt(page)
    const { transactionHash: hash } = (await sending).result as { transactionHash: `0x${string}` }
    expect(await chain.getTransaction({ hash })).toMatchObject({
      gas,
      maxFeePerGas: parseGwei('30'),
      maxPriorityFeePerGas: parseGwei('2'),
    })
  })

  test(`choosing, ${mode}: a faster level costs what the review says of it @soak`, async ({
    browser,
    demo,
  }) => {
    const { page, chain } = await newSender(browser, demo, mode)
    const sending = sendByKit(page, { to: newAddress(), value: hex(value) })
    const review = await reviewOf(page)
    const usual = await review.fact('Fee').textContent()
    await openFees(review)
    await look(review.screen.page())
    const fast = review.screen.getByRole('radio', { name: /^Fast/ })
    await choose(fast)
    await expect(review.fact('Fee')).not.toHaveText(usual ?? '')
    // While it is prepared, the fee has no figure; what is displayed then has to be read anew.
    await expect(review.fact('Fee')).toContainText(/\d/)
    const again = await reviewOf(page)
    await expect(fast).toBeChecked()
    const most = Number(/[\d.]+/.exec((await again.fact('Fee').textContent()) ?? '')?.[0])
    await again.press('Approve')
    await closeReceipt(page)
    const { transactionHash: hash } = (await sending).result as { transactionHash: `0x${string}` }
    const { maxFeePerGas = 0n } = await chain.getTransaction({ hash })
    const signed = Number(gas * maxFeePerGas) / 1e18
    // Displayed figures are rounded up.
    expect(most).toBeGreaterThanOrEqual(signed)
    expect(most).toBeLessThan(signed * 1.01)
  })

  test(`choosing, ${mode}: an unlimited allowance is lowered to an own amount, and that is what is signed @soak`, async ({
    browser,
    demo,
  }) => {
    const { page, chain, address, token } = await newTokenSender(browser, demo, mode)
    const spender = newAddress()
    const sending = sendByKit(page, { to: token, data: allowanceFor(spender, maxUint256) })
    const edited = await lowerAmount(page, await reviewOf(page), '1.25')
    await expect(edited.screen.getByRole('radio', { name: /^Own amount/ })).toBeChecked()
    await expect(edited.screen).toContainText(/1\.25\s*TST/)
    await edited.press('Approve')
    await closeReceipt(page)
    expect((await sending).result).toMatchObject({ status: 'success' })
    expect(await allowanceOf(chain, token, address, spender)).toBe(1_250_000n)
  })

  test(`choosing, ${mode}: a permit is lowered for a host that takes it, and the signature is for these values @soak`, async ({
    browser,
    demo,
  }) => {
    const sender = await newTokenSender(browser, demo, mode)
    const { page, address } = sender
    const spender = newAddress()
    const permit = permitOf(sender, spender, '4000000')
    const signing = page.evaluate(
      (permit) =>
        (document.querySelector('login-modal') as LoginModal).kit?.signTypedData(permit, {
          acceptsEdited: true,
        }),
      permit,
    )
    const review = await reviewOf(page)
    await expect(review.screen).toContainText(spender.slice(0, 6))
    await expect(review.screen).not.toContainText("so it can't be lowered here")
    const lowered = await lowerAmount(page, review, '1.5')
    await expect(lowered.screen).toContainText(/1\.5\s*TST/)
    await lowered.press('Sign and continue')
    const { signature, typedData } = (await signing) as {
      signature: `0x${string}`
      typedData: typeof permit
    }
    expect(typedData.message).toEqual({ ...permit.message, value: '1500000' })
    expect(await verifyTypedData({ ...typedData, address, signature } as never)).toBe(true)
    expect(await verifyTypedData({ ...permit, address, signature } as never)).toBe(false)
    await untilClosed(page)
  })

  test(`choosing, ${mode}: the calls of a batch are read one at a time, forth and back, and only the whole can be approved @soak`, async ({
    browser,
    demo,
  }) => {
    const { page, chain, address, token } = await newTokenSender(browser, demo, mode)
    const recipients = [newAddress(), newAddress()]
    const data = multicallOf(recipients.map((to) => transferOf(to, 1_000_000n)))
    const sending = sendByKit(page, { to: token, data })
    const review = await reviewOf(page, undefined, async (screen, step) => {
      await expect(screen).toContainText(recipients[step - 1]?.slice(0, 6) ?? '')
      await expect(screen).not.toContainText(recipients[2 - step]?.slice(0, 6) ?? '')
      await expect(screen.getByRole('button', { name: 'Approve' })).toHaveCount(0)
    })
    for (const to of recipients) await expect(review.screen).toContainText(to.slice(0, 6))
    await review.press('Back')
    await expect(review.screen).toContainText('Step 2 of 2')
    await review.press('Back')
    await expect(review.screen).toContainText('Step 1 of 2')
    await expect(review.button('Back')).toHaveCount(0)
    await review.press('Cancel')
    expect((await sending).code).toBe('unable_to_sign')
    await untilClosed(page)
    expect(await chain.getTransactionCount({ address })).toBe(0)
  })

  test(`choosing, ${mode}: a transaction that the host wants signed alone says so, and is not sent @soak`, async ({
    browser,
    demo,
  }) => {
    const { page, chain, address } = await newSender(browser, demo, mode)
    const to = newAddress()
    const signing = page.evaluate(
      (transaction) =>
        (document.querySelector('login-modal') as LoginModal).kit?.signTransaction(transaction),
      { to, value: hex(value) },
    )
    const review = await reviewOf(page)
    await expect(review.screen).toContainText(
      'It will be signed but not sent. This page can send it at any time.',
    )
    await review.press('Approve')
    const { signedTransaction } = (await signing) as { signedTransaction: `0x${string}` }
    await untilClosed(page)
    expect(await chain.getTransactionCount({ address })).toBe(0)
    const hash = await chain.sendRawTransaction({ serializedTransaction: signedTransaction })
    expect(hash).toBe(keccak256(signedTransaction))
    await chain.waitForTransactionReceipt({ hash })
    expect(await chain.getBalance({ address: to })).toBe(value)
  })

  test(`failing, ${mode}: a refusal of the node has its code and message, and the retry keeps the nonce @soak`, async ({
    browser,
    demo,
  }) => {
    const { page, chain, address } = await newSender(browser, demo, mode)
    const to = newAddress()
    let refusals = 1
    await lieAs(page, demo.chains[1] ?? '', {
      eth_sendRawTransaction: (_, honest) =>
        refusals-- > 0 ? { error: { code: -32_010, message: 'the harbor is closed' } } : honest(),
    })
    const sending = sendByKit(page, { to, value: hex(value) })
    await (await reviewOf(page)).press('Approve')
    await untilTitled(page, 'Transaction failure')
    const failure = outcomeOf(page)
    await expect(failure).toContainText('Please try again.')
    await expect(failure).toContainText('-32010')
    await expect(failure).toContainText('the harbor is closed')
    await failure.getByRole('button', { name: 'Retry transaction' }).click()
    await (await reviewOf(page)).press('Approve')
    await closeReceipt(page)
    const { transactionHash: hash } = (await sending).result as { transactionHash: `0x${string}` }
    expect((await chain.getTransaction({ hash })).nonce).toBe(0)
    expect(await chain.getTransactionCount({ address })).toBe(1)
    expect(await chain.getBalance({ address: to })).toBe(value)
  })

  test(`failing, ${mode}: a transaction whose nonce the host gave is not tried again after the network took it @soak`, async ({
    browser,
    demo,
  }) => {
    const { page, chain, address, token } = await newTokenSender(browser, demo, mode, 0n)
    const data = transferOf(newAddress(), 1_000_000n)
    const sending = sendByKit(page, { to: token, data, nonce: 0 })
    await (await reviewOf(page)).press('Approve')
    await untilTitled(page, 'Transaction failure')
    const failure = outcomeOf(page)
    await expect(failure).toContainText('The network took the fee, but the transaction had no effect.')
    await expect(failure.getByRole('button', { name: 'Retry transaction' })).toHaveCount(0)
    await failure.getByRole('button', { name: 'Close', exact: true }).last().click()
    expect(await sending).toMatchObject({ code: 'transaction_failure', data: { status: 'failed' } })
    await untilClosed(page)
    expect(await chain.getTransactionCount({ address })).toBe(1)
  })
}

test('without screens, compatible: a transaction is sent, and one that the wallet can’t pay for is refused @soak', async ({
  browser,
  demo,
}) => {
  const { page, chain } = await newSender(browser, demo, 'compatible', { ether: '0.2' })
  await page.evaluate(() => {
    const opened: string[] = []
    Object.assign(window, { opened })
    document.addEventListener('lk-open', () => opened.push('dialog'), { capture: true })
  })
  const to = newAddress()
  const options = { uiOptions: { showWalletUIs: false } }
  const sent = await sendByKit(page, { to, value: hex(value) }, options)
  expect(sent.result).toMatchObject({ status: 'success' })
  expect(await chain.getBalance({ address: to })).toBe(value)
  const refused = await sendByKit(page, { to, value: hex(parseEther('1')) }, options)
  expect(refused.code).toBe('insufficient_funds')
  expect(await page.evaluate(() => (window as unknown as { opened: string[] }).opened)).toEqual([])
  expect(await chain.getBalance({ address: to })).toBe(value)
})

test('without screens, strict: the vault asks all the same @soak', async ({ browser, demo }) => {
  const { page, chain, address } = await newSender(browser, demo, 'strict')
  const sending = sendByKit(
    page,
    { to: newAddress(), value: hex(value) },
    { uiOptions: { showWalletUIs: false } },
  )
  await (await reviewOf(page)).press('Cancel')
  expect((await sending).code).toBe('unable_to_sign')
  expect(await chain.getTransactionCount({ address })).toBe(0)
})
