import type { Examples } from '../../../dialog/screen.ts'
import type { proveRecovery } from './prove-recovery.tsx'

const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'

export const examples = {
  empty: { props: { address, error: undefined } },
  wrong: { props: { address, error: 'wrong' } },
  'too many': { props: { address, error: 'tooMany' } },
  failed: { props: { address, error: 'failed' } },
  working: { props: { address, error: undefined }, busy: { password: 'correct horse' } },
} satisfies Examples<typeof proveRecovery>
