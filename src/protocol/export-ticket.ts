import * as v from 'valibot'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { requiredText } from './schema.ts'

const ticket = v.pipe(
  v.object({ ticket: requiredText }),
  v.transform((raw) => raw.ticket),
)

/**
 * `POST /embedded_wallets/:address/export_ticket`: what opens the export frame of one wallet, once and within 60 s. It
 * is part of the frame's address, which servers and histories keep: an access token must not be there. Throws what
 * {@link Http.call} throws.
 * @param address the wallet's own
 */
export function exportTicket(http: Http, address: string, options?: CallOptions): Promise<string> {
  const endpoint: Endpoint<object, string> = {
    method: 'POST',
    path: `/api/v1/embedded_wallets/${encodeURIComponent(address)}/export_ticket`,
    answer: ticket,
  }
  return http.call(endpoint, {}, options)
}
