import type { Examples } from '../../dialog/screen.ts'
import { examples as login } from './farcaster.examples.tsx'
import type { awaitingFarcasterSigner } from './farcaster.tsx'

const asking = { uri: 'https://farcaster.xyz/~/connect?token=0x23f1a5be9c', mobile: false }

export const examples = {
  waiting: { props: { state: 'waiting', ...asking } },
  'on a phone': { props: { state: 'waiting', ...asking, mobile: true } },
  checking: login.checking,
  done: login.done,
  'timed out': login['timed out'],
  renewing: login.renewing,
  rejected: login.rejected,
  failed: login.failed,
} satisfies Examples<typeof awaitingFarcasterSigner>
