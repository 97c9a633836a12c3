import { KitError } from '../errors/kit-error.ts'
import { appIdLength } from '../lib/app-id.ts'
import { parseBaseUrl } from '../lib/origin.ts'

/** Which app, and where its API and its vault are. */
export interface Identity {
  readonly appId: string
  readonly apiUrl: string
  readonly vaultUrl: string
}

/** The host's app id and addresses, validated. Throws a {@link KitError} `invalid_configuration` that says what is wrong. */
export function checkIdentity(options: { appId: unknown; apiUrl: unknown; vaultUrl?: unknown }): Identity {
  const { appId, apiUrl, vaultUrl } = options
  if (typeof appId !== 'string' || appId.length !== appIdLength)
    throw wrong(
      `Cannot initialize the kit with an invalid app id: ${
        typeof appId === 'string' && appId !== ''
          ? `"${appId}" has ${appId.length} characters`
          : 'there is none'
      }, and an app id has ${appIdLength}, such as "example-app-id-25-letters"`,
    )
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
