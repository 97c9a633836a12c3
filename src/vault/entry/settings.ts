import { appIdLength } from '../../lib/app-id.ts'
import { limits } from '../../lib/limits.ts'
import { safeLink } from '../../lib/origin.ts'
import { isPlainObject, parsePlain } from '../../lib/plain.ts'

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
  /** Whether a page may have what nobody can read signed: bare hashes. Never unless the backend says so. */
  readonly rawSigning: boolean
}
const DRIVES = {
  googleDriveUrl: 'https://www.googleapis.com',
  cloudKitUrl: 'https://api.apple-cloudkit.com',
} as const

/** Reads the settings of the page. Gives `undefined` when they are missing or not what they should be. */
export function readSettings(text: string | null | undefined): VaultSettings | undefined {
  const raw = parsePlain(text ?? '', limits.vaultMessageSize)
  if (!isPlainObject(raw)) return undefined
  const { appId, apiUrl, allowedOrigins } = raw
  if (typeof appId !== 'string' || appId.length !== appIdLength) return undefined
  if (!isBase(apiUrl) || !Array.isArray(allowedOrigins)) return undefined
  const patterns = allowedOrigins.filter((pattern) => typeof pattern === 'string')
  if (patterns.length !== allowedOrigins.length) return undefined
  const { googleDriveUrl = DRIVES.googleDriveUrl, cloudKitUrl = DRIVES.cloudKitUrl } = raw
  if (!isBase(googleDriveUrl) || !isBase(cloudKitUrl)) return undefined
  return Object.freeze({
    appId,
    apiUrl: withoutSlash(apiUrl),
    allowedOrigins: Object.freeze(patterns),
    googleDriveUrl: withoutSlash(googleDriveUrl),
    cloudKitUrl: withoutSlash(cloudKitUrl),
    rawSigning: raw.rawSigning === true,
  })
}

const isBase = (value: unknown): value is string => typeof value === 'string' && safeLink(value) !== undefined
const withoutSlash = (url: string) => url.replace(/\/+$/, '')
