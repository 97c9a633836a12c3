import { siwe } from './siwe-reading.ts'
import { siws } from './siws-reading.ts'
import type { Suite } from './suite.ts'
import { webauthn } from './webauthn.ts'

/** What only a server does, and what needs Node for it. */
export const serverSuites: readonly Suite[] = [webauthn, siwe, siws]
