import { readSponsors, type Sponsor } from '../../ethereum/sponsors.ts'
import { type Delegate, readDelegates } from '../../ethereum/wallet-code.ts'
import { appIdLength } from '../../lib/app-id.ts'
import { isPlainObject, parsePlain } from '../../lib/plain.ts'
import { safeLink } from '../../lib/safe-link.ts'
import { frameLimits } from '../../protocol/frame/limits.ts'

/** What the backend writes into the vault's page. */
export interface VaultSettings {
  readonly appId: string
  /** Base of the API, without a trailing slash. */
  readonly apiUrl: string
  /** Patterns of `originAllowed`. */
  readonly allowedOrigins: readonly string[]
  /** Where people's drives are, without a trailing slash. */
  readonly googleDriveUrl: string
  readonly cloudKitUrl: string
  /**
   * 'strict': what a key is used for is approved in the vault's own frame or window, whatever the page asks for.
   * 'compatible': as the page asks, for unmodified clients of the wire's origin. Strict unless the backend says otherwise.
   */
  readonly vault: 'strict' | 'compatible'
  /** Whether a page may have what nobody can read signed: bare hashes. In compatible apps alone, and if the backend says so. */
  readonly rawSigning: boolean
  /** Whether a page may have the hashes of operations signed, as owners of Coinbase's smart wallets do; in compatible apps alone. */
  readonly operationSigning?: boolean
  /** The app's name for people. */
  readonly appName: string
  /** Whether a person must own the way in which their wallet comes back. */
  readonly requireOwnRecovery: boolean
  /** Whether the app lets the frame approve transfers, up to limits that the server counts. */
  readonly frameSpending?: boolean
  /** Contracts whose code the app allows at its users' own addresses (EIP-7702). */
  readonly delegates: readonly Delegate[]
  /** Contracts that pay fees of the app's users, with their names. */
  readonly sponsors?: readonly Sponsor[]
  /** The server's nonce of the moment, for the first proof of this device; later ones come with its answers. */
  readonly proofNonce?: string
}
const DRIVES = {
  googleDriveUrl: 'https://www.googleapis.com',
  cloudKitUrl: 'https://api.apple-cloudkit.com',
} as const

/** Reads the settings of the page. Gives `undefined` when they are missing or not what they should be. */
export function readSettings(text: string | null | undefined): VaultSettings | undefined {
  const raw = parsePlain(text ?? '', frameLimits.messageSize)
  if (!isPlainObject(raw)) return undefined
  const { appId, apiUrl, allowedOrigins } = raw
  if (typeof appId !== 'string' || appId.length !== appIdLength) return undefined
  if (!isBase(apiUrl) || !Array.isArray(allowedOrigins)) return undefined
  const patterns = allowedOrigins.filter((pattern) => typeof pattern === 'string')
  if (patterns.length !== allowedOrigins.length) return undefined
  const { googleDriveUrl = DRIVES.googleDriveUrl, cloudKitUrl = DRIVES.cloudKitUrl } = raw
  if (!isBase(googleDriveUrl) || !isBase(cloudKitUrl)) return undefined
  const vault = raw.vault === 'compatible' ? 'compatible' : 'strict'
  return Object.freeze({
    appId,
    apiUrl: withoutSlash(apiUrl),
    allowedOrigins: Object.freeze(patterns),
    googleDriveUrl: withoutSlash(googleDriveUrl),
    cloudKitUrl: withoutSlash(cloudKitUrl),
    vault,
    rawSigning: vault === 'compatible' && raw.rawSigning === true,
    ...(vault === 'compatible' && raw.operationSigning === true && { operationSigning: true }),
    appName: typeof raw.appName === 'string' ? raw.appName : '',
    requireOwnRecovery: raw.requireOwnRecovery === true,
    delegates: Object.freeze(readDelegates(raw.delegates)),
    sponsors: Object.freeze(readSponsors(raw.sponsors)),
    ...(raw.frameSpending === true && { frameSpending: true }),
    ...(typeof raw.proofNonce === 'string' && { proofNonce: raw.proofNonce }),
  })
}

const isBase = (value: unknown): value is string => typeof value === 'string' && safeLink(value) !== undefined
const withoutSlash = (url: string) => url.replace(/\/+$/, '')
