import type { Fetch } from '../lib/retrying-fetch.ts'

const name = 'latchkey-status'

/**
 * Asks the server to answer expected refusals, such as a wrong code, with status 200 and their own status in a header: browsers
 * report every failed response in the host's console. Resolves with responses that have their own status again
 * (docs/protocol.md, "Status of refusals").
 */
export const withStatusHeader =
  (fetch: Fetch): Fetch =>
  async (url, init) => {
    const response = await fetch(url, {
      ...init,
      headers: { ...(init?.headers as object), [name]: 'header' },
    })
    const status = Number(response.headers.get(name))
    if (!response.ok || !isRefusal(status)) return response
    return new Response(response.body, { status, headers: response.headers })
  }

/** Anything else in the header degrades to the status of the response. */
const isRefusal = (status: number) => Number.isInteger(status) && status >= 400 && status <= 499
