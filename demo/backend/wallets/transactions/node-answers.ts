import type { ChainRpc, NodeAnswer } from '../../chains/rpc.ts'

/** @throws Unavailable where the node refuses */
export function resultOf(node: ChainRpc, said: NodeAnswer): unknown {
  if ('result' in said) return said.result
  throw node.down(new Error(said.error.message))
}

/** What JSON-RPC calls an execution that ended in a refusal of the contract. */
export const isRevert = ({ code, message }: { code: number; message: string }) =>
  code === 3 || /revert|invalid opcode|out of gas/i.test(message)
