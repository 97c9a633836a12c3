import { routePath } from 'hono/route'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { Refusal, type RefusalCode, Unavailable } from '../lib/refusal.ts'
import { isUnstorableText } from '../store/database.ts'
import { isUnavailable } from '../store/failures.ts'
import { unstorable } from './body.ts'
import type { StoredReply } from './idempotency.ts'
import { nameInLog } from './request-id.ts'
import type { ServerContext } from './services.ts'

/** In seconds: most outages are a restart or a failover. */
const OUTAGE_RETRY_AFTER = 2

/** Every other code is 400. Never 408, 409, 425 or 5xx: clients repeat those by themselves. */
const statuses: Partial<Record<RefusalCode, number>> = {
  account_frozen: 403,
  allowlist_rejected: 401,
  approval_required: 403,
  cross_app_connection_not_allowed: 403,
  cross_app_wrong_user: 403,
  device_not_enrolled: 403,
  disallowed_login_method: 403,
  enrolment_required: 403,
  expired_or_invalid_mfa_token: 401,
  feature_not_enabled: 403,
  invalid_credentials: 422,
  invalid_dpop_proof: 401,
  invalid_native_app_id: 403,
  invalid_origin: 403,
  linked_account_not_found: 404,
  max_accounts_reached: 403,
  missing_or_invalid_mfa: 401,
  missing_or_invalid_token: 401,
  missing_origin: 403,
  oauth_account_suspended: 403,
  permission_denied: 403,
  recovery_proof_required: 403,
  signup_disabled: 403,
  too_many_requests: 429,
  use_dpop_nonce: 401,
  wrong_account: 403,
}

/** A refusal in the shape that the protocol gives to errors. */
export function refusalReply({ code, message, details }: Refusal): StoredReply {
  const { status = statuses[code] ?? 400, data } = details
  return { status, body: { error: message, code, ...(data && { data }) } }
}

/** Answers with a reply that may have come out of the store. */
export function send(c: ServerContext, { status, body, setCookie }: StoredReply): Response {
  if (status >= 400 && isRefusal(body)) c.set('refused', body.code)
  for (const cookie of [setCookie ?? []].flat()) c.header('set-cookie', cookie, { append: true })
  return c.json(body, status as ContentfulStatusCode)
}

/** Whether a body is one of {@link refusalReply}, also when it comes out of the store. */
const isRefusal = (body: unknown): body is { error: string; code: RefusalCode } =>
  typeof body === 'object' && body !== null && 'error' in body && 'code' in body

/** Turns anything that was thrown into a response. @param log called with errors that are not the caller's */
export function sendError(c: ServerContext, error: unknown, log: (line: string) => void): Response {
  // What a request wraps up once more (a signed token, for example) is seen only when it is to be stored.
  if (isUnstorableText(error)) return send(c, refusalReply(unstorable()))
  if (error instanceof Refusal) {
    const { retryAfter } = error.details
    if (retryAfter !== undefined) c.header('retry-after', String(Math.max(1, Math.ceil(retryAfter / 1_000))))
    return send(c, refusalReply(error))
  }
  // The store has written a line for the whole outage.
  if (isUnavailable(error)) {
    c.header('retry-after', String(OUTAGE_RETRY_AFTER))
    return send(c, { status: 503, body: { error: 'The database cannot be reached. Please try again.' } })
  }
  if (error instanceof Unavailable) return send(c, { status: 503, body: { error: error.message } })
  log(`${c.req.method} ${routePath(c, -1)} failed (request ${nameInLog(c)}): ${traceOf(error)}`)
  return send(c, { status: 500, body: { error: 'Something went wrong on our side. Please try again.' } })
}

/** The innermost cause: the outer errors of the database name the values of the query, which may be secret. */
function traceOf(error: unknown): string {
  let at = error
  while (at instanceof Error && at.cause instanceof Error) at = at.cause
  return at instanceof Error ? (at.stack ?? at.message) : String(at)
}
