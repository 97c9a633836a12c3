/** Standing allowances of an account to a paymaster, by which it charges in tokens. */

import { isHexBytes } from '../../../src/ethereum/hex.ts'
import {
  allowanceData,
  readToken,
  readUint,
  type Token,
  type UnknownToken,
} from '../../../src/ethereum/tokens.ts'
import { maxOf } from '../../../src/lib/bigint.ts'
import { catchNodeError } from '../../../src/lib/node-errors.ts'
import { usdcOn } from '../../../src/lib/usdc.ts'
import { askTwo } from './compare.ts'
import type { PreviewNode } from './nodes.ts'

export interface StandingAllowance {
  readonly token: string
  /** Descriptions of the token, one of each node. */
  readonly described: readonly (Token | UnknownToken)[]
  /** In smallest units; of two nodes the larger one. `undefined`: it is a token, and no node says how much. */
  readonly amount: bigint | undefined
}

/**
 * Allowances of an account to a paymaster, in the tokens in which most are paid and in those that the request is about. Others stay unknown,
 * since no node lists them.
 * @param patience milliseconds for the second node after the first
 */
export async function allowancesTo(
  nodes: readonly PreviewNode[],
  {
    owner,
    paymaster,
    chain,
    contract,
  }: Readonly<Record<'owner' | 'paymaster' | 'chain', string>> & {
    readonly contract: string | undefined
  },
  patience: number,
): Promise<readonly StandingAllowance[]> {
  const tokens = [...new Set([usdcOn(chain), contract].flatMap((each) => each ?? []))]
  const found = await Promise.all(
    tokens.map(async (address) => {
      const said = await askTwo(
        nodes,
        async (node) => {
          const data = allowanceData(owner, paymaster)
          const [answer, token] = await Promise.all([
            catchNodeError(node.ask('eth_call', [{ to: address, data }, 'latest'])),
            readToken(node, address),
          ])
          const amount = isHexBytes(answer) ? readUint(answer) : undefined
          // Other contracts allow nothing.
          return { token, amount: token.kind === 'unknown' ? (amount ?? 0n) : amount }
        },
        patience,
      )
      const amounts = said.flatMap(({ amount }) => amount ?? [])
      return {
        token: address,
        described: said.map(({ token }) => token),
        amount: amounts.length > 0 ? maxOf(0n, ...amounts) : undefined,
      }
    }),
  )
  return found.filter(({ amount }) => amount !== 0n)
}
