/** A user buys something from a seller elsewhere, by a fetch that pays (x402): reviewed, settled on chain, in the activity. */
import { type Address, createPublicClient, http, parseAbi } from 'viem'
import { usdcAddresses } from '../../demo/world/chains/usdc.ts'
import { tidesPrice, tidesSeller } from '../../demo/world/x402/x402.ts'
import { limit } from '../support/limit.ts'
import { type Demo, expect, test, watchPage } from './support/demo.ts'
import { modes, newSender, reviewOf, soakUnless } from './support/sending.ts'

const erc20 = parseAbi(['function balanceOf(address) view returns (uint256)'])
const usdcOf = (demo: Demo, owner: string) =>
  createPublicClient({ transport: http(demo.chains[8453]) }).readContract({
    address: usdcAddresses[8453] as Address,
    abi: erc20,
    functionName: 'balanceOf',
    args: [owner as Address],
  })

for (const mode of modes)
  test(`pay for a request: a user rejects it, then pays a seller's price once, in a ${mode} app${soakUnless(mode === 'compatible')}`, async ({
    browser,
    demo,
  }) => {
    test.skip(!demo.chains[8453], 'This machine has no anvil')
    const { page, address } = await newSender(browser, demo, mode, { name: `pays-${mode}`, ether: '0' })
    const problems = watchPage(page)
    const button = mode === 'strict' ? 'Sign and continue' : 'Pay'
    await page.locator('#get-usdc').click()
    await expect(page.locator('#bought')).toContainText('1 USDC more', { timeout: limit(20_000) })

    await page.locator('#buy').click()
    const rejected = await reviewOf(page, [button])
    await expect(rejected.screen).toContainText(/0\.01\s*USDC/)
    await rejected.press('Cancel')
    await expect(page.locator('#trace')).toContainText('fetchWithPayment() rejected: unable_to_sign')
    expect(await usdcOf(demo, address)).toBe(1_000_000n)

    await page.locator('#buy').click()
    const review = await reviewOf(page, [button])
    await expect(review.screen).toContainText(/0\.01\s*USDC/)
    await expect(review.fact('Recipient')).toContainText(tidesSeller)
    if (mode === 'compatible') {
      await expect(review.fact('Seller')).toHaveText(new URL(demo.world).origin)
      await expect(review.fact("In the seller's words")).toHaveText('Tides of the next 24 hours')
      await expect(review.fact("Left of today's limit")).toContainText('$0.49')
    }
    await review.press(button)
    await expect(page.locator('#bought')).toContainText('Harbour', { timeout: limit(30_000) })
    expect(await usdcOf(demo, address)).toBe(1_000_000n - tidesPrice)

    await page.locator('#open-activity').click()
    await expect(page.getByRole('dialog')).toContainText(/0\.01\s*USDC/)
    await expect(page.getByRole('dialog')).toContainText('Confirmed')
    // Chromium itself notes each answer with an error's status.
    expect(problems.filter((problem) => !problem.includes('402 (Payment Required)'))).toEqual([])
  })

test('pay for a request: a user who wants no more reviews of a seller is asked once @soak', async ({
  browser,
  demo,
}) => {
  test.skip(!demo.chains[8453], 'This machine has no anvil')
  const { page, address } = await newSender(browser, demo, 'compatible', { name: 'pays-unseen', ether: '0' })
  await page.locator('#get-usdc').click()
  await expect(page.locator('#bought')).toContainText('1 USDC more', { timeout: limit(20_000) })
  await page.locator('#buy').click()
  const review = await reviewOf(page, ['Pay'])
  await review.screen.getByRole('checkbox').check()
  await (await reviewOf(page, ['Pay'])).press('Pay')
  await expect(page.locator('#bought')).toContainText('Harbour', { timeout: limit(30_000) })
  await page.locator('#buy').click()
  await expect(page.locator('#bought')).toBeEmpty()
  await expect(page.locator('#bought')).toContainText('Harbour', { timeout: limit(30_000) })
  expect(await usdcOf(demo, address)).toBe(1_000_000n - 2n * tidesPrice)
})
