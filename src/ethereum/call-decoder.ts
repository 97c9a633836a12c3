/**
 * What a call of a token's contract does, and what a signed permit allows: who may get or spend what. Reads only what can be
 * named with certainty; for anything else the answer is that it is unknown.
 */
import { exactDecoder } from './exact-abi.ts'
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

/** The greatest amounts, which contracts take for no limit. */
const UNLIMITED = (1n << 256n) - 1n
const UNLIMITED_160 = (1n << 160n) - 1n

type Args = readonly unknown[]
type Reader = (args: Args) => TokenAction | undefined

const party = (args: Args, at: number) => args[at] as string
const figure = (args: Args, at: number) => args[at] as bigint

const nft: Reader = (args) => ({
  action: 'transfer',
  from: party(args, 0),
  party: party(args, 1),
  token: figure(args, 2),
  unlimited: false,
})
const increase: Reader = (args) => allowance(party(args, 0), figure(args, 1), UNLIMITED, undefined)

/** By signature; the decoder reads these functions and no others. */
const calls: Readonly<Record<string, Reader>> = {
  'transfer(address,uint256)': (args) => ({
    action: 'transfer',
    party: party(args, 0),
    amount: figure(args, 1),
    unlimited: false,
  }),
  'approve(address,uint256)'(args) {
    const amount = figure(args, 1)
    const unlimited = amount >= UNLIMITED
    const named = unlimited ? { amount } : { amountOrToken: amount }
    return { action: 'approve', party: party(args, 0), ...named, unlimited }
  },
  'increaseAllowance(address,uint256)': increase,
  'increaseApproval(address,uint256)': increase,
  /** Of Permit2, which names the token. */
  'approve(address,address,uint160,uint48)': (args) =>
    allowance(party(args, 1), figure(args, 2), UNLIMITED_160, party(args, 0)),
  'transferFrom(address,address,uint256)': (args) => ({
    action: 'transfer',
    from: party(args, 0),
    party: party(args, 1),
    amountOrToken: figure(args, 2),
    unlimited: false,
  }),
  'setApprovalForAll(address,bool)': (args) =>
    args[1] === true
      ? { action: 'approveAll', party: party(args, 0), unlimited: true }
      : { action: 'revokeAll', party: party(args, 0), unlimited: false },
  'safeTransferFrom(address,address,uint256)': nft,
  'safeTransferFrom(address,address,uint256,bytes)': nft,
  /** Of ERC-1155. */
  'safeTransferFrom(address,address,uint256,uint256,bytes)': (args) => ({
    action: 'transfer',
    from: party(args, 0),
    party: party(args, 1),
    token: figure(args, 2),
    amount: figure(args, 3),
    unlimited: false,
  }),
}

const decode = exactDecoder(Object.keys(calls).map((signature) => `function ${signature}`))

/**
 * Reads call data in hex. `undefined` for a call that it can't name, also for a known one that is written in another way than usual:
 * such bytes may mean something else to the contract.
 */
export function decodeCall(data: string, contract?: string): TokenAction | undefined {
  const call = decode(data)
  const read = call && calls[call.signature]?.(call.args)
  return read && { ...(contract && { contract }), ...read }
}

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
  return {
    action: 'approve',
    party,
    ...(contract && { contract }),
    amount,
    unlimited: amount >= unlimitedFrom,
  }
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
