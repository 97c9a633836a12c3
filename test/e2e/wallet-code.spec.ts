/** Code for a wallet's own address (EIP-7702) on a real chain: on, an atomic batch by unmodified viem, and off. */

import type { Page } from '@playwright/test'
import { type Address, encodeFunctionData, erc20Abi, parseEther } from 'viem'
import type { LoginModal } from '../../src/index.ts'
import { deploySimple7702Account } from '../ethereum/support/simple-7702.ts'
import { closeReceipt } from './support/approval.ts'
import { expect, test } from './support/demo.ts'
import { untilClosed } from './support/embedded.ts'
import { load, stepsOf } from './support/libraries.ts'
import { modes, newAddress, newSender, newToken, reviewOf, sendByKit } from './support/sending.ts'

test.beforeEach(async ({ demo }) => {
  const url = demo.chains[1]
  test.skip(!url, 'This machine has no anvil')
  if (url) await deploySimple7702Account(url)
})

const delegate = '0xe6Cae83BdE06E4c305530e199D7217f42808555B'
const delegated = `0xef0100${delegate.slice(2).toLowerCase()}`
const gift = (to: Address) => ({ to, value: String(parseEther('0.25')) })
const transferOf = (token: Address, to: Address, amount: bigint) => ({
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
})

/** Has the host page give the wallet code, or take it back. */
const changeCode = (page: Page, call: 'upgradeWallet' | 'downgradeWallet', options: object = {}) =>
  page.evaluate(
    ([call, options]) => {
      const { kit } = document.querySelector('login-modal') as LoginModal
      if (!kit) throw new Error('No kit')
      return kit[call](options).then(
        ({ receipt }) => ({ result: receipt.status }),
        ({ code, message }) => ({ code, message }),
      )
    },
    [call, options] as const,
  )

for (const mode of modes) {
  test(`code, ${mode}: on, an atomic batch of viem, and off @soak`, async ({ browser, demo }) => {
    const sender = await newSender(browser, demo, mode)
    const { page, chain, address } = sender
    const token = await newToken(sender, 5_000_000n)
    await load(page)
    const run = stepsOf(page, 'viem')
    expect(await run('capabilities')).toEqual({ result: { atomic: { status: 'ready' } } })

    const refused = await changeCode(page, 'upgradeWallet', { delegate: newAddress() })
    expect(refused).toMatchObject({ code: 'invalid_request_arguments' })

    const adding = changeCode(page, 'upgradeWallet')
    const added = await reviewOf(page)
    await expect(added.screen.getByRole('heading', { name: 'Add code to your wallet' })).toBeVisible()
    await expect(added.screen).toContainText('gets the code of Simple7702Account')
    await expect(added.screen).toContainText('You can take it back at any time')
    await expect(added.fact('Contract')).toContainText(delegate.slice(2, 8))
    await added.press('Approve')
    await closeReceipt(page)
    expect(await adding).toEqual({ result: 'success' })
    expect(await chain.getCode({ address })).toBe(delegated)
    expect(await run('capabilities')).toEqual({ result: { atomic: { status: 'supported' } } })

    const to = newAddress()
    const calls = [transferOf(token, to, 2_000_000n), gift(to)]
    const sending = run('sendCalls', calls, { id: '0x7702', forceAtomic: true })
    const batch = await reviewOf(page)
    await expect(batch.screen.getByRole('heading', { name: 'Approve 2 actions' })).toBeVisible()
    await expect(batch.fact('Wallet has code')).toContainText('Simple7702Account')
    await batch.press('Approve')
    expect(await sending).toEqual({ result: '0x7702' })
    expect(await run('waitForCalls', '0x7702')).toEqual({
      result: { status: 'success', statusCode: 200, atomic: true, receipts: ['success'] },
    })
    expect(await chain.getBalance({ address: to })).toBe(parseEther('0.25'))
    expect(
      await chain.readContract({ abi: erc20Abi, address: token, functionName: 'balanceOf', args: [to] }),
    ).toBe(2_000_000n)
    await closeReceipt(page)
    await untilClosed(page)

    const removing = changeCode(page, 'downgradeWallet')
    const removed = await reviewOf(page)
    await expect(removed.screen.getByRole('heading', { name: 'Take back code of your wallet' })).toBeVisible()
    await expect(removed.fact('Wallet has code')).toContainText('Simple7702Account')
    await removed.press('Approve')
    await closeReceipt(page)
    expect(await removing).toEqual({ result: 'success' })
    expect(await chain.getCode({ address })).toBeUndefined()
    expect(await run('capabilities')).toEqual({ result: { atomic: { status: 'ready' } } })
  })

  test(`code, ${mode}: calls that must be atomic bring it along, and a rejection is 5750 @soak`, async ({
    browser,
    demo,
  }) => {
    const { page, chain, address } = await newSender(browser, demo, mode)
    await load(page)
    const run = stepsOf(page, 'viem')
    const [one, other] = [newAddress(), newAddress()]
    const rejecting = run('sendCalls', [gift(one)], { forceAtomic: true })
    const rejected = await reviewOf(page)
    await expect(rejected.screen).toContainText('Approve 2 actions')
    await rejected.press('Back')
    await rejected.press('Back')
    await rejected.press('Cancel')
    expect((await rejecting).errors).toContain(5750)
    await untilClosed(page)

    const sending = run('sendCalls', [gift(one), gift(other)], { forceAtomic: true })
    const steps: string[] = []
    const review = await reviewOf(page, undefined, async (screen) => {
      steps.push((await screen.textContent()) ?? '')
    })
    expect(steps).toHaveLength(3)
    expect(steps[0]).toContain('gets the code of Simple7702Account')
    await review.press('Approve')
    const { result: id } = await sending
    expect(await run('waitForCalls', id)).toMatchObject({ result: { atomic: true, statusCode: 200 } })
    for (const to of [one, other]) expect(await chain.getBalance({ address: to })).toBe(parseEther('0.25'))
    expect(await chain.getCode({ address })).toBe(delegated)
  })

  test(`code, ${mode}: code that the app does not know is named in a red review @soak`, async ({
    browser,
    demo,
  }) => {
    const { page, chain, address } = await newSender(browser, demo, mode)
    const foreign = newAddress()
    await chain.setCode({ address, bytecode: `0xef0100${foreign.slice(2)}` })
    const sending = sendByKit(page, { to: newAddress(), value: '0x5', chainId: 1 })
    const review = await reviewOf(page)
    await expect(review.screen).toContainText('Your wallet has code that this app does not know')
    await expect(review.fact('Wallet has code')).toContainText(foreign.slice(2, 8))
    await review.press('Cancel')
    expect(await sending).toMatchObject({ code: 'unable_to_sign' })
    expect(await chain.getTransactionCount({ address })).toBe(0)
  })
}
