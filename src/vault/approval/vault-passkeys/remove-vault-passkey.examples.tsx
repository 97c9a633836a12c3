import type { Examples } from '../../../dialog/screen.ts'
import type { removeVaultPasskey } from './remove-vault-passkey.tsx'

const props = { name: 'Chrome on Windows', createdAt: Date.UTC(2026, 2, 14), failed: false }

export const examples = {
  asking: { props },
  removing: { props, busy: 'remove' },
  failed: { props: { ...props, failed: true } },
} satisfies Examples<typeof removeVaultPasskey>
