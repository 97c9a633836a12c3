import type { Examples } from '../../dialog/screen.ts'
import type { AppRequestProps, appRequest } from './app-request.tsx'

const harbor: AppRequestProps = { phase: 'window', name: 'Harbor' }

const logo =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"%3E%3Crect width="28" height="28" fill="%230E9F8A"/%3E%3Cpath d="M5 17a9 9 0 0 1 18 0zM5 19h18l-3 4H8z" fill="%23fff"/%3E%3C/svg%3E'

const failed = (detail: string, retryable = true): AppRequestProps => ({
  ...harbor,
  phase: 'failed',
  failure: { title: 'Request failed', detail, retryable },
})

export const examples = {
  'in the window': { props: { ...harbor, icon: logo } },
  'in the window, no picture': { props: harbor },
  ready: { props: { ...harbor, phase: 'ready', icon: logo } },
  opening: { props: { ...harbor, phase: 'ready', icon: logo }, busy: 'open' },
  'window blocked': { props: { ...harbor, phase: 'blocked', icon: logo } },
  'window closed': { props: failed('User rejected request') },
  'no answer': { props: failed('Request timeout') },
  'a transaction that may have been sent': {
    props: {
      ...harbor,
      phase: 'failed',
      failure: {
        title: 'Request timeout',
        detail: 'Your transaction may have been sent. Look in the other app before you send it again.',
        retryable: false,
      },
    },
  },
  retrying: { props: failed('Request timeout'), busy: 'retry' },
  'no valid token': { props: failed('Transactions require a valid token') },
  'another wallet': { props: failed('Cannot request a signature with this wallet address', false) },
  'read-only app': { props: failed('Cannot transact against a read-only provider app', false) },
  'longest name': {
    props: { ...harbor, phase: 'blocked', name: 'Energieversorgungsgenossenschaft Oberland-Süd' },
  },
} satisfies Examples<typeof appRequest>
