/**
 * What a call of a token's contract does, and what a signed permit allows: who may get or spend what. Reads only what can be
 * named with certainty; for anything else the answer is that it is unknown.
 */
import { checksumAddress } from './address.ts'
import type { TypedData, TypedDataField } from './typed-data.ts'

/** A named action on tokens. Addresses have their checksum. */
export interface TokenAction {
  readonly action: 'transfer' | 'approve' | 'approveAll' | 'revokeAll'
  /** The tokens' contract, if it is known. */
  readonly contract?: string | undefined
  /** Whose tokens move, where that isn't the signer by itself. */
  readonly from?: string | undefined
  /** The recipient, or the one who is allowed to spend. */
  readonly party: string
  /** In the token's smallest units. */
  readonly amount?: bigint | undefined
  /** The number of the one token that it is about. */
  readonly token?: bigint | undefined
  /** By the call alone nobody can tell whether the number is an amount or names a token (ERC-20 and ERC-721). */
  readonly amountOrToken?: bigint | undefined
  /** It is for everything, now and later: the greatest amount that its type has, or no amount at all. */
  readonly unlimited: boolean
  /** For an allowance: whether it reaches all that the wallet has, as far as somebody could say. */
  readonly reach?: 'all' | 'part' | undefined
}

/** A token's figures, in its smallest units. */
export interface TokenFigures {
  /** The wallet's balance. */
  readonly balance: bigint
  /** How many there are. */
  readonly supply?: bigint | undefined
}

/** Whether an action lets somebody else spend tokens. */
export const isAllowance = ({ action, amount, amountOrToken, unlimited }: TokenAction): boolean =>
  action === 'approveAll' || (action === 'approve' && (unlimited || (amount ?? amountOrToken) !== 0n))

/** The action with what it reaches: an allowance is judged by its effect, however it is written. */
export function withReach(action: TokenAction, figures: TokenFigures | undefined): TokenAction {
  if (!isAllowance(action)) return action
  if (action.unlimited) return { ...action, reach: 'all' }
  const amount = action.amount ?? action.amountOrToken
  if (!figures || amount === undefined) return action
  const { balance, supply } = figures
  const isAll = amount >= balance || (supply !== undefined && amount >= supply)
  return { ...action, reach: isAll ? 'all' : 'part' }
}

type Word = (at: number) => string | undefined
type Reader = (word: Word, data: string) => TokenAction | undefined

/** The greatest amounts, which contracts take for no limit. */
const UNLIMITED = (1n << 256n) - 1n
const UNLIMITED_160 = (1n << 160n) - 1n

/** By selector; the number of words is exact unless the call ends in bytes. */
const calls: Readonly<Record<string, { words: number; bytesAt?: number; read: Reader }>> = {
  /** transfer(address,uint256) */
  a9059cbb: { words: 2, read: (word) => transfer({ party: address(word(0)), amount: number(word(1)) }) },
  /** approve(address,uint256) */
  '095ea7b3': { words: 2, read: (word) => approve(address(word(0)), number(word(1)), true) },
  /** increaseAllowance(address,uint256) */
  '39509351': { words: 2, read: (word) => approve(address(word(0)), number(word(1)), false) },
  /** increaseApproval(address,uint256) */
  d73dd623: { words: 2, read: (word) => approve(address(word(0)), number(word(1)), false) },
  /** approve(address,address,uint160,uint48) of Permit2, which names the token */
  '87517c45': {
    words: 4,
    read(word) {
      const contract = address(word(0))
      const amount = number(word(2))
      if (!contract || amount === undefined || amount > UNLIMITED_160) return undefined
      return allowance(address(word(1)), amount, UNLIMITED_160, contract)
    },
  },
  /** transferFrom(address,address,uint256) */
  '23b872dd': {
    words: 3,
    read: (word) =>
      transfer({
        from: address(word(0)),
        party: address(word(1)),
        amountOrToken: number(word(2)),
        needs: 'from',
      }),
  },
  /** setApprovalForAll(address,bool) */
  a22cb465: {
    words: 2,
    read(word) {
      const party = address(word(0))
      const approved = number(word(1))
      if (!party || approved === undefined || approved > 1n) return undefined
      return approved === 1n
        ? { action: 'approveAll', party, unlimited: true }
        : { action: 'revokeAll', party, unlimited: false }
    },
  },
  /** safeTransferFrom(address,address,uint256) of ERC-721 */
  '42842e0e': { words: 3, read: nft },
  /** safeTransferFrom(address,address,uint256,bytes) of ERC-721 */
  b88d4fde: { words: 4, bytesAt: 3, read: nft },
  /** safeTransferFrom(address,address,uint256,uint256,bytes) of ERC-1155 */
  f242432a: {
    words: 5,
    bytesAt: 4,
    read: (word) =>
      transfer({
        from: address(word(0)),
        party: address(word(1)),
        token: number(word(2)),
        amount: number(word(3)),
        needs: 'from',
      }),
  },
}

/** Reads call data in hex. `undefined` for what it can't name, also for a known call that is written in another way than usual. */
export function decodeCall(data: string, contract?: string): TokenAction | undefined {
  const hex = data.slice(2).toLowerCase()
  const call = Object.hasOwn(calls, hex.slice(0, 8)) ? calls[hex.slice(0, 8)] : undefined
  if (!call) return undefined
  const body = hex.slice(8)
  const word: Word = (at) => {
    const text = body.slice(at * 64, at * 64 + 64)
    return text.length === 64 ? text : undefined
  }
  const whole =
    call.bytesAt === undefined ? body.length === call.words * 64 : endsInBytes(body, word, call.bytesAt)
  const read = whole ? call.read(word, body) : undefined
  return read && { ...(contract && { contract }), ...read }
}

/** Whether the last argument is bytes that follow the words and end with the call. */
function endsInBytes(body: string, word: Word, at: number): boolean {
  const start = BigInt((at + 1) * 32)
  const length = number(word(at + 1))
  if (number(word(at)) !== start || length === undefined || length > BigInt(body.length)) return false
  const padded = (Number(length) + 31) & ~31
  return body.length === (at + 2) * 64 + padded * 2
}

function nft(word: Word): TokenAction | undefined {
  return transfer({ from: address(word(0)), party: address(word(1)), token: number(word(2)), needs: 'from' })
}

function transfer({
  party,
  needs,
  ...more
}: {
  party: string | undefined
  from?: string | undefined
  amount?: bigint | undefined
  token?: bigint | undefined
  amountOrToken?: bigint | undefined
  needs?: 'from'
}): TokenAction | undefined {
  if (!party || (needs === 'from' && !more.from)) return undefined
  const figures = [more.amount, more.token, more.amountOrToken]
  if (figures.every((figure) => figure === undefined)) return undefined
  return { action: 'transfer', party, ...more, unlimited: false }
}

function approve(
  party: string | undefined,
  figure: bigint | undefined,
  ambiguous: boolean,
): TokenAction | undefined {
  if (!party || figure === undefined) return undefined
  const unlimited = figure >= UNLIMITED
  const named = ambiguous && !unlimited ? { amountOrToken: figure } : { amount: figure }
  return { action: 'approve', party, ...named, unlimited }
}

const address = (word: string | undefined) =>
  word && /^0{24}/.test(word) ? checksumAddress(word.slice(24)) : undefined
const number = (word: string | undefined) => (word === undefined ? undefined : BigInt(`0x${word}`))

/** EIP-2612, as `eth_signTypedData_v4` is asked for it; and DAI's, which came before it. */
const permits: Readonly<
  Record<string, (fields: Fields, contract: string | undefined) => TokenAction | undefined>
> = {
  'owner address,spender address,value uint256,nonce uint256,deadline uint256': (fields, contract) =>
    allowance(fields.text('spender'), fields.number('value'), UNLIMITED, contract),
  'holder address,spender address,nonce uint256,expiry uint256,allowed bool': (fields, contract) => {
    const party = fields.text('spender')
    if (!party) return undefined
    return fields.text('allowed') === 'true'
      ? { action: 'approve', party, contract, unlimited: true }
      : { action: 'approve', party, contract, amount: 0n, unlimited: false }
  },
}

/**
 * Reads a permit for one token: EIP-2612, DAI's, or Permit2's for one token. `undefined` for all other typed data; what it
 * allows is then unknown.
 */
export function decodePermit(typed: TypedData): TokenAction | undefined {
  const fields = fieldsOf(typed.fields)
  const { contract } = typed.domain
  switch (typed.primaryType) {
    case 'Permit':
      return permits[fields.shape]?.(fields, contract)
    case 'PermitSingle': {
      const details = fields.inner('details')
      if (fields.shape !== 'details PermitDetails,spender address,sigDeadline uint256') return undefined
      if (details?.shape !== 'token address,amount uint160,expiration uint48,nonce uint48') return undefined
      return allowance(fields.text('spender'), details.number('amount'), UNLIMITED_160, details.text('token'))
    }
    case 'PermitTransferFrom': {
      const permitted = fields.inner('permitted')
      if (fields.shape !== 'permitted TokenPermissions,spender address,nonce uint256,deadline uint256')
        return undefined
      if (permitted?.shape !== 'token address,amount uint256') return undefined
      return allowance(fields.text('spender'), permitted.number('amount'), UNLIMITED, permitted.text('token'))
    }
    default:
      return undefined
  }
}

function allowance(
  party: string | undefined,
  amount: bigint | undefined,
  unlimitedFrom: bigint,
  contract: string | undefined,
): TokenAction | undefined {
  if (!party || amount === undefined) return undefined
  return { action: 'approve', party, contract, amount, unlimited: amount >= unlimitedFrom }
}

interface Fields {
  /** Names and types in their order: a struct that has others is another struct. */
  readonly shape: string
  text(name: string): string | undefined
  number(name: string): bigint | undefined
  inner(name: string): Fields | undefined
}

function fieldsOf(fields: readonly TypedDataField[]): Fields {
  const fieldValue = (name: string) => fields.find((field) => field.name === name)?.value
  const text = (name: string) => {
    const value = fieldValue(name)
    return typeof value === 'string' ? value : undefined
  }
  return {
    shape: fields.map(({ name, type }) => `${name} ${type}`).join(),
    text,
    number(name) {
      const value = text(name)
      return value !== undefined && /^\d+$|^0x[\da-f]+$/i.test(value) ? BigInt(value) : undefined
    },
    inner(name) {
      const value = fieldValue(name)
      return typeof value === 'object' ? fieldsOf(value) : undefined
    },
  }
}
