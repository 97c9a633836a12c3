/** The vault's requests to the server about logins at providers and drives that its window runs. docs/protocol.md */
import { safeLink } from '../../lib/safe-link.ts'
import type { VaultContext } from '../context.ts'
import { VaultError } from '../errors.ts'
import type { Token } from '../token.ts'
import { unexpectedAnswer } from './transport.ts'

/** A visit to a provider that has begun. */
export interface BegunVisit {
  readonly url: string
  readonly state: string
}
/** The result of a visit. */
export interface VisitCode {
  readonly state: string
  readonly code: string
}

async function begin(cx: VaultContext, token: Token, path: string, body: object): Promise<BegunVisit> {
  const { url, state } = await cx.api(token, path, body)
  if (typeof url !== 'string' || typeof state !== 'string' || state === '') throw unexpectedAnswer()
  if (safeLink(url) === undefined) throw unexpectedAnswer()
  return { url, state }
}

/** Begins a fresh login with one of the user's accounts, which proves this device's key and no other. */
export const beginEnrolmentVisit = (cx: VaultContext, token: Token, id: string): Promise<BegunVisit> =>
  begin(cx, token, '/devices/enroll/provider', { id })

/** Begins a login with an account that is to be linked. */
export const beginLinkVisit = (cx: VaultContext, token: Token, provider: string): Promise<BegunVisit> =>
  begin(cx, token, '/users/me/changes/provider', { provider })

/** Begins the sign-in at the user's own drive. */
export const beginDriveVisit = (
  cx: VaultContext,
  token: Token,
  drive: 'google-drive' | 'icloud',
): Promise<BegunVisit> => begin(cx, token, '/recovery/drives/visit', { drive })

/**
 * Brings the answer of a provider that has no callback: what Telegram signed, or what Farcaster has by now. Resolves with `undefined`
 * while the user has not answered there.
 */
export async function answerVisit(
  cx: VaultContext,
  token: Token,
  state: string,
  result?: object,
): Promise<VisitCode | undefined> {
  const { status, code } = await cx.api(token, '/providers/answer', { state, ...(result && { result }) })
  if (status === 'pending') return undefined
  if (typeof code !== 'string' || code === '') throw unexpectedAnswer()
  return { state, code }
}

/** Asks for the account of a visit to be linked. Resolves with the change that waits for approval; `undefined` if it is linked. */
export async function finishLinkVisit(
  cx: VaultContext,
  token: Token,
  { state, code }: VisitCode,
): Promise<string | undefined> {
  const { change } = await cx.api(token, '/users/me/changes/provider/finish', { state, code })
  if (change === undefined) return undefined
  if (typeof change !== 'string' || change === '') throw unexpectedAnswer()
  return change
}

/** The token of the user's Google Drive. */
export async function fetchDriveToken(
  cx: VaultContext,
  token: Token,
  { state, code }: VisitCode,
): Promise<string> {
  const { access_token: given } = await cx.api(token, '/recovery/drives/token', { state, code })
  if (typeof given !== 'string' || given === '') throw unexpectedAnswer()
  return given
}

/** The user signed in with another account than the one that was named. */
export const isWrongAccount = (cause: unknown): boolean =>
  cause instanceof VaultError && cause.code === 'wrong_account'
