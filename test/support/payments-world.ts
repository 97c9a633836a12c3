/** The demo's chains, the treasury that sellers pay from, and the bridge between the chains. */
import { createBridge } from '../../demo/world/bridge/bridge.ts'
import { solanaUsdc } from '../../demo/world/chains/usdc.ts'
import { createTreasury } from '../../demo/world/payments/treasury.ts'
import { startSolana } from '../../demo/world/solana/solana.ts'
import { freePort, startChain } from './chains.ts'

export type PaymentsWorld = Awaited<ReturnType<typeof startPayments>>

/** @param bridgeUrl the address of the bridge, which the test routes to its app */
export async function startPayments(bridgeUrl: string) {
  const port = await freePort(1)
  const [ethereum, base, solana] = await Promise.all([startChain(1), startChain(8453), startSolana({ port })])
  const networks = { chains: { 1: ethereum.url, 8453: base.url }, solanaRpcUrl: solana.url }
  const treasury = createTreasury(networks)
  const bridge = createBridge({ base: bridgeUrl, treasury, ...networks, slowness: 0 })
  async function askSolana<T>(method: string, params: readonly unknown[]): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(solana.url, { method: 'POST', body })
    return ((await response.json()) as { result: { value: T } }).result.value
  }
  type TokenAccount = { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }
  return {
    ethereum,
    base,
    solana,
    treasury,
    bridge,
    lamportsOf: async (owner: string) => BigInt(await askSolana<number>('getBalance', [owner])),
    /** In the smallest units; `undefined` without an account. */
    async solanaUsdcOf(owner: string): Promise<string | undefined> {
      const of = [owner, { mint: solanaUsdc }, { encoding: 'jsonParsed' }]
      const [found] = await askSolana<TokenAccount[]>('getTokenAccountsByOwner', of)
      return found?.account.data.parsed.info.tokenAmount.amount
    },
    async close() {
      bridge.close()
      await Promise.all([ethereum.close(), base.close(), solana.close()])
    },
  }
}
