import * as v from 'valibot'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { flag, optionalText, parseOptional, readableItems, requiredText } from './schema.ts'
import type { LinkedAccount } from './user.ts'

/** An app whose accounts this app takes. */
export interface Connection {
  readonly appId: string
  readonly name: string
  readonly iconUrl: string | undefined
  /** That app's own API, if it isn't ours. */
  readonly apiUrl: string | undefined
  /** Its accounts can be shown but not used to sign. */
  readonly readOnly: boolean
}
export type ConnectionDetails = Pick<Connection, 'name' | 'iconUrl'>

const prefix = 'privy:'
/** The account of another app, as a login method. */
export type CrossAppMethod = `${typeof prefix}${string}`

/** The app whose account a login method uses; `undefined` for every other method. */
export const crossAppId = (method: string): string | undefined =>
  method.startsWith(prefix) ? method.slice(prefix.length) || undefined : undefined

/** The login method of another app's account. */
export const crossAppMethod = (appId: string): CrossAppMethod => `${prefix}${appId}`

/** Another app's account of a user: the app, the user's id there, and the addresses of their wallets there. */
export interface CrossAppAccount {
  readonly appId: string
  readonly subject: string
  readonly wallets: readonly string[]
}

/** Another app's account among those of a user; `undefined` for any other account. */
export function crossAppAccount(account: LinkedAccount): CrossAppAccount | undefined {
  if (account.type !== 'other' || account.kind !== 'cross_app') return undefined
  const { provider_app_id: appId, subject, embedded_wallets, smart_wallets } = account.fields
  if (typeof appId !== 'string' || typeof subject !== 'string') return undefined
  const wallets = [embedded_wallets, smart_wallets].flatMap((list) => parseOptional(walletList, list) ?? [])
  return { appId, subject, wallets: wallets.map(({ address }) => address) }
}
const walletList = v.array(v.object({ address: v.string() }))

/** A login at another app that waits for the user's answer, as the address of the page that asks has it. */
export interface LoginAsked {
  /** The id of the app that asks: `client_id`. */
  readonly appId: string
  /** `redirect_uri`. */
  readonly redirectTo: string
  readonly state: string
  /** `code_challenge`. */
  readonly challenge: string
}

const connection = v.pipe(
  v.object({
    provider_app_id: v.string(),
    provider_app_name: v.string(),
    provider_app_icon_url: optionalText,
    provider_app_custom_api_url: optionalText,
    read_only: flag,
  }),
  v.transform(
    (raw): Connection => ({
      appId: raw.provider_app_id,
      name: raw.provider_app_name,
      iconUrl: raw.provider_app_icon_url,
      apiUrl: raw.provider_app_custom_api_url,
      readOnly: raw.read_only,
    }),
  ),
)
const connections = v.pipe(
  v.object({ connections: readableItems(connection) }),
  v.transform((raw) => raw.connections),
)
const details = v.pipe(
  v.object({ name: v.string(), icon_url: optionalText }),
  v.transform((raw): ConnectionDetails => ({ name: raw.name, iconUrl: raw.icon_url })),
)

/**
 * `GET /apps/:id/cross-app/connections`: the apps whose accounts the app `requester` takes; one that can't be read is
 * left out. Throws what {@link Http.call} throws.
 */
export function getConnections(http: Http, requester: string, options?: CallOptions): Promise<Connection[]> {
  const endpoint: Endpoint<undefined, Connection[]> = {
    method: 'GET',
    path: `/api/v1/apps/${encodeURIComponent(requester)}/cross-app/connections`,
    answer: connections,
  }
  return http.call(endpoint, undefined, options)
}

/** `GET /apps/:id/cross-app/details`: how another app calls itself. Throws what {@link Http.call} throws. */
export function getConnectionDetails(
  http: Http,
  appId: string,
  options?: CallOptions,
): Promise<ConnectionDetails> {
  const endpoint: Endpoint<undefined, ConnectionDetails> = {
    method: 'GET',
    path: `/api/v1/apps/${encodeURIComponent(appId)}/cross-app/details`,
    answer: details,
    refreshesFirst: false,
  }
  return http.call(endpoint, undefined, options)
}

const grant: Endpoint<Record<string, string>, string> = {
  method: 'POST',
  path: '/oauth/authorization_code',
  answer: v.pipe(
    v.object({ url: requiredText }),
    v.transform((raw) => raw.url),
  ),
}

/**
 * `POST /oauth/authorization_code`: lets the app that asks log the user in. Resolves with the address that brings the answer back.
 * Throws what {@link Http.call} throws.
 */
export const grantLogin = (http: Http, asked: LoginAsked, options?: CallOptions): Promise<string> =>
  http.call(
    grant,
    {
      redirect_to: asked.redirectTo,
      state: asked.state,
      code_challenge: asked.challenge,
      requester_app_id: asked.appId,
    },
    options,
  )
