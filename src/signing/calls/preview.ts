/** The preview of several calls that are approved together: each of them, and what all of them cost. */
import { atMost } from '../../ethereum/amounts.ts'
import type { AllowanceChange, BalanceChange, TransactionPreview, Untried, Warning } from '../preview.ts'

/** All calls as one preview, whose figures are those of all together. */
export interface CallsPreview extends TransactionPreview {
  /** Each call, in the order in which they are sent. */
  readonly calls: readonly TransactionPreview[]
  /** One transaction carries out all of them or none. */
  readonly isAtomic?: boolean | undefined
}

/** Adds up previews of calls that one wallet makes on one network, each after those before it. Pure. */
export function toCallsPreview(previews: readonly TransactionPreview[]): CallsPreview {
  const calls = previews.map(withoutFunds)
  const [first] = previews
  if (!first) throw new Error('A batch has no calls')
  const sum = (of: (each: TransactionPreview) => bigint | undefined) =>
    previews.reduce<bigint | undefined>((total, each) => {
      const next = of(each)
      return total === undefined || next === undefined ? undefined : total + next
    }, 0n)
  const value = sum((each) => each.value) ?? 0n
  const exactFee = sum((each) => each.fee)
  const fee = exactFee === undefined ? undefined : atMost(exactFee)
  const rent = previews.some((each) => each.rent !== undefined) ? sum((each) => each.rent ?? 0n) : undefined
  const exactTotal = sum((each) => each.total)
  const total = exactTotal === undefined ? undefined : exactTotal - (exactFee ?? 0n) + (fee ?? 0n)
  const sponsor = previews.every((each) => each.sponsor === first.sponsor) ? first.sponsor : undefined
  const feeConcern = previews.find((each) => each.feeConcern)?.feeConcern
  const { balance } = first
  const needed = mostNeeded(previews)
  const isKnown = balance !== undefined && needed !== undefined
  const missing = isKnown && needed > balance ? needed - balance : undefined
  // A call that can't be paid by itself may be paid by what those before it bring in, which only the sum tells.
  const isUnderfunded = isKnown ? missing !== undefined : previews.some((each) => each.isUnderfunded)
  const changes = mergeChanges(previews.map(({ balanceChanges }) => balanceChanges))
  const prices = previews.flatMap((each) => each.prices ?? [])
  const code = isOnSolana(previews) ? 'solana-insufficientFunds' : 'insufficient-funds'
  return {
    network: first.network,
    coin: first.coin,
    origin: first.origin,
    ...(first.app !== undefined && { app: first.app }),
    wallet: first.wallet,
    value,
    actions: calls.flatMap(({ actions }) => actions),
    ...coinsOutOf(previews, value),
    ...(fee !== undefined && { fee }),
    ...(rent !== undefined && { rent }),
    ...(sponsor !== undefined && { sponsor }),
    ...(total !== undefined && { total }),
    ...(previews.some((each) => each.isFeeClaimed) && { isFeeClaimed: true }),
    ...(prices.length > 0 && {
      prices: {
        ...prices.find(({ coin }) => coin !== undefined),
        tokens: Object.assign({}, ...prices.map(({ tokens }) => tokens)),
      },
    }),
    ...(balance !== undefined && { balance }),
    ...(first.walletCode && { walletCode: first.walletCode }),
    isUnderfunded,
    ...(missing !== undefined && { missing }),
    ...(changes && { balanceChanges: changes }),
    ...(feeConcern && { feeConcern }),
    warnings: [
      ...calls.flatMap(({ warnings }) => warnings),
      ...(isUnderfunded ? [{ code, severity: 'danger' } as const] : []),
    ],
    calls,
  }
}

/**
 * Calls that one transaction of the wallet to itself carries out, all or none.
 * @param whole the preview of that transaction, with its fee and what it changes
 * @param each what each call says by itself
 */
export function toAtomicPreview(
  whole: TransactionPreview,
  each: readonly TransactionPreview[],
): CallsPreview {
  const { actions, fee, balance, warnings, ...more } = whole
  const { fees: _, data: __, tokenShortage: ___, coinsOut: ____, ...rest } = more
  // Code for the wallet's own address stands before the calls that need it.
  const code = actions.filter(({ kind }) => kind === 'code')
  const first = code.length > 0 ? [codeStep(whole, code)] : []
  const calls = [...first, ...each.map(withoutFunds)]
  // The coins of the calls leave with them, and not with the transaction.
  const value = each.reduce((sum, call) => sum + call.value, 0n)
  const total = fee === undefined ? undefined : value + fee
  const missing =
    balance !== undefined && total !== undefined && total > balance ? total - balance : undefined
  const isUnderfunded = missing !== undefined || whole.isUnderfunded
  return {
    ...rest,
    value,
    actions: calls.flatMap((call) => call.actions),
    ...coinsOutOf(each, value),
    ...(fee !== undefined && { fee, total }),
    ...(balance !== undefined && { balance }),
    isUnderfunded,
    missing,
    warnings: [
      ...each.flatMap((call) => call.warnings),
      ...warnings.filter((warning) => !isAboutFunds(warning)),
      ...(isUnderfunded ? [{ code: 'insufficient-funds', severity: 'danger' } as const] : []),
    ],
    calls,
    isAtomic: true,
  }
}

/** The coins that leave by all calls, where accounts send more than the wallet does. */
const coinsOutOf = (
  each: readonly TransactionPreview[],
  value: bigint,
): Pick<TransactionPreview, 'coinsOut'> => {
  const coinsOut = each.reduce((sum, call) => sum + (call.coinsOut ?? call.value), 0n)
  return coinsOut > value ? { coinsOut } : {}
}

const codeStep = (
  { network, coin, origin, wallet }: TransactionPreview,
  actions: TransactionPreview['actions'],
): TransactionPreview => ({
  network,
  coin,
  origin,
  wallet,
  value: 0n,
  actions,
  isUnderfunded: false,
  warnings: [],
})

/** The most that the wallet needs at any moment: what a call brings in pays for those after it. */
function mostNeeded(previews: readonly TransactionPreview[]): bigint | undefined {
  let spent = 0n
  let most = 0n
  for (const each of previews) {
    const { total, value, balanceChanges } = each
    if (total === undefined) return undefined
    if (spent + total > most) most = spent + total
    const changes =
      typeof balanceChanges === 'object' && balanceChanges.isComplete ? balanceChanges : undefined
    const coins = (list: readonly { readonly token?: string | undefined; readonly amount: bigint }[]) =>
      list.reduce((sum, { token, amount }) => (token === undefined ? sum + amount : sum), 0n)
    spent += changes ? total - value + coins(changes.out) - coins(changes.in) : total
  }
  return most
}

/** Why there are no changes of all calls together, where they have several reasons; while one is waited for, nothing is known. */
const untried: readonly Untried[] = ['waiting', 'failed', 'unanswered', 'unavailable', 'follows']

/** Changes that all calls make together, or why those of one aren't known. */
function mergeChanges(
  each: readonly TransactionPreview['balanceChanges'][],
): TransactionPreview['balanceChanges'] {
  const reason = untried.find((one) => each.includes(one))
  if (reason) return reason
  const known = each.flatMap((changes) => (typeof changes === 'object' ? [changes] : []))
  if (known.length < each.length) return undefined
  const net = new Map<string, BalanceChange>()
  const add = (change: BalanceChange, sign: bigint) => {
    const key = `${change.token ?? ''} ${change.id ?? ''}`
    net.set(key, { ...change, amount: (net.get(key)?.amount ?? 0n) + sign * change.amount })
  }
  // The latest allowance of a token for somebody is the one that counts.
  const allowances = new Map<string, AllowanceChange>()
  for (const { out, in: comes, allowances: given } of known) {
    for (const change of out) add(change, -1n)
    for (const change of comes) add(change, 1n)
    for (const change of given)
      allowances.set([change.kind, change.spender, change.account, change.token].join(' '), change)
  }
  const all = [...net.values()]
  return {
    out: all.flatMap((change) => (change.amount < 0n ? [{ ...change, amount: -change.amount }] : [])),
    in: all.filter(({ amount }) => amount > 0n),
    allowances: [...allowances.values()],
    isComplete: known.every(({ isComplete }) => isComplete),
    ...(known.some(({ isDisputed }) => isDisputed) && { isDisputed: true }),
    ...(known.some(({ isSingle }) => isSingle) && { isSingle: true }),
  }
}

const isOnSolana = (previews: readonly Pick<TransactionPreview, 'actions'>[]) =>
  previews.some(({ actions }) => actions.some(({ kind }) => kind === 'instruction'))

/** Whether a warning says that the wallet itself can't pay. */
const isAboutFunds = ({ code, address }: Warning) =>
  code === 'insufficient-funds' || (code === 'solana-insufficientFunds' && address === undefined)

/** Whether the wallet can pay is said of all calls together; one that lacks tokens fails by itself. */
const withoutFunds = ({ missing: _, tokenShortage, ...preview }: TransactionPreview): TransactionPreview => ({
  ...preview,
  isUnderfunded: false,
  warnings: [
    ...preview.warnings.filter((warning) => !isAboutFunds(warning)),
    ...(tokenShortage ? [failureWarning(preview)] : []),
  ],
})

const failureWarning = (preview: Pick<TransactionPreview, 'actions'>): Warning => ({
  code: isOnSolana([preview]) ? 'may-fail' : 'reverts',
  severity: 'danger',
})
