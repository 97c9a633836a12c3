/** Wallets in the pages of browser tests, as extensions would put them there. */
import type { BrowserContext, Page } from '@playwright/test'
import { type WalletsOfPage, walletsScript } from '../../../demo/world/wallet/bundle.ts'
import type { EthereumControl } from '../../../demo/world/wallet/ethereum.ts'

export type { WalletsOfPage } from '../../../demo/world/wallet/bundle.ts'

/**
 * Gives every page from now on these wallets, which approve by themselves; the demo's own stay away.
 * @param settings an empty list is a browser without any wallet
 */
export async function giveWallets(target: BrowserContext | Page, settings: WalletsOfPage): Promise<void> {
  await target.addInitScript({ content: await walletsScript(settings) })
}

/** Tells a wallet of the page what to do: `await tellWallet(page, 'MetaMask', 'next', 'reject')`. Solana's have no chain to pick. */
export async function tellWallet(
  page: Page,
  wallet: string,
  what: Exclude<keyof EthereumControl, 'calls' | 'during' | 'listeners'>,
  ...input: unknown[]
): Promise<void> {
  await page.evaluate(
    ([wallet, what, input]) => {
      const control = window.demoWallets?.[wallet]?.control as unknown as Record<
        string,
        (...all: unknown[]) => void
      >
      if (!control) throw new Error(`There is no ${wallet} here`)
      control[what]?.(...input)
    },
    [wallet, what, input] as const,
  )
}

/** What a wallet of the page has been asked, in order. */
export const askedOf = (page: Page, wallet: string): Promise<string[]> =>
  page.evaluate((name) => window.demoWallets?.[name]?.control.calls.map(({ method }) => method) ?? [], wallet)
