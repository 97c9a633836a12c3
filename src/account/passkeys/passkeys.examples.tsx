import type { Examples } from '../../dialog/screen.ts'
import { fingerprint } from '../../ui/icons/lucide.ts'
import type { Shown } from '../shown.ts'
import type { PasskeysProps, passkeys } from './passkeys.tsx'

const names = [
  'iCloud Keychain on Safari',
  'Unknown device',
  'Chrome on Windows',
  'Work laptop on Firefox',
  'Security key with a name as long as anybody will ever give one on Chrome',
]
const all: readonly Shown[] = names.map((label, index) => ({
  key: String(index),
  icon: fingerprint,
  label,
  detail: 'Added Mar 14, 2026',
  mark: index === 0 ? { text: 'Enabled', tone: 'success' } : undefined,
}))
const some: PasskeysProps = { passkeys: all.slice(0, 3), expanded: false, canGoBack: false }

export const examples = {
  'three, two shown': { props: some },
  'all shown': { props: { ...some, expanded: true, canGoBack: true } },
  'as many as may be': { props: { ...some, passkeys: all, expanded: true } },
  none: { props: { ...some, passkeys: [] } },
  adding: { props: some, busy: 'add' },
  opening: { props: some, busy: { passkey: '1' } },
} satisfies Examples<typeof passkeys>
