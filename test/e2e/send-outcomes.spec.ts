/** What becomes of transactions that wait, are replaced, get lost or meet a node that fails, on a chain that mines when it is told to. */

import { type Hex, keccak256, parseEther, parseGwei } from 'viem'
import type { LoginModal } from '../../src/index.ts'
import { limit } from '../support/limit.ts'
import { closeReceipt } from './support/approval.ts'
import { expect, test } from './support/demo.ts'
import { open, untilClosed } from './support/embedded.ts'
import {
  hex,
  type Lie,
  lieAs,
  modes,
  newAddress,
  newSender,
  outcomeOf,
  reviewOf,
  type Sender,
  sendByKit,
  untilTitled,
} from './support/sending.ts'

// The chain is told to wait, which would hold up the journeys of other workers.
test.describe.configure({ mode: 'default' })
test.beforeEach(({ ownDemo: { demo } }) => test.skip(!demo.chains[1], 'This machine has no anvil'))

const value = parseEther('0.25')
const complete = 'Transaction complete!'

/** Whom a journey ends with: the chain mines by itself again. */
let sender: Sender | undefined
test.afterEach(async () => {
  await sender?.chain.setAutomine(true)
  await sender?.chain.mine({ blocks: 1 })
  sender = undefined
})

const activityOf = ({ page }: Pick<Sender, 'page'>) =>
  page.evaluate(() =>
    ((document.querySelector('login-modal') as LoginModal).kit?.activity.get() ?? []).map(
      ({ hash, status, title, replacedBy, raw }) => ({ hash, status, title, replacedBy, raw }),
    ),
  )
const statuses = async (of: Pick<Sender, 'page'>) => (await activityOf(of)).map(({ status }) => status)

/** What waits for a block, by the wallet's nonces. */
async function waiting({ chain, address }: Sender) {
  const { pending } = await chain.getTxpoolContent()
  const own =
    Object.entries(pending).find(([from]) => from.toLowerCase() === address.toLowerCase())?.[1] ?? {}
  return Object.values(own)
}

async function closeDialog({ page }: Pick<Sender, 'page'>): Promise<void> {
  await outcomeOf(page).getByRole('button', { name: 'Close', exact: true }).last().click()
  await untilClosed(page)
}

/** Opens the newest transaction of the activity. */
async function openNewest({ page }: Pick<Sender, 'page'>, status: string): Promise<void> {
  await page.evaluate(() => {
    const { kit } = document.querySelector('login-modal') as LoginModal
    void kit?.openActivity()
  })
  await untilTitled(page, 'Activity')
  await outcomeOf(page)
    .getByRole('button', { name: new RegExp(`^Transfer.*${status}`) })
    .first()
    .click()
}

for (const mode of modes) {
  test(`after sending, ${mode}: a waiting transaction is sped up, and the host gets the one that was mined @soak`, async ({
    browser,
    ownDemo: { demo },
  }) => {
    sender = await newSender(browser, demo, mode)
    const { page, chain } = sender
    const to = newAddress()
    await chain.setAutomine(false)
    const sending = sendByKit(page, { to, value: hex(value) })
    await (await reviewOf(page)).press('Approve')
    await untilTitled(page, 'Transaction submitted')
    await closeDialog(sender)
    const [first] = await waiting(sender)

    await openNewest(sender, 'Pending')
    await outcomeOf(page).getByRole('button', { name: 'Speed up' }).click()
    const review = await reviewOf(page)
    await expect(review.fact('To')).toContainText(to.slice(0, 6))
    await review.press('Approve')
    await untilTitled(page, 'Transaction submitted')
    const [second, ...others] = await waiting(sender)
    expect(others).toEqual([])
    expect(second?.nonce).toBe(first?.nonce)
    expect(second?.hash).not.toBe(first?.hash)
    for (const fee of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const)
      expect(Number(second?.[fee])).toBeGreaterThanOrEqual(Number(first?.[fee]) * 1.125)
    await chain.mine({ blocks: 1 })
    await closeReceipt(page)
    expect((await sending).result).toEqual({ transactionHash: second?.hash, status: 'success' })
    await expect.poll(() => statuses(sender as Sender)).toEqual(['confirmed', 'replaced'])
    expect(await chain.getBalance({ address: to })).toBe(value)
  })

  test(`after sending, ${mode}: a waiting transaction is cancelled, and the host learns that it was replaced @soak`, async ({
    browser,
    ownDemo: { demo },
  }) => {
    sender = await newSender(browser, demo, mode)
    const { page, chain, address } = sender
    const to = newAddress()
    await chain.setAutomine(false)
    const sending = sendByKit(page, { to, value: hex(value) })
    await (await reviewOf(page)).press('Approve')
    await untilTitled(page, 'Transaction submitted')
    await closeDialog(sender)
    await openNewest(sender, 'Pending')
    await outcomeOf(page).getByRole('button', { name: 'Cancel transaction' }).click()
    await (await reviewOf(page)).press('Approve')
    await untilTitled(page, 'Transaction submitted')
    const [cancellation] = await waiting(sender)
    await chain.mine({ blocks: 1 })
    await closeReceipt(page)
    expect(await sending).toMatchObject({
      code: 'transaction_failure',
      data: { status: 'replaced', replacedBy: cancellation?.hash },
    })
    expect(await chain.getBalance({ address: to })).toBe(0n)
    expect(await chain.getTransactionCount({ address })).toBe(1)
  })

  test(`after sending, ${mode}: a transaction whose tab was closed is found again, and followed to its end @soak`, async ({
    browser,
    ownDemo: { demo },
  }) => {
    sender = await newSender(browser, demo, mode)
    const { page, context, chain, app } = sender
    await chain.setAutomine(false)
    void sendByKit(page, { to: newAddress(), value: hex(value) }).catch(() => {})
    await (await reviewOf(page)).press('Approve')
    await untilTitled(page, 'Transaction submitted')
    const [sent] = await waiting(sender)
    await page.close()

    const later = { page: await context.newPage() }
    await open(later.page, demo, app)
    await expect.poll(() => activityOf(later)).toMatchObject([{ hash: sent?.hash, status: 'pending' }])
    await chain.mine({ blocks: 1 })
    await expect.poll(() => statuses(later), { timeout: limit(40_000) }).toEqual(['confirmed'])
    await openNewest(later, 'Confirmed')
    await expect(outcomeOf(later.page)).toContainText('The network has confirmed it.')
    await expect(outcomeOf(later.page)).toContainText(/0\.25\s*ETH/)
  })

  test(`after sending, ${mode}: a nonce that another tab has used is told, and the retry takes the next one @soak`, async ({
    browser,
    ownDemo: { demo },
  }) => {
    sender = await newSender(browser, demo, mode)
    const { page, context, chain, address, app } = sender
    const [here, there] = [newAddress(), newAddress()]
    const other = await context.newPage()
    await open(other, demo, app)
    await page.bringToFront()
    const sending = sendByKit(page, { to: here, value: hex(value) })
    await reviewOf(page)
    // The window of one tab would be taken for the other's, so the nonce is used by the wallet without one.
    await chain.impersonateAccount({ address })
    await chain.sendTransaction({ account: address, to: there, value: 1n, chain: null })
    await chain.stopImpersonatingAccount({ address })
    await (await reviewOf(page)).press('Approve')
    await untilTitled(page, 'Transaction failure')
    await expect(outcomeOf(page)).toContainText(/nonce/i)
    await outcomeOf(page).getByRole('button', { name: 'Retry transaction' }).click()
    await (await reviewOf(page)).press('Approve')
    await closeReceipt(page)
    expect((await sending).result).toMatchObject({ status: 'success' })
    // The other tab has it in its activity as well.
    await expect.poll(() => statuses({ page: other }), { timeout: limit(30_000) }).toEqual(['confirmed'])
    expect(await chain.getBalance({ address: here })).toBe(value)
    expect(await chain.getTransactionCount({ address })).toBe(2)
  })

  test(`after sending, ${mode}: the answer of the node is lost, and the same bytes are sent again, once @soak`, async ({
    browser,
    ownDemo: { demo },
  }) => {
    sender = await newSender(browser, demo, mode)
    const { page, chain, address } = sender
    const raws: unknown[] = []
    let isBack = false
    const away: Lie = (_, honest) => (isBack ? honest() : 'dead')
    await lieAs(page, demo.chains[1] ?? '', {
      async eth_sendRawTransaction([raw], honest) {
        raws.push(raw)
        // The node takes it, and its answer is lost.
        const answer = await honest()
        return isBack ? answer : 'dead'
      },
      eth_getTransactionByHash: away,
      eth_getTransactionReceipt: away,
    })
    const to = newAddress()
    const sending = sendByKit(page, { to, value: hex(value) })
    await (await reviewOf(page)).press('Approve')
    await expect(outcomeOf(page)).toContainText(
      "Your transaction is signed, but the network hasn't confirmed that it received it. Try again to send the same transaction.",
      { timeout: limit(60_000) },
    )
    isBack = true
    await outcomeOf(page).getByRole('button', { name: 'Retry transaction' }).click()
    await closeReceipt(page)
    expect((await sending).result).toMatchObject({ status: 'success' })
    expect(new Set(raws).size).toBe(1)
    expect(await chain.getBalance({ address: to })).toBe(value)
    expect(await chain.getTransactionCount({ address })).toBe(1)
  })

  test(`after sending, ${mode}: a fee that rises before the network has the transaction is told, and reviewed anew @soak`, async ({
    browser,
    ownDemo: { demo },
  }) => {
    sender = await newSender(browser, demo, mode)
    const { page, chain } = sender
    const to = newAddress()
    const sending = sendByKit(page, { to, value: hex(value) })
    const review = await reviewOf(page)
    const fee = await review.fact('Fee').textContent()
    // A press that comes late has the review prepared anew before it is sent, which a rise must not have reached yet.
    let isRaised = false
    await lieAs(page, demo.chains[1] ?? '', {
      eth_sendRawTransaction: async (_, honest) => {
        if (!isRaised) {
          isRaised = true
          await chain.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('30') })
          await chain.mine({ blocks: 1 })
        }
        return honest()
      },
    })
    await review.press('Approve')
    await untilTitled(page, 'Transaction failure')
    await outcomeOf(page).getByRole('button', { name: 'Retry transaction' }).click()
    const again = await reviewOf(page)
    await expect(again.fact('Fee')).not.toHaveText(fee ?? '')
    await again.press('Approve')
    await closeReceipt(page)
    expect((await sending).result).toMatchObject({ status: 'success' })
    expect(await chain.getBalance({ address: to })).toBe(value)
    // Base fees fall by an eighth with each empty block.
    await chain.mine({ blocks: 40 })
  })
}

test('after sending, compatible: a transaction that another device replaced is told, with what replaced it @soak', async ({
  browser,
  ownDemo: { demo },
}) => {
  sender = await newSender(browser, demo, 'compatible')
  const { page, chain, address } = sender
  const to = newAddress()
  await chain.setAutomine(false)
  const sending = sendByKit(page, { to, value: hex(value) })
  await (await reviewOf(page)).press('Approve')
  await untilTitled(page, 'Transaction submitted')
  const [first] = await waiting(sender)
  await chain.impersonateAccount({ address })
  const by = await chain.sendTransaction({
    account: address,
    to: address,
    nonce: 0,
    gas: 21_000n,
    maxFeePerGas: BigInt(Number(first?.maxFeePerGas)) * 2n,
    maxPriorityFeePerGas: BigInt(Number(first?.maxPriorityFeePerGas)) * 2n,
    chain: null,
  })
  await chain.stopImpersonatingAccount({ address })
  await chain.mine({ blocks: 1 })
  await untilTitled(page, 'Transaction replaced')
  await expect(outcomeOf(page)).toContainText(
    'Another transaction of this wallet was confirmed in its place.',
  )
  await closeDialog(sender)
  expect(await sending).toMatchObject({
    code: 'transaction_failure',
    data: { transactionHash: first?.hash, status: 'replaced', replacedBy: by },
  })
  expect(await chain.getBalance({ address: to })).toBe(0n)
})

/** A page whose clock the journey moves. */
async function withClock(of: Sender, demo: Parameters<typeof open>[1]): Promise<void> {
  await of.page.clock.install()
  await open(of.page, demo, of.app)
}
/** Lets the page's time pass until a title is there. */
async function passUntil({ page }: Sender, title: string): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(16_000)
    await expect(outcomeOf(page).getByRole('heading', { name: title, exact: true })).toBeVisible({
      timeout: limit(1_500),
    })
  }).toPass({ timeout: limit(60_000) })
}

test('after sending, compatible: a receipt that never comes is no success, and is waited for @soak', async ({
  browser,
  ownDemo: { demo },
}) => {
  sender = await newSender(browser, demo, 'compatible')
  const { page, chain } = sender
  await withClock(sender, demo)
  await chain.setAutomine(false)
  const sending = sendByKit(page, { to: newAddress(), value: hex(value) })
  await (await reviewOf(page)).press('Approve')
  await untilTitled(page, 'Transaction submitted')
  await page.clock.fastForward(61_000)
  await expect(outcomeOf(page)).toContainText('This takes longer than usual. You can close this window.')
  // Ten minutes later nobody knows, and it is still waited for.
  await page.clock.fastForward(10 * 60_000)
  await expect.poll(() => statuses(sender as Sender)).toEqual(['unknown'])
  await untilTitled(page, 'Transaction submitted')
  await chain.mine({ blocks: 1 })
  await passUntil(sender, complete)
  await closeReceipt(page)
  expect((await sending).result).toMatchObject({ status: 'success' })
})

test('after sending, compatible: a dropped transaction is told, and the same one is sent again from the activity @soak', async ({
  browser,
  ownDemo: { demo },
}) => {
  sender = await newSender(browser, demo, 'compatible')
  const { page, chain, address } = sender
  await withClock(sender, demo)
  await chain.setAutomine(false)
  const to = newAddress()
  const sending = sendByKit(page, { to, value: hex(value) })
  await (await reviewOf(page)).press('Approve')
  await untilTitled(page, 'Transaction submitted')
  const [sent] = await waiting(sender)
  await chain.dropTransaction({ hash: sent?.hash as Hex })
  await passUntil(sender, 'Transaction dropped')
  await expect(outcomeOf(page)).toContainText('The network no longer has it. Nothing was sent.')
  await closeDialog(sender)
  expect(await sending).toMatchObject({ code: 'transaction_failure', data: { status: 'dropped' } })

  await openNewest(sender, 'Dropped')
  await outcomeOf(page).getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => waiting(sender as Sender)).toMatchObject([{ hash: sent?.hash }])
  await chain.mine({ blocks: 1 })
  await expect
    .poll(async () => {
      await page.clock.fastForward(16_000)
      return statuses(sender as Sender)
    })
    .toEqual(['confirmed'])
  expect(await chain.getBalance({ address: to })).toBe(value)
  expect(await chain.getTransactionCount({ address })).toBe(1)
})

test('after sending, compatible: a block that the network gives up makes its transaction wait again @soak', async ({
  browser,
  ownDemo: { demo },
}) => {
  sender = await newSender(browser, demo, 'compatible')
  const { page, chain } = sender
  const to = newAddress()
  const before = await chain.snapshot()
  const sending = sendByKit(page, { to, value: hex(value) })
  await (await reviewOf(page)).press('Approve')
  await closeReceipt(page)
  expect((await sending).result).toMatchObject({ status: 'success' })
  await chain.revert({ id: before })
  await chain.mine({ blocks: 1 })
  await expect.poll(() => statuses(sender as Sender), { timeout: limit(60_000) }).toEqual(['pending'])
  const [entry] = await activityOf(sender)
  await chain.sendRawTransaction({ serializedTransaction: entry?.raw as Hex })
  await expect.poll(() => statuses(sender as Sender), { timeout: limit(60_000) }).toEqual(['confirmed'])
  expect(await chain.getBalance({ address: to })).toBe(value)
})

test('after sending, compatible: a node that invents a receipt gets no success displayed @soak', async ({
  browser,
  ownDemo: { demo },
}) => {
  sender = await newSender(browser, demo, 'compatible')
  const { page, chain, address } = sender
  const to = newAddress()
  let asked = 0
  let raw: Hex = '0x'
  await lieAs(page, demo.chains[1] ?? '', {
    eth_sendRawTransaction([given]) {
      raw = given as Hex
      return { result: keccak256(raw) }
    },
    eth_getTransactionReceipt([hash]) {
      asked++
      return {
        result: {
          transactionHash: hash,
          transactionIndex: '0x0',
          blockHash: keccak256('0x00'),
          blockNumber: '0x1',
          from: address,
          to,
          contractAddress: null,
          cumulativeGasUsed: '0x5208',
          gasUsed: '0x5208',
          effectiveGasPrice: '0x3b9aca00',
          logs: [],
          logsBloom: `0x${'00'.repeat(256)}`,
          status: '0x1',
          type: '0x2',
        },
      }
    },
  })
  void sendByKit(page, { to, value: hex(value) }).catch(() => {})
  await (await reviewOf(page)).press('Approve')
  await untilTitled(page, 'Transaction submitted')
  await expect.poll(() => asked, { timeout: limit(40_000) }).toBeGreaterThan(3)
  await untilTitled(page, 'Transaction submitted')
  await expect(outcomeOf(page).getByRole('heading', { name: complete })).toHaveCount(0)
  expect(await statuses(sender)).toEqual(['pending'])
  expect(await chain.getBalance({ address: to })).toBe(0n)
})

test('before sending, compatible: a node of another chain is refused, and nothing can be approved @soak', async ({
  browser,
  ownDemo: { demo },
}) => {
  sender = await newSender(browser, demo, 'compatible')
  const { page, chain, address } = sender
  await lieAs(page, demo.chains[1] ?? '', { eth_chainId: () => ({ result: '0x2105' }) })
  const sending = sendByKit(page, { to: newAddress(), value: hex(value) })
  await outcomeOf(page).getByRole('button', { name: 'Retry transaction' }).waitFor()
  await expect(outcomeOf(page).getByRole('button', { name: 'Approve' })).toHaveCount(0)
  await outcomeOf(page).getByRole('button', { name: 'Cancel' }).click()
  expect((await sending).code).toMatch(/^(unable_to_sign|network_unavailable|transaction_failure)$/)
  expect(await chain.getTransactionCount({ address })).toBe(0)
})

test('sending, compatible: a double press on Approve sends once @soak', async ({
  browser,
  ownDemo: { demo },
}) => {
  sender = await newSender(browser, demo, 'compatible')
  const { page, chain, address } = sender
  const to = newAddress()
  const sending = sendByKit(page, { to, value: hex(value) })
  await (await reviewOf(page)).button('Approve').dblclick()
  await closeReceipt(page)
  expect((await sending).result).toMatchObject({ status: 'success' })
  expect(await chain.getTransactionCount({ address })).toBe(1)
  expect(await chain.getBalance({ address: to })).toBe(value)
})
