import type { Address, Hex } from 'viem'

/** An error of the node, with the data of a contract's revert. */
export class NodeError extends Error {
  readonly data: Hex | undefined
  constructor(message: string, data: Hex | undefined) {
    super(message)
    this.data = data
  }
}

/** Changes of the state for one call, by address. */
export type StateOverride = Readonly<Record<Address, { code?: Hex; balance?: Hex } & Record<string, unknown>>>

export interface Node {
  readonly url: string
  /** @throws NodeError */
  ask<T>(method: string, params: readonly unknown[]): Promise<T>
  /** The result of a contract. @throws NodeError */
  call(call: { from?: Address; to: Address; data: Hex; gas?: bigint }, override?: StateOverride): Promise<Hex>
}

/** Milliseconds for one question to the node. */
const PATIENCE = 30_000

export function createNode(url: string): Node {
  async function ask<T>(method: string, params: readonly unknown[]): Promise<T> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(PATIENCE),
    })
    const { result, error } = (await response.json()) as {
      result?: T
      error?: { message: string; data?: unknown }
    }
    if (error) throw new NodeError(error.message, isHex(error.data) ? error.data : undefined)
    return result as T
  }
  return {
    url,
    ask,
    call: ({ gas, ...call }, override = {}) =>
      ask<Hex>('eth_call', [{ ...call, ...(gas && { gas: toQuantity(gas) }) }, 'latest', override]),
  }
}

/** Milliseconds for a transaction to get into a block, and after which the chain is reminded of it. */
const INCLUSION = 60_000
const REMINDER = 1_000

/**
 * Waits until a transaction is in a block. On a busy machine a chain of anvil's that mines at once can miss a transaction, so it is told to
 * mine; one that mines by other rules is left alone.
 * @throws Error where the transaction has failed, or isn't in a block after a minute
 */
export async function awaitInclusion({ ask }: Node, hash: Hex): Promise<void> {
  const begun = performance.now()
  let reminded = begun
  while (performance.now() - begun < INCLUSION) {
    const receipt = await ask<{ status: Hex } | null>('eth_getTransactionReceipt', [hash])
    if (receipt?.status === '0x1') return
    if (receipt) throw new Error(`The transaction ${hash} has failed`)
    if (performance.now() - reminded > REMINDER) {
      reminded = performance.now()
      if (await ask<boolean>('anvil_getAutomine', [])) await ask('evm_mine', [])
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`The transaction ${hash} is in no block`)
}

export const toQuantity = (value: bigint): Hex => `0x${value.toString(16)}`
const isHex = (value: unknown): value is Hex => typeof value === 'string' && /^0x[\da-f]*$/i.test(value)
