import type { ApprovalPurpose } from '../../protocol/frame/approval.ts'
import type { PurposeFlow } from './purpose.ts'
import type { WindowPurpose } from './window/about.ts'

/** Everything that a person approves in the vault's own pages, each loaded when it is asked for. A new purpose is a folder and a line here. */
export const purposes: { readonly [P in ApprovalPurpose]: () => Promise<PurposeFlow<P>> } = {
  create: async () => (await import('./create/flow.ts')).create,
  'login-code': async () => (await import('./login-code/flow.ts')).loginCode,
  recover: async () => (await import('./recover/flow.ts')).recover,
  'set-recovery': async () => (await import('./set-recovery/flow.ts')).setRecovery,
  sign: async () => (await import('./sign/flow.ts')).sign,
  export: async () => (await import('./export/flow.ts')).exportKey,
  grant: async () => (await import('./grant/flow.ts')).grant,
  import: async () => (await import('./import/flow.ts')).importKey,
  'remove-device': async () => (await import('./remove-device/flow.ts')).removeDevice,
  'account-change': async () => (await import('./account-change/flow.ts')).accountChange,
  unfreeze: async () => (await import('./frozen/flow.ts')).unfreeze,
  'approve-device': async () => (await import('./approve-device/flow.ts')).approveDevice,
  'vault-passkeys': async () => (await import('./vault-passkeys/flow.ts')).vaultPasskeys,
  mfa: async () => (await import('./mfa/flow.ts')).secondFactors,
}

/** The purpose of a window that a flow opens without naming one. */
export const ownPurposes: Readonly<Record<ApprovalPurpose, WindowPurpose>> = {
  create: 'create',
  'login-code': 'verify',
  recover: 'recover',
  'set-recovery': 'recovery',
  sign: 'message',
  export: 'export',
  grant: 'permission',
  import: 'import',
  'remove-device': 'device',
  'account-change': 'account-change',
  unfreeze: 'unfreeze',
  'approve-device': 'approve-device',
  'vault-passkeys': 'recovery-passkey',
  mfa: 'factors',
}

/** In these a person only types something for the vault, and approves nothing that a page could hide from them, so presses need no guard. */
export const fields: ReadonlySet<ApprovalPurpose> = new Set(['create', 'login-code'])
