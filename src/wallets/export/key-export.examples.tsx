import type { Examples } from '../../dialog/screen.ts'
import { failed, type keyExport, rest } from './key-export.tsx'

export const examples = {
  loading: { props: { ...rest, state: 'loading' } },
  ready: { props: rest },
  'imported, Solana': {
    props: {
      ...rest,
      address: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK',
      chainType: 'solana',
      imported: true,
    },
  },
  failed: { props: failed },
  'failed without a reason': { props: { ...failed, error: undefined } },
  retrying: { props: failed, busy: 'retry' },
  closing: { props: rest, busy: 'close' },
} satisfies Examples<typeof keyExport>
