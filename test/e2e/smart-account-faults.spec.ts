/** Bundlers and sponsors that refuse, keep silent, lie or forget, in front of a user who has a smart wallet. */
import type { Page } from '@playwright/test'
import { type Address, parseGwei } from 'viem'
import { operationErrors } from '../../src/copy/en/operation-errors.ts'
import type { LoginModal } from '../../src/index.ts'
import { createCodec } from '../../src/wallets/smart/accounts/thirdweb.ts'
import { limit } from '../support/limit.ts'
import { look } from './support/approval.ts'
import { expect, test } from './support/demo.ts'
import { press, untilClosed } from './support/embedded.ts'
import { modes, newAddress, outcomeOf, reviewOf, untilTitled } from './support/sending.ts'
import { behave, closeComplete, gift, newOwner, type Owner, send } from './support/smart-wallets.ts'

test.beforeEach(({ ownDemo: { demo } }) => test.skip(!demo.chains[1], 'This machine has no anvil'))
test.afterEach(async ({ ownDemo: { demo } }) => {
  await behave(demo, 'bundler', 'normal')
  await behave(demo, 'paymaster', 'normal')
})

const words = (name: keyof typeof operationErrors) => operationErrors[name]
/** Waits until the user reads a sentence. */
const untilRead = (page: Page, sentence: string) =>
  expect(outcomeOf(page)).toContainText(sentence, { timeout: limit(60_000) })

/** The operations of the user's activity, newest first. */
const activityOf = (page: Page) =>
  page.evaluate(() =>
    ((document.querySelector('login-modal') as LoginModal).kit?.activity.get() ?? []).map(
      ({ hash, status, transactionHash }) => ({ hash, status, transactionHash }),
    ),
  )
const untilConfirmed = ({ page }: Pick<Owner, 'page'>) =>
  expect.poll(async () => (await activityOf(page))[0]?.status, { timeout: limit(60_000) }).toBe('confirmed')
const balanceOf = ({ chain }: Pick<Owner, 'chain'>, address: Address) => chain.getBalance({ address })

/** Sends as usual, which says that nothing is left of a fault. */
async function sendAsUsual({ page, smart, chain }: Owner): Promise<void> {
  const to = newAddress()
  const sending = send(page, smart, to, gift)
  await (await reviewOf(page)).press('Approve')
  await closeComplete(page)
  expect((await sending).status).toBe('success')
  expect(await balanceOf({ chain }, to)).toBe(gift)
}

for (const mode of modes) {
  test(`smart wallet, ${mode}: a bundler that names another hash is an error, and no success @soak`, async ({
    browser,
    ownDemo: { demo },
  }) => {
    const owner = await newOwner(browser, demo, mode)
    const { page, smart } = owner
    const to = newAddress()
    const sending = send(page, smart, to, gift)
    const review = await reviewOf(page)
    await behave(demo, 'bundler', 'wrong-hash')
    await review.press('Approve')
    await untilRead(page, words('error.operation.otherHash'))
    await expect(outcomeOf(page)).not.toContainText('complete')
    await outcomeOf(page).getByRole('button', { name: 'Close', exact: true }).last().click()
    const { code, data } = await sending
    expect(code).toBe('user_operation_other_hash')
    // The bundler had it all the same, as the user's activity knows.
    await untilConfirmed(owner)
    expect((await activityOf(page))[0]?.hash).toBe(data?.userOpHash)
    expect(await balanceOf(owner, to)).toBe(gift)
  })

  test(`smart wallet, ${mode}: a user who declines after the sponsor has agreed sends nothing @soak`, async ({
    browser,
    ownDemo: { demo },
  }) => {
    const owner = await newOwner(browser, demo, mode)
    const { page, smart, chain } = owner
    const to = newAddress()
    const sending = send(page, smart, to, gift)
    const review = await reviewOf(page)
    await expect(review.screen).toContainText(/paid by/i)
    // The account's first transaction has a step before, to which its last one leads back.
    await review.press('Back')
    const place = review.screen.page()
    await look(place)
    await place
      .locator('[data-layer]:not([inert])')
      .getByRole('button', { name: 'Cancel', exact: true })
      .click()
    expect((await sending).code).toBe('unable_to_sign')
    await untilClosed(page)
    expect(await activityOf(page)).toEqual([])
    expect(await chain.getCode({ address: smart })).toBeUndefined()
    await sendAsUsual(owner)
    expect(await balanceOf(owner, to)).toBe(0n)
  })

  test(`smart wallet, ${mode}: an operation that the bundler holds is found again after a reload @soak`, async ({
    browser,
    ownDemo: { demo },
  }) => {
    const owner = await newOwner(browser, demo, mode)
    const { page, smart } = owner
    await behave(demo, 'bundler', 'hold')
    const to = newAddress()
    const sending = send(page, smart, to, gift)
    sending.catch(() => {})
    await (await reviewOf(page)).press('Approve')
    await untilTitled(page, 'Transactions submitted')
    await expect(outcomeOf(page)).toContainText("The network hasn't confirmed it yet")
    await page.reload()
    await expect.poll(async () => (await activityOf(page))[0]?.status).toBe('pending')
    await behave(demo, 'bundler', 'normal')
    await untilConfirmed(owner)
    expect(await balanceOf(owner, to)).toBe(gift)
    await sendAsUsual(owner)
  })
}

test('smart wallet, compatible: an operation that a silent bundler has not taken is sent after a reload @soak', async ({
  browser,
  ownDemo: { demo },
}) => {
  const owner = await newOwner(browser, demo, 'compatible')
  const { page, smart } = owner
  const to = newAddress()
  const sending = send(page, smart, to, gift)
  sending.catch(() => {})
  const review = await reviewOf(page)
  await behave(demo, 'bundler', 'silent')
  await review.press('Approve')
  await expect.poll(async () => (await activityOf(page))[0]?.status).toBe('pending')
  await page.reload()
  await behave(demo, 'bundler', 'normal')
  await untilConfirmed(owner)
  expect(await balanceOf(owner, to)).toBe(gift)
})

test('smart wallet, compatible: each refusal of the bundler has its sentence, and the same request goes on afterwards @soak', async ({
  browser,
  ownDemo: { demo },
}) => {
  const { page, smart, chain } = await newOwner(browser, demo, 'compatible')
  const faults: readonly (readonly [string, number | undefined, string])[] = [
    ['refuse', -32_500, words('error.operation.account')],
    ['refuse', -32_502, words('error.operation.opcode')],
    ['refuse', -32_504, words('error.operation.throttled')],
    ['refuse', -32_505, words('error.operation.stake')],
    ['refuse', -32_507, words('error.operation.signature')],
    ['refuse', -32_521, words('error.operation.reverted')],
    ['down', undefined, words('error.operation.unavailable')],
  ]
  const to = newAddress()
  let sending: ReturnType<typeof send> | undefined
  for (const [behaviour, code, sentence] of faults) {
    await behave(demo, 'bundler', behaviour, code)
    if (sending) await outcomeOf(page).getByRole('button', { name: 'Retry transaction' }).click()
    else sending = send(page, smart, to, gift)
    await untilRead(page, sentence)
  }
  await behave(demo, 'bundler', 'normal')
  await outcomeOf(page).getByRole('button', { name: 'Retry transaction' }).click()
  await (await reviewOf(page)).press('Approve')
  await closeComplete(page)
  expect((await sending)?.status).toBe('success')
  expect(await balanceOf({ chain }, to)).toBe(gift)
})

for (const lie of ['wrong-transaction', 'wrong-outcome'])
  test(`smart wallet, compatible: the outcome is the chain’s, whatever the bundler’s receipt says (${lie}) @soak`, async ({
    browser,
    ownDemo: { demo },
  }) => {
    const owner = await newOwner(browser, demo, 'compatible')
    const { page, smart, chain } = owner
    await behave(demo, 'bundler', lie)
    const to = newAddress()
    const sending = send(page, smart, to, gift)
    await (await reviewOf(page)).press('Approve')
    await closeComplete(page)
    const { transactionHash, status } = await sending
    expect(status).toBe('success')
    const { logs } = await chain.getTransactionReceipt({ hash: transactionHash })
    expect(logs.length).toBeGreaterThan(0)
    expect(await balanceOf(owner, to)).toBe(gift)
  })

test('smart wallet, compatible: an operation that the bundler forgets is not sent, and the next one is @soak', async ({
  browser,
  ownDemo: { demo },
}) => {
  const owner = await newOwner(browser, demo, 'compatible')
  const { page, smart } = owner
  await behave(demo, 'bundler', 'drop')
  const to = newAddress()
  const sending = send(page, smart, to, gift)
  await (await reviewOf(page)).press('Approve')
  await untilTitled(page, 'Transactions failed')
  await expect(outcomeOf(page)).toContainText('Nothing was sent.')
  await outcomeOf(page).getByRole('button', { name: 'Close', exact: true }).last().click()
  expect((await sending).code).toBe('transaction_failure')
  expect((await activityOf(page))[0]?.status).toBe('dropped')
  await behave(demo, 'bundler', 'normal')
  await sendAsUsual(owner)
  expect(await balanceOf(owner, to)).toBe(0n)
})

test('smart wallet, compatible: an account that was deployed meanwhile is told, and the request goes on @soak', async ({
  browser,
  ownDemo: { demo },
}) => {
  const owner = await newOwner(browser, demo, 'compatible')
  const { page, smart, chain, address } = owner
  const to = newAddress()
  const sending = send(page, smart, to, gift)
  const review = await reviewOf(page)
  await expect(review.fact('First use')).toHaveText('Creates your smart account')
  const deployment = createCodec().getFactoryArgs(address)
  const [account = null] = await chain.getAddresses()
  await chain.waitForTransactionReceipt({
    hash: await chain.sendTransaction({
      account,
      chain: null,
      to: deployment?.factory,
      data: deployment?.factoryData,
    }),
  })
  await review.press('Approve')
  // A review that was read for long is renewed, and has it then.
  const retry = outcomeOf(page).getByRole('button', { name: 'Retry transaction' })
  await expect(outcomeOf(page)).not.toContainText('Creates your smart account', { timeout: limit(60_000) })
  if (await retry.isVisible()) {
    await expect(outcomeOf(page)).toContainText(words('error.operation.deployed'))
    await retry.click()
  }
  const again = await reviewOf(page)
  await expect(again.screen).not.toContainText('Creates your smart account')
  await again.press('Approve')
  await closeComplete(page)
  expect((await sending).status).toBe('success')
  expect(await balanceOf(owner, to)).toBe(gift)
})

for (const [fault, reason] of [
  ['decline-late', 'no sponsorship available'],
  ['other-answer', undefined],
  ['down', undefined],
  ['over its limit', 'max spend per address reached'],
] as const)
  test(`smart wallet, compatible: a sponsor that does not pay in the end leaves the choice to the user (${fault}) @soak`, async ({
    browser,
    ownDemo: { demo },
  }) => {
    const owner = await newOwner(browser, demo, 'compatible')
    const { page, smart, chain } = owner
    // Above what the sponsor's policy allows one user to cost.
    if (fault === 'over its limit') await setBaseFee(owner, parseGwei('3000'))
    else await behave(demo, 'paymaster', fault)
    const to = newAddress()
    const sending = send(page, smart, to, gift)
    await expect(outcomeOf(page).getByRole('button', { name: 'Pay the fee yourself' })).toBeVisible({
      timeout: limit(60_000),
    })
    if (reason) await expect(outcomeOf(page)).toContainText(reason)
    if (fault === 'over its limit') await setBaseFee(owner, parseGwei('1'))
    await press(page, 'Pay the fee yourself')
    const review = await reviewOf(page)
    await expect(review.screen).not.toContainText(/paid by/i)
    await review.press('Approve')
    await closeComplete(page)
    expect((await sending).status).toBe('success')
    expect(await balanceOf(owner, to)).toBe(gift)
    expect(await chain.getBalance({ address: smart })).toBeLessThan(3n * gift)
  })

test('smart wallet, compatible: a sponsor whose time is over is told, and nothing is sent @soak', async ({
  browser,
  ownDemo: { demo },
}) => {
  const owner = await newOwner(browser, demo, 'compatible')
  const { page, smart } = owner
  await behave(demo, 'paymaster', 'expired')
  const to = newAddress()
  const sending = send(page, smart, to, gift)
  await (await reviewOf(page)).press('Approve')
  await untilRead(page, words('error.operation.time'))
  await behave(demo, 'paymaster', 'normal')
  await outcomeOf(page).getByRole('button', { name: 'Retry transaction' }).click()
  await (await reviewOf(page)).press('Approve')
  await closeComplete(page)
  expect((await sending).status).toBe('success')
  expect(await balanceOf(owner, to)).toBe(gift)
})

/** The next blocks begin with this base fee. */
async function setBaseFee({ chain }: Pick<Owner, 'chain'>, baseFeePerGas: bigint): Promise<void> {
  await chain.setNextBlockBaseFeePerGas({ baseFeePerGas })
  await chain.mine({ blocks: 1 })
}
