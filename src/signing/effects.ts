/** What calls do, each at its own place in a request: a call within another is known by its place and never by its content. */
import type { Description } from '../clear-signing/index.ts'
import { type CallAction, readTokenCall } from '../ethereum/call-actions.ts'
import type { TokenAction } from '../ethereum/token-action.ts'
import { toAction, toDescribed } from './description.ts'
import { type Action, isOpaque } from './preview.ts'

/** A call at its place in a request: the request itself, or one within it. */
export interface PlacedCall {
  readonly to?: string | undefined
  readonly value: bigint
  readonly data: string
  /** The account that makes it. */
  readonly from?: string | undefined
  readonly isDelegateCall: boolean
  /** Without it the others go on, or nobody knows that it is made. */
  readonly mayFail?: boolean
  /** A field of a descriptor displays it, and the words of that descriptor are displayed. */
  readonly isDisplayed: boolean
  readonly description: Description
}
/** What calls do, and the coins that leave by all of them. */
export interface Effects {
  readonly actions: readonly Action[]
  readonly coins: bigint
}

/**
 * All that a call does, each call within it by its own place: in the words of its descriptor if it has one, else by its bytes. A known call
 * of a token has no other words than ours, whoever describes it.
 */
export function readEffects(call: PlacedCall, wallet: string): Effects {
  const { actions, balances } = follow(call, wallet)
  const refunds = actions.reduce(
    (sum, action) =>
      action.kind === 'refund' && action.token === undefined && action.to !== wallet
        ? sum + action.most
        : sum,
    0n,
  )
  return { actions, coins: shortageIn(balances) + refunds }
}

/** By how many coins each account that makes calls is better or worse off. What it only passes on is counted once. */
type Balances = Map<string, bigint>

const add = (balances: Balances, account: string, amount: bigint) =>
  balances.set(account, (balances.get(account) ?? 0n) + amount)
const shortageIn = (balances: Balances): bigint =>
  [...balances.values()].reduce((sum, amount) => (amount < 0n ? sum - amount : sum), 0n)

function follow(
  call: PlacedCall,
  wallet: string,
): { readonly actions: readonly Action[]; readonly balances: Balances } {
  const { to = '', value, from = wallet, mayFail = false, isDisplayed, description } = call
  const balances: Balances = new Map()
  if (value > 0n) {
    add(balances, from, -value)
    add(balances, to, value)
  }
  const by = from === wallet ? undefined : from
  const own = ownActions(call).map((action, at) => ({
    ...(by !== undefined && action.kind === 'token' ? { ...action, call: ownedBy(action.call, by) } : action),
    ...(at === 0 && value > 0n && action.kind !== 'transfer' && { coins: value }),
    ...(by !== undefined && { by }),
  }))
  const hasWords = own.some(({ kind }) => kind === 'described')
  const within = description.within.map((each) =>
    follow({ ...each, isDisplayed: each.isDisplayed && hasWords }, wallet),
  )
  for (const each of within) for (const [account, amount] of each.balances) add(balances, account, amount)
  // Coins that it brings can't make up for those that leave beside it.
  if (mayFail) for (const [account, amount] of balances) if (amount > 0n) balances.set(account, 0n)
  return {
    actions: [
      ...(isDisplayed ? own.flatMap((action) => besideField(action, to)) : own),
      ...within.flatMap((each) => each.actions),
    ],
    balances,
  }
}

/**
 * What is said of an action beside the field that displays it. Its words aren't said again; what leaves, who gets power, and that nobody
 * says what it does are said.
 */
function besideField(action: Action, to: string): readonly Action[] {
  if (action.kind !== 'described' || action.coins !== undefined) return [action]
  return isOpaque(action) ? [{ kind: 'call', to, ...(action.by !== undefined && { by: action.by }) }] : []
}

/** A transfer out of what the account has that makes the call. */
const ownedBy = (call: TokenAction, by: string): TokenAction =>
  call.action === 'transfer' && call.from === undefined ? { ...call, from: by } : call

/** What a call does by itself, without the calls within it. */
function ownActions({ to, value, data, isDelegateCall, description }: PlacedCall): readonly Action[] {
  if (!to) return [{ kind: 'deploy' }]
  if (data === '0x' && !isDelegateCall) return [{ kind: 'transfer', to, amount: value }]
  const token = isDelegateCall ? undefined : readTokenCall(data, to)
  const described = toDescribed(description, to)
  if (token && (token.action !== 'mint' || !described)) return byBytes(token)
  const typed = description.own.filter((action) => !isNativeTransfer(action)).map(toAction)
  if (described) return [described, ...typed]
  const { shape, within } = description
  // A list of calls says nothing but its calls, a deployment makes an account beside them; an account's is about what the account has.
  const container =
    within.length === 0 || shape === undefined
      ? []
      : shape === 'batch' || shape === 'deployment'
        ? value > 0n || isDelegateCall || shape === 'deployment'
          ? [{ kind: 'call', to } as const]
          : []
        : [{ kind: 'account', form: forms[shape], account: to, isDelegateCall } as const]
  if (container.length > 0) return [...container, ...typed]
  // Whoever gets power by a call need not be the contract that gets the coins.
  const along = value > 0n ? [{ kind: 'transfer', to, amount: value } as const] : []
  if (typed.length > 0) return [...along, ...typed]
  return within.length > 0 ? [] : [{ kind: 'call', to }]
}
const forms = { account: 'smart', safe: 'safe', operations: 'entryPoint' } as const

const isNativeTransfer = (action: Description['own'][number]) =>
  action.kind === 'transfer' && action.standard === 'native'

function byBytes(action: CallAction): readonly Action[] {
  switch (action.action) {
    case 'send':
      return [{ kind: 'transfer', to: action.party, amount: action.amount }]
    case 'mint': {
      const { contract, party, amount, token, amountOrToken, items } = action
      const each = items ?? [{ amount, token }]
      return each.map((item) => ({
        kind: 'mint',
        ...(contract && { contract }),
        ...(party && { to: party }),
        ...(item.amount !== undefined && { amount: item.amount }),
        ...(item.token !== undefined && { token: item.token }),
        ...(amountOrToken !== undefined && { amountOrToken }),
      }))
    }
    case 'batchTransfer': {
      const { contract, from, party, items } = action
      return items.map(({ token, amount }) => ({
        kind: 'token',
        call: {
          action: 'transfer',
          ...(contract && { contract }),
          from,
          party,
          token,
          amount,
          unlimited: false,
        },
      }))
    }
    case 'deploy':
      return [{ kind: 'deploy' }]
    case 'unknown':
      return action.contract ? [{ kind: 'call', to: action.contract }] : []
    default:
      return [{ kind: 'token', call: action }]
  }
}
