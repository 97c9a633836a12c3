import * as v from 'valibot'
import { Refusal } from '../lib/refusal.ts'
import type { ServerContext } from './services.ts'

/** In bytes and levels: more than any client of ours sends, and less than what would keep the server busy. */
const MOST_BYTES = 1_048_576
const MOST_LEVELS = 32
const HOSTILE_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * The bytes of a JSON request.
 * @throws Refusal `invalid_request`: 415 for another media type, 413 above 1 MiB
 */
export async function readBody(c: ServerContext): Promise<Uint8Array> {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    throw new Refusal('invalid_request', 'The content type must be application/json.', { status: 415 })
  const tooLarge = () => new Refusal('invalid_request', 'The request is too large.', { status: 413 })
  if (Number(c.req.header('content-length') ?? 0) > MOST_BYTES) throw tooLarge()
  const parts: Uint8Array[] = []
  let size = 0
  const stream: ReadableStream<Uint8Array> | null = c.req.raw.body
  if (stream) {
    for await (const part of stream) {
      size += part.byteLength
      if (size > MOST_BYTES) throw tooLarge()
      parts.push(part)
    }
  }
  return Buffer.concat(parts)
}

/**
 * Reads a request's JSON by its schema. An empty body means an empty object.
 * @throws Refusal `invalid_request` for what is no JSON or hides keys of the language, `invalid_data` otherwise
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
      if (typeof value !== 'object' || value === null) continue
      if (depth > MOST_LEVELS) throw new Refusal('invalid_request', 'The request is nested too deeply.')
      for (const [key, child] of Object.entries(value)) {
        if (HOSTILE_KEYS.has(key))
          throw new Refusal('invalid_request', 'The request has a key that is not allowed.')
        below.push(child)
      }
    }
    level = below
  }
  return parsed
}
