import type { ServerContext } from '../http/services.ts'
import type { AuthorisedCall, DeviceCall, KeyCall } from '../sessions/post-as-user.ts'

/** Who calls. */
export const sessionOf = ({ app, bearer, place }: AuthorisedCall<unknown>) => ({ app, ...bearer, place })
/** Who calls, and on which of their browsers. */
export const deviceSessionOf = ({ device, ...call }: DeviceCall<unknown>) => ({ ...sessionOf(call), device })
/** Who calls, and with which key. */
export const keySessionOf = ({ device, ...call }: KeyCall<unknown>) => ({ ...sessionOf(call), device })
/** The root that the path names. */
export const rootOf = ({ c }: { c: ServerContext }) => c.req.param('root') ?? ''
