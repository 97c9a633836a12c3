/** A transaction whose wallet has too little goes on once its user has received what is missing. */
import type { Locator, Page } from '@playwright/test'
import { Keypair, LAMPORTS_PER_SOL, SystemProgram, Transaction } from '@solana/web3.js'
import { parseEther } from 'viem'
import { limit } from '../support/limit.ts'
import { closeReceipt } from './support/approval.ts'
import { expect, test } from './support/demo.ts'
import { untilClosed } from './support/embedded.ts'
import {
  airdrop,
  fundedApps,
  hex,
  modes,
  newAddress,
  newSender,
  newSolanaSender,
  outcomeOf,
  reviewOf,
  sendByKit,
  sendSolanaByKit,
  soakUnless,
  untilTitled,
} from './support/sending.ts'

/** From the review to the address to which the funds are sent. */
async function toReceiving(page: Page): Promise<Locator> {
  const review = await reviewOf(page)
  await expect(review.screen).toContainText(/Add funds on \w+ to complete transaction\./)
  await expect(review.button('Approve')).toHaveCount(0)
  await review.press('Add funds')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { name: /^Add funds to your/ })).toBeVisible({
    timeout: limit(20_000),
  })
  await dialog.getByRole('button', { name: 'Receive funds' }).click()
  await expect(dialog.getByRole('heading', { name: /^Receive [\d.]+ (ETH|SOL)$/ })).toBeVisible()
  return dialog
}

async function continueWith(dialog: Locator): Promise<void> {
  await expect(dialog).toContainText(/Received [\d.,]+ (ETH|SOL)/, { timeout: limit(20_000) })
  await dialog.getByRole('button', { name: 'Continue', exact: true }).click()
}

for (const mode of modes) {
  const app = fundedApps[mode]
  test(`add funds, ${mode}: a transaction on Ethereum goes on when the funds have come${soakUnless(mode === 'compatible')}`, async ({
    browser,
    demo,
  }) => {
    test.skip(!demo.chains[1], 'This machine has no anvil')
    const { page, chain, address } = await newSender(browser, demo, mode, { ether: '0.1', app })
    const to = newAddress()
    const value = parseEther('0.25')
    const sending = sendByKit(page, { to, value: hex(value) })
    const dialog = await toReceiving(page)
    await expect(dialog).toContainText(address.slice(0, 6))
    await expect(dialog).toContainText('Only send ETH on Ethereum.')
    await chain.setBalance({ address, value: parseEther('1') })
    await continueWith(dialog)

    // Prepared and displayed anew, it needs a press of its own.
    const funded = await reviewOf(page, ['Approve'])
    await expect(funded.screen).toContainText(/1\s*ETH/)
    expect(await chain.getBalance({ address: to })).toBe(0n)
    await funded.press('Approve')
    await closeReceipt(page)
    expect((await sending).result).toMatchObject({ status: 'success' })
    expect(await chain.getBalance({ address: to })).toBe(value)
    await untilClosed(page)
  })

  test(`add funds, ${mode}: going back leads to the review, and closing the dialog rejects the request @soak`, async ({
    browser,
    demo,
  }) => {
    test.skip(!demo.chains[1], 'This machine has no anvil')
    const { page, chain, address } = await newSender(browser, demo, mode, { ether: '0.1', app })
    const sending = sendByKit(page, { to: newAddress(), value: hex(parseEther('0.25')) })
    const dialog = await toReceiving(page)
    await dialog.getByRole('button', { name: 'Back' }).click()
    await expect(dialog.getByRole('heading', { name: /^Add funds to your/ })).toBeVisible()
    await dialog.getByRole('button', { name: 'Back' }).click()
    await toReceiving(page)
    await page.keyboard.press('Escape')
    expect(await sending).toMatchObject({ code: 'unable_to_sign' })
    await untilClosed(page)
    expect(await chain.getTransactionCount({ address })).toBe(0)
  })

  test(`add funds, ${mode}: a reload while receiving leaves nothing behind, and what came by then is there @soak`, async ({
    browser,
    demo,
  }) => {
    test.skip(!demo.chains[1], 'This machine has no anvil')
    const { page, chain, address } = await newSender(browser, demo, mode, { ether: '0.1', app })
    const to = newAddress()
    const transaction = { to, value: hex(parseEther('0.25')) }
    const lost = sendByKit(page, transaction).catch(() => 'lost')
    await toReceiving(page)
    await page.reload()
    expect(await lost).toBe('lost')
    await chain.setBalance({ address, value: parseEther('1') })
    await expect(page.locator('#status')).toHaveText('You are logged in.')
    await expect(page.getByRole('dialog')).toBeHidden()
    const sending = sendByKit(page, transaction)
    await (await reviewOf(page, ['Approve'])).press('Approve')
    await closeReceipt(page)
    expect((await sending).result).toMatchObject({ status: 'success' })
    expect(await chain.getTransactionCount({ address })).toBe(1)
  })

  test(`add funds on Solana, ${mode}: a transaction goes on when the funds have come @soak`, async ({
    browser,
    demo,
  }) => {
    const { page, owner, connection } = await newSolanaSender(browser, demo, mode, { sol: 0.1, app })
    const to = Keypair.generate().publicKey
    const latest = await connection.getLatestBlockhash()
    const transaction = new Transaction({ feePayer: owner, ...latest }).add(
      SystemProgram.transfer({ fromPubkey: owner, toPubkey: to, lamports: LAMPORTS_PER_SOL }),
    )
    const bytes = Uint8Array.from(transaction.serialize({ requireAllSignatures: false }))
    const sending = sendSolanaByKit(page, bytes)
    const dialog = await toReceiving(page)
    await airdrop(connection, owner, 2)
    await continueWith(dialog)
    await (await reviewOf(page, ['Approve'])).press('Approve')
    await untilTitled(page, 'Transaction completed successfully.')
    await outcomeOf(page).getByRole('button', { name: 'Close' }).last().click()
    expect((await sending).result).toEqual(expect.any(String))
    expect(await connection.getBalance(to)).toBe(LAMPORTS_PER_SOL)
  })
}
