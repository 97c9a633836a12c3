import * as v from 'valibot'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { flag, readableItems, requiredText, unixTime } from './schema.ts'

/** A device that may use a person's wallets. */
export interface Device {
  readonly id: string
  /** Such as `Chrome on Windows`. */
  readonly name: string
  /** Where it was when it was added, as a range of network addresses or as the server's proxy names it; may be empty. */
  readonly place: string
  readonly createdAt: Date
  readonly lastUsedAt: Date
  /** It is the one on which the person is now. */
  readonly current: boolean
}

const device = v.pipe(
  v.object({
    id: requiredText,
    name: v.string(),
    place: v.fallback(v.string(), ''),
    created_at: unixTime,
    last_used_at: unixTime,
    current: flag,
  }),
  v.transform(
    ({ id, name, place, current, ...raw }): Device => ({
      ...{ id, name, place, createdAt: raw.created_at, lastUsedAt: raw.last_used_at, current },
    }),
  ),
)
const list: Endpoint<undefined, Device[]> = {
  method: 'GET',
  path: '/api/v1/devices',
  answer: v.pipe(
    v.object({ devices: readableItems(device) }),
    v.transform((raw) => raw.devices),
  ),
}

/** `GET /devices`: the devices that may use the person's wallets, the one used last first. Throws what {@link Http.call} throws. */
export const listDevices = (http: Http, options?: CallOptions): Promise<readonly Device[]> =>
  http.call(list, undefined, options)
