import type { Examples } from '../../dialog/screen.ts'
import type { sponsorDeclined } from './sponsor-declined.tsx'

export const examples = {
  'with a name and a reason': {
    props: { sponsor: 'Gas Tank', reason: "This contract isn't on the app's list." },
  },
  'without a name': { props: {} },
  'a long reason': {
    props: {
      sponsor: 'Gas Tank',
      reason: 'The policy of this app allows five sponsored operations a day. '.repeat(4),
    },
  },
  paying: { props: { sponsor: 'Gas Tank' }, busy: 'pay' },
  cancelling: { props: { sponsor: 'Gas Tank' }, busy: 'cancel' },
} satisfies Examples<typeof sponsorDeclined>
