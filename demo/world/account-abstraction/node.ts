import type { Address, Hex } from 'viem'

/** An error of the node, with what a contract gave as the reason. */
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

export const toQuantity = (value: bigint): Hex => `0x${value.toString(16)}`
const isHex = (value: unknown): value is Hex => typeof value === 'string' && /^0x[\da-f]*$/i.test(value)
