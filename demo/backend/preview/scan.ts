/** `scan/transaction` for compatible clients, in the form of docs/protocol.md, from the simulation of the app's own nodes. */

import { formatUnits } from '../../../src/ethereum/amounts.ts'
import type { AssetChange } from '../../../src/ethereum/asset-changes.ts'
import { chainOf } from '../../../src/ethereum/chains.ts'
import type { Simulation, SimulationUnavailable } from '../../../src/ethereum/simulate.ts'
import type { WalletTransaction } from '../../../src/ethereum/transaction.ts'

interface AssetView {
  type?: string
  symbol?: string
  name?: string
}
interface ValueView {
  value?: string
}
export interface ScanAnswer {
  validation: { status: 'Error'; error: string }
  simulation:
    | { status: 'Error'; error: string }
    | {
        status: 'Success'
        params: Record<string, string | Record<string, string>>
        assets_diffs: readonly { asset: AssetView; in: readonly ValueView[]; out: readonly ValueView[] }[]
        exposures: readonly { asset: AssetView; spenders: Record<string, ValueView> }[]
      }
}

/** Nobody here judges whether a contract is honest, and a simulation must not be taken for that. */
const validation = {
  status: 'Error',
  error: 'This server simulates transactions and does not judge them.',
} as const

export const scanFailed = (error: string): ScanAnswer => ({
  validation,
  simulation: { status: 'Error', error },
})

export function scanAnswer(
  request: WalletTransaction,
  result: Simulation | SimulationUnavailable | undefined,
): ScanAnswer {
  if (!result) return scanFailed('The network could not be asked.')
  if (result.outcome === 'unavailable') return scanFailed("This network can't preview transactions.")
  if (result.status === 'failed') return scanFailed(result.reason?.message ?? 'The transaction would fail.')
  const { leaves, comes, allowances } = result
  const assetOf = (kind: AssetChange['kind'], token: string | undefined): AssetView =>
    token === undefined ? coinAsset(request.chainId) : tokenAsset(kind, result.tokens[token])
  const valueViewOf = ({
    kind,
    token,
    amount,
  }: Pick<AssetChange, 'kind' | 'token' | 'amount'>): ValueView => {
    if (token === undefined) return { value: formatUnits(amount, coinOf(request.chainId).decimals) }
    const known = result.tokens[token]
    if (kind === 'erc20') return known?.kind === 'token' ? { value: formatUnits(amount, known.decimals) } : {}
    return { value: String(amount) }
  }
  const diffs = new Map<string, { asset: AssetView; in: ValueView[]; out: ValueView[] }>()
  for (const [list, changes] of [['out', leaves] as const, ['in', comes] as const])
    for (const change of changes) {
      const key = `${change.kind} ${change.token ?? ''} ${change.id ?? ''}`
      const diff = diffs.get(key) ?? { asset: assetOf(change.kind, change.token), in: [], out: [] }
      diff[list].push(valueViewOf(change))
      diffs.set(key, diff)
    }
  const exposures = new Map<string, { asset: AssetView; spenders: Record<string, ValueView> }>()
  for (const { kind, token, spender, amount } of allowances) {
    if (amount === 0n) continue
    const key = `${kind} ${token}`
    const type = kind === 'amount' ? 'erc20' : 'erc721'
    const exposure = exposures.get(key) ?? { asset: assetOf(type, token), spenders: {} }
    exposure.spenders[spender] = kind === 'amount' ? valueViewOf({ kind: 'erc20', token, amount }) : {}
    exposures.set(key, exposure)
  }
  return {
    validation,
    simulation: {
      status: 'Success',
      params: paramsOf(request),
      assets_diffs: [...diffs.values()],
      exposures: [...exposures.values()],
    },
  }
}

const coinOf = (chainId: number) => {
  const { symbol, name, decimals } = chainOf({ host: {} }, chainId)?.nativeCurrency ?? {
    symbol: '',
    name: '',
    decimals: 18,
  }
  return { symbol, name, decimals }
}
function coinAsset(chainId: number): AssetView {
  const { symbol, name } = coinOf(chainId)
  return { type: 'NATIVE', ...(symbol && { symbol, name }) }
}
function tokenAsset(kind: AssetChange['kind'], token: Simulation['tokens'][string] | undefined): AssetView {
  const type = kind.toUpperCase()
  if (token?.kind !== 'token') return { type }
  return { type, symbol: token.symbol, ...(token.name !== undefined && { name: token.name }) }
}

function paramsOf({ from, to, value, data, chainId }: WalletTransaction) {
  return {
    from,
    ...(to && { to }),
    value: `0x${value.toString(16)}`,
    data,
    chain: String(chainId),
    ...(data.length >= 10 && { calldata: { function_selector: data.slice(0, 10) } }),
  }
}
