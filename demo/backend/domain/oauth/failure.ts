import { Refusal } from '../refusal.ts'
import type { Provider } from './providers.ts'

/** What went wrong between this backend and a provider. */
export type FailureKind =
  | 'unreachable'
  /** It answers something that can't be used. */
  | 'unusable answer'
  /** It does not take the code, or this backend for its client. */
  | 'refused'
  | 'wrong identity token'
  /** The answer came from another provider than the one that was asked. */
  | 'wrong sender'

/** A login that a provider did not bring to an end. Its text is for the log and has nothing of a person in it. */
export class ProviderFailure extends Error {
  override name = 'ProviderFailure'
  constructor(
    readonly provider: Provider,
    readonly kind: FailureKind,
    detail = '',
    options?: ErrorOptions,
  ) {
    super(`Login with ${provider.name}: ${kind}${detail && ` (${detail})`}`, options)
  }
}

export const accountSuspended = ({ name }: Provider) =>
  new Refusal('oauth_account_suspended', `This ${name} account is suspended.`)

/** The words "provider rate limit" tell clients whose limit it is (wire 3.3). */
export const providerLimit = ({ name }: Provider) =>
  new Refusal(
    'too_many_requests',
    `The provider rate limit of ${name} is reached. Please wait a moment and try again.`,
  )

/** Why, in the words of what failed first. */
export function reasonOf(error: unknown): string {
  let at = error
  while (at instanceof Error && at.cause instanceof Error) at = at.cause
  if (at === error) return error instanceof ProviderFailure ? '' : `: ${String(error)}`
  return at instanceof Error ? `: ${at.message}` : ''
}
