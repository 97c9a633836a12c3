/** Unmodified libraries connect, sign everything, send, and fail with the codes that their users handle, in both modes. */

import type { Page } from '@playwright/test'
import { Keypair, LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js'
import { parseEther } from 'viem'
import type { ProviderLibraries, StepOutcome } from '../support/provider-libraries/page.ts'
import { closeReceipt } from './support/approval.ts'
import { expect, test } from './support/demo.ts'
import { untilClosed } from './support/embedded.ts'
import { load, stepsOf } from './support/libraries.ts'
import { modes, newAddress, newSender, newSolanaSender, newToken, reviewOf } from './support/sending.ts'

declare const providerLibraries: ProviderLibraries

/** What the user decides about a step. */
async function decided(page: Page, step: Promise<StepOutcome>, button: string): Promise<StepOutcome> {
  await (await reviewOf(page)).press(button)
  const outcome = await step
  if (button === 'Cancel' || button === 'Sign and continue') await untilClosed(page)
  return outcome
}

/** The errors of a library, by what went wrong. */
const codes = {
  ethers: {
    rejected: ['ACTION_REJECTED', 4001],
    unknownChain: ['UNKNOWN_ERROR', 4902],
    unsupported: ['UNKNOWN_ERROR', 4200],
    notOurs: ['UNKNOWN_ERROR', 4100],
    invalid: ['UNKNOWN_ERROR', -32_602],
    disconnected: [4900],
    reverted: ['CALL_EXCEPTION'],
  },
  viem: {
    rejected: ['UserRejectedRequestError', 4001],
    unknownChain: ['SwitchChainError', 4902],
    unsupported: ['UnsupportedProviderMethodError', 4200],
    notOurs: ['UnauthorizedProviderError', 4100],
    invalid: ['InvalidParamsRpcError', -32_602],
    disconnected: ['ProviderDisconnectedError', 4900],
    reverted: ['ContractFunctionRevertedError'],
  },
} as const

for (const library of ['ethers', 'viem'] as const)
  for (const mode of modes)
    test(`${library}, ${mode}: connects, signs messages, typed data and transactions, sends, and knows why it fails @soak`, async ({
      browser,
      demo,
    }) => {
      test.skip(!demo.chains[8453], 'This machine has no anvil')
      const sender = await newSender(browser, demo, mode)
      const { page, chain, address } = sender
      await load(page)
      await expect.poll(() => page.evaluate(() => providerLibraries.found())).toEqual([1, 0])
      const run = stepsOf(page, library)
      const fails = codes[library]
      const expectErrors = ({ errors }: StepOutcome, expected: readonly (string | number)[]) =>
        expect(errors).toEqual(expect.arrayContaining([...expected]))

      expect(await run('connect')).toEqual({ result: address })
      for (const step of ['signMessage', 'signTypedData'])
        expect(await decided(page, run(step), 'Sign and continue')).toEqual({ result: address })
      expect(await decided(page, run('signTransaction', newAddress()), 'Approve')).toEqual({
        result: address,
      })
      await untilClosed(page)
      const to = newAddress()
      const sending = run('send', to, String(parseEther('0.25')))
      expect(await decided(page, sending, 'Approve')).toEqual({ result: 1 })
      await closeReceipt(page)
      await untilClosed(page)
      expect(await chain.getBalance({ address: to })).toBe(parseEther('0.25'))
      const token = await newToken(sender, 5_000_000n)
      const calling = run('contract', token, to, '1500000')
      expect(await decided(page, calling, 'Approve')).toEqual({ result: '1500000' })
      await closeReceipt(page)
      await untilClosed(page)

      for (const step of ['signMessage', 'signTypedData'])
        expectErrors(await decided(page, run(step), 'Cancel'), fails.rejected)
      expectErrors(await decided(page, run('send', to, '1'), 'Cancel'), fails.rejected)
      expectErrors(await decided(page, run('signTransaction', to), 'Cancel'), fails.rejected)
      expectErrors(await run('callRefused', token, to), fails.reverted)
      expectErrors(await run('moveTo', '0xa'), fails.unknownChain)
      expectErrors(await run('ask', 'eth_getWork', []), fails.unsupported)
      expectErrors(await run('signAs', newAddress()), fails.notOurs)
      expectErrors(await run('ask', 'eth_signTypedData_v4', [address, '{}']), fails.invalid)
      expect(await run('moveTo', '0x2105')).toEqual({ result: 8453 })

      await page.locator('#log-out').click()
      await expect(page.locator('#status')).toHaveText('You are logged out.')
      expectErrors(await run('ask', 'eth_chainId', []), fails.disconnected)
    })

for (const library of ['web3.js', '@solana/kit'] as const)
  for (const mode of modes)
    test(`${library}, ${mode}: connects, signs a message, signs and sends transactions, and knows why it fails @soak`, async ({
      browser,
      demo,
    }) => {
      const { page, owner, connection } = await newSolanaSender(browser, demo, mode)
      await load(page)
      await expect.poll(() => page.evaluate(() => providerLibraries.found())).toEqual([1, 1])
      const run = stepsOf(page, library)
      const url = demo.solanaRpcUrl
      const socket = url.replace(/^http/, 'ws').replace(/\d+$/, (port) => String(Number(port) + 1))
      expect(await run('connect')).toEqual({ result: String(owner) })
      expect(await decided(page, run('signMessage'), 'Sign and continue')).toEqual({ result: String(owner) })
      const to = String(Keypair.generate().publicKey)
      const amount = LAMPORTS_PER_SOL / 4
      expect(await decided(page, run('sendSigned', url, to, amount, socket), 'Approve')).toEqual({
        result: null,
      })
      await untilClosed(page)
      expect(await decided(page, run('send', url, to, amount), 'Approve')).toEqual({ result: 64 })
      await closeReceipt(page)
      await untilClosed(page)
      expect(await connection.getBalance(new PublicKey(to))).toBe(2 * amount)
      for (const step of ['signMessage', 'sendSigned', 'send'])
        expect((await decided(page, run(step, url, to, amount, socket), 'Cancel')).errors).toContain(4001)
      expect((await run('signAs', to)).errors).toContain(4100)
      expect((await run('signUnreadable')).errors).toContain(-32_602)
      expect((await run('signElsewhere')).errors).toContain(4901)

      await page.locator('#log-out').click()
      await expect(page.locator('#status')).toHaveText('You are logged out.')
      expect((await run('signLater')).errors).toContain(4900)
    })
