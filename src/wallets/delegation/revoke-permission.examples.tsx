import type { Examples } from '../../dialog/screen.ts'
import type { revokePermission } from './revoke-permission.tsx'

const wallets = ['0x71C7656EC7ab88b098defB751B7401B5f6d8976F', '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv']

export const examples = {
  'one wallet': { props: { app: 'Harbor', wallets: wallets.slice(0, 1) } },
  'two wallets': { props: { app: 'Harbor', wallets } },
  revoking: { props: { app: 'Harbor', wallets: wallets.slice(0, 1) }, busy: 'confirm' },
} satisfies Examples<typeof revokePermission>
