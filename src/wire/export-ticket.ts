import * as v from 'valibot'
import { reader } from './decode.ts'
import type { CallOptions, Http } from './http.ts'

const answer = reader(v.object({ ticket: v.pipe(v.string(), v.minLength(1)) }))

/**
 * Security S2: what opens the export frame of one wallet, once and within 60 s; it stands in an address, where a token
 * must not. `address` is the wallet's own. Throws what {@link Http.call} throws.
 */
export async function exportTicket(http: Http, address: string, options?: CallOptions): Promise<string> {
  const path = `/api/v1/embedded_wallets/${encodeURIComponent(address)}/export_ticket`
  return (await http.call({ method: 'POST', path, answer }, {}, options)).ticket
}
