import type { Examples } from '../../dialog/screen.ts'
import type { CrossAppProps, crossApp } from './cross-app.tsx'

const harbor: CrossAppProps = { phase: 'window', name: 'Harbor' }

const logo =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"%3E%3Crect width="28" height="28" fill="%230E9F8A"/%3E%3Cpath d="M5 17a9 9 0 0 1 18 0zM5 19h18l-3 4H8z" fill="%23fff"/%3E%3C/svg%3E'

const failed = (detail: string, retryable = true): CrossAppProps => ({
  ...harbor,
  phase: 'failed',
  failure: { title: 'Authentication failed', detail, retryable },
})

export const examples = {
  connecting: { props: { ...harbor, icon: logo } },
  'connecting, no picture': { props: harbor },
  verifying: { props: { ...harbor, phase: 'verifying', icon: logo } },
  done: { props: { ...harbor, phase: 'done' } },
  'window blocked': { props: { ...harbor, phase: 'blocked', icon: logo } },
  'window closed': { props: failed('User rejected request') },
  'no answer': { props: failed('Authorization request timed out after 2 minutes.') },
  retrying: { props: failed('User rejected request'), busy: 'retry' },
  'unknown app': { props: failed('Invalid connected app', false) },
} satisfies Examples<typeof crossApp>
