import * as v from 'valibot'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { type OwnBrowser, ownBrowser } from './own-browser.ts'
import { readableItems } from './schema.ts'

/** A device that may use a person's wallets: a browser with a key of its own. */
export type Device = OwnBrowser

const list: Endpoint<undefined, Device[]> = {
  method: 'GET',
  path: '/api/v1/devices',
  answer: v.pipe(
    v.object({ devices: readableItems(ownBrowser) }),
    v.transform((raw) => raw.devices),
  ),
}

/** `GET /devices`: the devices that may use the person's wallets, the one used last first. Throws what {@link Http.call} throws. */
export const listDevices = (http: Http, options?: CallOptions): Promise<readonly Device[]> =>
  http.call(list, undefined, options)
