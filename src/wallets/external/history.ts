import { walletsLimits } from '../limits.ts'

/** A connection of an earlier visit. */
export interface HistoryEntry {
  readonly address: string
  readonly connectorType: string
  readonly walletClientType: string
  /** Milliseconds since 1970. */
  readonly connectedAt: number
}

/**
 * Reads stored connections, the most recent first. One invalid entry makes the whole history empty, as does a
 * text of a size that we never write. Storage is not trusted, and only an entry's own fields count.
 */
export function parseHistory(text: unknown): readonly HistoryEntry[] {
  if (typeof text !== 'string' || text.length > walletsLimits.walletHistorySize) return []
  let stored: unknown
  try {
    stored = JSON.parse(text)
  } catch {
    return []
  }
  if (!Array.isArray(stored)) return []
  const entries = stored.map(entryOf)
  return entries.every((entry) => entry !== undefined) ? tidy(entries) : []
}

/** What is stored of connections: the most recent first, each once, up to a limit. */
export function writeHistory(entries: readonly HistoryEntry[]): string {
  let kept = tidy(entries).map(({ address, connectorType, walletClientType, connectedAt }) => ({
    address,
    connectorType,
    walletClientType,
    connectedAt,
  }))
  let text = JSON.stringify(kept)
  while (text.length > walletsLimits.walletHistorySize) {
    kept = kept.slice(0, kept.length >> 1)
    text = JSON.stringify(kept)
  }
  return text
}

/** Whether two entries are the same connection: by address, client type and connector type. */
export const sameConnection = (
  one: Omit<HistoryEntry, 'connectedAt'>,
  other: Omit<HistoryEntry, 'connectedAt'>,
): boolean => keyOf(one) === keyOf(other)

function entryOf(value: unknown): HistoryEntry | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const own = (key: keyof HistoryEntry): unknown => Object.getOwnPropertyDescriptor(value, key)?.value
  const address = own('address')
  const connectorType = own('connectorType')
  const walletClientType = own('walletClientType')
  const connectedAt = own('connectedAt')
  if (typeof address !== 'string' || typeof connectorType !== 'string') return undefined
  if (typeof walletClientType !== 'string' || !Number.isFinite(connectedAt)) return undefined
  return { address, connectorType, walletClientType, connectedAt: Number(connectedAt) }
}

function tidy(entries: readonly HistoryEntry[]): HistoryEntry[] {
  const seen = new Set<string>()
  const isNew = (key: string) => !seen.has(key) && seen.add(key)
  return [...entries]
    .sort((one, other) => other.connectedAt - one.connectedAt)
    .filter((entry) => isNew(keyOf(entry)))
    .slice(0, walletsLimits.walletHistoryEntries)
}

/** Ethereum addresses are the same in any case; Solana's are not. */
const keyOf = ({ address, connectorType, walletClientType }: Omit<HistoryEntry, 'connectedAt'>) =>
  JSON.stringify([
    /^0x[0-9a-f]{40}$/i.test(address) ? address.toLowerCase() : address,
    walletClientType,
    connectorType,
  ])
