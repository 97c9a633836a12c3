import type { Examples } from '../../dialog/screen.ts'
import type { linkPasskey } from './link-passkey.tsx'

export const examples = {
  ask: { props: {} },
  creating: { props: {}, busy: 'create' },
} satisfies Examples<typeof linkPasskey>
