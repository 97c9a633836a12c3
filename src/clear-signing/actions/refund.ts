import { type Arguments, checksum } from '../../ethereum/calls/arguments.ts'
import type { Refund } from './action.ts'

const ZERO = '0x0000000000000000000000000000000000000000'
/** Gas that a Safe counts for the call beside `safeTxGas`: the call itself, its coins, and memory for its data. */
const CALL_GAS = 45_000n
const GAS_PER_BYTE = 16n

/**
 * The refund that a Safe pays for its own sending; `undefined` for a transaction without one.
 * @param args fields of `execTransaction` or of a `SafeTx`
 * @param safe in lower case
 */
export function readRefund(
  args: Arguments,
  { safe, chainId }: { readonly safe: string | undefined; readonly chainId: number | undefined },
): Refund | undefined {
  const price = args.number('gasPrice')
  if (price === 0n) return undefined
  const token = args.address('gasToken')
  const receiver = args.address('refundReceiver')
  const gas =
    args.number('baseGas') +
    args.number('safeTxGas') +
    CALL_GAS +
    (GAS_PER_BYTE * BigInt(args.bytes('data').length)) / 2n
  return {
    kind: 'refund',
    chainId,
    ...(safe && { account: checksum(safe) }),
    ...(token !== ZERO && { token }),
    most: price * gas,
    ...(receiver !== ZERO && { to: receiver }),
  }
}
