import type { Screen } from '../../../dialog/screen.ts'
import type { GivenAllowance } from '../../../ethereum/edit-allowance.ts'
import type { ApprovalRequests } from '../../../protocol/frame/approval.ts'
import type { FindTokenFacts } from '../../../signing/allowances.ts'
import type { Knowledge } from '../../../signing/transaction/preview.ts'
import type { VaultContext } from '../../context.ts'
import type { NeededDescriptors } from '../../server/descriptors.ts'
import type { ServerPreview } from '../../server/preview.ts'
import type { PlainTransfer } from '../../server/spending.ts'
import type { Token } from '../../token.ts'
import type { Risk } from '../purpose.ts'

/** A request as a screen shows it. */
export interface Reading {
  readonly screen: Screen<object, SignAnswer>
  readonly props: object
  readonly risk: Risk
  /** Set for a transfer and nothing else, which an app may let the frame approve. */
  readonly transfer?: PlainTransfer | undefined
  /** Descriptors that would say more of it. They are never needed to approve it. */
  readonly needed?: NeededDescriptors | undefined
  /** Allowances, whose effect depends on what the wallet has. */
  readonly tokens?: NeededTokens | undefined
  /** Set for a transaction: asks the vault's own server about it. Rejects where the server can't say. */
  readonly confirm?: ((cx: VaultContext, token: Token) => Promise<ServerPreview>) | undefined
  /** The screen's properties with what the server has said; with `confirm`. */
  readonly confirmed?: ((server: ServerPreview) => object) | undefined
}
/** Tokens of allowances on one chain. */
export interface NeededTokens {
  readonly chainId: number
  readonly list: readonly Pick<GivenAllowance, 'token' | 'owner'>[]
}
/** What the vault's own server has said of what a request is about. It adds words to the request's bytes, and takes nothing away. */
export interface ReadingKnowledge extends Knowledge {
  readonly findFacts?: FindTokenFacts | undefined
  /** The request as the page has brought it, where the user has lowered an allowance since. */
  readonly asked?: ApprovalRequests['sign'] | undefined
  /** When the user began to review, in seconds since 1970. */
  readonly since?: bigint | undefined
}
/** An object asks for another allowance, and approves nothing. */
export type SignAnswer = 'sign' | 'approve' | 'recheck' | 'cancel' | object
/** Who asks, and the wallet that signs. */
export type Who = { readonly origin: string; readonly address: string }

export const reading = <P extends object, A extends SignAnswer>(
  screen: Screen<P, A>,
  props: P,
  risk: Risk,
  more: Pick<Reading, 'transfer' | 'tokens' | 'confirm' | 'confirmed' | 'needed'> = {},
): Reading => ({ screen: screen as unknown as Reading['screen'], props, risk, ...more })
