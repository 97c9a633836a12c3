import type { Translate } from '../../../copy/copy.ts'
import type { Screen } from '../../../dialog/screen.ts'
import type { GivenAllowance } from '../../../ethereum/edit-allowance.ts'
import type { Sponsor } from '../../../ethereum/sponsors.ts'
import type { Delegate } from '../../../ethereum/wallet-code.ts'
import type { PlainObject } from '../../../lib/plain.ts'
import type { SignKind, SignRequest, SignRequestOf } from '../../../protocol/frame/sign-request.ts'
import type { FindTokenFacts } from '../../../signing/allowances.ts'
import type { OwnFees } from '../../../signing/preview.ts'
import type { Knowledge } from '../../../signing/transaction/preview.ts'
import type { VaultContext } from '../../context.ts'
import type { NeededDescriptors } from '../../server/descriptors.ts'
import type { ServerPreview } from '../../server/preview.ts'
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
  /** Tokens of allowances, whose effect depends on what the wallet has. */
  readonly tokens?: NeededTokens | undefined
  /**
   * Asks the vault's own server, before anything is displayed, whether the request may be signed at all.
   * @throws InvalidRequest where it may not, and a `VaultError` where nobody can say
   */
  readonly assertAllowed?: ((cx: VaultContext, token: Token) => Promise<void>) | undefined
  /**
   * Asks the vault's own server about a transaction, or about the wallet. Rejects where the server has nothing to say. A transaction whose
   * properties wait for its trial run is not approved before {@link confirmed}.
   */
  readonly confirm?: ((cx: VaultContext, token: Token) => Promise<ServerPreview>) | undefined
  /**
   * The screen's properties with what the server has said; with `confirm`.
   * @param server `undefined`: no answer came in time
   */
  readonly confirmed?: ((server: ServerPreview | undefined) => object) | undefined
  /** The request with a lower allowance, as a screen's answer asks for it; `undefined` for an answer that lowers nothing. */
  readonly edit?: ((answer: unknown) => SignRequest | undefined) | undefined
  /**
   * The same request with other fees, whose bytes are then those that are reviewed and signed.
   * @param server what the server said when they were chosen
   * @throws InvalidRequest for fees that the request can't have
   */
  readonly withFees?: ((fees: OwnFees, server: ServerPreview | undefined) => SignRequest) | undefined
}
/** Tokens of allowances on one chain. */
export interface NeededTokens {
  readonly chainId: number
  readonly list: readonly Pick<GivenAllowance, 'token' | 'owner'>[]
}
/** What the vault's own server has said of what a request is about. It adds words to the request's bytes, and takes nothing away. */
export interface ReviewKnowledge extends Knowledge {
  readonly findFacts?: FindTokenFacts | undefined
  /** The request as the page has brought it, where the user has lowered an allowance since. */
  readonly asked?: SignRequest | undefined
  /** When the user began to review, in seconds since 1970. */
  readonly since?: bigint | undefined
}
/** An object asks for another allowance, and approves nothing. */
export type SignAnswer = 'sign' | 'approve' | 'recheck' | 'add-funds' | 'cancel' | object
/** The page that asks, and the name of its app where that is another one. */
export interface RequestedFrom {
  readonly origin: string
  readonly app?: string | undefined
}
/** The same, and the wallet that signs. */
export interface Requester extends RequestedFrom {
  readonly address: string
}

/** Settings of the app by which requests are read, from the vault's own server. */
export interface AppRules {
  /** Contracts whose code the app allows at its users' own addresses. */
  readonly delegates: readonly Delegate[]
  /** Contracts that pay fees of the app's users, with their names. */
  readonly sponsors: readonly Sponsor[]
}

export interface ReadContext extends AppRules {
  readonly requester: Requester
  readonly t: Translate
  /** Adds words to what the bytes say, and takes nothing away. */
  readonly knowledge: ReviewKnowledge
  /** Transactions of the same batch that are sent before it, for the server's trial run. */
  readonly after?: readonly PlainObject[] | undefined
}
/** Reads a kind of request, out of the very bytes that are signed and nothing that a page says of them. Throws `InvalidRequest`. */
export type ReadKind<K extends SignKind> = (asked: SignRequestOf<K>, cx: ReadContext) => SignReview

/** The same for a kind whose reader depends on the request, such as on the kind of its account. */
export type ReadKindLater<K extends SignKind> = (
  asked: SignRequestOf<K>,
  cx: ReadContext,
) => Promise<SignReview>

export const toReview = <P extends object, A extends SignAnswer>(
  screen: Screen<P, A>,
  props: P,
  risk: Risk,
  more: Omit<SignReview, 'screen' | 'props' | 'risk'> = {},
): SignReview => ({ screen: screen as unknown as SignReview['screen'], props, risk, ...more })
