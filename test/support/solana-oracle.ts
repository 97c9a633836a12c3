/**
 * What has become of a wallet, out of the states of accounts before and after a transaction. It shares no code with the product, so
 * that both can't be wrong in the same way.
 */
import { PublicKey } from '@solana/web3.js'
import { CHAIN_EPOCH, CHAIN_NOW, type State, type States } from './solana-fuzz.ts'

const SYSTEM = '11111111111111111111111111111111'
const STAKE = 'Stake11111111111111111111111111111111111111'
const VOTE = 'Vote111111111111111111111111111111111111111'
const TOKENS = ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb']
const NATIVE = 'So11111111111111111111111111111111111111112'

export type Kind =
  | 'none'
  | 'plain'
  | 'nonce'
  | 'tokens'
  | 'mint'
  | 'multisig'
  | 'stake'
  | 'vote'
  | 'empty'
  | 'opaque'
export interface Control {
  readonly kind: Kind
  readonly program: string
  readonly lamports: bigint
  readonly size: number
  readonly roles: Readonly<Record<string, string | undefined>>
  readonly mint?: string
  readonly amount?: bigint
  readonly delegated?: bigint
  readonly isFrozen?: boolean
  /** Somebody's word until when it is locked. */
  readonly lock?: { readonly until: bigint; readonly epoch: bigint; readonly custodian: string }
}

const none: Control = { kind: 'none', program: SYSTEM, lamports: 0n, size: 0, roles: {} }

/** Who may do what with an account. */
export function controlOf(state: State | undefined): Control {
  if (!state || state.lamports === 0n) return none
  const { owner: program, lamports, data } = state
  const size = data.length
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const key = (at: number) => new PublicKey(data.slice(at, at + 32)).toBase58()
  const option = (at: number) => (view.getUint32(at, true) === 1 ? key(at + 4) : undefined)
  const base = { program, lamports, size }
  const isBlank = data.every((byte) => byte === 0)
  if (program === SYSTEM) {
    if (size === 0) return { kind: 'plain', ...base, roles: {} }
    return size === 80 && view.getUint32(4, true) === 1
      ? { kind: 'nonce', ...base, roles: { nonce: key(8) } }
      : { kind: 'empty', ...base, roles: {} }
  }
  if (isBlank) return { kind: 'empty', ...base, roles: {} }
  if (TOKENS.includes(program)) {
    if (size === 355)
      return {
        kind: 'multisig',
        ...base,
        roles: Object.fromEntries(
          Array.from({ length: data[1] ?? 0 }, (_, at) => [`signer ${at}`, key(3 + at * 32)]),
        ),
      }
    if (size === 82 || (size > 165 && data[165] === 1))
      return { kind: 'mint', ...base, roles: { mint: option(0), freeze: option(46) } }
    if (size >= 165)
      return {
        kind: 'tokens',
        ...base,
        mint: key(0),
        amount: view.getBigUint64(64, true),
        delegated: option(72) === undefined ? 0n : view.getBigUint64(121, true),
        isFrozen: data[108] === 2,
        roles: { holder: key(32), delegate: option(72), close: option(129) },
      }
    return { kind: 'opaque', ...base, roles: {} }
  }
  if (program === STAKE) {
    const state0 = view.getUint32(0, true)
    return state0 === 1 || state0 === 2
      ? {
          kind: 'stake',
          ...base,
          roles: { staker: key(12), withdrawer: key(44) },
          lock: { until: view.getBigInt64(76, true), epoch: view.getBigUint64(84, true), custodian: key(92) },
        }
      : { kind: 'empty', ...base, roles: {} }
  }
  if (program === VOTE) return { kind: 'vote', ...base, roles: { node: key(4), withdrawer: key(36) } }
  return { kind: 'opaque', ...base, roles: {} }
}

export interface Event {
  /** What has happened. */
  readonly what:
    | 'wallet'
    | 'lock'
    | 'lost'
    | 'delegate'
    | 'close'
    | 'role'
    | 'strange'
    | 'blank'
    | 'frozen'
    | 'gone'
  readonly account: string
  readonly to?: string | undefined
  /** `warned`: any warning will do; `red` otherwise. */
  readonly needs: 'red' | 'warned'
}
export interface Verdict {
  /** Lamports that the wallet could take before and can't take now, beside the fee. */
  readonly lost: bigint
  /** The same of tokens, by mint. */
  readonly lostTokens: ReadonlyMap<string, bigint>
  readonly events: readonly Event[]
  /** Lamports that have come to accounts which the wallet doesn't control. */
  readonly elsewhere: bigint
  /** Lamports that have come to accounts, beside its own address, which the wallet controls. */
  readonly deposited: bigint
  /** Accounts whose control or contents have changed for somebody, and those who have gained. */
  readonly touched: ReadonlySet<string>
}

const isLocked = (control: Control, wallet: string): boolean => {
  const { until = 0n, epoch = 0n, custodian } = control.lock ?? {}
  return custodian !== wallet && (until > BigInt(CHAIN_NOW) || epoch > BigInt(CHAIN_EPOCH))
}

/** Whether the wallet alone may take all that is in an account. */
function isOwn(
  address: string,
  control: Control,
  wallet: string,
  bases: ReadonlyMap<string, string>,
): boolean {
  const { kind, roles } = control
  if (kind === 'plain') return address === wallet || bases.get(address) === wallet
  if (address === wallet) return false
  if (kind === 'nonce') return roles.nonce === wallet
  if (kind === 'tokens')
    return roles.holder === wallet && (roles.close === undefined || roles.close === wallet)
  if (kind === 'stake') return roles.withdrawer === wallet && !isLocked(control, wallet)
  return kind === 'vote' && roles.withdrawer === wallet
}

/**
 * @param fee lamports that the wallet has paid to the network
 * @param bases of addresses that are made of another one and a seed
 * @param payers those beside the wallet who have signed
 */
export function judge(
  { before, after }: { before: States; after: States },
  wallet: string,
  {
    fee,
    bases,
    payers,
    ata,
  }: {
    fee: bigint
    bases: ReadonlyMap<string, string>
    payers: readonly string[]
    ata: (mint: string, owner: string, program: string) => string
  },
): Verdict {
  const events: Event[] = []
  const touched = new Set<string>()
  const tokens = new Map<string, bigint>()
  let worth = 0n
  let elsewhere = 0n
  let deposited = 0n
  const add = (mint: string | undefined, amount: bigint) => {
    if (mint !== undefined) tokens.set(mint, (tokens.get(mint) ?? 0n) + amount)
  }
  for (const [address, state] of after) {
    const was = controlOf(before.get(address))
    const now = controlOf(state)
    const [had, has] = [isOwn(address, was, wallet, bases), isOwn(address, now, wallet, bases)]
    worth += (has ? now.lamports : 0n) - (had ? was.lamports : 0n)
    const change = now.lamports - was.lamports
    // Bytes don't say whose an account is that was there before or gets nothing but lamports, and wrapped SOL is another token.
    const isOpen = address !== wallet && (was.kind !== 'none' || now.kind === 'plain' || now.mint === NATIVE)
    if ((!has || isOpen) && change > 0n) elsewhere += change
    if (has && address !== wallet) deposited += had ? (change > 0n ? change : 0n) : now.lamports
    if (was.kind === 'tokens' && was.roles.holder === wallet) add(was.mint, was.amount ?? 0n)
    if (now.kind === 'tokens' && now.roles.holder === wallet) add(now.mint, -(now.amount ?? 0n))
    const isSame =
      JSON.stringify({ ...was, lamports: 0 }, text) === JSON.stringify({ ...now, lamports: 0 }, text)
    // Of an account that holds nothing, bytes alone don't say so.
    if (!isSame || change < 0n || now.kind === 'none' || !sameBytes(before.get(address), state)) {
      touched.add(address)
      for (const holder of Object.values(now.roles)) if (holder !== undefined) touched.add(holder)
      touched.add(now.program)
      if (now.mint !== undefined) touched.add(now.mint)
    }
    const event = (what: Event['what'], to?: string, needs: Event['needs'] = 'red') =>
      events.push({ what, account: address, to, needs })
    if (address === wallet) {
      if (now.kind !== 'none' && (now.program !== SYSTEM || now.size > 0) && !isSame)
        event('wallet', now.program)
      continue
    }
    const isThere = now.kind !== 'none'
    if (
      now.kind === 'stake' &&
      now.roles.withdrawer === wallet &&
      isLocked(now, wallet) &&
      !(isLocked(was, wallet) && isSame)
    )
      event('lock', now.lock?.custodian)
    else if (had && isThere && !has && !(now.kind === 'tokens' && now.roles.holder === wallet))
      event('lost', now.program)
    if (now.kind === 'tokens' && now.roles.holder === wallet) {
      const { delegate, close } = now.roles
      const isMore = delegate !== was.roles.delegate || (now.delegated ?? 0n) > (was.delegated ?? 0n)
      if (delegate !== undefined && delegate !== wallet && (now.delegated ?? 0n) > 0n && isMore)
        event('delegate', delegate)
      if (close !== undefined && close !== wallet && close !== was.roles.close) event('close', close)
      if (now.isFrozen && !was.isFrozen && was.kind === 'tokens') event('frozen', undefined, 'warned')
    }
    if (isThere)
      for (const [role, holder] of Object.entries(was.roles))
        if (
          holder === wallet &&
          role !== 'delegate' &&
          role !== 'close' &&
          now.roles[role] !== wallet &&
          !(had && !has)
        )
          event('role', now.roles[role], now.roles[role] === undefined ? 'warned' : 'red')
    // Somebody else may have paid for it only where somebody else has signed.
    const isNew = was.kind === 'none' || (was.kind === 'plain' && now.kind !== 'plain')
    if (isNew && isThere && change > 0n && payers.length === 0) {
      const others = Object.values(now.roles).filter((holder) => holder !== undefined && holder !== wallet)
      if (now.kind === 'empty' || now.kind === 'opaque') event('blank', now.program)
      else if (now.kind === 'tokens' && others.length > 0) {
        const { holder = '', delegate } = now.roles
        const isAssociated = ata(now.mint ?? '', holder, now.program) === address && delegate === undefined
        // Who pays for an account to send tokens to somebody means to.
        if (isAssociated && (now.amount ?? 0n) > 0n) continue
        event('strange', holder, isAssociated && holder !== wallet ? 'warned' : 'red')
      } else if (others.length > 0) event('strange', others[0])
    }
  }
  const lostTokens = new Map([...tokens].filter(([, amount]) => amount > 0n))
  const lost = -worth - fee
  // Wrapped SOL is a token as well; what comes to the wallet out of it is not lost.
  const wrapped = lostTokens.get(NATIVE) ?? 0n
  if (lost < wrapped) lostTokens.delete(NATIVE)
  return {
    lost: lostTokens.has(NATIVE) ? lost - wrapped : lost,
    lostTokens,
    events,
    elsewhere,
    deposited,
    touched,
  }
}

const sameBytes = (one: State | undefined, other: State | undefined) =>
  Buffer.from(one?.data ?? []).equals(Buffer.from(other?.data ?? []))

const text = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
