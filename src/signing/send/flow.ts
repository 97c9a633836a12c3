/** The form with which users send: what to whom, how much, and then the review of that transaction. */
import type { ActivityEntry } from '../../activity/entry.ts'
import type { Settled } from '../../activity/tracker.ts'
import { addWords } from '../../copy/copy.ts'
import { balances as balancesWords } from '../../copy/en/balances.ts'
import { connect } from '../../copy/en/connect.ts'
import { send as words } from '../../copy/en/send.ts'
import { walletErrors } from '../../copy/en/wallet-errors.ts'
import { isTurnedBack } from '../../dialog/stage.ts'
import { KitError, reworded } from '../../errors/kit-error.ts'
import { decimalSeparator, parseAmount } from '../../ethereum/amount-input.ts'
import { TimedOut, within } from '../../lib/clock.ts'
import { NodeError, Unreachable } from '../../lib/node-errors.ts'
import type { Readable } from '../../lib/store.ts'
import { LAMPORT_DECIMALS, SOL } from '../../solana/clusters.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import { formatAmount } from '../preview.ts'
import { addFunds, loadOffer } from '../transaction/funding.ts'
import {
  type Inspection,
  type KnownAddresses,
  keyOf,
  type Quote,
  type RecipientProblem,
  type SendAsset,
  type SendChain,
  type SendWallet,
} from './asset.ts'
import { ExternalRefusal } from './external.ts'
import { sendLimits } from './limits.ts'
import { type SendAmountProps, sendAmount } from './send-amount.tsx'
import { type SendAssetProps, sendAsset } from './send-asset.tsx'
import { type SendRecipientProps, sendRecipient } from './send-recipient.tsx'

addWords(balancesWords, connect, walletErrors, words)

export interface SendFormOptions {
  /** All that the user can send; changes while it is read. Never empty. */
  readonly assets: Readable<readonly SendAsset[]>
  /** Reads the balances. Never rejects. */
  refresh(): Promise<unknown>
  /** Reads them anew, after something has come. Never rejects. */
  reread(): Promise<unknown>
  /** Names the asset that is chosen at first, as far as the page does. */
  readonly first?: (asset: SendAsset) => boolean
  /** Values that the page has filled in: text as a user would type it. */
  readonly prefill?: { readonly to?: string | undefined; readonly amount?: string | undefined }
  /** The wallets of the user, to which they may send as well. */
  readonly wallets: readonly SendWallet[]
  /** Transactions sent from this browser. */
  readonly entries: Readable<readonly ActivityEntry[]>
  /** Contracts and mints of the app's tokens on a chain. */
  tokensOf(chain: string): readonly string[]
  /** Whether names may stand for addresses. */
  readonly allowsNames: boolean
  /** The chain of an asset, with the wallet that sends it. */
  chainOf(asset: SendAsset): Promise<SendChain>
  /** Whether the network has a transaction of this run. */
  isSent(): boolean
}

/** Only Solana's recipients have accounts that the sender pays for. */
const sol = { symbol: SOL, decimals: LAMPORT_DECIMALS }

/** What the user has filled in. */
interface Draft {
  asset: string
  to: string
  filled: SendAmountProps['filled']
}
/** A recipient that was looked at. */
interface Recipient {
  readonly address: string
  readonly name?: string | undefined
  readonly inspection: Extract<Inspection, { problem?: undefined }>
}

/**
 * Has the user fill in the form, review the transaction and send it. Turning back from the review leads to the form, where everything is as
 * it was entered.
 * @returns what the network decided
 * @throws Closed when the user closes the dialog, or the error that keeps it from being sent
 */
export async function sendByForm(cx: WalletFlow, options: SendFormOptions): Promise<Settled | undefined> {
  const { prefill = {}, first } = options
  const all = options.assets.get()
  const chosen = (first && all.find(first)) ?? all.find(({ balance = 0n }) => balance > 0n) ?? all[0]
  if (!chosen) throw new KitError('embedded_wallet_not_found', 'There is no wallet to send from')
  const draft: Draft = {
    asset: keyOf(chosen),
    to: prefill.to ?? '',
    filled: { text: prefill.amount ?? '', isMaximum: false },
  }
  void options.refresh()
  for (;;) {
    const { chain, recipient } = await askRecipient(cx, options, draft)
    const sent = await askAmount(cx, options, draft, chain, recipient)
    if (sent !== 'back') return sent
  }
}

/** The first step: until there is an address that something can be sent to. */
async function askRecipient(
  cx: WalletFlow,
  options: SendFormOptions,
  draft: Draft,
): Promise<{ chain: SendChain; recipient: Recipient }> {
  let more: Pick<SendRecipientProps, 'error' | 'caution'> = {}
  for (;;) {
    const asset = assetOf(options, draft)
    const asked = await cx.stage.askDuring(
      sendRecipient,
      { ...recipientProps(options, asset, draft.to), ...more },
      (signal) => untilChange(options.assets, signal),
    )
    if ('done' in asked) continue
    const { answer } = asked
    if ('change' in answer) {
      draft.to = answer.change
      more = {}
      await chooseAsset(cx, options, draft)
      continue
    }
    draft.to = answer.to
    const chain = await options.chainOf(asset)
    const found = await lookUp(cx, options, { asset, chain, text: answer.to })
    if ('error' in found) more = { error: found.error }
    else if (found.caution && !(answer.isAccepted && more.caution?.address === found.recipient.address))
      more = { caution: found.caution }
    else return { chain, recipient: found.recipient }
  }
}

type LookedUp =
  | { readonly error: string }
  | { readonly recipient: Recipient; readonly caution?: SendRecipientProps['caution'] }

/** Reads what was typed, resolves a name, and looks at what is at the address. */
async function lookUp(
  cx: WalletFlow,
  options: SendFormOptions,
  { asset, chain, text }: { asset: SendAsset; chain: SendChain; text: string },
): Promise<LookedUp> {
  const known = knownTo(options, asset)
  const invalid = (problem: RecipientProblem): LookedUp => ({ error: cx.t(`send.problem.${problem}`) })
  let read = chain.read(text, known)
  let resolved: { name: string; isForChain: boolean } | undefined
  try {
    if (read.kind === 'name') {
      const { name } = read
      const found = await asking(cx, (signal) => chain.resolve(name, signal))
      if ('problem' in found) return invalid(found.problem)
      resolved = found
      read = chain.read(found.address, known)
    }
    if (read.kind !== 'address') return invalid(read.kind === 'name' ? 'no-address' : read.problem)
    const { address, looksLike } = read
    if (address === asset.wallet.address) return invalid('same-wallet')
    const inspection = await asking(cx, (signal) => chain.inspect(address, signal))
    if (inspection.problem !== undefined) return invalid(inspection.problem)
    const recipient: Recipient = { address, inspection, ...(resolved && { name: resolved.name }) }
    const kind = looksLike
      ? 'looks-like'
      : resolved && !resolved.isForChain
        ? 'name-elsewhere'
        : isKnown(known, address)
          ? undefined
          : inspection.caution
    return {
      recipient,
      ...(kind && {
        caution: { kind, address, ...(resolved && { name: resolved.name }), ...(looksLike && { looksLike }) },
      }),
    }
  } catch (cause) {
    return { error: unreachable(cx, cause) }
  }
}

const isKnown = ({ own, recent }: KnownAddresses, address: string) =>
  own.includes(address) || recent.includes(address)

/** The user chooses what to send; turning back leaves it as it was. */
async function chooseAsset(cx: WalletFlow, options: SendFormOptions, draft: Draft): Promise<void> {
  for (;;) {
    const asked = await cx.stage.askDuring(sendAsset, assetProps(cx, options), (signal) =>
      untilChange(options.assets, signal),
    )
    if ('done' in asked) continue
    const { answer } = asked
    if (answer === 'back' || answer.asset === draft.asset) return
    draft.asset = answer.asset
    // An amount of one thing is none of another.
    draft.filled = { text: '', isMaximum: false }
    return
  }
}

/** The second step, and the review. Resolves with 'back' when the user wants to change what is sent or to whom. */
async function askAmount(
  cx: WalletFlow,
  options: SendFormOptions,
  draft: Draft,
  chain: SendChain,
  recipient: Recipient,
): Promise<Settled | undefined | 'back'> {
  const locale = cx.page.language
  let more: Pick<SendAmountProps, 'error' | 'notice' | 'isFundable'> = {}
  for (;;) {
    const asset = assetOf(options, draft)
    const asked = await cx.stage.askDuring(
      sendAmount,
      { ...amountProps(cx, asset, recipient), filled: draft.filled, locale, ...more },
      (signal) => untilChange(options.assets, signal),
    )
    if ('done' in asked) continue
    const { answer } = asked
    more = {}
    if ('back' in answer) {
      draft.filled = { text: answer.back, isMaximum: answer.isMaximum }
      return 'back'
    }
    if ('fund' in answer) {
      draft.filled = { text: answer.fund, isMaximum: false }
      await fundFor(cx, options, { asset, chain, recipient, text: answer.fund })
      continue
    }
    let send: (now: WalletFlow) => Promise<Settled | undefined>
    try {
      if ('maximum' in answer) {
        draft.filled = { text: answer.maximum, isMaximum: false }
        const now = await asking(cx, (signal) => chain.maximum(recipient.address, signal))
        if (now.amount > 0n) draft.filled = filledWith(now, asset, locale)
        else more = { error: emptyWords(cx, asset) }
        continue
      }
      draft.filled = { text: answer.amount, isMaximum: answer.isMaximum }
      const { amount, problem } = parseAmount(answer.amount, asset.decimals, locale)
      if (amount === undefined || amount === 0n) {
        more = { error: wordsFor(cx, problem, asset, locale) }
        continue
      }
      const wrong = amountProblem(cx, asset, recipient, amount, answer.isMaximum)
      if (wrong) {
        const isShort = !asset.isFrozen && asset.balance !== undefined && amount > asset.balance
        const offer = isShort ? await loadOffer(cx, chain.funding, cx.stage.signal) : undefined
        more = { error: wrong, ...(offer?.covers({ token: asset.token }) && { isFundable: true }) }
        continue
      }
      if (answer.isMaximum) {
        const now = await asking(cx, (signal) => chain.maximum(recipient.address, signal))
        if (now.amount !== amount) {
          // The user sees the new amount before it is signed.
          draft.filled = now.amount > 0n ? filledWith(now, asset, locale) : draft.filled
          more = { notice: cx.t('send.quote.changed') }
          continue
        }
        send = now.send
      } else send = (now) => chain.send(now, recipient.address, amount)
    } catch (cause) {
      more = { error: unreachable(cx, cause) }
      continue
    }
    try {
      return await send(cx)
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof ExternalRefusal) more = { error: refusalWords(cx, cause) }
      // Once the network has it, the form is of no more use.
      else if (options.isSent() || !isTurnedBack(cause)) throw cause
    }
  }
}

/** Asks the network, within a limit, while the pressed button spins. */
const asking = <T>(cx: WalletFlow, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  within(cx.clock, sendLimits.lookUp, work, cx.stage.signal)

/** Has the user add what the wallet lacks for an amount; a coin pays the fee as well, as far as it is known. */
async function fundFor(
  cx: WalletFlow,
  { reread }: SendFormOptions,
  {
    asset: { token, decimals, balance = 0n },
    chain,
    recipient: { address },
    text,
  }: { asset: SendAsset; chain: SendChain; recipient: Recipient; text: string },
): Promise<void> {
  const { amount } = parseAmount(text, decimals, cx.page.language)
  const offer = await loadOffer(cx, chain.funding, cx.stage.signal)
  const quote =
    token === undefined
      ? await asking(cx, (signal) => chain.maximum(address, signal)).catch(() => undefined)
      : undefined
  cx.stage.signal.throwIfAborted()
  const available = quote && quote.amount > 0n ? quote.amount : balance
  const missing = amount !== undefined && amount > available ? { missing: amount - available } : {}
  await addFunds(cx, offer, { token, ...missing })
  await asking(cx, () => reread()).catch(() => cx.stage.signal.throwIfAborted())
}

/** Words for a network that doesn't answer. Anything else ends the flow. */
function unreachable(cx: WalletFlow, cause: unknown): string {
  cx.stage.signal.throwIfAborted()
  if (cause instanceof NodeError || cause instanceof Unreachable || cause instanceof TimedOut)
    return cx.t('send.problem.unreachable')
  throw cause
}

function refusalWords(cx: WalletFlow, { wallet, error }: ExternalRefusal): string {
  const isDeclined = error.code === 'wallet_rejected'
  cx.report(isDeclined ? reworded(error, 'Transaction was rejected by the user') : error)
  return cx.t(isDeclined ? 'send.external.rejected' : 'send.external.failed', { wallet })
}

const emptyWords = ({ t }: WalletFlow, { token }: SendAsset) =>
  t(token === undefined ? 'send.problem.nothing-left' : 'send.problem.too-large')

function wordsFor(
  { t }: WalletFlow,
  problem: ReturnType<typeof parseAmount>['problem'],
  { decimals }: SendAsset,
  locale: string,
): string {
  if (problem === 'ambiguous') return t('send.problem.separator', { separator: decimalSeparator(locale) })
  if (problem === 'too-many-decimals') return t('send.problem.decimals', { count: decimals })
  return t(problem === 'too-large' ? 'send.problem.too-large' : 'send.problem.amount')
}

/** A reason why this amount can't be sent, as far as it is known before the review. */
function amountProblem(
  { t }: WalletFlow,
  { balance, token, isFrozen, ...asset }: SendAsset,
  { inspection: { least, remainder } }: Recipient,
  amount: bigint,
  isMaximum: boolean,
): string | undefined {
  if (isFrozen) return t('send.problem.frozen')
  if (balance !== undefined && amount > balance) return t('send.problem.too-large')
  if (token !== undefined)
    return amount < least ? t('send.problem.token-least', { amount: formatAmount(least, asset) }) : undefined
  if (amount < least) return t('send.problem.least', { amount: formatAmount(least, asset) })
  // The fee leaves as well, so less than this stays.
  if (!isMaximum && balance !== undefined && balance > amount && balance - amount < remainder)
    return t('send.problem.remainder', { amount: formatAmount(remainder, asset) })
  return undefined
}

function filledWith({ amount }: Quote, { decimals }: SendAsset, locale: string): SendAmountProps['filled'] {
  return { text: plainAmount(amount, decimals, locale), isMaximum: true }
}

/** An amount as a user of this locale types it: without separators of thousands. */
export function plainAmount(amount: bigint, decimals: number, locale: string): string {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const rest = decimals > 0 ? digits.slice(-decimals).replace(/0+$/, '') : ''
  return digits.slice(0, digits.length - decimals) + (rest && decimalSeparator(locale) + rest)
}

function assetOf({ assets }: SendFormOptions, draft: Draft): SendAsset {
  const all = assets.get()
  const found = all.find((each) => keyOf(each) === draft.asset) ?? all[0]
  if (!found) throw new KitError('embedded_wallet_not_found', 'There is no wallet to send from')
  draft.asset = keyOf(found)
  return found
}

/** Addresses that mean something to the user on the chain of an asset. */
function knownTo(options: SendFormOptions, { chain, wallet, token }: SendAsset): KnownAddresses {
  const namespace = chain.slice(0, chain.indexOf(':') + 1)
  const own = options.wallets
    .filter(({ chainType, address }) => chainType === wallet.chainType && address !== wallet.address)
    .map(({ address }) => address)
  const recent = options.entries
    .get()
    .filter(
      ({ chain: other, title, status }) =>
        other.startsWith(namespace) && title === 'transfer' && status !== 'failed',
    )
    .flatMap(({ to }) => to ?? [])
    .filter((address) => !own.includes(address) && address !== wallet.address)
  return {
    own: [...new Set(own)],
    recent: [...new Set(recent)],
    tokens: [...options.tokensOf(chain), ...(token === undefined ? [] : [token])],
  }
}

function recipientProps(options: SendFormOptions, asset: SendAsset, to: string): SendRecipientProps {
  const { chain, token, symbol, decimals, network, balance, wallet } = asset
  const { own, recent } = knownTo(options, asset)
  return {
    asset: {
      chain,
      token,
      symbol,
      decimals,
      network,
      balance,
      chainType: wallet.chainType,
      wallet: wallet.address,
      walletName: wallet.name,
    },
    hasChoice: options.assets.get().length > 1,
    to,
    allowsNames: options.allowsNames && wallet.chainType === 'ethereum',
    own: own.slice(0, sendLimits.suggestions),
    recent: recent.slice(0, sendLimits.suggestions),
  }
}

function assetProps({ clock }: WalletFlow, { assets, wallets }: SendFormOptions): SendAssetProps {
  const all = assets.get()
  return {
    now: clock.now(),
    wallets: wallets
      .map(({ address, chainType, name }) => ({
        address,
        chainType,
        name,
        assets: all
          .filter(({ wallet }) => wallet.address === address)
          .map((asset) => {
            const { chain, token, symbol, decimals, network, balance, price } = asset
            return { key: keyOf(asset), chain, token, symbol, decimals, network, balance, price }
          }),
      }))
      .filter(({ assets: own }) => own.length > 0),
  }
}

function amountProps(
  { clock }: WalletFlow,
  { chain, symbol, decimals, network, balance, price, wallet }: SendAsset,
  { address, name, inspection: { rent } }: Recipient,
): Omit<SendAmountProps, 'filled' | 'locale' | 'error' | 'notice'> {
  return {
    asset: { chain, symbol, decimals, network, balance, price },
    from: wallet.address,
    fromName: wallet.name,
    to: address,
    toName: name,
    ...(rent > 0n && { rent: formatAmount(rent, sol) }),
    now: clock.now(),
  }
}

/** Resolves with the next change of the assets. */
const untilChange = (assets: Readable<unknown>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const stop = assets.subscribe(() => {
      stop()
      resolve()
    })
    signal.addEventListener('abort', () => stop(), { once: true })
  })
