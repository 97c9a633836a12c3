import * as v from 'valibot'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { nothing, optionalText, readableItems, requiredText, unixTime } from './schema.ts'

/** Another app that the user has let in with their account of this one. */
export interface ConnectedApp {
  /** The app's id. */
  readonly id: string
  readonly name: string
  readonly iconUrl: string | undefined
  /** `accounts`: it knows who they are, and their wallets' addresses. `requests`: it may also ask their wallets, which they review each time. */
  readonly access: 'accounts' | 'requests'
  readonly connectedAt: Date
  readonly lastUsedAt: Date
  /** When its access ends by itself; `undefined` where it has ended, until the user logs in there again. */
  readonly expiresAt: Date | undefined
}

const connectedApp = v.pipe(
  v.object({
    id: requiredText,
    name: requiredText,
    icon_url: optionalText,
    // An access that this version doesn't know is the larger one, so that nobody is told less than there is.
    access: v.fallback(v.picklist(['accounts', 'requests']), 'requests'),
    connected_at: unixTime,
    last_used_at: unixTime,
    expires_at: v.fallback(v.nullish(unixTime), undefined),
  }),
  v.transform(
    (raw): ConnectedApp => ({
      id: raw.id,
      name: raw.name,
      iconUrl: raw.icon_url,
      access: raw.access,
      connectedAt: raw.connected_at,
      lastUsedAt: raw.last_used_at,
      expiresAt: raw.expires_at ?? undefined,
    }),
  ),
)
const list: Endpoint<undefined, ConnectedApp[]> = {
  method: 'GET',
  path: '/api/v1/connected_apps',
  answer: v.pipe(
    v.object({ connected_apps: readableItems(connectedApp) }),
    v.transform((raw) => raw.connected_apps),
  ),
}
const disconnect = (id: string): Endpoint<object, undefined> => ({
  method: 'POST',
  path: `/api/v1/connected_apps/${encodeURIComponent(id)}/disconnect`,
  answer: nothing,
})

/** `GET /connected_apps`: those that the user has let in, the one used last first. Throws what {@link Http.call} throws. */
export const listConnectedApps = (http: Http, options?: CallOptions): Promise<readonly ConnectedApp[]> =>
  http.call(list, undefined, options)

/** `POST /connected_apps/:id/disconnect`: ends the access of one, with its open requests. Throws what {@link Http.call} throws. */
export const disconnectApp = (http: Http, id: string, options?: CallOptions): Promise<undefined> =>
  http.call(disconnect(id), {}, options)
