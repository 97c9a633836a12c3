import { limits } from '../core/limits.ts'
import { safeLink } from '../core/origin.ts'
import { isPlainObject, parsePlain } from '../wire/frame/plain.ts'

/** What the backend writes into the vault's page. */
export interface VaultSettings {
  readonly appId: string
  /** Base of the API, without a trailing slash. */
  readonly apiUrl: string
  /** Patterns of `originAllowed`. */
  readonly allowedOrigins: readonly string[]
}

/** Reads the settings of the page. Gives `undefined` when they are missing or not what they should be. */
export function readSettings(text: string | null | undefined): VaultSettings | undefined {
  const raw = parsePlain(text ?? '', limits.vaultMessageSize)
  if (!isPlainObject(raw)) return undefined
  const { appId, apiUrl, allowedOrigins } = raw
  if (typeof appId !== 'string' || appId.length !== limits.appIdLength) return undefined
  if (typeof apiUrl !== 'string' || !safeLink(apiUrl) || !Array.isArray(allowedOrigins)) return undefined
  const patterns = allowedOrigins.filter((pattern) => typeof pattern === 'string')
  if (patterns.length !== allowedOrigins.length) return undefined
  return Object.freeze({ appId, apiUrl: apiUrl.replace(/\/+$/, ''), allowedOrigins: Object.freeze(patterns) })
}
