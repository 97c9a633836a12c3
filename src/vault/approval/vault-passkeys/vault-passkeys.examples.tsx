import type { Examples } from '../../../dialog/screen.ts'
import type { vaultPasskeys } from './vault-passkeys.tsx'

const passkeys = [
  { id: 'a', name: 'Chrome on Windows', createdAt: Date.UTC(2026, 2, 14) },
  { id: 'b', name: 'Safari on iPhone', createdAt: Date.UTC(2026, 10, 2) },
]

export const examples = {
  some: { props: { passkeys, failed: false } },
  none: { props: { passkeys: [], failed: false } },
  adding: { props: { passkeys, failed: false }, busy: 'add' },
  'opening one': { props: { passkeys, failed: false }, busy: { remove: 'b' } },
  failed: { props: { passkeys, failed: true } },
} satisfies Examples<typeof vaultPasskeys>
