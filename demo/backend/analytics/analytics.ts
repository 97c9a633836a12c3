import { randomUUID } from 'node:crypto'
import type { Database } from '../store/database.ts'
import { analyticsEvents } from './tables.ts'

const NAME = /^[a-z][a-z0-9_]{0,254}$/
/** Words and numbers of programs. No address, name, code, token or URL has this form and one of these names. */
const WORD = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/
const CHAIN = /^(?:0x[0-9a-f]{1,8}|\d{1,10}|[a-z0-9]{3,8}:\w{1,32})$/i
const AMOUNT = /^\d{1,12}(?:\.\d{1,8})?$/

const allowed: Record<string, RegExp> = {
  initialScreen: WORD,
  method: WORD,
  code: WORD,
  provider: WORD,
  status: WORD,
  chainType: WORD,
  chainId: CHAIN,
  value: AMOUNT,
}

/**
 * Keeps an event, of its payload only the fields that are known to say nothing about a person.
 * @param event.clientId the client's random id
 * @param now Unix milliseconds; a `clientTimestamp` in the payload is kept as milliseconds too
 */
export async function storeEvent(
  database: Database,
  event: { appId: string; name: string; clientId: string | null; payload: Record<string, unknown> },
  now: number,
): Promise<void> {
  const { appId, name, clientId, payload } = event
  // A name that no client of ours sends could carry anything.
  if (!NAME.test(name)) return
  await database.insert(analyticsEvents).values({
    id: randomUUID(),
    at: now,
    appId,
    name,
    clientId: clientId !== null && UUID.test(clientId) ? clientId : null,
    payload: allowedFields(payload),
  })
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The part of a payload that may be kept. */
function allowedFields(payload: Record<string, unknown>): Record<string, string | number> {
  const kept: Record<string, string | number> = {}
  for (const [field, pattern] of Object.entries(allowed)) {
    const value = payload[field]
    if ((typeof value === 'string' || typeof value === 'number') && pattern.test(String(value)))
      kept[field] = value
  }
  const at = typeof payload.clientTimestamp === 'string' ? Date.parse(payload.clientTimestamp) : Number.NaN
  return Number.isNaN(at) ? kept : { ...kept, clientTimestamp: at }
}
