/** Code at a wallet's own address (EIP-7702), as a chain's node says. */
import type { Config } from '../../app/config.ts'
import { delegatesOf } from '../../app/delegates.ts'
import { isHexBytes } from '../../ethereum/hex.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { type Delegate, delegatesOn, findDelegate, readWalletCode } from '../../ethereum/wallet-code.ts'
import { type Clock, within } from '../../lib/clock.ts'
import type { SigningChain } from '../../signing/wallet-code.ts'
import type { Capabilities } from '../../wallets/embedded/provider/calls.ts'
import { walletsLimits } from '../../wallets/limits.ts'
import type { Sending } from './sending.ts'

interface CodeOf {
  readonly address: string
  readonly chainId: number
  readonly delegates: readonly Delegate[]
}

/** Whether a wallet carries out calls atomically on a chain, and the contract whose code does that. */
export type AtomicSupport =
  | { readonly status: 'supported' }
  /** The wallet has no code, and can get that of the delegate. */
  | { readonly status: 'ready'; readonly delegate: Delegate }
  | { readonly status: 'unsupported' }

/** Whether there is code at an address. */
export async function hasCode(node: ChainNode, address: string): Promise<boolean> {
  const code = await node.ask('eth_getCode', [address, 'latest'])
  return isHexBytes(code) && code !== '0x'
}

/** The batches that a wallet can send on a chain. Without an answer in time it is one transaction for each call. */
export async function atomicSupport(
  node: ChainNode | undefined,
  clock: Clock,
  { address, chainId, delegates }: CodeOf,
): Promise<AtomicSupport> {
  const able = delegatesOn(delegates, chainId).filter(({ executesBatches }) => executesBatches)
  const [delegate] = able
  if (!node || !delegate) return { status: 'unsupported' }
  try {
    return await within(clock, walletsLimits.capabilityWait, async (): Promise<AtomicSupport> => {
      const [code, isThere] = await Promise.all([
        readWalletCode(node, address),
        hasCode(node, delegate.address),
      ])
      if (code !== undefined)
        return { status: findDelegate(able, chainId, code) ? 'supported' : 'unsupported' }
      return isThere ? { status: 'ready', delegate } : { status: 'unsupported' }
    })
  } catch {
    return { status: 'unsupported' }
  }
}

/**
 * Remembers for a while what was found, for libraries that ask again with every change of their page. What a wallet has sent since
 * may have changed it.
 */
export function rememberSupport({
  clock,
  activity,
}: {
  readonly clock: Pick<Clock, 'now'>
  readonly activity: Pick<Sending['activity'], 'entries'>
}) {
  const found = new Map<
    string,
    { readonly at: number; readonly sent: unknown; readonly support: Promise<AtomicSupport> }
  >()
  return ({ address, chainId }: CodeOf, ask: () => Promise<AtomicSupport>): Promise<AtomicSupport> => {
    const key = `${chainId} ${address.toLowerCase()}`
    const sent = activity.entries.get()
    const last = found.get(key)
    if (last && last.sent === sent && clock.now() - last.at < walletsLimits.capabilityLife)
      return last.support
    const support = ask()
    found.set(key, { at: clock.now(), sent, support })
    return support
  }
}

export const toCapabilities = ({ status }: AtomicSupport): Capabilities => ({ atomic: { status } })

/** The chain that a wallet is on when it signs a message. A review in the page asks its node; the vault asks its own server. */
export const signingChain = (
  config: Config,
  sending: Pick<Sending, 'nodeOf' | 'review'>,
  chainId: number,
): SigningChain => ({
  chainId,
  delegates: delegatesOf(config),
  ...(sending.review() && { node: sending.nodeOf(chainId) }),
})
