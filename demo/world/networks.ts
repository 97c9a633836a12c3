import { join } from 'node:path'
import { NoAnvil, startAnvil } from './chains/anvil.ts'
import { opStackChains, placeGasPriceOracle } from './chains/gas-price-oracle.ts'
import { startRelay } from './relay/relay.ts'
import { startSolana } from './solana/solana.ts'

/** Chains, and the relay between wallets and pages: what a wallet login meets outside that has ports of its own. */
export interface Networks {
  /** Nodes of Ethereum's kind by chain id; empty where this machine can't run them. */
  readonly chains: Readonly<Record<number, string>>
  readonly solanaRpcUrl: string
  readonly solanaWsUrl: string
  readonly relayUrl: string
  /** What somebody should know who looks for what is not there. */
  readonly notes: readonly string[]
  close(): Promise<void>
}

/** Starts them all; what was started ends again where one of them can't be. @param options.dataDir keeps the chains */
export async function startNetworks({
  dataDir,
  ports,
}: {
  dataDir: string
  ports: { ethereum: number; base: number; solana: number; relay: number }
}): Promise<Networks> {
  const ends: (() => Promise<void>)[] = []
  const notes: string[] = []
  const close = async () => {
    await Promise.all(ends.splice(0).map((end) => end()))
  }
  async function kept<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
    const one = await starting
    ends.push(() => one.close())
    return one
  }
  async function chain(port: number, chainId: number) {
    try {
      const stateFile = join(dataDir, `chain-${chainId}.json`)
      const started = await kept(startAnvil({ port, chainId, stateFile }))
      if (opStackChains.includes(chainId)) await placeGasPriceOracle(started.url)
      return started
    } catch (cause) {
      if (!(cause instanceof NoAnvil)) throw cause
      notes.push(
        `Chain ${chainId} is not here: ${cause.message}. Logins with a wallet's own key work all the same.`,
      )
      return undefined
    }
  }

  // All have come to an end before any of them is taken back.
  const [ethereum, base, solana, relay] = await Promise.allSettled([
    chain(ports.ethereum, 1),
    chain(ports.base, 8453),
    kept(startSolana({ port: ports.solana })),
    kept(startRelay({ port: ports.relay })),
  ])
  try {
    const chains = [resultOf(ethereum), resultOf(base)].flatMap((each) =>
      each ? [[each.chainId, each.url]] : [],
    )
    const { url: solanaRpcUrl, wsUrl: solanaWsUrl } = resultOf(solana)
    const { url: relayUrl } = resultOf(relay)
    return { chains: Object.fromEntries(chains), solanaRpcUrl, solanaWsUrl, relayUrl, notes, close }
  } catch (cause) {
    await close()
    throw cause
  }
}

function resultOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}
