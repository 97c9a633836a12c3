import type { Screen } from '../../../dialog/screen.ts'
import type { TokenAction } from '../../../ethereum/token-action.ts'
import type { VaultContext } from '../../context.ts'
import type { NeededDescriptors } from '../../server/descriptors.ts'
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
  /** Set for an allowance, whose effect depends on what the wallet has. */
  readonly allowance?: Allowance | undefined
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
/** An object asks for another amount, which the vault offers nobody: it approves nothing. */
export type SignAnswer = 'sign' | 'approve' | 'recheck' | 'cancel' | object
/** Who asks, and the wallet that signs. */
export type Who = { readonly origin: string; readonly address: string }

export const reading = <P extends object, A extends SignAnswer>(
  screen: Screen<P, A>,
  props: P,
  risk: Risk,
  more: Pick<Reading, 'transfer' | 'allowance' | 'confirm' | 'needed'> = {},
): Reading => ({ screen: screen as unknown as Reading['screen'], props, risk, ...more })
