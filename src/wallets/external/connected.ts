import type { ConnectedAccount } from './connector.ts'
import { type HistoryEntry, sameConnection } from './history.ts'

/** What identifies a connection: the address, the wallet, and the connector. */
export type ConnectionName = Omit<HistoryEntry, 'connectedAt'>

/** Most recent first, each once, the active one before all others. */
export function orderConnected(
  accounts: readonly ConnectedAccount[],
  active: ConnectionName | undefined,
): readonly ConnectedAccount[] {
  const sorted = [...accounts].sort((one, other) => other.connectedAt - one.connectedAt)
  const single = sorted.filter(
    (account, at) => sorted.findIndex((other) => sameConnection(other, account)) === at,
  )
  const isActive = (account: ConnectedAccount) => active !== undefined && sameConnection(account, active)
  return [...single.filter(isActive), ...single.filter((account) => !isActive(account))]
}

/** The same accounts as before stay the same objects, so that their holders can compare them. */
export function keepSame(
  next: readonly ConnectedAccount[],
  before: readonly ConnectedAccount[],
): readonly ConnectedAccount[] {
  const kept = next.map((account) => before.find((old) => isUnchanged(old, account)) ?? account)
  return kept.length === before.length && kept.every((account, at) => account === before[at]) ? before : kept
}

const isUnchanged = (one: ConnectedAccount, other: ConnectedAccount) =>
  one.connector === other.connector &&
  one.connectedAt === other.connectedAt &&
  one.chainId === other.chainId &&
  one.meta.name === other.meta.name &&
  one.meta.icon === other.meta.icon &&
  sameConnection(one, other)
