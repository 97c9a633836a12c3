import type { Address, Hex } from 'viem'
import { INVALID_FIELDS, RpcError } from './json-rpc.ts'

/** Why a bundler takes no operation, with the codes of ERC-7769. */
export const refusals = {
  [INVALID_FIELDS]: 'Invalid fields',
  [-32_500]: 'AA23 reverted',
  [-32_501]: 'AA33 reverted',
  [-32_502]: 'The account uses a forbidden opcode: TIMESTAMP',
  [-32_503]: 'AA22 expired or not due',
  [-32_504]: 'The paymaster is throttled',
  [-32_505]: 'The stake of the factory is too low',
  [-32_506]: 'The signature aggregator is not supported',
  [-32_507]: 'AA24 signature error',
  [-32_508]: 'AA31 paymaster deposit too low',
  [-32_521]: 'execution reverted',
} as const satisfies Record<number, string>
export type RefusalCode = keyof typeof refusals
export const isRefusalCode = (code: number): code is RefusalCode => Object.hasOwn(refusals, code)

/** The EntryPoint took no operation of a bundle because of this one. */
export class FailedOperation extends Error {
  readonly index: number
  /** The EntryPoint's own text, such as `AA24 signature error`. */
  readonly reason: string
  /** The reason of the account's or the paymaster's own code. */
  readonly inner: Hex | undefined
  constructor(index: number, reason: string, inner?: Hex) {
    super(reason)
    this.index = index
    this.reason = reason
    this.inner = inner
  }
}

const codes: Readonly<Record<string, RefusalCode>> = {
  AA22: -32_503,
  AA24: -32_507,
  AA31: -32_508,
  AA32: -32_503,
  AA34: -32_507,
}

/** The code that ERC-7769 has for a text of an EntryPoint's. */
export function codeOf(reason: string): RefusalCode {
  const name = reason.slice(0, 4)
  return codes[name] ?? (name.startsWith('AA3') ? -32_501 : -32_500)
}

export function toRpcError(failed: FailedOperation, paymaster: Address | undefined, more?: object): RpcError {
  const isPaymasters = failed.reason.startsWith('AA3')
  const data = {
    ...(isPaymasters && paymaster && { paymaster }),
    ...(failed.inner && failed.inner !== '0x' && { revertData: failed.inner }),
    ...more,
  }
  return new RpcError(codeOf(failed.reason), failed.reason, Object.keys(data).length > 0 ? data : undefined)
}
