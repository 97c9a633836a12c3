import type { Examples } from '../../dialog/screen.ts'
import type { permissionResult } from './permission-result.tsx'

export const examples = {
  enabled: { props: { outcome: 'enabled' } },
  revoked: { props: { outcome: 'revoked' } },
  'not enabled': { props: { outcome: 'notEnabled' } },
  'not revoked': { props: { outcome: 'notRevoked' } },
} satisfies Examples<typeof permissionResult>
