import type { ServerContext } from '../http/services.ts'
import type { AuthorisedCall, DeviceCall, KeyCall } from '../sessions/post-as-user.ts'

/** Who calls. */
export const sessionOf = ({ app, bearer }: AuthorisedCall<unknown>) => ({ app, ...bearer })
/** Who calls, and on which of their browsers. */
export const deviceSessionOf = ({ app, bearer, device }: DeviceCall<unknown>) => ({ app, ...bearer, device })
/** Who calls, and with which key. */
export const keySessionOf = ({ app, bearer, device }: KeyCall<unknown>) => ({ app, ...bearer, device })
/** The root that the path names. */
export const rootOf = ({ c }: { c: ServerContext }) => c.req.param('root') ?? ''
