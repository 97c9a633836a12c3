import { Unavailable } from './refusal.ts'

export interface OutsideAnswer {
  status: number
  headers: Headers
  /** `undefined` where the answer is no JSON. */
  body: unknown
}

/**
 * Asks a third party, with an end to how long it may take and how much it may say. Redirects are not followed: every
 * address is a setting.
 * @param what whom it asks, for the text of the error
 * @throws Unavailable when nothing that can be read came in time
 */
export async function askOutside(
  what: string,
  address: string,
  {
    json,
    form,
    headers,
    timeout,
    most,
  }: {
    json?: unknown
    /** Sent by POST, as `json` is. */
    form?: URLSearchParams
    headers?: Record<string, string>
    /** Milliseconds. */
    timeout: number
    /** Bytes. */
    most: number
  },
): Promise<OutsideAnswer> {
  try {
    const response = await fetch(address, {
      method: json === undefined && form === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(form && { body: form }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    })
    const { status, headers: answered } = response
    return { status, headers: answered, body: parse(await read(response, most)) }
  } catch (cause) {
    throw new Unavailable(`${what} could not be reached. Please try again.`, { cause })
  }
}

async function read(response: Response, most: number): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  const stream: AsyncIterable<Uint8Array> | null = response.body
  for await (const part of stream ?? []) {
    size += part.byteLength
    if (size > most) throw new Error('The answer is too large')
    parts.push(part)
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
