/** The red list: warnings of what actions may take, few and ranked. */
import type { Action, Allowance, Order, Transfer } from './actions/action.ts'
import type { InnerCall } from './call.ts'
import { type DescriptionWarning, severities, warning } from './description.ts'

const ZERO = '0x0000000000000000000000000000000000000000'
/** A permit that may be used for longer than this outlives what it is for. */
const LONG = 90n * 86_400n
/** Beyond this a date is no date: no end. */
const NEVER = 1n << 47n

/** Warnings of what is done. `now` in seconds tells a long permit; without it the end is only named. */
export function assess(
  actions: readonly Action[],
  call: InnerCall | undefined,
  now?: bigint,
): readonly DescriptionWarning[] {
  return actions.flatMap((action): readonly DescriptionWarning[] => {
    switch (action.kind) {
      case 'transfer':
        return transferWarnings(action, call)
      case 'allowance':
        return allowanceWarnings(action, now)
      case 'operator':
        return action.isGranted
          ? [warning('all-tokens-allowance', texts({ operator: action.operator, contract: action.contract }))]
          : []
      case 'control':
        return [
          warning(
            'control-change',
            texts({
              change: action.change,
              function: action.function,
              subject: action.subject,
              contract: action.contract,
            }),
          ),
        ]
      case 'order':
        return orderWarnings(action)
      case 'delegation':
        if (action.form === 'eip7702')
          return [
            warning('account-delegation', {
              ...texts({ delegate: action.delegate }),
              isEveryChain: action.chainId === 0,
            }),
          ]
        if (action.form === 'session-key') return [warning('session-key')]
        if (action.form === 'votes' || action.form === 'fee')
          return [warning(`${action.form}-delegation`, texts({ delegate: action.delegate }))]
        return [
          warning(
            action.isOpen ? 'open-delegation' : 'delegation',
            texts({ delegate: action.delegate, form: action.form }),
          ),
        ]
      case 'safeTransaction':
        return [
          warning('safe-transaction', texts({ safe: action.safe, to: action.to })),
          ...(action.isDelegateCall ? [warning('delegate-call', { to: action.to })] : []),
        ]
      case 'userOperation':
        return [warning('user-operation', { sender: action.sender })]
      case 'payment':
        return [warning('signed-transfer', { to: action.to })]
      case 'revocation':
        return []
      case 'refund':
        return action.to !== undefined && action.to.toLowerCase() === call?.from
          ? []
          : [warning('refund', texts({ to: action.to, token: action.token }))]
      default:
        return action satisfies never
    }
  })
}

function orderWarnings({
  protocol,
  gives,
  gets,
  proceedsTo,
  isUnreadable,
}: Order): readonly DescriptionWarning[] {
  const isPaid = gets.some(({ amount, tokenId }) => amount > 0n || tokenId !== undefined)
  const code = isUnreadable
    ? 'unreadable-order'
    : gives.length > 0 && !isPaid
      ? 'sell-order-without-price'
      : 'order'
  const elsewhere = proceedsTo === undefined ? [] : [warning('proceeds-elsewhere', { to: proceedsTo })]
  return [warning(code, { protocol }), ...elsewhere]
}

function transferWarnings(transfer: Transfer, call: InnerCall | undefined): readonly DescriptionWarning[] {
  const { to, contract, standard, isSigned } = transfer
  const found: DescriptionWarning[] = []
  if (contract !== undefined && to === contract) found.push(warning('token-contract-recipient', { contract }))
  if (to === ZERO && !(standard === 'native' && call && call.data !== '0x'))
    found.push(warning('zero-address-recipient'))
  if (isSigned) found.push(warning('signed-transfer', texts({ to, contract })))
  return found
}

function allowanceWarnings(allowance: Allowance, now: bigint | undefined): readonly DescriptionWarning[] {
  const { isRevoked, isUnlimited, reach, spender, token, witness, expiresAt, isSigned } = allowance
  if (isRevoked) return []
  const data = texts({ spender, token, method: allowance.method })
  const code = isUnlimited ? 'unlimited-allowance' : reach === 'all' ? 'whole-balance-allowance' : 'allowance'
  const found = [warning(code, data)]
  if (witness !== undefined) found.push(warning('witness', { witness }))
  const isLong =
    expiresAt === undefined || expiresAt >= NEVER || (now !== undefined && expiresAt > now + LONG)
  if (isSigned && isLong) found.push(warning('long-allowance', data))
  return found
}

const texts = (data: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(data).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )

const codes = Object.keys(severities)
/** Warnings with the gravest first, each once. */
export function rank(warnings: readonly DescriptionWarning[]): readonly DescriptionWarning[] {
  const seen = new Map(warnings.map((each) => [`${each.code} ${JSON.stringify(each.data)}`, each]))
  return [...seen.values()].sort((one, other) => codes.indexOf(one.code) - codes.indexOf(other.code))
}
