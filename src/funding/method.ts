/** The ways in which money comes into a wallet: one room each in this folder, all of the same shape. */
import type { FlowContext } from '../app/flow-context.ts'
import type { KitError } from '../errors/kit-error.ts'
import type { FundingTarget } from './target.ts'

/**
 * Name of a method. `card`: bought from a provider. `exchange`: sent from an account at an exchange. `wallet`: sent from another wallet of
 * the user's. `manual`: sent to the address that is shown.
 */
export type FundingMethodName = 'card' | 'exchange' | 'wallet' | 'manual'

export interface FundingOutcome {
  readonly method: FundingMethodName
  /**
   * `submitted`: it is under way, and the user left before its end. `confirmed`: the network has it. `completed`: the provider has ended it.
   */
  readonly status: 'submitted' | 'confirmed' | 'completed'
  /** The amount that has come, or will, in smallest units of what is funded; `undefined` where only the provider knows. */
  readonly received?: bigint | undefined
  /** Hash of the payment to the wallet. */
  readonly transactionHash?: string | undefined
  /** The purchase from a provider. */
  readonly purchase?:
    | { readonly id: string; readonly provider: string; readonly isSandbox: boolean }
    | undefined
}

/** The user went back from a method, or it failed: all methods are shown again. */
export interface LeftMethod {
  readonly back: true
  /** The failure: `words` are shown above the methods, and the host is told the error. */
  readonly failure?: { readonly words: string; readonly error: KitError } | undefined
}

/**
 * Runs a method to its end.
 * @throws Closed when the user closes the dialog before anything is under way
 */
export type FundingMethod = (cx: FlowContext, target: FundingTarget) => Promise<FundingOutcome | LeftMethod>

/** Methods that the app offers, each with what it needs of the kit. */
export type FundingMethods = { readonly [name in FundingMethodName]?: FundingMethod | undefined }

export const leftMethod = (failure?: LeftMethod['failure']): LeftMethod => ({ back: true, failure })
