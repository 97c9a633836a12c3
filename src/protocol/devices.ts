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

const count: Endpoint<object, number> = {
  method: 'POST',
  path: '/api/v1/devices/requests/count',
  inBackground: true,
  answer: v.pipe(
    v.object({ count: v.number() }),
    v.transform((raw) => raw.count),
  ),
}
const proofs: Endpoint<object, string[]> = {
  method: 'POST',
  path: '/api/v1/devices/proofs',
  inBackground: true,
  answer: v.pipe(
    v.object({ kinds: readableItems(v.string()) }),
    v.transform((raw) => raw.kinds),
  ),
}

/** `POST /devices/requests/count`: how many new devices wait for approval. Throws what {@link Http.call} throws. */
export const countDeviceRequests = (http: Http, options?: CallOptions): Promise<number> =>
  http.call(count, {}, options)

/**
 * `POST /devices/proofs`: with what kinds of proof the user could confirm another device; with none their wallet lives in one
 * browser alone. Throws what {@link Http.call} throws.
 */
export const listDeviceProofs = (http: Http, options?: CallOptions): Promise<readonly string[]> =>
  http.call(proofs, {}, options)
