import type { ApprovalPurpose } from '../../protocol/frame/approval.ts'
import type { PurposeFlow } from './purpose.ts'

/** Everything that a person approves in the vault's own pages, each loaded when it is asked for. A new purpose is a folder and a line here. */
export const purposes: { readonly [P in ApprovalPurpose]: () => Promise<PurposeFlow<P>> } = {
  sign: async () => (await import('./sign/flow.ts')).sign,
}
