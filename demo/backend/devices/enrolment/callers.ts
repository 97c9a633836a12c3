import type { CoreServices, ServerContext } from '../../http/services.ts'
import { appearanceOf } from '../describe.ts'
import type { Caller } from './proof-kind.ts'

/** Reads where a call comes from. */
export const callers =
  (services: Pick<CoreServices, 'placeOf' | 'clientIp'>) =>
  (c: ServerContext): Caller => ({
    ...appearanceOf(c, services),
    ip: services.clientIp(c),
    origin: c.req.header('origin'),
  })

/** The vault's origin that a call comes from; every call of the vault has been checked to have one. */
export const originOfVault = (c: ServerContext): string => c.req.header('origin') ?? ''
