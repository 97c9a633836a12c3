/** The dialog in which users fund a wallet; loaded with its first opening. */
import type { Config } from '../../app/config.ts'
import type { FlowContext } from '../../app/flow-context.ts'
import type { Stage } from '../../dialog/stage.ts'
import { KitError } from '../../errors/kit-error.ts'
import { formatUnits } from '../../ethereum/amounts.ts'
import { quantity } from '../../ethereum/answers.ts'
import { assertChainId } from '../../ethereum/prepare-transaction.ts'
import { readToken } from '../../ethereum/tokens.ts'
import { buying, type Contact, purchaseRow, showPurchase, unfinished } from '../../funding/card/flow.ts'
import { readOffers } from '../../funding/card/offers.ts'
import { createReferences } from '../../funding/card/references.ts'
import { createPurchaseService, type PurchaseService } from '../../funding/card/service.ts'
import { fund, type UnfinishedPurchases } from '../../funding/flow.ts'
import { fundingLimits } from '../../funding/limits.ts'
import { type FundingMethods, leftMethod } from '../../funding/method.ts'
import { type ReceivingOptions, receiving } from '../../funding/receive/flow.ts'
import {
  type FundingTarget,
  type Place,
  readFundingSettings,
  readFundingTarget,
  readPlace,
} from '../../funding/target.ts'
import { USDC_DECIMALS } from '../../funding/usdc.ts'
import { within } from '../../lib/clock.ts'
import { Unreachable } from '../../lib/node-errors.ts'
import type { Purchase } from '../../protocol/funding.ts'
import { sessionKey } from '../../session/keys.ts'
import type { BoughtActivity } from '../../signing/activity/flow.ts'
import { getBalance, listOf, recordOf } from '../../solana/queries.ts'
import { embeddedOf } from '../../wallets/embedded/listing.ts'
import type { FundedWallet, FundWalletOptions } from '../api.ts'
import type { KitContext } from '../context.ts'
import type { Sending } from '../wallets/sending.ts'
import { personOf } from './person.ts'

/** Opens the dialog for {@link Kit.fundWallet}. The kit is ready. */
export async function fundWallet(
  cx: KitContext,
  sending: Pick<Sending, 'nodeOf' | 'solana' | 'prices'>,
  { surface, signal, defaultMethod, ...choice }: FundWalletOptions = {},
  /** Verifies contacts; loaded when a provider asks for that. */
  loadAccount?: () => Promise<Pick<typeof import('./account.ts'), 'verifyOnStage'>>,
): Promise<FundedWallet> {
  const user = personOf(cx, 'funding a wallet')
  const config = cx.app.known()
  const settings = readFundingSettings(config)
  const linked = user.linkedAccounts.flatMap((account) => (account.type === 'wallet' ? account : []))
  const target = readFundingTarget(config, settings, [...embeddedOf(user), ...linked], choice)
  const network = await networkOf(sending, target)
  const purchases = createPurchasesFor(cx, user.id)
  const { prices } = sending
  const { chain, token, symbol, decimals } = target
  let place: string | undefined
  const bought = {
    purchases,
    price: () => prices.of(token === undefined ? { chain, symbol } : { chain, token, decimals }),
    verify: (stage: Stage, contact: Contact) => {
      const via = contact === 'phone' ? 'sms' : 'email'
      // An app without a login by it can't verify it.
      if (!loadAccount || !cx.app.known().app.loginMethods.has(via)) return undefined
      return loadAccount().then((part) => part.verifyOnStage(cx, stage, place, via))
    },
  }
  const card = readOffers(settings, 'card')
  const exchange = readOffers(settings, 'exchange')
  const methods: FundingMethods = {
    ...(card && { card: buying({ ...bought, offers: card }) }),
    ...(exchange && { exchange: buying({ ...bought, offers: exchange }) }),
    ...(settings.methods.includes('external') && { manual: receiving(network) }),
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
  const { method, status, received, transactionHash, purchase } = await cx.runs.run(
    'fund',
    { surface, signal },
    (stage, { name }) => {
      place = name
      return fund(cx.flow(stage), {
        target,
        methods,
        first: defaultMethod,
        readBalance,
        ...(card && {
          cardProviders: {
            current: () => card.preferred().name,
            hasOther: card.providers.length > 1,
            tryNext: card.tryNext,
          },
        }),
        exchangeProvider: exchange?.preferred().name,
        ...((card ?? exchange) && { unfinished: unfinishedOf(cx.flow(stage), purchases, target) }),
      })
    },
  )
  const { address, asset } = target
  const amount = received === undefined ? undefined : formatUnits(received, decimals).replaceAll(',', '')
  const result = {
    method,
    status,
    address,
    chain,
    asset,
    symbol,
    amount,
    transactionHash,
    ...(purchase && { purchase }),
  }
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
function unfinishedOf(
  cx: FlowContext,
  purchases: PurchaseService,
  target: FundingTarget,
): UnfinishedPurchases {
  let known: readonly Purchase[] = []
  return {
    async list(signal) {
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

/** A network that the app no longer has is called by its id. */
function placeOf(config: Config, chain: string): Place {
  try {
    return readPlace(config, chain)
  } catch {
    const chainType = chain.startsWith('solana:') ? 'solana' : 'ethereum'
    return { network: chain, chainType, coin: { symbol: '', decimals: chainType === 'solana' ? 9 : 18 } }
  }
}

async function networkOf(
  sending: Pick<Sending, 'nodeOf' | 'solana'>,
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
