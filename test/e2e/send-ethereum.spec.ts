/** What people read, press and see afterwards when they send on an Ethereum chain whose node is honest. */

import { encodeFunctionData, maxUint256, parseAbi, parseEther, verifyTypedData } from 'viem'
import { closeReceipt } from './support/approval.ts'
import { expect, test } from './support/demo.ts'
import { untilClosed } from './support/embedded.ts'
import {
  allowanceFor,
  allowanceOf,
  amountOfToken,
  balanceOf,
  choose,
  giveTokens,
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
  request,
  reviewOf,
  sendByKit,
  soakUnless,
  transferOf,
  untilTitled,
} from './support/sending.ts'

test.beforeEach(({ demo }) => test.skip(!demo.chains[1], 'This machine has no anvil'))

const collectionAbi = parseAbi(['function safeTransferFrom(address from, address to, uint256 tokenId)'])

for (const mode of modes) {
  test(`sending, ${mode}: a token transfer is read, approved, mined, and has a receipt${soakUnless(mode === 'compatible')}`, async ({
    browser,
    demo,
  }) => {
    const { page, chain, address, token } = await newTokenSender(browser, demo, mode)
    const to = newAddress()
    const sending = sendByKit(page, { to: token, data: transferOf(to, 1_500_000n) })
    const review = await reviewOf(page)
    await expect(review.screen.getByRole('heading', { name: 'Transfer', exact: true })).toBeVisible()
    await expect(review.screen).toContainText(amountOfToken('1.5', '1,500,000'))
    // A contract's descriptor has labels of its own.
    for (const named of [to, token]) await expect(review.screen).toContainText(named.slice(0, 6))
    await expect(review.fact('Network')).toHaveText('Ethereum')
    // The vault's policy allows no pictures.
    await expect(review.fact('Network').locator('svg')).toBeVisible()
    await expect(review.fact('Fee')).toContainText('ETH')
    await expect(review.fact('Total')).toContainText('ETH')
    await expect(review.screen).toContainText(/10\s*ETH/)
    await review.press('Approve')

    await untilTitled(page, 'Transaction complete!')
    await expect(outcomeOf(page)).toContainText("You're all set.")
    await expect(outcomeOf(page).getByRole('button', { name: 'Copy transaction hash' })).toBeVisible()
    await outcomeOf(page).getByRole('button', { name: 'All Done' }).click()
    const { result } = await sending
    expect(result).toMatchObject({ status: 'success' })
    const { transactionHash: hash } = result as { transactionHash: `0x${string}` }
    expect((await chain.getTransactionReceipt({ hash })).status).toBe('success')
    expect(await balanceOf(chain, token, to)).toBe(1_500_000n)
    expect(await balanceOf(chain, token, address)).toBe(3_500_000n)
    await untilClosed(page)
  })

  test(`sending, ${mode}: an NFT is named by its contract and number @soak`, async ({ browser, demo }) => {
    const { page, address, token } = await newTokenSender(browser, demo, mode, 0n)
    const to = newAddress()
    const data = encodeFunctionData({
      abi: collectionAbi,
      functionName: 'safeTransferFrom',
      args: [address, to, 77_123n],
    })
    const sending = sendByKit(page, { to: token, data })
    const review = await reviewOf(page)
    await expect(review.screen).toContainText('77123')
    await expect(review.screen).toContainText(to.slice(0, 6))
    await review.press('Approve')
    await closeReceipt(page)
    expect((await sending).result).toMatchObject({ status: 'success' })
  })

  test(`sending, ${mode}: each call of a multicall is read, and all are carried out @soak`, async ({
    browser,
    demo,
  }) => {
    const { page, chain, token } = await newTokenSender(browser, demo, mode)
    const [first, second] = [newAddress(), newAddress()]
    const data = multicallOf([transferOf(first, 1_000_000n), transferOf(second, 2_250_000n)])
    const sending = sendByKit(page, { to: token, data })
    const review = await reviewOf(page)
    for (const [recipient, amount, units] of [
      [first, '1', '1,000,000'],
      [second, '2.25', '2,250,000'],
    ] as const) {
      await expect(review.screen).toContainText(recipient.slice(0, 6))
      await expect(review.screen).toContainText(amountOfToken(amount, units))
    }
    await review.press('Approve')
    await closeReceipt(page)
    expect((await sending).result).toMatchObject({ status: 'success' })
    expect([await balanceOf(chain, token, first), await balanceOf(chain, token, second)]).toEqual([
      1_000_000n,
      2_250_000n,
    ])
  })

  test(`sending, ${mode}: a call that the contract refuses is warned of, fails with its hash, and is tried again @soak`, async ({
    browser,
    demo,
  }) => {
    const { page, chain, address, token } = await newTokenSender(browser, demo, mode, 0n)
    const to = newAddress()
    // The kit reads by itself what is missing; the vault does so where funds can be added.
    const doubt =
      mode === 'compatible' ? /does not have enough funds\. 2 TST more is needed/ : /will likely fail/
    const sending = sendByKit(page, { to: token, data: transferOf(to, 2_000_000n) })
    const review = await reviewOf(page)
    await expect(review.screen).toContainText(doubt)
    await review.press('Approve')

    await untilTitled(page, 'Transaction failure')
    await expect(outcomeOf(page)).toContainText(
      'The network took the fee, but the transaction had no effect.',
    )
    await expect(outcomeOf(page)).toContainText('not enough')
    await expect(outcomeOf(page).getByRole('button', { name: 'Copy transaction hash' })).toBeVisible()
    expect(await chain.getTransactionCount({ address })).toBe(1)

    await giveTokens(chain, token, address, 2_000_000n)
    await outcomeOf(page).getByRole('button', { name: 'Retry transaction' }).click()
    // The failed one has used its nonce; this is another transaction, and is read anew.
    const again = await reviewOf(page)
    await expect(again.screen).not.toContainText(doubt)
    await again.press('Approve')
    await closeReceipt(page)
    expect((await sending).result).toMatchObject({ status: 'success' })
    expect(await balanceOf(chain, token, to)).toBe(2_000_000n)
    expect(await chain.getTransactionCount({ address })).toBe(2)
  })

  test(`sending, ${mode}: a wallet that is short of funds can't approve before it has them @soak`, async ({
    browser,
    demo,
  }) => {
    const { page, chain, address } = await newSender(browser, demo, mode, { ether: '0.1' })
    const to = newAddress()
    const value = parseEther('0.25')
    const sending = sendByKit(page, { to, value: hex(value) })
    const review = await reviewOf(page)
    await expect(review.screen).toContainText(
      /Wallet 0x\S+ does not have enough funds\.|Add funds on Ethereum to complete transaction\./,
    )
    await expect(review.button('Approve')).toHaveCount(0)
    await chain.setBalance({ address, value: parseEther('1') })
    await review.press('Check balance again')
    const funded = await reviewOf(page, ['Approve'])
    await funded.press('Approve')
    await closeReceipt(page)
    expect((await sending).result).toMatchObject({ status: 'success' })
    expect(await chain.getBalance({ address: to })).toBe(value)
  })

  test(`sending, ${mode}: who reads it and declines sends nothing, and the page gets the code @soak`, async ({
    browser,
    demo,
  }) => {
    const { page, chain, address } = await newSender(browser, demo, mode)
    const to = newAddress()
    const byKit = sendByKit(page, { to, value: hex(1n) })
    await (await reviewOf(page)).press('Cancel')
    expect((await byKit).code).toBe('unable_to_sign')
    await untilClosed(page)
    const byProvider = request(page, 'eth_sendTransaction', [{ from: address, to, value: '0x1' }])
    await (await reviewOf(page)).press('Cancel')
    expect((await byProvider).code).toBe(4001)
    await untilClosed(page)
    expect(await chain.getTransactionCount({ address })).toBe(0)
  })

  test(`sending, ${mode}: a permit is read with its spender and amount, and the signature is for these @soak`, async ({
    browser,
    demo,
  }) => {
    const sender = await newTokenSender(browser, demo, mode)
    const { page, address } = sender
    const spender = newAddress()
    const typed = permitOf(sender, spender, '1250000')
    const signing = request(page, 'eth_signTypedData_v4', [address, JSON.stringify(typed)])
    const review = await reviewOf(page)
    await expect(review.screen).toContainText(spender.slice(0, 6))
    await expect(review.screen).toContainText(/1\.25\s*TST/)
    await expect(review.screen).toContainText("so it can't be lowered here")
    await review.press('Sign and continue')
    const { result: signature } = (await signing) as { result: `0x${string}` }
    expect(await verifyTypedData({ ...typed, address, signature } as never)).toBe(true)
    await untilClosed(page)
  })

  test(`sending, ${mode}: two requests are read one after the other, and both are sent @soak`, async ({
    browser,
    demo,
  }) => {
    const { page, chain } = await newSender(browser, demo, mode)
    const [first, second] = [newAddress(), newAddress()]
    const sendings = [first, second].map((to) => sendByKit(page, { to, value: hex(parseEther('0.1')) }))
    for (const to of [first, second]) {
      const review = await reviewOf(page)
      await expect(review.fact('To')).toContainText(to.slice(0, 6))
      await review.press('Approve')
      await closeReceipt(page)
    }
    for (const sending of sendings) expect((await sending).result).toMatchObject({ status: 'success' })
    expect(await chain.getBalance({ address: second })).toBe(parseEther('0.1'))
  })
}

test('sending, compatible: an unlimited allowance is edited down to what is needed, and that is what is signed @soak', async ({
  browser,
  demo,
}) => {
  const { page, chain, address, token } = await newTokenSender(browser, demo, 'compatible')
  const spender = newAddress()
  const sending = sendByKit(page, { to: token, data: allowanceFor(spender, maxUint256) })
  const review = await reviewOf(page)
  await expect(review.screen.getByRole('heading', { name: 'Approve spending', exact: true })).toBeVisible()
  await expect(review.screen).toContainText('Maximum')
  const choices = review.screen.getByRole('radio')
  await expect(choices.first()).toHaveAccessibleName(/^Only this once/)
  await choose(choices.first())
  const edited = await reviewOf(page)
  await expect(edited.screen.getByRole('radio', { name: /^Only this once/ })).toBeChecked()
  await expect(edited.screen).toContainText(/5\s*TST/)
  await edited.press('Approve')
  await closeReceipt(page)
  expect((await sending).result).toMatchObject({ status: 'success' })
  expect(await allowanceOf(chain, token, address, spender)).toBe(5_000_000n)
})

test('sending, compatible: an own allowance is typed, and one that is ambiguous or too large is refused @soak', async ({
  browser,
  demo,
}) => {
  const { page, chain, address, token } = await newTokenSender(browser, demo, 'compatible')
  const spender = newAddress()
  const sending = sendByKit(page, { to: token, data: allowanceFor(spender, 2_000_000_000n) })
  const review = await reviewOf(page)
  await choose(review.screen.getByRole('radio', { name: /^Own amount/ }))
  await expect(review.button('Approve')).toBeDisabled()
  const field = review.screen.getByLabel('Amount in TST')
  for (const [typed, problem] of [
    ['2001', 'That is more than this asks for.'],
    ['1,304.53', "Use '.' before the decimals, and no other separator."],
    ['0.0000001', 'At most 6 decimals.'],
  ] as const) {
    await field.fill(typed)
    await review.press('Use')
    await expect(review.screen).toContainText(problem)
  }
  const edited = await lowerAmount(page, review, '1.25')
  await expect(edited.screen).toContainText(/1\.25\s*TST/)
  await edited.press('Approve')
  await closeReceipt(page)
  expect((await sending).result).toMatchObject({ status: 'success' })
  expect(await allowanceOf(chain, token, address, spender)).toBe(1_250_000n)
})

test('sending, strict: an unlimited allowance is called the maximum and warned of, by the vault @soak', async ({
  browser,
  demo,
}) => {
  const { page, chain, address, token } = await newTokenSender(browser, demo, 'strict')
  const spender = newAddress()
  const sending = sendByKit(page, { to: token, data: allowanceFor(spender, maxUint256) })
  const review = await reviewOf(page)
  await expect(review.screen).toContainText('Maximum')
  await expect(review.screen).toContainText(/spend (all of )?your tokens/)
  await review.press('Approve')
  await closeReceipt(page)
  expect((await sending).result).toMatchObject({ status: 'success' })
  expect(await allowanceOf(chain, token, address, spender)).toBeGreaterThan(0n)
})

test("sending, compatible: the host's own words are on the review and on the receipt @soak", async ({
  browser,
  demo,
}) => {
  const { page } = await newSender(browser, demo, 'compatible')
  const sending = sendByKit(
    page,
    { to: newAddress(), value: hex(parseEther('0.1')) },
    {
      uiOptions: {
        transactionInfo: { title: 'Buy a berth', actionDescription: 'A berth at the harbor for a night.' },
        buttonText: 'Buy',
        successHeader: 'The berth is yours',
        successDescription: 'See you tonight.',
      },
    },
  )
  const review = await reviewOf(page, ['Buy'])
  await expect(review.screen.getByRole('heading', { name: 'Buy a berth' })).toBeVisible()
  await expect(review.screen).toContainText('A berth at the harbor for a night.')
  await review.press('Buy')
  await untilTitled(page, 'The berth is yours')
  await expect(outcomeOf(page)).toContainText('See you tonight.')
  await outcomeOf(page).getByRole('button', { name: 'All Done' }).click()
  expect((await sending).result).toMatchObject({ status: 'success' })
})

test('sending, compatible: a fee that no node can estimate is warned of with the words of the specification @soak', async ({
  browser,
  demo,
}) => {
  const { page } = await newSender(browser, demo, 'compatible')
  await lieAs(page, demo.chains[1] ?? '', {
    eth_estimateGas: () => ({ error: { code: -32_000, message: 'the tide is too low' } }),
  })
  // A fee that is much beside the amount needs a confirmation of its own.
  const sending = sendByKit(page, { to: newAddress(), value: hex(parseEther('1')) })
  const review = await reviewOf(page)
  await expect(review.screen).toContainText(
    'There was an error preparing your transaction. Your transaction request will likely fail.',
  )
  await expect(review.screen).toContainText('the tide is too low')
  await review.press('Cancel')
  expect((await sending).code).toBe('unable_to_sign')
})
