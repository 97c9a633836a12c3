import { Unavailable } from '../lib/refusal.ts'

/** How long one call to a third party may take, in milliseconds, and how much it may answer, in bytes. */
export interface Bounds {
  timeout: number
  most: number
}
export interface OutsideAnswer {
  status: number
  headers: Headers
  /** `undefined` where the answer is no JSON. */
  body: unknown
}

/**
 * Calls a third party and resolves when the whole answer is there. Redirects are not followed: every address is a
 * setting.
 * @param what whom it asks, for the text of the error
 * @throws Unavailable when nothing came in time, or too much
 */
export async function fetchOutside(
  what: string,
  address: string,
  init: RequestInit,
  { timeout, most }: Bounds,
): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(timeout)
    const response = await fetch(address, { ...init, redirect: 'error', signal })
    const bytes = await read(response, most)
    const { status, headers } = response
    return new Response(bytes.length > 0 ? bytes : null, { status, headers })
  } catch (cause) {
    throw new Unavailable(`${what} could not be reached. Please try again.`, { cause })
  }
}

/**
 * Asks a third party that answers with JSON.
 * @param options.form sent by POST, as `json` is
 * @throws Unavailable when nothing came in time, or too much
 */
export async function askOutside(
  what: string,
  address: string,
  options: Bounds & { json?: unknown; form?: URLSearchParams; headers?: Record<string, string> },
): Promise<OutsideAnswer> {
  const { json, form, headers } = options
  const init = {
    method: json === undefined && form === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'application/json',
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(form && { body: form }),
  }
  const response = await fetchOutside(what, address, init, options)
  return { status: response.status, headers: response.headers, body: parseJson(await response.text()) }
}

async function read(response: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  const stream: AsyncIterable<Uint8Array> | null = response.body
  for await (const part of stream ?? []) {
    size += part.byteLength
    if (size > most) throw new Error('The answer is too large')
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}

/** What a text says as JSON; `undefined` for what is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
