import type { Examples } from '../../../dialog/screen.ts'
import type { continueInWindow } from './continue-in-window.tsx'

export const examples = {
  risky: { props: { why: 'risky', blocked: false } },
  browser: { props: { why: 'browser', blocked: false } },
  export: { props: { why: 'export', blocked: false } },
  import: { props: { why: 'import', blocked: false } },
  device: { props: { why: 'device', blocked: false } },
  enrol: { props: { why: 'enrol', blocked: false } },
  'approve device': { props: { why: 'approve-device', blocked: false } },
  'vault passkeys': { props: { why: 'vault-passkeys', blocked: false } },
  factor: { props: { why: 'factor', blocked: false } },
  passkeys: { props: { why: 'passkeys', blocked: false } },
  change: { props: { why: 'change', blocked: false } },
  frozen: { props: { why: 'frozen', blocked: false } },
  opening: { props: { why: 'risky', blocked: false }, busy: 'open' },
  blocked: { props: { why: 'risky', blocked: true } },
} satisfies Examples<typeof continueInWindow>
