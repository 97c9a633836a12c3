import type { Examples } from '../../../dialog/screen.ts'
import type { RemoveDeviceProps, removeDevice } from './remove-device.tsx'

const rest: RemoveDeviceProps = {
  name: 'Chrome on Windows',
  place: '203.0.113.0/24',
  createdAt: Date.UTC(2026, 2, 14, 12),
  lastUsedAt: Date.UTC(2026, 10, 2, 12),
  current: false,
  failed: false,
}

export const examples = {
  another: { props: rest },
  'this one': { props: { ...rest, current: true } },
  'no place': { props: { ...rest, place: '' } },
  failed: { props: { ...rest, failed: true } },
  removing: { props: rest, busy: 'remove' },
} satisfies Examples<typeof removeDevice>
