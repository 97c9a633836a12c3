/** The dialog in which users fund a wallet; loaded with its first opening. */
import { Closed, type Stage } from '../../dialog/stage.ts'
import type { Surface } from '../../dialog/surface.ts'
import { KitError } from '../../errors/kit-error.ts'
import { parseEthereumAddress } from '../../ethereum/address.ts'
import { buying, type Contact } from '../../funding/card/flow.ts'
import { readOffers } from '../../funding/card/offers.ts'
import { type FundingOptions, fund, joinUnfinished } from '../../funding/flow.ts'
import type { FundingMethods } from '../../funding/method.ts'
import { receiving } from '../../funding/receive/flow.ts'
import {
  type FundingAsset,
  type FundingTarget,
  type FundingWallet,
  readFundingSettings,
  readFundingTarget,
  readFundingToken,
} from '../../funding/target.ts'
import { USDC } from '../../lib/usdc.ts'
import type { FundingOffer, Shortage } from '../../signing/transaction/funding.ts'
import { embeddedOf } from '../../wallets/embedded/listing.ts'
import type { FundedWallet, FundWalletOptions } from '../api.ts'
import type { KitContext } from '../context.ts'
import type { Sending } from '../wallets/sending.ts'
import { type LoadTransfer, unfinishedBridges } from './bridges.ts'
import { announceFunded, toAmountText } from './funded.ts'
import { networkOf, readTokenUnit } from './funding-network.ts'
import { personOf } from './person.ts'
import { createPurchasesFor, unfinishedOf } from './purchases.ts'

type Needs = Pick<Sending, 'nodeOf' | 'solana' | 'prices' | 'activity'>
/** Parts that funding loads once the user gets to them. */
interface FundingParts {
  /** Verifies contacts. */
  readonly account: () => Promise<Pick<typeof import('./account.ts'), 'verifyOnStage'>>
  /** Transfers from another wallet. */
  readonly transfer: () => Promise<Pick<typeof import('./funding-transfer.ts'), 'transfer'>>
  /** Follows bridges that were started on any device. */
  readonly follow: LoadTransfer
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
    return announceFunded(cx, plan.target, outcome)
  })
}

/** Determines the wallet, the asset and the methods. @throws KitError where the app or the page asks for what can't be funded */
async function planFunding(
  cx: KitContext,
  sending: Needs,
  { defaultMethod, returnUrl, ...choice }: Omit<FundWalletOptions, 'surface' | 'signal'>,
  parts: Partial<FundingParts> = {},
  surface?: string,
): Promise<FundingOptions> {
  const user = personOf(cx, 'funding a wallet')
  const config = cx.app.known()
  const settings = readFundingSettings(config)
  const linked = user.linkedAccounts.flatMap((account) => (account.type === 'wallet' ? account : []))
  const token = readFundingToken(settings, choice)
  const unit = token && (await readTokenUnit(sending, token))
  const target = readFundingTarget(config, settings, [...embeddedOf(user), ...linked], choice, unit)
  const network = await networkOf(sending, target)
  const purchases = createPurchasesFor(cx, user.id)
  const { prices } = sending
  const { chain, symbol, decimals } = target
  const bought = {
    purchases,
    returnUrl,
    price: () =>
      prices.of(target.token === undefined ? { chain, symbol } : { chain, token: target.token, decimals }),
    verify: (stage: Stage, contact: Contact) => {
      const via = contact === 'phone' ? 'sms' : 'email'
      // An app without a login by it can't verify it.
      if (!parts.account || !cx.app.known().app.loginMethods.has(via)) return undefined
      return parts.account().then((part) => part.verifyOnStage(cx, stage, surface, via))
    },
  }
  const loadTransfer = parts.transfer
  // Providers sell coins and USDC.
  const card = token ? undefined : readOffers(settings, 'card', target)
  const exchange = token ? undefined : readOffers(settings, 'exchange', target)
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
  const isBought = defaultMethod === 'card' || defaultMethod === 'exchange'
  if (token && (Object.keys(methods).length === 0 || isBought))
    throw new KitError('not_supported', 'Invalid funding data', { details: 'No provider sells this token' })
  // Providers that the app has sell something, and not this here.
  const isUnsold =
    (!card && readOffers(settings, 'card') !== undefined && defaultMethod !== 'exchange') ||
    (!exchange && readOffers(settings, 'exchange') !== undefined && defaultMethod !== 'card')
  if (isUnsold && (Object.keys(methods).length === 0 || (isBought && !methods[defaultMethod])))
    throw new KitError('not_supported', 'Invalid funding data', {
      details: `No provider sells ${symbol} on ${target.network}`,
    })
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
    unfinished: joinUnfinished(
      (card ?? exchange) && unfinishedOf(purchases, target),
      parts.follow && methods.wallet && unfinishedBridges(cx, sending, target, parts.follow),
    ),
  }
}

/** A wallet on one network, CAIP-2. */
interface FundingPlace {
  readonly address: string
  readonly chain: string
}

/**
 * The app's offer to fund a wallet for a transaction on one network: its coin, USDC, and the tokens that the app names there. `undefined`
 * where no method of the app brings any of them.
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
  const named = (cx.app.known().app.funding?.tokens ?? []).filter(({ chain }) => chain === place.chain)
  const planned = await Promise.all(
    ['native-currency', USDC, ...named.map(({ address }) => address)].map(planFor),
  )
  const targets = planned.flatMap((plan) => plan?.target ?? [])
  if (targets.length === 0) return undefined
  const targetOf = ({ token }: Shortage): FundingTarget | undefined =>
    targets.find((target) =>
      token === undefined ? target.token === undefined : isSameToken(token, target.token),
    )
  return {
    covers: (shortage) => targetOf(shortage) !== undefined,
    async add(flow, shortage) {
      const target = targetOf(shortage)
      if (!target) return
      const { asset, decimals } = target
      const { missing } = shortage
      const amount = missing === undefined ? {} : { amount: toAmountText(missing, decimals) }
      // Meanwhile the host may have changed its chains, and the server the app's settings.
      const plan = await planFunding(cx, sending, { ...place, asset, ...amount }, parts)
      const outcome = await fund(flow, { ...plan, exit: 'back' })
      if (outcome !== 'back') announceFunded(cx, plan.target, outcome)
    },
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
      if (outcome !== 'back') announceFunded(cx, plan.target, outcome)
    })
  } catch (cause) {
    const expected = ['exited_funding_flow', 'flow_in_progress', 'session_changed']
    if (!(cause instanceof KitError && expected.includes(cause.code))) throw cause
  }
}
