import type { Translate } from '../../../copy/copy.ts'
import type { Screen } from '../../../dialog/screen.ts'
import type { TokenAction } from '../../../ethereum/token-action.ts'
import type { SignKind, SignRequest, SignRequestOf } from '../../../protocol/frame/sign-request.ts'
import type { OwnFees } from '../../../signing/preview.ts'
import type { Knowledge } from '../../../signing/transaction/preview.ts'
import type { VaultContext } from '../../context.ts'
import type { NeededDescriptors } from '../../server/descriptors.ts'
import type { PlainTransfer } from '../../server/spending.ts'
import type { Token } from '../../token.ts'
import type { Risk } from '../purpose.ts'

/** A request as a screen displays it. */
export interface SignReview {
  readonly screen: Screen<object, SignAnswer>
  readonly props: object
  readonly risk: Risk
  /** Set for a transfer and nothing else, which an app may let the frame approve. */
  readonly transfer?: PlainTransfer | undefined
  /** Descriptors that would say more of it. They are never needed to approve it. */
  readonly needed?: NeededDescriptors | undefined
  /** Set for an allowance, whose effect depends on what the wallet has. */
  readonly allowance?: Allowance | undefined
  /** The same request with other fees, whose bytes are then those that are reviewed and signed. */
  readonly withFees?: ((fees: OwnFees) => SignRequest) | undefined
  /**
   * Set for a transaction: asks the vault's own server about it, and resolves with what that changes in the screen's properties.
   * Rejects where the server can't say.
   */
  readonly confirm?: ((cx: VaultContext, token: Token) => Promise<(props: object) => object>) | undefined
}
/** An allowance of a token on a chain; `withAction` gives the screen's properties once more is known of it. */
export interface Allowance {
  readonly action: TokenAction
  readonly chainId: number
  readonly withAction: (action: TokenAction) => object
}
/** An object asks for other fees; any other one approves nothing. */
export type SignAnswer = 'sign' | 'approve' | 'recheck' | 'cancel' | object
/** The page that asks, and the wallet that signs. */
export type Requester = { readonly origin: string; readonly address: string }

export interface ReadContext {
  readonly requester: Requester
  readonly t: Translate
  /** Adds words to what the bytes say, and takes nothing away. */
  readonly knowledge: Knowledge
}
/** Reads a kind of request, out of the very bytes that are signed and nothing that a page says of them. Throws `InvalidRequest`. */
export type ReadKind<K extends SignKind> = (asked: SignRequestOf<K>, cx: ReadContext) => SignReview

export const toReview = <P extends object, A extends SignAnswer>(
  screen: Screen<P, A>,
  props: P,
  risk: Risk,
  more: Pick<SignReview, 'transfer' | 'allowance' | 'confirm' | 'needed' | 'withFees'> = {},
): SignReview => ({ screen: screen as unknown as SignReview['screen'], props, risk, ...more })
