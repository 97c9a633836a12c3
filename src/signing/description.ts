/** What the clear-signing room says of a request, as actions and warnings of a preview. */
import {
  type DataProvider,
  type Description,
  type DescriptorSource,
  type GraveCode,
  type Action as RoomAction,
  type DescribedField as RoomField,
  saysNothing,
  unsaidIn,
} from '../clear-signing/index.ts'
import type { TokenAction } from '../ethereum/token-action.ts'
import {
  type Action,
  type Described,
  type DescribedField,
  type OrderItem,
  roomCodes,
  type Warning,
  type WarningCode,
} from './preview.ts'

/** What descriptions are made with, beside the shapes that every wallet knows. */
export interface Knowledge {
  /** Descriptors of the registry, or of the app. */
  readonly descriptors?: readonly DescriptorSource[] | undefined
  /** Names and tokens. */
  readonly data?: DataProvider | undefined
}

/**
 * The words of a descriptor. `undefined` without one, and for a standard that a typed action says as much of: nobody else words an
 * approval of tokens.
 */
export function toDescribed(description: Description, contract?: string): Described | undefined {
  const { isDescribed, descriptor, intent, interpolatedIntent, owner, fields } = description
  if (!isDescribed || !descriptor || descriptor.origin === 'built-in') return undefined
  return {
    kind: 'described',
    intent,
    ...(interpolatedIntent !== undefined && { sentence: interpolatedIntent }),
    owner,
    trust: descriptor.trust,
    auditors: descriptor.auditors.map(({ name, address }) => name ?? address),
    ...(contract && { contract }),
    fields: [...fields.flatMap((field) => toFields(field)), ...unsaidFields(description)],
    ...(isUnvouched(description) && saysNothing(description) && { isBare: true }),
  }
}

/** What a description lacks, by address in lower case: descriptors of contracts, and figures of tokens. */
export function missingIn({ needed }: Pick<Description, 'needed'>): {
  contracts: readonly string[]
  tokens: readonly string[]
} {
  const of = (kind: 'descriptor' | 'token') => [
    ...new Set(needed.flatMap((need) => (need.kind === kind ? [need.address.toLowerCase()] : []))),
  ]
  return { contracts: of('descriptor'), tokens: of('token') }
}

/**
 * One sentence for several calls that are made as one, joined by ' and ' (ERC-7730); `undefined` where a single one of them has none, and for
 * what is no batch.
 */
export function batchSentence({ isDescribed, calls }: Description): string | undefined {
  if (isDescribed || calls.length < 2) return undefined
  const sentences = calls.map(({ description }) => sentenceOf(description))
  const joined = sentences.every((each) => each !== undefined) ? sentences.join(' and ') : undefined
  return joined !== undefined && joined.length <= MAX_SENTENCE ? joined : undefined
}

const sentenceOf = (description: Description): string | undefined =>
  description.isDescribed ? description.interpolatedIntent : batchSentence(description)

/** Characters of one sentence: a longer one pushes what matters out of sight. */
const MAX_SENTENCE = 600

/** A call within a field is displayed by its own fields, under its intent. */
function toFields(field: RoomField, within?: string): readonly DescribedField[] {
  const { label, value, type, raw, address, name, token, callee, group, isAboveThreshold } = field
  const heading = [within, groupLabel(group)].filter((text) => text).join(' · ')
  const placed = heading ? { group: heading } : {}
  if (typeof value !== 'string') {
    const inner = [
      within,
      `${label}: ${value.intent || value.function || value.selector || raw.slice(0, 10)}`,
    ]
    const title = inner.filter((text) => text).join(' · ')
    const to = callee && { label, value: callee.address, address: callee.address, group: title }
    return [
      ...(to ? [to] : []),
      ...value.fields.flatMap((each) => toFields(each, title)),
      ...unsaidFields(value, title),
    ]
  }
  const named = address ?? (type === 'address' ? raw : undefined)
  return [
    {
      label,
      value,
      ...placed,
      ...(named !== undefined && { address: named }),
      ...(name && { source: name.source }),
      ...(token?.address && { token: token.address }),
      ...(isAboveThreshold && { isMaximum: true }),
    },
  ]
}

const isUnvouched = ({ descriptor }: Pick<Description, 'descriptor'>): boolean =>
  descriptor?.trust === 'registry' || descriptor?.trust === 'app'

/** What a descriptor leaves out, unless somebody vouches for it: words that may hide nothing are all that can be believed of it. */
function unsaidFields(description: Description, group?: string): readonly DescribedField[] {
  if (!isUnvouched(description)) return []
  return unsaidIn(description).map(({ path, type, text }) => ({
    label: path || type,
    value: text,
    ...(group && { group }),
    ...(type.startsWith('address') && !type.endsWith(']') && { address: text }),
    isUnsaid: true,
  }))
}

function groupLabel(group: RoomField['group']): string {
  if (!group) return ''
  const { label, index, parent } = group
  const own = index === undefined ? label : `${label} ${index + 1}`.trim()
  return [groupLabel(parent), own].filter((text) => text).join(' · ')
}

/** Typed actions of the room. Those within other calls are among them. */
export function toAction(action: RoomAction): Action {
  switch (action.kind) {
    case 'transfer': {
      const { standard, to, from, contract, amount, tokenId, amountOrId } = action
      if (standard === 'native') return { kind: 'transfer', to, amount: amount ?? 0n }
      const call: TokenAction = {
        action: 'transfer',
        party: to,
        unlimited: false,
        ...(contract && { contract }),
        ...(from && { from }),
        ...(amount !== undefined && { amount }),
        ...(tokenId !== undefined && { token: tokenId }),
        ...(amountOrId !== undefined && { amountOrToken: amountOrId }),
      }
      return { kind: 'token', call }
    }
    case 'allowance': {
      const { spender, token, isUnlimited, isRevoked, reach, expiresAt } = action
      const amount = action.amount ?? (isRevoked ? 0n : undefined)
      const call: TokenAction = {
        action: 'approve',
        party: spender,
        unlimited: isUnlimited,
        ...(token && { contract: token }),
        ...(amount !== undefined && { amount }),
        ...(action.amountOrId !== undefined && { amountOrToken: action.amountOrId }),
        ...(expiresAt !== undefined && { expires: expiresAt }),
        ...(reach && { reach }),
      }
      return { kind: 'token', call }
    }
    case 'operator': {
      const { operator, contract, isGranted } = action
      const call: TokenAction = {
        action: isGranted ? 'approveAll' : 'revokeAll',
        party: operator,
        unlimited: isGranted,
        ...(contract && { contract }),
      }
      return { kind: 'token', call }
    }
    case 'control': {
      const { function: name, contract, subject } = action
      return { kind: 'control', name, ...(contract && { contract }), ...(subject && { subject }) }
    }
    case 'order': {
      const { gives, gets, expiresAt, proceedsTo } = action
      return {
        kind: 'order',
        gives: gives.map(toItem),
        gets: gets.map(toItem),
        ...(expiresAt !== undefined && { expires: expiresAt }),
        ...(proceedsTo && { proceedsTo }),
      }
    }
    case 'delegation': {
      const { form, delegate } = action
      const only = form === 'votes' || form === 'fee' ? form : undefined
      return { kind: 'delegation', ...(delegate && { delegate }), ...(only && { only }) }
    }
    case 'payment':
      return action
    case 'safeTransaction': {
      const { safe, to, isDelegateCall } = action
      return { kind: 'account', form: 'safe', ...(safe && { account: safe }), to, isDelegateCall }
    }
    case 'revocation':
      return { kind: 'revocation', ...(action.contract && { contract: action.contract }) }
    case 'userOperation':
      return {
        kind: 'account',
        form: action.isForwarded ? 'forwarded' : 'userOperation',
        account: action.sender,
        isDelegateCall: false,
      }
    case 'refund': {
      const { account, token, most, to } = action
      return { kind: 'refund', most, ...(account && { account }), ...(token && { token }), ...(to && { to }) }
    }
    default:
      return action satisfies never
  }
}

const toItem = ({
  tokenId,
  ...item
}: { tokenId?: bigint | undefined } & Omit<OrderItem, 'number'>): OrderItem => ({
  ...item,
  ...(tokenId !== undefined && { number: tokenId }),
})

/**
 * The words of each code that is more than an explanation: none of them may be left out. Why a request has no words is one thing to a user,
 * whatever the reason.
 */
const wordsOf: Readonly<Record<GraveCode, WarningCode>> = {
  'all-tokens-allowance': 'unlimited-allowance',
  'unlimited-allowance': 'unlimited-allowance',
  'whole-balance-allowance': 'unlimited-allowance',
  allowance: 'allowance',
  'not-decodable': 'undescribed',
  'unknown-function': 'undescribed',
  'unknown-contract': 'undescribed',
  'unknown-message': 'undescribed',
  'descriptor-refused': 'undescribed',
  ...(Object.fromEntries(roomCodes.map((code) => [code, code])) as {
    [Code in (typeof roomCodes)[number]]: Code
  }),
}
const isGrave = (code: string): code is GraveCode => Object.hasOwn(wordsOf, code)

/** What is said of a request beside its description. */
export interface Said {
  /** Spenders whose allowances have been judged already, with figures of the wallet; what is red stays red. */
  readonly judged?: readonly string[]
  /** Other words say what it does, or that nobody has described it. */
  readonly isRead: boolean
}

/** Warnings of a description. Those that only explain a value have no words. */
export function toWarnings(
  { warnings }: Pick<Description, 'warnings'>,
  { judged = [], isRead }: Said,
): readonly Warning[] {
  return warnings.flatMap(({ code, severity, data }): readonly Warning[] => {
    if (!isGrave(code)) return []
    const named = data.spender ?? data.operator ?? data.delegate ?? data.subject ?? data.to
    const spender = typeof named === 'string' ? named : undefined
    const own = wordsOf[code]
    const isSaid =
      own === 'undescribed'
        ? isRead
        : code === 'allowance' && judged.some((each) => each.toLowerCase() === spender?.toLowerCase())
    return isSaid
      ? []
      : [{ code: own, severity: severity === 'danger' ? 'danger' : 'warning', ...(spender && { spender }) }]
  })
}
