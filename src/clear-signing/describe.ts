/** Describes calls and typed data: finds the descriptor with the most trust that fits, and falls back where it does not. */
import { checksumAddress } from '../ethereum/address.ts'
import { decodeArguments } from '../ethereum/calls/decode.ts'
import { isMultiSend, readInnerCalls, shapeOf } from '../ethereum/calls/inner-calls.ts'
import { MAX_CALL_DEPTH } from '../ethereum/calls/limits.ts'
import type { Value } from '../ethereum/calls/values.ts'
import { isPlainObject, type PlainObject } from '../lib/plain.ts'
import type { Action } from './actions/action.ts'
import { readCallActions } from './actions/calls.ts'
import { checkEncoding } from './actions/encoding.ts'
import { readMessageActions } from './actions/messages.ts'
import { assess, rank } from './assess.ts'
import { type Binding, bindCall, bindMessage } from './bind.ts'
import type { InnerCall } from './call.ts'
import {
  type CallWithin,
  type Candidate,
  type Description,
  type DescriptionWarning,
  type DescriptorReference,
  origins,
  warning,
} from './description.ts'
import { DescriptorError, getCallFormats, getMessageFormats, getProperty } from './descriptor.ts'
import { describeFields } from './fields.ts'
import { MAX_CALL_BYTES, MAX_LABEL, MAX_NAME } from './limits.ts'
import type { Scope } from './scope.ts'
import { interpolate } from './sentence.ts'
import { NotDescribed, type Session } from './session.ts'
import { hasUnseen, shortText } from './text.ts'
import { hashMessageType, messageChainId, type ReadTypedData, toMessageValue } from './typed-data.ts'

type Draft = Omit<Description, 'warnings' | 'needed' | 'actions' | 'own' | 'calls' | 'within'>
const undescribed: Draft = { isDescribed: false, intent: '', owner: '', fields: [], trailing: '0x' }

/** Descriptors that were refused although they are made for the request; more than these are not tried. */
const MAX_CANDIDATES = 16

/** Those with the most trust first: our own, audited, of the registry, of the app. */
const trustOf = ({ origin, auditors }: Candidate): DescriptorReference['trust'] =>
  origin === 'registry' && auditors.length > 0 ? 'audited' : origin
const trusts = ['built-in', 'audited', 'registry', 'app'] as const
const byTrust = (one: Candidate, other: Candidate) =>
  trusts.indexOf(trustOf(one)) - trusts.indexOf(trustOf(other)) ||
  origins.indexOf(one.origin) - origins.indexOf(other.origin)

/** Describes a call, and the calls within it. */
export function describeCallIn(session: Session, call: InnerCall, depth: number): Description {
  const warnings: DescriptionWarning[] = []
  const selector = call.data.length >= 10 ? call.data.slice(0, 10) : undefined
  const inner = createInner(session, depth)
  let draft: Draft = { ...undescribed, ...(selector && { selector }) }
  if (call.data.length > 2 + 2 * MAX_CALL_BYTES) warnings.push(warning('too-large', { reason: 'bytes' }))
  else if (selector) draft = describeSelector(session, call, selector, inner, warnings)
  else if (call.data !== '0x') warnings.push(warning('not-decodable'))
  const encoding = checkEncoding(call)
  if (encoding.isOdd && selector) warnings.push(warning('odd-encoding', { selector }))
  const trailing = draft.trailing === '0x' ? encoding.trailing : draft.trailing
  if (trailing !== '0x') warnings.push(warning('trailing-bytes', { bytes: (trailing.length - 2) / 2 }))
  for (const { isDelegateCall, mayFail, place: _, ...inside } of readInnerCalls(call)) {
    const next = { ...inside, chainId: call.chainId }
    const isForeign = isDelegateCall && !isMultiSend(next)
    inner.describeOnce(next, { isDelegateCall: isForeign, mayFail })
    if (isForeign) warnings.push(warning('delegate-call', { to: checksumAddress(next.to.slice(2)) }))
  }
  const shape = shapeOf(call)
  return inner.finish(
    { ...draft, trailing, ...(shape && { shape }) },
    readCallActions(call, session.data),
    warnings,
    call,
  )
}

interface Inner {
  /** Describes a call that a field of the descriptor displays. */
  describe(call: InnerCall): Description
  /** Describes a call that the shape of the request names. One that a field displays is taken for it once. */
  describeOnce(call: InnerCall, how?: Pick<CallWithin, 'isDelegateCall' | 'mayFail'>): void
  /** Forgets the calls of a descriptor that failed. */
  clear(): void
  finish(
    draft: Draft,
    own: readonly Action[],
    warnings: readonly DescriptionWarning[],
    call?: InnerCall,
  ): Description
}

/** The calls within a call or message. */
function createInner(session: Session, depth: number): Inner {
  let within: CallWithin[] = []
  /** Calls that fields display and that no place in the request has been found for yet. */
  let unplaced: { readonly call: InnerCall; readonly at: number }[] = []

  function describeInner(call: InnerCall): Description {
    const isAllowed = depth < MAX_CALL_DEPTH && session.spendCall()
    return isAllowed
      ? describeCallIn(session, call, depth + 1)
      : {
          ...undescribed,
          actions: [],
          own: [],
          calls: [],
          within: [],
          needed: [],
          warnings: [warning('too-large', { reason: 'calls' })],
        }
  }

  const toWithin = (
    call: InnerCall,
    more: Pick<CallWithin, 'isDelegateCall' | 'mayFail' | 'isDisplayed'>,
  ): CallWithin => ({
    chainId: call.chainId,
    to: checksumAddress(call.to.slice(2)),
    value: call.value ?? 0n,
    data: call.data,
    ...(call.from && { from: checksumAddress(call.from.slice(2)) }),
    ...more,
    description: describeInner(call),
  })

  return {
    describe(call) {
      // Until it has a place in the request, nobody knows that it is made.
      const added = toWithin(call, { isDelegateCall: false, mayFail: true, isDisplayed: true })
      unplaced.push({ call, at: within.length })
      within.push(added)
      return added.description
    },
    describeOnce(call, how = { isDelegateCall: false, mayFail: false }) {
      const place = unplaced.findIndex(({ call: shown }) => shown.to === call.to && shown.data === call.data)
      const [shown] = place < 0 ? [] : unplaced.splice(place, 1)
      if (!shown) {
        within.push(toWithin(call, { ...how, isDisplayed: false }))
        return
      }
      const known = within[shown.at]
      // A field may leave out coins and sender, which the request has.
      const isSame = shown.call.value === call.value && shown.call.from === call.from && !how.isDelegateCall
      within[shown.at] =
        known && isSame ? { ...known, ...how } : toWithin(call, { ...how, isDisplayed: true })
    },
    clear() {
      within = []
      unplaced = []
    },
    // What the whole does is what all of its calls do. That nobody describes one of them is said of that call alone.
    finish(draft, ownActions, warnings, call) {
      const own = ownActions.map((action) => withReach(action, session))
      const found = within.map(({ description }) => description)
      const nested = found.flatMap((each) =>
        each.warnings.filter(({ code, severity }) => severity === 'danger' || code === 'too-large'),
      )
      const later = found.flatMap(({ actions }) => actions)
      const assessed = [
        ...assess(own, call, session.now),
        ...assess(later, undefined, session.now),
        ...accountWarnings([...own, ...later], session),
      ]
      return {
        ...draft,
        calls: within.filter(({ isDisplayed }) => !isDisplayed),
        within,
        own,
        actions: [...own, ...later],
        warnings: rank([...warnings, ...assessed, ...nested]),
        needed: session.needed(),
      }
    },
  }
}

/** An allowance is judged by its effect, however it is written: half of what can be counted is as good as all to a wallet that has less. */
function withReach(action: Action, { data, need }: Session): Action {
  if (action.kind !== 'allowance' || action.isRevoked) return action
  if (action.isUnlimited) return { ...action, reach: 'all' }
  const { chainId = 0, token, amount = action.amountOrId } = action
  if (!token || amount === undefined) return action
  const figures = data.tokenFigures?.(chainId, token.toLowerCase())
  if (!figures) {
    need({ kind: 'tokenFigures', chainId, address: token.toLowerCase() })
    return action
  }
  const { balance, supply } = figures
  const isAll = amount >= balance || (supply !== undefined && amount >= supply)
  return { ...action, reach: isAll ? 'all' : 'part' }
}

/** Programs are allowed to spend; a person's account that is, takes. */
function accountWarnings(actions: readonly Action[], { data }: Session): readonly DescriptionWarning[] {
  return actions.flatMap((action) => {
    if (action.kind !== 'allowance' && action.kind !== 'operator') return []
    const isGranted = action.kind === 'operator' ? action.isGranted : !action.isRevoked
    const spender = action.kind === 'operator' ? action.operator : action.spender
    const kinds = data.addressKinds?.(action.chainId ?? 0, spender.toLowerCase()) ?? []
    const isAccount = kinds.length > 0 && kinds.every((kind) => kind === 'eoa' || kind === 'wallet')
    return isGranted && isAccount ? [warning('allowance-to-account', { spender })] : []
  })
}

function describeSelector(
  session: Session,
  call: InnerCall,
  selector: string,
  inner: Inner,
  warnings: DescriptionWarning[],
): Draft {
  const { chainId, to } = call
  const candidates = callCandidates(session, chainId, to)
  let tried = 0
  let failure: DescriptionWarning | undefined
  let decoded: Pick<Draft, 'values' | 'function' | 'trailing'> | undefined
  for (const candidate of candidates) {
    const binding = bindCall(candidate, chainId, to, session)
    if (!binding) continue
    if (++tried > MAX_CANDIDATES) break
    try {
      const found = getCallFormats(candidate.descriptor).get(selector)
      if (!found) continue
      const { signature, format } = found
      const result = decodeArguments(signature.parameters, call.data.slice(10))
      if (!result) {
        failure ??= warning('not-decodable', { function: signature.text })
        continue
      }
      decoded ??= { values: result.values, function: signature.text, trailing: result.trailing }
      const scope = {
        session,
        descriptor: candidate.descriptor,
        container: call,
        root: result.values,
        describeCall: inner.describe,
      }
      const draft = describeFormat(scope, format, candidate, binding, warnings)
      return {
        ...draft,
        selector,
        function: signature.text,
        values: result.values,
        trailing: result.trailing,
      }
    } catch (error) {
      failure ??= failureOf(error)
      inner.clear()
    }
  }
  const unknown =
    tried > 0
      ? warning('unknown-function', { selector })
      : warning('unknown-contract', { address: checksumAddress(to.slice(2)) })
  if (tried === 0) {
    session.need({ kind: 'descriptor', chainId, address: to })
    session.need({ kind: 'implementation', chainId, address: to })
  }
  warnings.push(failure ?? unknown)
  return { ...undescribed, ...decoded, selector }
}

/** Descriptors for a contract, and for the implementation behind it. */
function callCandidates(session: Session, chainId: number, to: string): readonly Candidate[] {
  const implementation = session.data.implementation?.(chainId, to)?.toLowerCase()
  const found = [
    ...session.source.calls(chainId, to),
    ...(implementation && implementation !== to ? session.source.calls(chainId, implementation) : []),
  ]
  return [...new Set(found)].sort(byTrust)
}

/** Describes typed data, and the calls within it. */
export function describeMessageIn(
  session: Session,
  { typed, hasWrongChecksum, isDomainIncomplete }: ReadTypedData,
  from: string | undefined,
): Description {
  const warnings: DescriptionWarning[] = []
  if (hasWrongChecksum) warnings.push(warning('invalid-checksum'))
  if (isDomainIncomplete) warnings.push(warning('domain-incomplete'))
  const values = toMessageValue(typed)
  const inner = createInner(session, 0)
  const container = {
    chainId: messageChainId(typed),
    to: typed.domain.contract?.toLowerCase(),
    from,
    value: 0n,
  }
  const draft = describeType(
    { session, root: values, container, describeCall: inner.describe },
    typed,
    values,
    inner,
    warnings,
  )
  const own = readMessageActions(typed, values, from)
  for (const action of own)
    if (action.kind === 'safeTransaction' || action.kind === 'userOperation')
      for (const call of action.calls)
        inner.describeOnce(call, {
          isDelegateCall: action.kind === 'safeTransaction' && action.isDelegateCall,
          mayFail: false,
        })
  return inner.finish(draft, own, warnings)
}

function describeType(
  part: Omit<Scope, 'descriptor'>,
  typed: ReadTypedData['typed'],
  values: Value,
  inner: Inner,
  warnings: DescriptionWarning[],
): Draft {
  const { session } = part
  const hash = hashMessageType(typed)
  const { chainId, to } = part.container
  let failure: DescriptionWarning | undefined
  let tried = 0
  // Without a chain and a contract there is nothing that a descriptor could be bound to.
  const found = chainId === undefined || !to ? [] : session.source.messages(hash, chainId, to)
  for (const candidate of [...found].sort(byTrust)) {
    try {
      const format = getMessageFormats(candidate.descriptor).get(hash)
      const binding = format && bindMessage(candidate, typed, session)
      if (!format || !binding) continue
      if (++tried > MAX_CANDIDATES) break
      const draft = describeFormat(
        { ...part, descriptor: candidate.descriptor },
        format,
        candidate,
        binding,
        warnings,
      )
      return { ...draft, values }
    } catch (error) {
      failure ??= failureOf(error)
      inner.clear()
    }
  }
  if (!failure && chainId !== undefined && to) {
    session.need({ kind: 'descriptor', chainId, address: to })
    session.need({ kind: 'implementation', chainId, address: to })
  }
  warnings.push(failure ?? warning('unknown-message', { type: shortText(typed.primaryType, MAX_NAME) }))
  return { ...undescribed, values }
}

/** Words of a descriptor for a request that it is bound to. Warnings are added once nothing can fail any more. */
function describeFormat(
  scope: Scope,
  format: PlainObject,
  candidate: Candidate,
  binding: Exclude<Binding, undefined>,
  warnings: DescriptionWarning[],
): Draft {
  const { descriptor, path, hash, auditors, origin } = { ...candidate }
  const described = describeFields(scope, format.fields)
  const { intent, intentParts, isForged } = intentOf(format)
  const template = format.interpolatedIntent
  const sentence = typeof template === 'string' ? interpolate(template, described.rendered) : undefined
  if (typeof template === 'string' && sentence === undefined) warnings.push(warning('intent-incomplete'))
  const metadata = getProperty(descriptor, 'metadata')
  const [owner, contractName] = ['owner', 'contractName'].map((key) => getProperty(metadata, key))
  if (isForged || [owner, contractName].some((text) => typeof text === 'string' && hasUnseen(text)))
    warnings.push(warning('hidden-characters'))
  if (binding !== 'direct')
    warnings.push(
      warning('through-proxy', { implementation: checksumAddress(binding.implementation.slice(2)) }),
    )
  warnings.push(...described.warnings)
  // A field's own warnings stay with it, but for those that change what the whole can be taken for.
  for (const { warnings: own } of described.fields)
    warnings.push(...own.filter(({ severity }) => severity !== 'info'))
  return {
    isDescribed: true,
    intent,
    ...(intentParts && { intentParts }),
    ...(sentence !== undefined && { interpolatedIntent: sentence }),
    owner: typeof owner === 'string' ? shortText(owner, MAX_NAME) : '',
    ...(typeof contractName === 'string' && { contractName: shortText(contractName, MAX_NAME) }),
    fields: described.fields,
    trailing: '0x',
    descriptor: {
      origin,
      trust: trustOf(candidate),
      auditors,
      ...(path !== undefined && { path }),
      ...(hash !== undefined && { hash }),
      ...(binding !== 'direct' && { throughProxy: checksumAddress(binding.implementation.slice(2)) }),
    },
  }
}

function intentOf({ intent }: PlainObject): {
  intent: string
  intentParts?: readonly (readonly [string, string])[]
  isForged: boolean
} {
  if (typeof intent === 'string') return { intent: shortText(intent, MAX_LABEL), isForged: hasUnseen(intent) }
  if (!isPlainObject(intent)) return { intent: '', isForged: false }
  const parts = Object.entries(intent)
    .slice(0, 8)
    .flatMap(([label, words]) =>
      typeof words === 'string' ? [[shortText(label, MAX_LABEL), shortText(words, MAX_LABEL)] as const] : [],
    )
  return {
    intent: parts.map(([label, words]) => `${label}: ${words}`).join(', '),
    intentParts: parts,
    isForged: Object.entries(intent).some(([label, words]) => hasUnseen(`${label}${words}`)),
  }
}

function failureOf(error: unknown): DescriptionWarning {
  if (error instanceof NotDescribed) return warning(error.code, error.data)
  if (error instanceof DescriptorError) return warning('descriptor-refused', { reason: error.problem })
  throw error
}
