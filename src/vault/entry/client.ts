/** What the page says about itself in the address of a frame. */
export interface Client {
  /** The app's client. */
  readonly clientId?: string
  /** A UUID of this browser for analytics. */
  readonly analyticsId?: string
}

/** Reads the query of a frame's address; what can be neither is left out. */
export function readClient(search: string): Client {
  const query = new URLSearchParams(search)
  const clientId = wordOf(query.get('client_id'))
  const analyticsId = wordOf(query.get('caid'))
  return { ...(clientId && { clientId }), ...(analyticsId && { analyticsId }) }
}

/** It becomes a header, whoever wrote it. */
const wordOf = (text: string | null) => (text && /^[\w-]{1,128}$/.test(text) ? text : undefined)
