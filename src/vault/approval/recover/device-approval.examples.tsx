import type { Examples } from '../../../dialog/screen.ts'
import type { deviceApproval } from './device-approval.tsx'

const until = Date.UTC(2026, 10, 20, 12, 5)

export const examples = {
  pending: { props: { state: 'pending', app: 'Acme', number: '42', until } },
  'long name': {
    props: { state: 'pending', app: 'The Harbor Trading Company of Greenland', number: '07', until },
  },
  approved: { props: { state: 'approved' } },
  denied: { props: { state: 'denied' } },
  expired: { props: { state: 'expired' } },
  'asking again': { props: { state: 'expired' }, busy: 'again' },
} satisfies Examples<typeof deviceApproval>
