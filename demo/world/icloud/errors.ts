import { randomUUID } from 'node:crypto'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** What CloudKit calls its failures, and the status that goes with each. */
const statuses = {
  ACCESS_DENIED: 403,
  AUTHENTICATION_FAILED: 401,
  AUTHENTICATION_REQUIRED: 421,
  BAD_REQUEST: 400,
  CONFLICT: 409,
  EXISTS: 409,
  NOT_FOUND: 404,
  QUOTA_EXCEEDED: 413,
  THROTTLED: 429,
  ZONE_NOT_FOUND: 404,
} as const satisfies Record<string, ContentfulStatusCode>
export type CloudKitCode = keyof typeof statuses

/** A refusal in the shape of CloudKit web services: of a whole request, or of one record in it. */
export class CloudKitError extends Error {
  override name = 'CloudKitError'
  constructor(
    readonly code: CloudKitCode,
    readonly reason: string,
    private readonly more: { redirectURL?: string } = {},
  ) {
    super(reason)
  }

  get status(): ContentfulStatusCode {
    return statuses[this.code]
  }

  get body() {
    return { uuid: randomUUID(), serverErrorCode: this.code, reason: this.reason, ...this.more }
  }
}
