import { limits } from './core/limits.ts'
import { parseBaseUrl } from './core/origin.ts'
import { KitError } from './errors/kit-error.ts'

/** Which app, where its API is and where its vault. */
export interface Identity {
  readonly appId: string
  readonly apiUrl: string
  readonly vaultUrl: string
}

/**
 * The host's app id and addresses, checked. Throws a {@link KitError} `invalid_configuration` that says what is wrong.
 * A file of its own, so that elements can ask without loading the kit.
 */
export function checkIdentity(options: { appId: unknown; apiUrl: unknown; vaultUrl?: unknown }): Identity {
  const { appId, apiUrl, vaultUrl } = options
  if (typeof appId !== 'string' || appId.length !== limits.appIdLength)
    throw wrong(`Cannot initialize the kit with an invalid app id: it has ${limits.appIdLength} characters`)
  const api = address('api-url', apiUrl)
  return { appId, apiUrl: api, vaultUrl: vaultUrl ? address('vault-url', vaultUrl) : api }
}

function address(name: string, value: unknown): string {
  const parsed = typeof value === 'string' ? parseBaseUrl(value) : undefined
  if (!parsed) throw wrong(`${name} must be an https address (http only on localhost or 127.0.0.1)`)
  return parsed
}

const wrong = (details: string) =>
  new KitError('invalid_configuration', 'This app is not set up correctly', { details })
