/** Code of a wallet's own address (EIP-7702), as reviews name it. */
import type { ChainNode } from '../ethereum/rpc.ts'
import { type Delegate, readWalletCode, toWalletCode } from '../ethereum/wallet-code.ts'
import { type Clock, within } from '../lib/clock.ts'
import { signingLimits } from './limits.ts'
import type { WalletCode } from './preview.ts'

/** Reads the contract whose code a wallet has. What a node doesn't say in time is left out. */
export async function findWalletCode(
  node: ChainNode,
  wallet: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return await within(clock, signingLimits.figuresWait, (own) => readWalletCode(node, wallet, own), signal)
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

/** The chain that a wallet is on when it signs: its address may have code there, by which contracts check what it signs. */
export interface SigningChain {
  readonly chainId: number
  readonly delegates: readonly Delegate[]
  /** For a review in the page; the vault asks its own server. */
  readonly node?: ChainNode | undefined
}

/** The code of a wallet, as more for the screen of a review in the page. */
export const codeOf =
  ({ chainId, delegates, node }: SigningChain, wallet: string, clock: Clock) =>
  async (signal: AbortSignal): Promise<{ readonly walletCode: WalletCode } | undefined> => {
    const delegate = node && (await findWalletCode(node, wallet, clock, signal))
    return delegate === undefined ? undefined : { walletCode: toWalletCode(delegates, chainId, delegate) }
  }
