import type { WalletFlow } from '../wallets/flow-context.ts'
import type { Approver } from './approver.ts'
import { createHiddenApprover } from './hidden-approver.ts'
import { createPageApprover } from './page-approver.ts'
import { createVaultApprover } from './vault-approver.ts'

/**
 * The approver of an app.
 * @param isHidden the host wants no screen. An app whose vault is strict has no say in that: the vault asks all the same.
 */
export function createApprover(cx: WalletFlow, isHidden = false): Approver {
  if (cx.config.vault === 'strict') return createVaultApprover(cx)
  return isHidden ? createHiddenApprover(cx) : createPageApprover(cx)
}
