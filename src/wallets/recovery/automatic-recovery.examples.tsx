import type { Examples } from '../../dialog/screen.ts'
import type { AutomaticRecoveryProps, automaticRecovery } from './automatic-recovery.tsx'

const failed: AutomaticRecoveryProps = {
  error: { title: 'Something went wrong', detail: 'Unable to set recovery on wallet' },
}

export const examples = {
  rest: { props: {} },
  working: { props: {}, busy: 'confirm' },
  done: { props: { done: true } },
  failed: { props: failed },
  'title alone': { props: { error: { title: 'Something went wrong' } } },
  retrying: { props: failed, busy: 'retry' },
} satisfies Examples<typeof automaticRecovery>
