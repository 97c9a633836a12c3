/** Wallets that send: what they own on the demo's chains, how a host page asks them, and what the user reads and presses. */

import type { Browser, BrowserContext, Locator, Page } from '@playwright/test'
import { Connection, LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js'
import {
  type Address,
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  numberToHex,
  pad,
  parseAbi,
  parseEther,
  publicActions,
  walletActions,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { LoginModal } from '../../../src/index.ts'
import { tokenCode } from '../../ethereum/support/token-code.ts'
import { limit } from '../../support/limit.ts'
import { typedDataOf } from '../../support/typed-data.ts'
import { inDialog, look, openWindow, pressSeen } from './approval.ts'
import { keeps, open, openCompatible } from './apps.ts'
import { type Demo, emailOf, expect } from './demo.ts'
import { createBy, deviceWithWallet } from './embedded.ts'
import { untilIdle } from './idle.ts'

/** Screens of compatible apps are in the page, those of strict ones in the vault's frame or window. */
export const modes = ['compatible', 'strict'] as const
export type Mode = (typeof modes)[number]
/** The end of a title: one journey of its kind is in the short suite. */
export const soakUnless = (isShort: boolean): string => (isShort ? '' : ' @soak')
const appOf = { compatible: keeps, strict: open } as const
/** Apps whose users may fund their wallets. */
export const fundedApps = { compatible: openCompatible, strict: open } as const

/** A chain of the demo, by the address of its anvil. */
export const chainOf = (url: string) =>
  createTestClient({ mode: 'anvil', transport: http(url), pollingInterval: 50 })
    .extend(publicActions)
    .extend(walletActions)
export type Chain = ReturnType<typeof chainOf>

export interface Sender {
  readonly page: Page
  readonly context: BrowserContext
  readonly address: Address
  readonly chain: Chain
  readonly app: string
}

/** A user who is logged in and whose Ethereum wallet has `ether`. */
export async function newSender(
  browser: Browser,
  demo: Demo,
  mode: Mode,
  { name = 'sends', ether = '10', app = appOf[mode] }: { name?: string; ether?: string; app?: string } = {},
): Promise<Sender> {
  const device = await deviceWithWallet(browser, demo, emailOf(name), app)
  const address = ((await device.page.locator('#address').textContent()) ?? '') as Address
  const chain = chainOf(demo.chains[1] ?? '')
  await chain.setBalance({ address, value: parseEther(ether) })
  return { ...device, address, chain, app }
}

export const newAddress = (): Address => privateKeyToAddress(generatePrivateKey())

/** A token of 6 decimals with the symbol TST on the chain, of which the wallet has `balance` smallest units. */
export async function newToken({ chain, address }: Sender, balance: bigint): Promise<Address> {
  const token = newAddress()
  await chain.setCode({ address: token, bytecode: tokenCode })
  await giveTokens(chain, token, address, balance)
  return token
}
/** Balances of {@link tokenCode} are stored at the owner's address. */
export const giveTokens = (chain: Chain, token: Address, owner: Address, balance: bigint): Promise<void> =>
  chain.setStorageAt({ address: token, index: pad(owner), value: numberToHex(balance, { size: 32 }) })

/** A sender whose wallet has `balance` smallest units of a token. */
export async function newTokenSender(
  browser: Browser,
  demo: Demo,
  mode: Mode,
  balance = 5_000_000n,
): Promise<Sender & { token: Address }> {
  const sender = await newSender(browser, demo, mode)
  return { ...sender, token: await newToken(sender, balance) }
}

const inToken = (token: Address) => ({ abi: erc20Abi, address: token }) as const
export const balanceOf = (chain: Chain, token: Address, owner: Address): Promise<bigint> =>
  chain.readContract({ ...inToken(token), functionName: 'balanceOf', args: [owner] })
export const allowanceOf = (
  chain: Chain,
  token: Address,
  owner: Address,
  spender: Address,
): Promise<bigint> =>
  chain.readContract({ ...inToken(token), functionName: 'allowance', args: [owner, spender] })
export const transferOf = (to: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
export const allowanceFor = (spender: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
const multicall = parseAbi(['function multicall(bytes[] data)'])
/** Calls that the token carries out one after the other. */
export const multicallOf = (calls: readonly Hex[]): Hex =>
  encodeFunctionData({ abi: multicall, functionName: 'multicall', args: [calls] })

/** Typed data by which the owner allows the spender an amount of the token. */
export const permitOf = (
  { address, token }: { address: Address; token: Address },
  spender: Address,
  value: string,
) =>
  typedDataOf(
    'Permit',
    {
      owner: ['address', address],
      spender: ['address', spender],
      value: ['uint256', value],
      nonce: ['uint256', '0'],
      deadline: ['uint256', '1999999999'],
    },
    { contract: token },
  )

/** An amount of the token as reviews display it; in smallest units where the token's decimals aren't known there. */
export const amountOfToken = (amount: string, units: string): RegExp =>
  new RegExp(`${amount.replace('.', '\\.')}\\s*TST|${units} smallest units`)

/** The outcome of a call of the kit, or of a provider, as the host page gets it. */
export interface Outcome {
  readonly result?: unknown
  readonly code?: string | number
  readonly message?: string
  readonly data?: Record<string, unknown>
}

type SendTransaction = NonNullable<LoginModal['kit']>['sendTransaction']
/** Has the host page send a transaction by the kit. */
export const sendByKit = (
  page: Page,
  transaction: Parameters<SendTransaction>[0],
  options: Parameters<SendTransaction>[1] = {},
): Promise<Outcome> =>
  page.evaluate(
    ([transaction, options]) => {
      const { kit } = document.querySelector('login-modal') as LoginModal
      return (kit ? kit.sendTransaction(transaction, options) : Promise.reject(new Error('No kit'))).then(
        ({ transactionHash, receipt }) => ({ result: { transactionHash, status: receipt.status } }),
        ({ code, message, data }) => ({ code, message, data }),
      )
    },
    [transaction, options] as const,
  )

/** Has the host page ask the wallet's EIP-1193 provider. */
export const request = (page: Page, method: string, params: readonly unknown[] = []): Promise<Outcome> =>
  page.evaluate(
    async ([method, params]) => {
      const { kit } = document.querySelector('login-modal') as LoginModal
      const wallet = kit?.embeddedWallets.get().find(({ chainType }) => chainType === 'ethereum')
      const provider = wallet?.getProvider() as unknown as { request(asked: object): Promise<unknown> }
      return provider.request({ method, params }).then(
        (result) => ({ result }),
        ({ code, message, data }) => ({ code, message, data }),
      )
    },
    [method, params] as const,
  )

export const hex = (value: bigint): Hex => numberToHex(value)

/** A review that is ready to be decided about, wherever it is displayed. */
export interface Review {
  /** The whole screen. */
  readonly screen: Locator
  /** The value beside a label. */
  fact(label: string): Locator
  button(name: string): Locator
  /** Presses a button as soon as the screen takes a press. */
  press(name: string): Promise<void>
}

const toWindow = 'Continue in a new window'
const decisions = ['Approve', 'Sign and continue', 'Check balance again', 'Add funds']

/**
 * Waits until a request can be approved, or can't for missing funds. Opens the vault's window where the frame leads there, and reads
 * several actions one after the other.
 * @param onStep what a journey looks for on each of the steps
 */
export async function reviewOf(
  page: Page,
  names: readonly string[] = decisions,
  onStep: (screen: Locator, step: number) => Promise<void> = async () => {},
): Promise<Review> {
  const either = new RegExp(`^(${[...names, toWindow, 'Continue'].join('|')})$`)
  // If funds can be added, the balance can be checked again above that button.
  let decision = await inDialog(page, (within) => within.getByRole('button', { name: either }).last())
  await readOn(decision)
  await expect(decision).toBeEnabled({ timeout: limit(30_000) })
  const words = async () => (await decision.textContent())?.trim()
  // The steps can be read while the page prepares the rest; only then does a strict app's frame lead to the window.
  if ((await words()) === 'Continue') await untilIdle(page)
  if ((await words()) === toWindow) {
    const window = await openWindow(page, page.context())
    decision = window.getByRole('button', { name: either }).last()
    await decision.waitFor({ timeout: limit(20_000) })
    await look(window)
    await readOn(decision)
    await expect(decision).toBeEnabled({ timeout: limit(30_000) })
  }
  for (let step = 1; (await words()) === 'Continue'; step++) {
    const screen = screenOf(decision)
    // The only call of an operation has no number.
    const isNumbered = step > 1 || !!(await screen.textContent())?.includes('Step ')
    if (isNumbered) await expect(screen).toContainText(`Step ${step} of `)
    await onStep(screen, step)
    await look(decision.page())
    await decision.click()
    if (isNumbered) await expect(screen).not.toContainText(`Step ${step} of `)
    else await expect(decision).not.toHaveText('Continue')
    await look(decision.page())
    await expect(decision).toBeEnabled({ timeout: limit(30_000) })
  }
  // The page, or the vault's own window.
  const place = decision.page()
  await look(place)
  const screen = screenOf(decision)
  return {
    screen,
    fact: (label) => screen.locator(`xpath=.//dl/div[dt[normalize-space()="${label}"]]/dd`),
    button: (name) => screen.getByRole('button', { name, exact: true }),
    press: (name) => pressSeen(screen.getByRole('button', { name, exact: true })),
  }
}

/** Long typed data and messages are signed only after their end has been in sight. */
async function readOn(decision: Locator): Promise<void> {
  const signed = screenOf(decision).getByRole('group', { name: "What you're signing" })
  if (await signed.isVisible()) await signed.evaluate((box) => box.scrollTo(0, box.scrollHeight))
}

const screenOf = (button: Locator) => button.locator('xpath=ancestor::*[@data-layer][1]')

/** The dialog of the page, which displays what became of a transaction in both modes. */
export const outcomeOf = (page: Page): Locator => page.getByRole('dialog')

/** Waits for a screen after the review, by its title. */
export const untilTitled = (page: Page, title: string): Promise<void> =>
  expect(outcomeOf(page).getByRole('heading', { name: title, exact: true })).toBeVisible({
    timeout: limit(60_000),
  })

/** Chooses as a user does: once more where the review took the press for one that came too early. */
export async function choose(radio: Locator): Promise<void> {
  await expect(async () => {
    if (!(await radio.isChecked())) await radio.click({ timeout: limit(2_000) })
    await expect(radio).toBeChecked({ timeout: limit(2_000) })
  }).toPass({ timeout: limit(30_000) })
}

/** Lowers what a review asks for to an own amount of the token. Resolves with the review of that amount. */
export async function lowerAmount(page: Page, { screen, press }: Review, amount: string): Promise<Review> {
  const field = screen.getByLabel('Amount in TST')
  await choose(screen.getByRole('radio', { name: /^Own amount/ }))
  await field.fill(amount)
  await press('Use')
  await expect(field).toHaveCount(0)
  return reviewOf(page)
}

export interface SolanaSender {
  readonly page: Page
  readonly context: BrowserContext
  readonly owner: PublicKey
  readonly connection: Connection
  readonly app: string
}

/** A user who is logged in and whose Solana wallet has `sol`. */
export async function newSolanaSender(
  browser: Browser,
  demo: Demo,
  mode: Mode,
  { name = 'sends', sol = 2, app = appOf[mode] }: { name?: string; sol?: number; app?: string } = {},
): Promise<SolanaSender> {
  const { page, context } = await deviceWithWallet(browser, demo, emailOf(name), app)
  const owner = new PublicKey(await createBy(page, '#create-solana'))
  const connection = new Connection(demo.solanaRpcUrl, 'confirmed')
  if (sol > 0) await airdrop(connection, owner, sol)
  return { page, context, owner, connection, app }
}

export async function airdrop(connection: Connection, to: PublicKey, sol: number): Promise<void> {
  const signature = await connection.requestAirdrop(to, sol * LAMPORTS_PER_SOL)
  await connection.confirmTransaction({ signature, ...(await connection.getLatestBlockhash()) })
}

/** Has the host page send a transaction of Solana by the kit. */
export const sendSolanaByKit = (page: Page, bytes: Uint8Array): Promise<Outcome> =>
  page.evaluate((bytes) => {
    const { kit } = document.querySelector('login-modal') as LoginModal
    const transaction = Uint8Array.from(bytes)
    return (kit ? kit.solana.signAndSendTransaction(transaction) : Promise.reject(new Error('No kit'))).then(
      ({ transactionHash }) => ({ result: transactionHash }),
      ({ code, message, data }) => ({ code, message, data }),
    )
  }, Array.from(bytes))

type Answer = { result: unknown } | { error: { code: number; message: string; data?: unknown } }
/** Decides what a node says to a call: an answer of its own, `dead` for none, or what the real node says. */
export type Lie = (
  params: readonly unknown[],
  honest: () => Promise<Answer>,
) => Answer | 'dead' | Promise<Answer | 'dead'>

/** Has a node answer the page otherwise than it would, by the method. The vault's own server still asks the real node. */
export async function lieAs(
  page: Page,
  url: string,
  lies: Readonly<Record<string, Lie>>,
): Promise<() => Promise<void>> {
  const match = (asked: URL) => asked.origin === new URL(url).origin
  await page.route(match, async (route) => {
    const call = route.request().postDataJSON() as
      | { id: unknown; method: string; params?: unknown[] }
      | null
      | undefined
    const lie = call && lies[call.method]
    if (!lie) return route.continue()
    const honest = async () => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(call),
      })
      return (await response.json()) as Answer
    }
    const answer = await lie(call.params ?? [], honest)
    if (answer === 'dead') return route.abort('connectionreset')
    await route.fulfill({
      headers: { 'access-control-allow-origin': '*' },
      json: { ...answer, jsonrpc: '2.0', id: call.id },
    })
  })
  return () => page.unroute(match)
}
