import * as v from 'valibot'
import { flag, maybeText, reader } from './decode.ts'
import type { CallOptions, Http } from './http.ts'

/** An app whose accounts this app takes. Spec §3 "Cross-app". */
export interface Connection {
  readonly appId: string
  readonly name: string
  readonly iconUrl: string | undefined
  /** Where that app's own API is, when it isn't ours. */
  readonly apiUrl: string | undefined
  /** Its accounts can be shown but not acted with. */
  readonly readOnly: boolean
}
export type ConnectionDetails = Pick<Connection, 'name' | 'iconUrl'>

const prefix = 'privy:'

/** The app whose account a login method stands for, or `undefined` for every other method. */
export const crossAppId = (method: string): string | undefined =>
  method.startsWith(prefix) ? method.slice(prefix.length) || undefined : undefined

/** The login method of another app's account. */
export const crossAppMethod = (appId: string): string => prefix + appId

const connection = v.pipe(
  v.object({
    provider_app_id: v.string(),
    provider_app_name: v.string(),
    provider_app_icon_url: maybeText,
    provider_app_custom_api_url: maybeText,
    read_only: flag,
  }),
  v.transform((raw) => ({
    appId: raw.provider_app_id,
    name: raw.provider_app_name,
    iconUrl: raw.provider_app_icon_url,
    apiUrl: raw.provider_app_custom_api_url,
    readOnly: raw.read_only,
  })),
)
/** A connection that can't be read is left out; the others count. */
const connections = reader(
  v.pipe(
    v.object({ connections: v.array(v.unknown()) }),
    v.transform((raw) =>
      raw.connections.flatMap((each): Connection[] => {
        const parsed = v.safeParse(connection, each)
        return parsed.success ? [parsed.output] : []
      }),
    ),
  ),
)
const details = reader(
  v.pipe(
    v.object({ name: v.string(), icon_url: maybeText }),
    v.transform((raw): ConnectionDetails => ({ name: raw.name, iconUrl: raw.icon_url })),
  ),
)

/** Wire 2.12: the apps whose accounts the app `requester` takes. */
export const getConnections = (http: Http, requester: string, options?: CallOptions): Promise<Connection[]> =>
  http.call(
    {
      method: 'GET',
      path: `/api/v1/apps/${encodeURIComponent(requester)}/cross-app/connections`,
      answer: connections,
    },
    undefined,
    options,
  )

/** Wire 2.12: how another app calls itself. */
export const getConnectionDetails = (
  http: Http,
  appId: string,
  options?: CallOptions,
): Promise<ConnectionDetails> =>
  http.call(
    {
      method: 'GET',
      path: `/api/v1/apps/${encodeURIComponent(appId)}/cross-app/details`,
      answer: details,
      refreshesFirst: false,
    },
    undefined,
    options,
  )
