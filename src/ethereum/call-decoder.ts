/**
 * What a call of a token's contract does. Reads only what can be named with certainty; anything else is unknown. Brings the decoder of
 * viem, so whoever needs the actions alone imports token-action.ts.
 */
import { exactDecoder } from './exact-abi.ts'
import { allowance, type TokenAction, UNLIMITED, UNLIMITED_160 } from './token-action.ts'

export { decodePermit } from './permit-decoder.ts'
export { isAllowance, type TokenAction, type TokenFigures, withReach } from './token-action.ts'

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
  'approve(address,address,uint160,uint48)'(args) {
    const action = allowance(party(args, 1), figure(args, 2), UNLIMITED_160, party(args, 0))
    return action && { ...action, expires: BigInt(args[3] as number) }
  },
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
