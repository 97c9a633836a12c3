/** Users with smart wallets, what the host page sends from them, and the faults of the demo's bundler and sponsor. */
import type { Browser, Page } from '@playwright/test'
import { type Address, type Hex, parseEther } from 'viem'
import type { LoginModal } from '../../../src/index.ts'
import { inWindow, pressIn } from './approval.ts'
import { sponsored } from './apps.ts'
import { type Demo, expect } from './demo.ts'
import { untilClosed } from './embedded.ts'
import { type Mode, newSender, outcomeOf, reviewOf, type Sender, untilTitled } from './sending.ts'

export interface Owner extends Sender {
  /** The smart wallet, which has 1 ETH and no code yet. */
  readonly smart: Address
}

/** A user who has a smart wallet, created by the host page. */
export async function newOwner(browser: Browser, demo: Demo, mode: Mode): Promise<Owner> {
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

export interface Sent {
  readonly transactionHash: Hex
  readonly userOpHash: Hex
  readonly status: string
}
export interface Refused {
  readonly code: string
  readonly data?: { readonly userOpHash?: Hex } | undefined
}
/** Has the host page send from the smart wallet by the kit. */
export const send = (page: Page, address: Address, to: Address, value: bigint): Promise<Sent & Refused> =>
  page.evaluate(
    ([address, to, value]) => {
      const { kit } = document.querySelector('login-modal') as LoginModal
      if (!kit) throw new Error('No kit')
      return kit.sendTransaction({ to, value, chainId: 1 }, { address }).then(
        ({ transactionHash, userOpHash, receipt }) =>
          ({ transactionHash, userOpHash, status: receipt.status }) as never,
        ({ code, data }) => ({ code, data }) as never,
      )
    },
    [address, to, String(value)] as const,
  )

/** The amount that each journey sends. */
export const gift = parseEther('0.25')

/** Waits for the success that the user reads, and closes it. */
export async function closeComplete(page: Page): Promise<void> {
  await untilTitled(page, 'Transactions complete!')
  await outcomeOf(page).getByRole('button', { name: 'All Done' }).click()
  await untilClosed(page)
}

/** Tells the demo's bundler or sponsor how to behave from now on. @param code of a bundler's refusals */
export async function behave(
  demo: Demo,
  service: 'bundler' | 'paymaster',
  behaviour: string,
  code?: number,
): Promise<void> {
  const body = new URLSearchParams({ behaviour, ...(code !== undefined && { code: String(code) }) })
  const answer = await fetch(`${demo.world}/${service}/behaviour`, { method: 'POST', body })
  expect(answer.status).toBe(200)
}
