/** Bridges that the user has started on any device: those that are under way, and the list of their activity. */
import { ago } from '../../activity/when.ts'
import type { FlowContext } from '../../app/flow-context.ts'
import { addWords } from '../../copy/copy.ts'
import { funding as words } from '../../copy/en/funding.ts'
import { formatUnits } from '../../ethereum/amounts.ts'
import { isTestNetwork } from '../../funding/bridge/networks.ts'
import type { UnfinishedPurchases } from '../../funding/flow.ts'
import { fundingLimits } from '../../funding/limits.ts'
import { type FundingOutcome, type LeftMethod, leftMethod } from '../../funding/method.ts'
import { type FundingTarget, findPlace, readFundingSettings } from '../../funding/target.ts'
import type { SharedBridges } from '../../funding/transfer/share-payments.ts'
import { type BridgeDeposit, bridgeDeposits } from '../../lib/bridge-deposits.ts'
import { within } from '../../lib/clock.ts'
import { USDC, usdcOn } from '../../lib/usdc.ts'
import {
  type BridgeClient,
  type BridgeStatus,
  bridgeHosts,
  createBridgeClient,
} from '../../protocol/bridge.ts'
import { endBridge, listBridges, type StoredBridge, saveBridge } from '../../protocol/bridges.ts'
import type { ActivityTransfer } from '../../signing/activity/activity-list.tsx'
import type { BridgedActivity } from '../../signing/activity/flow.ts'
import type { KitContext } from '../context.ts'
import type { Sending } from '../wallets/sending.ts'

addWords(words)

type Needs = Pick<Sending, 'nodeOf' | 'solana' | 'activity' | 'prices'>
/** Loads what follows a bridge that was started on any device. */
export type LoadTransfer = () => Promise<{
  /** @param deposits transactions of the wallet that the bridge has seen */
  followBridge(
    kit: KitContext,
    sending: Needs,
    cx: FlowContext,
    target: FundingTarget,
    stored: StoredBridge,
    deposits: readonly string[] | undefined,
  ): Promise<FundingOutcome | LeftMethod>
}>

/** The bridge for a network; `undefined` where the app has none. */
export function bridgeFor(
  { app, fetch, clock }: Pick<KitContext, 'app' | 'fetch' | 'clock'>,
  chain: string,
): BridgeClient | undefined {
  const { bridging, bridge } = readFundingSettings(app.known())
  if (!bridging) return undefined
  const isTest = isTestNetwork(chain)
  const url = bridge ? (isTest ? bridge.testnetUrl : bridge.url) : bridgeHosts[isTest ? 'testnet' : 'mainnet']
  return createBridgeClient({ url, protocol: bridge?.protocol ?? 'quote', fetch, clock })
}

/** Where the app's bridge may take deposits: the app's own list, or else that of Relay. */
export const depositsFor = ({ app }: Pick<KitContext, 'app'>): readonly BridgeDeposit[] =>
  readFundingSettings(app.known()).bridge?.deposits ?? bridgeDeposits

const httpOf = async ({ services }: Pick<KitContext, 'services'>) => (await services()).http()

/** Has the server remember bridges, one change after the other. */
export function shareBridges(kit: Pick<KitContext, 'services'>): SharedBridges {
  let latest: Promise<unknown> = Promise.resolve()
  function enqueue(work: () => Promise<unknown>): void {
    // Other devices don't learn of it where this fails, and the bridge goes on.
    latest = latest.then(work).catch(() => {})
  }
  return {
    save: (bridge) => enqueue(async () => saveBridge(await httpOf(kit), bridge)),
    end: (requestId, status) => enqueue(async () => endBridge(await httpOf(kit), requestId, status)),
  }
}

/** Bridges to this wallet, network and asset that are under way. */
export function unfinishedBridges(
  kit: KitContext,
  sending: Needs,
  target: FundingTarget,
  loadTransfer: LoadTransfer,
): UnfinishedPurchases | undefined {
  const bridge = bridgeFor(kit, target.chain)
  if (!bridge) return undefined
  let known: readonly Followed[] = []
  return {
    async list(cx, signal) {
      try {
        known = await within(
          cx.clock,
          fundingLimits.questionTime,
          (own) => findOpen(kit, bridge, target, own),
          signal,
        )
      } catch {
        // Nobody is kept from adding funds because a list can't be loaded.
        known = []
      }
      return known.map(({ stored }) => {
        const { amount, when, state, tone } = rowOf(cx, stored)
        const provider = cx.t('funding.bridge.from.network', { network: stored.network })
        return { id: stored.requestId, amount, provider, when, state, tone }
      })
    },
    async resume(flow, id) {
      const found = known.find(({ stored }) => stored.requestId === id)
      return found ? follow(kit, sending, flow, target, found, loadTransfer) : leftMethod()
    },
  }
}

interface Followed {
  readonly stored: StoredBridge
  readonly status?: BridgeStatus | undefined
}

const isFor = (stored: StoredBridge, { address, chain, token }: FundingTarget): boolean =>
  stored.address.toLowerCase() === address.toLowerCase() && stored.chain === chain && stored.token === token

/** Asks the bridge what has become of those that no device has seen the end of. */
async function findOpen(
  kit: KitContext,
  bridge: BridgeClient,
  target: FundingTarget,
  signal: AbortSignal,
): Promise<readonly Followed[]> {
  const all = await listBridges(await httpOf(kit), { signal })
  const open = all
    .filter((each) => each.status === 'open' && isFor(each, target))
    .slice(0, fundingLimits.purchasesOffered)
  const asked = await Promise.all(
    open.map(async (stored): Promise<Followed | undefined> => {
      const status = await bridge.status(stored.requestId, signal).catch(() => undefined)
      // Nobody has paid yet, and the device that has asked the wallet knows more.
      if (!status || status.state === 'waiting') return undefined
      return { stored, status }
    }),
  )
  return asked.flatMap((each) => each ?? [])
}

async function follow(
  kit: KitContext,
  sending: Needs,
  flow: FlowContext,
  target: FundingTarget,
  { stored, status }: Followed,
  loadTransfer: LoadTransfer,
): Promise<FundingOutcome | LeftMethod> {
  const part = await loadTransfer()
  return part.followBridge(kit, sending, flow, target, stored, status?.deposits)
}

const tones = { open: 'accent', success: 'success', refund: 'plain', failure: 'plain' } as const

function rowOf(cx: Pick<FlowContext, 't' | 'clock'>, stored: StoredBridge): Omit<ActivityTransfer, 'to'> {
  const { requestId, receives, network, startedAt, status } = stored
  return {
    id: requestId,
    amount: `${formatUnits(BigInt(receives.amount), receives.decimals)} ${receives.symbol}`,
    from: network,
    when: ago(startedAt.getTime(), cx.clock.now()),
    state: cx.t(`funding.bridge.status.${status}`),
    tone: tones[status],
  }
}

/** The user's bridges, for the list of their activity; `undefined` where the app has no bridge. */
export function bridgedActivity(
  kit: KitContext,
  sending: Needs,
  loadTransfer: LoadTransfer,
): BridgedActivity | undefined {
  const config = kit.app.known()
  if (!config.app.funding?.bridging) return undefined
  let known: readonly StoredBridge[] | undefined
  const shown = { t: kit.t(), clock: kit.clock }
  const targetOf = ({ address, chain, token, receives }: StoredBridge): FundingTarget => {
    const { network, chainType } = findPlace(config, chain)
    const asset = token === undefined ? 'native-currency' : token === usdcOn(chain) ? USDC : token
    const { symbol, decimals } = receives
    return { address, chain, network, chainType, asset, token, symbol, decimals }
  }
  return {
    list: () => known?.map((each) => ({ ...rowOf(shown, each), to: targetOf(each).network })),
    async load(signal) {
      try {
        known = await within(
          kit.clock,
          fundingLimits.questionTime,
          async (own) => listBridges(await httpOf(kit), { signal: own }),
          signal,
        )
      } catch {
        // The list of what was sent is there without it.
      }
    },
    async show(flow, id) {
      const stored = known?.find((each) => each.requestId === id)
      if (!stored) return
      await follow(kit, sending, flow, targetOf(stored), { stored }, loadTransfer)
    },
  }
}
