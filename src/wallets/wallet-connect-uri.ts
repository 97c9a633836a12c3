import { walletsLimits } from './limits.ts'

/** The pairing address by which a wallet elsewhere finds this page. */
export interface WalletConnectUri {
  readonly topic: string
  readonly symKey: string
  readonly relayProtocol: 'irn'
  /** Seconds since 1970. */
  readonly expiryTimestamp: number | undefined
  readonly methods: readonly string[]
}

const hex32 = /^[0-9a-f]{64}$/
const fields: ReadonlyMap<string, RegExp> = new Map([
  ['relay-protocol', /^irn$/],
  ['symKey', hex32],
  ['expiryTimestamp', /^[1-9]\d{0,11}$/],
  ['methods', /^[a-zA-Z_]\w*(,[a-zA-Z_]\w*)*$/],
])

/**
 * Reads a `wc:` address of the second version, and nothing else, so that only what was read strictly is shown
 * as a code or passed to a wallet. `undefined` for everything else: other versions, repeated or unknown
 * fields, unnecessary escapes.
 */
export function parseWalletConnectUri(text: unknown): WalletConnectUri | undefined {
  if (typeof text !== 'string' || text.length > walletsLimits.walletConnectUriLength) return undefined
  const [, topic, query] = /^wc:([0-9a-f]{64})@2\?([\w\-=&,%]+)$/.exec(text) ?? []
  if (!topic || !query) return undefined
  const found = new Map<string, string>()
  for (const part of query.split('&')) {
    const [name = '', value = '', ...rest] = part.split('=')
    // Lists are written with their commas escaped; nothing else needs it.
    const plain = value.replace(/%2C/gi, ',')
    if (rest.length > 0 || found.has(name) || !fields.get(name)?.test(plain)) return undefined
    found.set(name, plain)
  }
  const symKey = found.get('symKey')
  if (!symKey || !found.has('relay-protocol')) return undefined
  const expiry = found.get('expiryTimestamp')
  return {
    topic,
    symKey,
    relayProtocol: 'irn',
    expiryTimestamp: expiry === undefined ? undefined : Number(expiry),
    methods: found.get('methods')?.split(',') ?? [],
  }
}
