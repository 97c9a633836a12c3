import type { ContentfulStatusCode } from 'hono/utils/http-status'

interface Detail {
  domain: 'global' | 'usageLimits'
  reason: string
  message?: string
  location?: string
  locationType?: 'parameter' | 'header'
}

/** A refusal in the shape of Google's APIs. */
export class DriveError extends Error {
  override name = 'DriveError'
  constructor(
    readonly code: ContentfulStatusCode,
    message: string,
    private readonly detail: Detail,
    private readonly status?: string,
  ) {
    super(message)
  }

  get body() {
    const { code, message, detail, status } = this
    return { error: { code, message, errors: [{ message, ...detail }], ...(status && { status }) } }
  }
}

export const driveErrors = {
  unauthorised: () =>
    new DriveError(
      401,
      'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
      {
        message: 'Invalid Credentials',
        domain: 'global',
        reason: 'authError',
        location: 'Authorization',
        locationType: 'header',
      },
      'UNAUTHENTICATED',
    ),
  scope: () =>
    new DriveError(
      403,
      'Request had insufficient authentication scopes.',
      { message: 'Insufficient Permission', domain: 'global', reason: 'insufficientPermissions' },
      'PERMISSION_DENIED',
    ),
  notFound: (id: string) =>
    new DriveError(404, `File not found: ${id}.`, {
      domain: 'global',
      reason: 'notFound',
      location: 'fileId',
      locationType: 'parameter',
    }),
  full: () =>
    new DriveError(403, "The user's Drive storage quota has been exceeded.", {
      domain: 'usageLimits',
      reason: 'storageQuotaExceeded',
    }),
  tooLarge: () =>
    new DriveError(413, 'Request is too large.', { domain: 'global', reason: 'uploadTooLarge' }),
  invalid: (location: string, message: string) =>
    new DriveError(400, message, {
      domain: 'global',
      reason: 'invalidParameter',
      location,
      locationType: 'parameter',
    }),
  badRequest: (message: string) => new DriveError(400, message, { domain: 'global', reason: 'badRequest' }),
  noMethod: () => new DriveError(404, 'Not Found', { domain: 'global', reason: 'notFound' }),
}
