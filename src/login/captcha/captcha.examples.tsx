import type { Examples } from '../../dialog/screen.ts'
import { type captcha, failed } from './captcha.tsx'

const advised = { ...failed, advice: 'If you use an adblocker or a VPN, turn it off and try again.' }

export const examples = {
  checking: { props: { state: 'checking' } },
  asking: { props: { state: 'asking' } },
  passed: { props: { state: 'passed' } },
  failed: { props: failed },
  'failed, with advice': { props: advised },
  'no result in time': {
    props: { state: 'failed', title: 'Something went wrong!', detail: 'Please try again later.' },
  },
  'set up wrongly': {
    props: { ...failed, detail: 'This app is not set up correctly.', retryable: false },
  },
  'trying again': { props: advised, busy: 'retry' },
  'going back': { props: failed, busy: 'back' },
} satisfies Examples<typeof captcha>
