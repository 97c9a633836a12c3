import type { ServerContext } from '../http/services.ts'
import type { AuthorisedCall } from '../sessions/post-as-user.ts'

/** Who calls. */
export const sessionOf = ({ app, bearer }: AuthorisedCall<unknown>) => ({ app, ...bearer })
/** The root that the path names. */
export const rootOf = ({ c }: { c: ServerContext }) => c.req.param('root') ?? ''
