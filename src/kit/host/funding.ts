/** The dialog in which users fund a wallet; loaded with its first opening. */
import type { Config } from '../../app/config.ts'
import type { FlowContext } from '../../app/flow-context.ts'
import { Closed, type Stage } from '../../dialog/stage.ts'
import type { Surface } from '../../dialog/surface.ts'
import { KitError } from '../../errors/kit-error.ts'
import { parseEthereumAddress } from '../../ethereum/address.ts'
import { formatUnits } from '../../ethereum/amounts.ts'
import { quantity } from '../../ethereum/answers.ts'
import { assertChainId } from '../../ethereum/prepare-transaction.ts'
import { readToken } from '../../ethereum/tokens.ts'
import { buying, type Contact, purchaseRow, showPurchase, unfinished } from '../../funding/card/flow.ts'
import { readOffers } from '../../funding/card/offers.ts'
import { createReferences } from '../../funding/card/references.ts'
import { createPurchaseService, type PurchaseService } from '../../funding/card/service.ts'
import { type FundingOptions, fund, type UnfinishedPurchases } from '../../funding/flow.ts'
import { fundingLimits } from '../../funding/limits.ts'
import { type FundingMethods, type FundingOutcome, leftMethod } from '../../funding/method.ts'
import { type ReceivingOptions, receiving } from '../../funding/receive/flow.ts'
import {
  type FundingAsset,
  type FundingTarget,
  type FundingWallet,
  type Place,
  readFundingSettings,
  readFundingTarget,
  readPlace,
} from '../../funding/target.ts'
import { within } from '../../lib/clock.ts'
import { Unreachable } from '../../lib/node-errors.ts'
import { USDC, USDC_DECIMALS } from '../../lib/usdc.ts'
import type { Purchase } from '../../protocol/funding.ts'
import { sessionKey } from '../../session/keys.ts'
import type { BoughtActivity } from '../../signing/activity/flow.ts'
import type { FundingOffer, Shortage } from '../../signing/transaction/funding.ts'
import { getBalance, listOf, recordOf } from '../../solana/queries.ts'
import { embeddedOf } from '../../wallets/embedded/listing.ts'
import type { FundedWallet, FundWalletOptions } from '../api.ts'
import type { KitContext } from '../context.ts'
import type { Sending } from '../wallets/sending.ts'
import { personOf } from './person.ts'

type Needs = Pick<Sending, 'nodeOf' | 'solana' | 'prices' | 'activity'>
/** What funding loads once the user gets to it. */
interface FundingParts {
  /** Verifies contacts. */
  readonly account: () => Promise<Pick<typeof import('./account.ts'), 'verifyOnStage'>>
  /** Transfers from another wallet. */
  readonly transfer: () => Promise<typeof import('./funding-transfer.ts')>
}

/** Opens the dialog for {@link Kit.fundWallet}. The kit is ready. */
export async function fundWallet(
  cx: KitContext,
  sending: Needs,
  { surface, signal, ...choice }: FundWalletOptions = {},
  parts: Partial<FundingParts> = {},
): Promise<FundedWallet> {
  const plan = await planFunding(cx, sending, choice, parts, surface?.name)
  return cx.runs.run('fund', { surface, signal }, async (stage) => {
    const outcome = await fund(cx.flow(stage), plan)
    if (outcome === 'back') throw new Closed('The user went back')
    return announce(cx, plan, outcome)
  })
}

/** Determines the wallet, the asset and the methods. @throws KitError where the app or the page asks for what can't be funded */
async function planFunding(
  cx: KitContext,
  sending: Needs,
  { defaultMethod, ...choice }: Omit<FundWalletOptions, 'surface' | 'signal'>,
  parts: Partial<FundingParts> = {},
  surface?: string,
): Promise<FundingOptions> {
  const user = personOf(cx, 'funding a wallet')
  const config = cx.app.known()
  const settings = readFundingSettings(config)
  const linked = user.linkedAccounts.flatMap((account) => (account.type === 'wallet' ? account : []))
  const target = readFundingTarget(config, settings, [...embeddedOf(user), ...linked], choice)
  const network = await networkOf(sending, target)
  const purchases = createPurchasesFor(cx, user.id)
  const { prices } = sending
  const { chain, token, symbol, decimals } = target
  const bought = {
    purchases,
    price: () => prices.of(token === undefined ? { chain, symbol } : { chain, token, decimals }),
    verify: (stage: Stage, contact: Contact) => {
      const via = contact === 'phone' ? 'sms' : 'email'
      // An app without a login by it can't verify it.
      if (!parts.account || !cx.app.known().app.loginMethods.has(via)) return undefined
      return parts.account().then((part) => part.verifyOnStage(cx, stage, surface, via))
    },
  }
  const loadTransfer = parts.transfer
  const card = readOffers(settings, 'card')
  const exchange = readOffers(settings, 'exchange')
  const methods: FundingMethods = {
    ...(card && { card: buying({ ...bought, offers: card }) }),
    ...(exchange && { exchange: buying({ ...bought, offers: exchange }) }),
    ...(settings.methods.includes('external') && {
      ...(loadTransfer && {
        wallet: async (now, place) => (await loadTransfer()).transfer(cx, sending, now, place),
      }),
      manual: receiving(network),
    }),
  }
  if (Object.keys(methods).length === 0)
    throw new KitError('invalid_configuration', "Couldn't find funding config", {
      details: 'The app offers no method of funding that this version has',
    })
  if (defaultMethod !== undefined && !methods[defaultMethod])
    throw new KitError('invalid_request_arguments', 'Invalid funding data', {
      details: 'The app does not offer the default method',
    })
  const { readBalance } = network
  const cards = card && {
    current: () => card.preferred().name,
    hasOther: card.providers.length > 1,
    tryNext: card.tryNext,
  }
  return {
    target,
    methods,
    first: defaultMethod,
    readBalance,
    cardProviders: cards,
    exchangeProvider: exchange?.preferred().name,
    unfinished: (card ?? exchange) && unfinishedOf(purchases, target),
  }
}

/** Emits what has come of funding, and makes the host's result of it. */
function announce(
  cx: KitContext,
  { target }: FundingOptions,
  { method, status, received, transactionHash, purchase }: FundingOutcome,
): FundedWallet {
  const { address, chain, asset, symbol, decimals } = target
  const amount = received === undefined ? undefined : toText(received, decimals)
  const bought = purchase && { purchase }
  const result = { method, status, address, chain, asset, symbol, amount, transactionHash, ...bought }
  cx.events.emit('funded', result)
  return result
}

/** The purchases of a user, at the providers of the app's server. */
export const createPurchasesFor = (
  { appId, storage, clock, services }: Pick<KitContext, 'appId' | 'storage' | 'clock' | 'services'>,
  user: string,
): PurchaseService =>
  createPurchaseService({
    http: async () => (await services()).http(),
    references: createReferences({
      storage,
      key: sessionKey(appId, 'purchases'),
      user,
      now: clock.now,
    }),
  })

/** Purchases that are not over, as the methods list them. */
function unfinishedOf(purchases: PurchaseService, target: FundingTarget): UnfinishedPurchases {
  let known: readonly Purchase[] = []
  return {
    async list(cx: FlowContext, signal) {
      try {
        const all = await within(
          cx.clock,
          fundingLimits.purchaseTime,
          (stop) => purchases.list({ signal: stop }),
          signal,
        )
        known = unfinished(all.purchases, target, cx.clock.now())
      } catch {
        // Nobody is kept from adding funds because a list can't be loaded.
        known = []
      }
      return known.map((each) => purchaseRow(cx, each, target.network))
    },
    async resume(flow, id) {
      const purchase = known.find((each) => each.id === id)
      return purchase ? showPurchase(flow, { purchases, target }, purchase) : leftMethod()
    },
  }
}

/** The user's purchases, for the list of their activity; `undefined` where the app sells nothing. */
export function boughtActivity(cx: KitContext): BoughtActivity | undefined {
  const config = cx.app.known()
  const providers = config.app.funding?.providers ?? []
  if (providers.length === 0) return undefined
  const purchases = createPurchasesFor(cx, personOf(cx, 'their purchases are shown').id)
  let known: readonly Purchase[] | undefined
  let next: string | undefined
  const targetOf = (purchase: Purchase) => {
    const { address, chain, asset } = purchase
    const place = placeOf(config, chain)
    return { ...place, address, chain, decimals: asset === 'USDC' ? USDC_DECIMALS : place.coin.decimals }
  }
  const words = { t: cx.t(), clock: cx.clock }
  return {
    list: () => known?.map((each) => purchaseRow(words, each, targetOf(each).network)),
    hasMore: () => next !== undefined,
    async load(page, signal) {
      try {
        const before = page === 'next' ? next : undefined
        const found = await within(
          cx.clock,
          fundingLimits.purchaseTime,
          (stop) => purchases.list({ before, signal: stop }),
          signal,
        )
        known = before === undefined ? found.purchases : [...(known ?? []), ...found.purchases]
        next = found.next
      } catch {
        // The list of what was sent is there without it.
      }
    },
    async show(flow, id) {
      const purchase = known?.find((each) => each.id === id)
      if (!purchase) return
      const ended = await showPurchase(flow, { purchases, target: targetOf(purchase) }, purchase)
      if ('back' in ended && ended.failure) flow.report(ended.failure.error)
    },
  }
}

/** An amount in whole units, without separators of thousands. */
const toText = (amount: bigint, decimals: number) => formatUnits(amount, decimals).replaceAll(',', '')

/** A wallet on one network, CAIP-2. */
interface FundingPlace {
  readonly address: string
  readonly chain: string
}

/**
 * The app's offer to fund a wallet for a transaction on one network: its coin, and USDC. `undefined` where no method of the app brings
 * either.
 */
export async function offerFunding(
  cx: KitContext,
  sending: Needs,
  place: FundingPlace,
  parts: Partial<FundingParts> = {},
): Promise<FundingOffer | undefined> {
  const planFor = async (asset: FundingAsset): Promise<FundingOptions | undefined> => {
    try {
      return await planFunding(cx, sending, { ...place, asset }, parts)
    } catch (cause) {
      if (cause instanceof KitError) return undefined
      throw cause
    }
  }
  const [coin, usdc] = await Promise.all([planFor('native-currency'), planFor(USDC)])
  if (!coin && !usdc) return undefined
  const targetOf = ({ token }: Shortage): FundingTarget | undefined =>
    token === undefined ? coin?.target : isSameToken(token, usdc?.target.token) ? usdc?.target : undefined
  return {
    covers: (shortage) => targetOf(shortage) !== undefined,
    async add(flow, shortage) {
      const target = targetOf(shortage)
      if (!target) return
      const { asset, decimals } = target
      const { missing } = shortage
      const amount = missing === undefined ? {} : { amount: toText(missing, decimals) }
      // Meanwhile the host may have changed its chains, and the server the app's settings.
      const plan = await planFunding(cx, sending, { ...place, asset, ...amount }, parts)
      const outcome = await fund(flow, { ...plan, exit: 'back' })
      if (outcome !== 'back') announce(cx, plan, outcome)
    },
  }
}

/** A network that the app no longer has is called by its id. */
function placeOf(config: Config, chain: string): Place {
  try {
    return readPlace(config, chain)
  } catch {
    const chainType = chain.startsWith('solana:') ? 'solana' : 'ethereum'
    return { network: chain, chainType, coin: { symbol: '', decimals: chainType === 'solana' ? 9 : 18 } }
  }
}

/** Addresses of Ethereum are the same in any case of their letters. */
const isSameToken = (one: string, other: string | undefined): boolean =>
  one === other || (parseEthereumAddress(one) ?? one) === other

/**
 * Offers to fund a wallet that a login has created, in a dialog of its own. Never rejects for what keeps it from being offered, nor for a
 * user who declines.
 */
export async function promptFunding(
  cx: KitContext,
  sending: Needs,
  created: readonly FundingWallet[],
  surface: Surface | undefined,
  parts: Partial<FundingParts> = {},
): Promise<void> {
  const { funding } = cx.app.known().app
  const kind = funding?.chain?.startsWith('solana:') ? 'solana' : 'ethereum'
  const wallet = created.find(({ chainType }) => chainType === kind) ?? created[0]
  if (!funding?.promptOnCreation || !wallet) return
  try {
    const plan = await planFunding(cx, sending, { address: wallet.address }, parts, surface?.name)
    await cx.runs.run('fund', { surface, outlivesRefusals: true }, async (stage) => {
      const outcome = await fund(cx.flow(stage), { ...plan, exit: 'skip' })
      if (outcome !== 'back') announce(cx, plan, outcome)
    })
  } catch (cause) {
    const expected = ['exited_funding_flow', 'flow_in_progress', 'session_changed']
    if (!(cause instanceof KitError && expected.includes(cause.code))) throw cause
  }
}

async function networkOf(
  sending: Needs,
  { address, chain, chainType, token }: FundingTarget,
): Promise<ReceivingOptions> {
  const unsupported = () => new KitError('unsupported_chain_id', `There is no node for chain ${chain}`)
  if (chainType === 'solana') {
    const found = await sending.solana(chain)
    if (!found) throw unsupported()
    const { rpc, room } = found
    return {
      async readBalance(signal) {
        if (token === undefined) return getBalance(rpc, address, { signal })
        // A wallet without an account of the token has none of it.
        return (await room.readSplBalances(rpc, address, [token], { signal })).get(token)?.amount ?? 0n
      },
      async findPayment(reference, signal) {
        const options = { limit: 1, commitment: 'confirmed' }
        const [first] = listOf(await rpc.ask('getSignaturesForAddress', [reference, options], { signal }))
        const { signature, err } = first === undefined ? {} : recordOf(first)
        return typeof signature === 'string' && err === null ? signature : undefined
      },
    }
  }
  const chainId = Number(chain.slice('eip155:'.length))
  const node = sending.nodeOf(chainId)
  if (!node) throw unsupported()
  let isChecked = false
  return {
    async readBalance(signal) {
      if (!isChecked) await assertChainId(node, chainId, signal)
      isChecked = true
      if (token === undefined)
        return quantity('a balance')(await node.ask('eth_getBalance', [address, 'latest'], { signal }))
      const found = await readToken(node, token, { owner: address, signal })
      if (found.kind === 'unknown' || found.balance === undefined)
        throw new Unreachable("The token's balance can't be read")
      return found.balance
    },
  }
}
