import type { Examples } from '../../../dialog/screen.ts'
import type { vaultPasskey } from './vault-passkey.tsx'

const options = {}

export const examples = {
  use: { props: { purpose: 'use', options } },
  'asking the browser': { props: { purpose: 'use', options }, busy: 'ask' },
  declined: { props: { purpose: 'use', options, error: 'declined' } },
  'not a passkey of the wallet': { props: { purpose: 'use', options, error: 'wrong' } },
  create: { props: { purpose: 'create', options } },
  'added already': { props: { purpose: 'create', options, error: 'known' } },
  unsupported: { props: { purpose: 'create', options, error: 'unsupported' } },
  failed: { props: { purpose: 'create', options, error: 'other' } },
} satisfies Examples<typeof vaultPasskey>
