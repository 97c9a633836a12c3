import type { Hex } from 'viem'
import type { ChainRpc, NodeAnswer } from '../../chains/rpc.ts'

/** A number as JSON-RPC writes it. */
export const hexOf = (value: bigint): Hex => `0x${value.toString(16)}`

/** @throws Unavailable where the node refuses */
export function resultOf(node: ChainRpc, said: NodeAnswer): unknown {
  if ('result' in said) return said.result
  throw node.down(new Error(said.error.message))
}

/** A number as JSON-RPC writes it, of at most 32 bytes. @throws Unavailable */
export function readQuantity(node: ChainRpc, value: unknown): bigint {
  if (typeof value === 'string' && /^0x[\da-f]{1,64}$/i.test(value)) return BigInt(value)
  throw node.down(new Error('It sent an unexpected answer'))
}

/** What JSON-RPC calls an execution that ended in a refusal of the contract. */
export const isRevert = ({ code, message }: { code: number; message: string }) =>
  code === 3 || /revert|invalid opcode|out of gas/i.test(message)
