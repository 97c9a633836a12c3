/**
 * State of contracts beside their logs: who may act for an account, or take what it has, read before and after a transaction. A contract
 * logs what it likes; what it answers later is what it goes by.
 */

import { checksumAddress } from './address.ts'
import { bytes, readFields, readList, unusable } from './answers.ts'
import { type AllowanceChange, type LogEntry, PERMIT2, UNLIMITED } from './asset-changes.ts'
import { readActions } from './call-actions.ts'
import { formatQuantity } from './integer.ts'
import { ethereumLimits } from './limits.ts'
import type { ChainNode } from './rpc.ts'
import { addressWord, balanceOfData, erc20Selectors, readUint } from './tokens.ts'
import type { WalletTransaction } from './transaction.ts'
import { newCodeOf, stateAfterAuthorization } from './wallet-code.ts'

type Hex = `0x${string}`

/** Somebody has a role at a contract afterwards, and had none before. */
export interface RoleChange {
  /** `operator`: may act for all that the account has there. `delegate`: may borrow for it. `code`: is its own code. */
  readonly kind: 'operator' | 'delegate' | 'owner' | 'control' | 'code'
  /** The contract; of `code` the wallet itself. */
  readonly account: Hex
  readonly spender: Hex
  /** What a delegate may borrow. */
  readonly amount?: bigint | undefined
}

/** What a transaction changes in the state that was read. */
export interface StateChanges {
  /** Allowances that have grown, as their contracts say. */
  readonly allowances: readonly AllowanceChange[]
  /** Allowances that a contract has answered for, so that its logs say nothing more of them. */
  readonly answered: ReadonlySet<string>
  readonly roles: readonly RoleChange[]
  /** By how much the balance of a token has grown. */
  readonly balances: ReadonlyMap<string, bigint>
}

/** What is read around one transaction. */
export interface StatePlan {
  readonly reads: readonly StateRead[]
  /** `false`: more contracts or addresses are named than are asked about. */
  readonly isComplete: boolean
}

interface StateRead {
  readonly to: Hex
  readonly input: Hex
  /** What the answers before and after mean. */
  readonly compare: (before: Hex | undefined, after: Hex) => Found
}
type Found = Partial<{
  readonly allowance: AllowanceChange
  readonly answered: string
  readonly roles: readonly RoleChange[]
  readonly balance: readonly [token: string, change: bigint]
}>

const selectors = {
  isApprovedForAll: '0xe985e9c5',
  /** ERC-777. */
  isOperatorFor: '0xd95b6371',
  /** Aave's tokens of debt. */
  borrowAllowance: '0x6bd76d24',
  /** Comet. */
  hasPermission: '0xcde68041',
  /** Morpho. */
  isAuthorized: '0x65e4ad9e',
  /** AccessControl. */
  hasRole: '0x91d14854',
  /** Safe. */
  isModuleEnabled: '0x2d9ad53d',
  getOwners: '0xa0e67e2b',
  getThreshold: '0xe75235b8',
  /** ERC-173, and its two steps. */
  owner: '0x8da5cb5b',
  pendingOwner: '0xe30c3978',
  permit2Allowance: '0x927da105',
} as const
const NOBODY = `0x${'0'.repeat(40)}`
const ADMIN = '0'.repeat(64)
const UNLIMITED_160 = (1n << 160n) - 1n
/** A contract that burns whatever it is given must not use up the block. */
const READ_GAS = 100_000n
const MOST_OWNERS = 64
/** Contracts that are asked about the account itself. */
const MOST_OWN = 8

/** An allowance by what it is for. */
export const allowanceKey = ({
  kind,
  token,
  spender,
  id,
  isPermit2,
}: Pick<AllowanceChange, 'kind' | 'token' | 'spender' | 'id' | 'isPermit2'>): string =>
  [isPermit2, kind, token, spender, id].join()

/**
 * Plans what is read around a transaction: everybody whom its bytes or its logs name, at each contract that it calls.
 * @param logs of the same transaction on trial
 */
export function planState(request: WalletTransaction, logs: readonly LogEntry[]): StatePlan {
  const { from, to, value, data } = request
  if (to === undefined || data === '0x') return { reads: [], isComplete: true }
  const me = from as Hex
  const isOther = (address: string) => address !== me && address !== NOBODY
  const { actions, contracts: within, isComplete } = readActions({ to, value, data })
  const called = distinct([
    to,
    ...actions.flatMap((each) => ('contract' in each && each.contract) || []),
    ...within,
  ])
  const contracts = called.filter(isOther).slice(0, ethereumLimits.stateContracts) as Hex[]
  const named = namedIn(data).filter(isOther)
  const logged = logs.flatMap((log) => loggedPairs(log, me))
  // What logs name comes first: the transaction has done something with it for certain.
  const pairs = distinctPairs([
    ...logged.filter(([, who]) => isOther(who)),
    ...contracts.flatMap((contract) => named.map((who) => [contract, who] as const)),
  ]).filter(([contract, who]) => contract !== who)
  const asked = pairs.slice(0, ethereumLimits.statePairs)
  const tokens = distinct([...contracts, ...asked.map(([contract]) => contract)]).slice(0, MOST_OWN) as Hex[]
  const permits =
    to === PERMIT2 || named.includes(PERMIT2) || called.includes(PERMIT2)
      ? distinctPairs(named.flatMap((token) => named.map((who) => [token, who] as const)))
          .filter(([token, who]) => token !== who)
          .slice(0, ethereumLimits.statePairs)
      : []
  return {
    reads: [
      ...asked.flatMap(([contract, who]) => (contract === PERMIT2 ? [] : pairReads(me, contract, who))),
      ...distinctPairs([...logs.flatMap((log) => permit2Pairs(log, me)), ...permits]).map(([token, who]) =>
        permit2Read(me, token, who),
      ),
      ...tokens.flatMap((contract) => contractReads(me, contract)),
    ],
    isComplete:
      isComplete && pairs.length === asked.length && called.filter(isOther).length === contracts.length,
  }
}

const distinct = <T>(list: readonly T[]): readonly T[] => [...new Set(list)]
type Pair = readonly [contract: Hex, who: Hex]
const distinctPairs = (pairs: readonly Pair[]): readonly Pair[] => [
  ...new Map(pairs.map((pair) => [pair.join(), pair])).values(),
]

/** Words of an address: twelve empty bytes before it, wherever they begin, since calls nest at any place. */
function namedIn(data: string): readonly Hex[] {
  const found: Hex[] = []
  for (const { index } of data.matchAll(/(?=0{24}[\da-f]{40})/gi)) {
    const digits = data.slice(index + 24, index + 64)
    const isWhole = index % 2 === 0
    // Further on in a longer run of empty bytes it would be another one's half.
    const isStart = !digits.startsWith('00') || (index - 10) % 64 === 0
    // Lengths, places and amounts are no addresses.
    if (isWhole && isStart && !digits.startsWith('0'.repeat(16))) found.push(checksumAddress(digits) as Hex)
  }
  return distinct(found)
}

/** Whoever stands beside the account in a log, which is about both of them. */
function loggedPairs({ address, topics, data }: LogEntry, me: Hex): readonly Pair[] {
  const words = [...topics.slice(1), ...(data.length === 66 ? [data] : [])]
  const named = words.flatMap((word) => namedIn(word))
  return named.includes(me) && address !== PERMIT2 ? named.map((who) => [address, who] as const) : []
}

/** Logs of Permit2 name the owner, the token and the spender. */
function permit2Pairs({ address, topics }: LogEntry, me: Hex): readonly Pair[] {
  const [owner, token, spender] = topics.slice(1).flatMap((word) => namedIn(word))
  return address === PERMIT2 && owner === me && token && spender ? [[token, spender]] : []
}

const word = addressWord
const isTrue = (answer: Hex | undefined): boolean => answer !== undefined && readUint(answer) === 1n
const numberOf = (answer: Hex | undefined): bigint => (answer && readUint(answer)) ?? 0n

/** What an address may do for the account at a contract. */
function pairReads(me: Hex, contract: Hex, who: Hex): readonly StateRead[] {
  const read = (selector: string, words: readonly string[], compare: StateRead['compare']): StateRead => ({
    to: contract,
    input: `${selector}${words.join('')}` as Hex,
    compare,
  })
  const mine = [word(me), word(who)]
  const role =
    (kind: RoleChange['kind']): StateRead['compare'] =>
    (before, after) =>
      isTrue(after) && !isTrue(before) ? { roles: [{ kind, account: contract, spender: who }] } : {}
  const all = { kind: 'all', token: contract, spender: who, isPermit2: false } as const
  return [
    read(erc20Selectors.allowance, mine, (before, after) =>
      grown({ kind: 'amount', token: contract, spender: who, isPermit2: false }, before, after, UNLIMITED),
    ),
    read(selectors.isApprovedForAll, mine, (before, after) =>
      readUint(after) === undefined
        ? {}
        : {
            answered: allowanceKey(all),
            ...(isTrue(after) && !isTrue(before) && { allowance: { ...all, amount: 1n, isUnlimited: true } }),
          },
    ),
    read(selectors.isOperatorFor, [word(who), word(me)], role('operator')),
    read(selectors.hasPermission, mine, role('operator')),
    read(selectors.isAuthorized, mine, role('operator')),
    read(selectors.borrowAllowance, mine, (before, after) =>
      numberOf(after) > numberOf(before)
        ? { roles: [{ kind: 'delegate', account: contract, spender: who, amount: numberOf(after) }] }
        : {},
    ),
    read(selectors.hasRole, [ADMIN, word(who)], role('control')),
    read(selectors.isModuleEnabled, [word(who)], role('control')),
  ]
}

function permit2Read(me: Hex, token: Hex, who: Hex): StateRead {
  return {
    to: PERMIT2,
    input: `${selectors.permit2Allowance}${word(me)}${word(token)}${word(who)}`,
    compare(before, after) {
      if (after.length !== 2 + 3 * 64) return {}
      const at = (answer: Hex | undefined, place: number) =>
        answer?.length === 2 + 3 * 64 ? BigInt(`0x${answer.slice(2 + place * 64, 66 + place * 64)}`) : 0n
      const change = { kind: 'amount', token, spender: who, isPermit2: true } as const
      const [amount, expires] = [at(after, 0), at(after, 1)]
      const isMore = amount > at(before, 0) || (amount > 0n && expires > at(before, 1))
      return {
        answered: allowanceKey(change),
        ...(isMore && { allowance: { ...change, amount, isUnlimited: amount >= UNLIMITED_160, expires } }),
      }
    },
  }
}

function grown(
  change: Omit<AllowanceChange, 'amount' | 'isUnlimited'>,
  before: Hex | undefined,
  after: Hex,
  unlimited: bigint,
): Found {
  const amount = readUint(after)
  if (amount === undefined) return {}
  return {
    answered: allowanceKey(change),
    ...(amount > numberOf(before) && {
      allowance: { ...change, amount, isUnlimited: amount >= unlimited },
    }),
  }
}

/** Whose a contract is, and what the account has there. */
function contractReads(me: Hex, contract: Hex): readonly StateRead[] {
  const own = (kind: RoleChange['kind'], spender: Hex): Found => ({
    roles: [{ kind, account: contract, spender }],
  })
  const owner: StateRead = {
    to: contract,
    input: selectors.owner,
    compare: (before, after) => {
      const next = addressOf(after)
      return addressOf(before) === me && next && next !== me && next !== NOBODY ? own('owner', next) : {}
    },
  }
  return [
    owner,
    {
      to: contract,
      input: selectors.pendingOwner,
      compare: (before, after) => {
        const next = addressOf(after)
        return next && next !== addressOf(before) && next !== me && next !== NOBODY ? own('owner', next) : {}
      },
    },
    {
      to: contract,
      input: selectors.getOwners,
      compare: (before, after) => {
        const had = ownersOf(before)
        const added = ownersOf(after).filter((each) => !had.includes(each) && each !== me)
        return { roles: added.map((spender) => ({ kind: 'control' as const, account: contract, spender })) }
      },
    },
    {
      to: contract,
      input: selectors.getThreshold,
      // Fewer of the others are enough from then on.
      compare: (before, after) =>
        numberOf(after) > 0n && numberOf(after) < numberOf(before) ? own('control', contract) : {},
    },
    {
      to: contract,
      input: balanceOfData(me),
      compare: (before, after) => {
        const now = readUint(after)
        const was = before === undefined ? undefined : readUint(before)
        return now === undefined || was === undefined ? {} : { balance: [contract, now - was] }
      },
    },
  ]
}

function addressOf(answer: Hex | undefined): Hex | undefined {
  return answer && /^0x0{24}[\da-f]{40}$/.test(answer)
    ? (checksumAddress(answer.slice(26)) as Hex)
    : undefined
}

/** A list of addresses as contracts return it. */
function ownersOf(answer: Hex | undefined): readonly Hex[] {
  if (!answer || answer.length > 2 + 64 * (MOST_OWNERS + 2) || !answer.startsWith(`0x${word('0x20')}`))
    return []
  const words = answer.slice(2 + 128).match(/.{64}/g) ?? []
  return words.flatMap((each) => addressOf(`0x${each}`) ?? [])
}

const WHAT = 'a simulation'

/**
 * Runs transactions on trial once more, in their order, and reads what is planned around each. Throws a `NodeError` for an answer that can't
 * be used, `Unreachable`, or the signal's reason.
 * @returns for each the changes; `undefined` where it failed this time
 */
export async function readStates(
  node: ChainNode,
  runs: readonly { readonly request: WalletTransaction; readonly plan: StatePlan }[],
  signal: AbortSignal | undefined,
): Promise<readonly (StateChanges | undefined)[]> {
  const blocks = runs.flatMap(({ request, plan: { reads } }) => {
    const stateOverrides = stateAfterAuthorization(request)
    const calls = reads.map(({ to, input }) => ({ to, input, gas: formatQuantity(READ_GAS) }))
    const run = { ...(stateOverrides && { stateOverrides }), calls: [toCall(request)] }
    return calls.length === 0 ? [run] : [{ calls }, run, { calls }]
  })
  const answer = await node.ask(
    'eth_simulateV1',
    [{ blockStateCalls: blocks, traceTransfers: false, validation: false }, 'latest'],
    { signal },
  )
  const found = readList(answer, WHAT)
  if (found.length !== blocks.length) throw unusable(WHAT)
  let at = 0
  return runs.map(({ plan: { reads } }) => {
    const isRead = reads.length > 0
    const before = isRead ? readAnswers(found[at++], reads.length) : []
    const [run] = readAnswers(found[at++], 1)
    const after = isRead ? readAnswers(found[at++], reads.length) : []
    return run?.isSuccess ? changesOf(reads, before, after) : undefined
  })
}

/** A transaction in the terms of `eth_simulateV1`. */
export function toCall({ from, to, value, data, accessList }: WalletTransaction): object {
  return {
    from,
    value: formatQuantity(value),
    ...(to && { to }),
    ...(data !== '0x' && { input: data }),
    ...(accessList && { accessList }),
  }
}

interface Answer {
  readonly isSuccess: boolean
  readonly returned: Hex
}

function readAnswers(block: unknown, count: number): readonly Answer[] {
  const calls = readList(readFields(block, WHAT).get('calls'), WHAT)
  if (calls.length !== count) throw unusable(WHAT)
  return calls.map((call) => {
    const fields = readFields(call, WHAT)
    const status = fields.get('status')
    if (status !== '0x0' && status !== '0x1') throw unusable(WHAT)
    return { isSuccess: status === '0x1', returned: bytes(WHAT)(fields.get('returnData') ?? '0x') }
  })
}

function changesOf(
  reads: readonly StateRead[],
  before: readonly Answer[],
  after: readonly Answer[],
): StateChanges {
  const said = (answer: Answer | undefined) =>
    answer?.isSuccess && answer.returned !== '0x' ? answer.returned : undefined
  const found = reads.map(({ compare }, k): Found => {
    const now = said(after[k])
    return now === undefined ? {} : compare(said(before[k]), now)
  })
  return {
    allowances: found.flatMap(({ allowance }) => allowance ?? []),
    answered: new Set(found.flatMap(({ answered }) => answered ?? [])),
    // Contracts answer in several ways to the same question.
    roles: [
      ...new Map(
        found.flatMap(({ roles = [] }) => roles).map((each) => [Object.values(each).join(), each]),
      ).values(),
    ],
    balances: new Map(found.flatMap(({ balance }) => (balance ? [balance] : []))),
  }
}

/** The code that the wallet gets with a transaction. */
export function codeChange(request: WalletTransaction): readonly RoleChange[] {
  const code = newCodeOf(request)
  return code === undefined || code === 'none'
    ? []
    : [{ kind: 'code', account: request.from as Hex, spender: code }]
}
