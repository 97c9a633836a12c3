import * as v from 'valibot'
import { dangerousKeys } from '../../../src/lib/plain.ts'
import { Refusal } from '../lib/refusal.ts'
import type { ServerContext } from './services.ts'

/** In bytes and levels: more than any client of ours sends, and less than what would keep the server busy. */
const MOST_BYTES = 1_048_576
const MOST_LEVELS = 32

/** The largest form that a provider posts. */
const MOST_FORM_BYTES = 65_536

/**
 * The bytes of a JSON request.
 * @throws Refusal `invalid_request`: 415 for another media type, 413 above 1 MiB, 400 when the upload broke off
 */
export const readBody = (c: ServerContext): Promise<Uint8Array> =>
  readBytes(c, 'application/json', MOST_BYTES)

/**
 * The fields of a form that was posted.
 * @throws Refusal as {@link readBody}, above 64 KiB; `invalid_data` for text that cannot be stored
 */
export async function readForm(c: ServerContext): Promise<URLSearchParams> {
  const bytes = await readBytes(c, 'application/x-www-form-urlencoded', MOST_FORM_BYTES)
  return requireStorable(new URLSearchParams(Buffer.from(bytes).toString('utf8')))
}

/** The parameters of the address. @throws Refusal `invalid_data` for text that cannot be stored */
export const readQuery = (c: ServerContext): URLSearchParams =>
  requireStorable(new URL(c.req.url).searchParams)

function requireStorable(fields: URLSearchParams): URLSearchParams {
  for (const pair of fields) if (!pair.every(isStorable)) throw unstorable()
  return fields
}

/** The database takes neither NUL nor half of a surrogate pair; people write neither. */
const isStorable = (text: string) => !text.includes('\0') && Buffer.from(text).toString() === text

/** @see isStorable */
export const unstorable = () => new Refusal('invalid_data', 'A text has a character that is not allowed.')

async function readBytes(c: ServerContext, mediaType: string, most: number): Promise<Uint8Array> {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== mediaType)
    throw new Refusal('invalid_request', `The content type must be ${mediaType}.`, { status: 415 })
  const tooLarge = () => new Refusal('invalid_request', 'The request is too large.', { status: 413 })
  const length = c.req.header('content-length')
  if (Number(length ?? 0) > most) throw tooLarge()
  // No more than that many bytes can come, so they need not be counted on their way.
  if (length !== undefined) return new Uint8Array(await c.req.raw.arrayBuffer().catch(brokeOff))
  const parts: Uint8Array[] = []
  let size = 0
  const stream: ReadableStream<Uint8Array> | null = c.req.raw.body
  if (stream) {
    for await (const part of whole(stream)) {
      size += part.byteLength
      if (size > most) throw tooLarge()
      parts.push(part)
    }
  }
  return Buffer.concat(parts)
}

/** An upload that breaks off is the caller's doing. */
async function* whole(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (cause) {
    brokeOff(cause)
  }
}

function brokeOff(cause: unknown): never {
  throw Object.assign(new Refusal('invalid_request', 'The request broke off.'), { cause })
}

/**
 * Reads a request's JSON by its schema. An empty body means an empty object.
 * @throws Refusal `invalid_request` for what is not JSON or hides keys of the language, `invalid_data` otherwise; text
 * that cannot be stored is invalid in any field
 */
export function parseBody<Schema extends v.GenericSchema>(
  bytes: Uint8Array,
  schema: Schema,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, bytes.byteLength === 0 ? {} : parseJson(bytes))
  if (result.success) return result.output
  const fields = [...new Set(result.issues.map((issue) => v.getDotPath(issue) ?? 'the body'))]
  throw new Refusal('invalid_data', `Invalid or missing: ${fields.slice(0, 5).join(', ')}`)
}

function parseJson(bytes: Uint8Array): unknown {
  let parsed: unknown
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Refusal('invalid_request', 'The request is not valid JSON.')
  }
  for (let level = [parsed], depth = 1; level.length > 0; depth++) {
    const below: unknown[] = []
    for (const value of level) {
      if (typeof value === 'string' && !isStorable(value)) throw unstorable()
      if (typeof value !== 'object' || value === null) continue
      if (depth > MOST_LEVELS) throw new Refusal('invalid_request', 'The request is nested too deeply.')
      for (const [key, child] of Object.entries(value)) {
        if (dangerousKeys.includes(key))
          throw new Refusal('invalid_request', 'The request has a key that is not allowed.')
        if (!isStorable(key)) throw unstorable()
        below.push(child)
      }
    }
    level = below
  }
  return parsed
}
