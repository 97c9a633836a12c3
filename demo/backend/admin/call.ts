import type { Handler } from 'hono'
import * as v from 'valibot'
import { noteAudit } from '../audit/audit.ts'
import type { AuditAction } from '../audit/tables.ts'
import { parseBody, readBody } from '../http/body.ts'
import type { CoreServices, ServerContext, ServerEnv } from '../http/services.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Queries } from '../store/database.ts'
import { type Admin, requireAdmin } from './keys.ts'

/** The longest list in one answer. */
export const MOST = 100

/** A call with a key of the app. */
export type AdminCall = Admin & {
  c: ServerContext
  /** Keeps what the call does; each is in the log. */
  note(
    db: Queries,
    action: AuditAction,
    of: { userId?: string; details?: Record<string, unknown> },
  ): Promise<void>
}

/** Makes handlers that only a key of an app reaches. */
export const createAsAdmin =
  (services: CoreServices) =>
  (handle: (call: AdminCall) => Promise<Response>): Handler<ServerEnv> =>
  async (c) => {
    c.header('cache-control', 'no-store')
    const { app, name } = await requireAdmin(services, c)
    const entry = { appId: app.id, actor: { type: 'admin', name }, place: services.placeOf(c) } as const
    return handle({
      c,
      app,
      name,
      note: (db, action, of) => noteAudit(db, { ...entry, at: services.clock(), action, ...of }),
    })
  }

/** How many of a list a query asks for. @throws Refusal `invalid_data` */
export function limitOf(query: URLSearchParams): number {
  const read = v.safeParse(
    v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number)),
    query.get('limit') ?? String(MOST),
  )
  if (!read.success || read.output < 1) throw new Refusal('invalid_data', 'Invalid or missing: limit')
  return Math.min(read.output, MOST)
}

/** The id in the path. */
export const idOf = (c: ServerContext) => c.req.param('id') ?? ''

/** The body of a request. @throws Refusal `invalid_request`, `invalid_data` */
export const read = async <S extends v.GenericSchema>(
  c: ServerContext,
  schema: S,
): Promise<v.InferOutput<S>> => parseBody(await readBody(c), schema)
