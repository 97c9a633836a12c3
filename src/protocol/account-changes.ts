/** Changes that wait at the server until the user approves them in the vault's window. docs/protocol.md */
import * as v from 'valibot'
import { KitError } from '../errors/kit-error.ts'
import type { ServerReply } from './frame/approval.ts'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { parse, parseOptional, requiredText, type Schema } from './schema.ts'
import { refreshSession, sessionAnswer } from './sessions.ts'

/** The kinds of changes that this version knows. */
const actions = ['link', 'update', 'transfer', 'unlink', 'end-session', 'end-sessions', 'grant'] as const
export type ChangeAction = (typeof actions)[number]

/** A change that the server has noted, and makes once it is approved. */
export interface PendingChange {
  readonly id: string
  /** `undefined` for one that a newer server made up. */
  readonly action: ChangeAction | undefined
}

/** What the user does in the vault's window before the server goes on. Throws a {@link KitError} if they don't. */
export interface Approvals {
  approve(change: PendingChange, options: CallOptions): Promise<void>
  /** Shows that the account is theirs, which a link in a notice has frozen. */
  unfreeze(options: CallOptions): Promise<void>
}

const payload = v.pipe(
  v.object({ change: requiredText, action: v.fallback(v.optional(v.picklist(actions)), undefined) }),
  v.transform((raw): PendingChange => ({ id: raw.change, action: raw.action })),
)

/** The change that a refusal says is pending; `undefined` for every other failure. Never throws. */
export const pendingChangeOf = (cause: unknown): PendingChange | undefined =>
  cause instanceof KitError && cause.code === 'approval_required'
    ? parseOptional(payload, cause.data)
    : undefined

/** Failures of calls whose change the server had noted. */
const unapproved = new WeakSet<object>()
/** Whether a call failed only because its change was not approved: the server has used up what was proved for it. */
export const isUnapproved = (cause: unknown): boolean => cause instanceof Error && unapproved.has(cause)

/** The user as the server sends them, for whatever reads the answer of the call that made the change. */
const me: Endpoint<undefined, unknown> = {
  method: 'GET',
  path: '/api/v1/users/me',
  answer: v.pipe(
    v.object({ user: v.unknown() }),
    v.transform((raw) => raw.user),
  ),
}

/**
 * A server whose calls go on as after a success once the user has approved the change that they ask for. All services of a user
 * call through it, so no flow has to know of approvals.
 * @param whileApproving is given the work from the approval to the answer: meanwhile the server may know more than this page
 */
export function approvingHttp(
  http: Http,
  approvals: () => Promise<Approvals>,
  whileApproving: <T>(work: () => Promise<T>) => Promise<T> = (work) => work(),
): Http {
  async function approved<Answer>(
    work: () => Promise<Answer>,
    { path, answer }: Pick<Endpoint<never, Answer>, 'path' | 'answer'>,
    options: CallOptions = {},
  ): Promise<Answer> {
    const change = await work().then(
      (done) => ({ done }),
      (cause: unknown) => {
        const pending = pendingChangeOf(cause)
        if (!pending) throw cause
        return pending
      },
    )
    if ('done' in change) return change.done
    return whileApproving(async () => {
      try {
        await (await approvals()).approve(change, options)
      } catch (cause) {
        if (cause instanceof Error) unapproved.add(cause)
        throw cause
      }
      // A grant has no other response than that of the call.
      if (change.action === 'grant') return work()
      // A guest who logs in keeps the session, so its next tokens are the answer of the login.
      if (isSession(answer)) return (await refreshSession(http, options)) as Answer
      return parse(answer, await http.call(me, undefined, options), path)
    })
  }
  /** Nothing has been changed yet where the account is frozen, so that the call is made once more. */
  async function unfrozen<Answer>(work: () => Promise<Answer>, options: CallOptions = {}): Promise<Answer> {
    try {
      return await work()
    } catch (cause) {
      if (!(cause instanceof KitError) || cause.code !== 'account_frozen') throw cause
      await (await approvals()).unfreeze(options)
      return work()
    }
  }
  return {
    get base() {
      return http.base
    },
    moveTo: http.moveTo,
    aheadBy: http.aheadBy,
    call: (endpoint, body, options) =>
      endpoint.inBackground
        ? http.call(endpoint, body, options)
        : approved(() => unfrozen(() => http.call(endpoint, body, options), options), endpoint, options),
    read: (endpoint, reply: ServerReply, options) =>
      approved(() => http.read(endpoint, reply, options), endpoint, options),
  }
}

const isSession = (answer: Schema<unknown>): boolean => answer === sessionAnswer
