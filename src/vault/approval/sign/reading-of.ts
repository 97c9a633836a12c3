import type { Screen } from '../../../dialog/screen.ts'
import type { Risk } from '../purpose.ts'

/** A request as a screen shows it. */
export interface Reading {
  readonly screen: Screen<object, SignAnswer>
  readonly props: object
  readonly risk: Risk
}
export type SignAnswer = 'sign' | 'approve' | 'cancel'
/** Who asks, and the wallet that signs. */
export type Who = { readonly origin: string; readonly address: string }

export const reading = <P extends object, A extends SignAnswer>(
  screen: Screen<P, A>,
  props: P,
  risk: Risk,
): Reading => ({ screen: screen as unknown as Reading['screen'], props, risk })
