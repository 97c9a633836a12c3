import { Refusal } from '../../lib/refusal.ts'
import type { OutsideAnswer } from '../../outside/ask.ts'
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
    readonly detail = '',
    options?: ErrorOptions,
  ) {
    super(`Login with ${provider.name}: ${kind}${detail && ` (${detail})`}`, options)
  }
}

/** The refusal of somebody whose account the provider has suspended. */
export const accountSuspended = ({ name }: Provider) =>
  new Refusal('oauth_account_suspended', `This ${name} account is suspended.`)

/** The words "provider rate limit" tell clients whose limit it is. */
const providerLimit = ({ name }: Provider) =>
  new Refusal(
    'too_many_requests',
    `The provider rate limit of ${name} is reached. Please wait a moment and try again.`,
  )

/** Throws for an answer that is none: some providers tell a failure with status 200. @throws ProviderFailure, Refusal */
export function requireSuccess(provider: Provider, answer: OutsideAnswer): void {
  const { status, body } = answer
  if (status < 400 && !saysError(body)) return
  if (isLimited(answer)) throw providerLimit(provider)
  if (status < 500 && /suspend/i.test(JSON.stringify(body) ?? '')) throw accountSuspended(provider)
  throw new ProviderFailure(provider, status < 500 ? 'refused' : 'unreachable', `${status}`)
}

/** Each has its own way to say "too often". */
function isLimited({ status, headers, body }: OutsideAnswer): boolean {
  if (status === 429 || (status === 403 && headers.get('x-ratelimit-remaining') === '0')) return true
  return /request limit reached|rate.limit/i.test(textOf(body, 'message'))
}

function saysError(body: unknown): boolean {
  const error = fieldOf(body, 'error')
  if (typeof error === 'string') return error !== ''
  const code = fieldOf(error, 'code')
  return error !== undefined && error !== null && code !== 'ok'
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

function textOf(body: unknown, name: string): string {
  const text = fieldOf(fieldOf(body, 'error') ?? body, name)
  return typeof text === 'string' ? text : ''
}

/** Why, in the words of what failed first. */
export function reasonOf(error: unknown): string {
  let at = error
  while (at instanceof Error && at.cause instanceof Error) at = at.cause
  if (at === error) return error instanceof ProviderFailure ? '' : `: ${String(error)}`
  return at instanceof Error ? `: ${at.message}` : ''
}
