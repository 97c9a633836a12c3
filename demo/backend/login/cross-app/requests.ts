/** Requests of other apps to the wallets of an app's users. docs/protocol.md, "Cross-app requests" */
import { randomBytes } from 'node:crypto'
import { decodeJwt } from 'jose'
import * as v from 'valibot'
import { isLoopbackHost, originAllowed } from '../../../../src/lib/origin.ts'
import { loadUser, type User } from '../../accounts/user.ts'
import { noteOwn } from '../../audit/audit.ts'
import { parseBody } from '../../http/body.ts'
import { s256 } from '../../lib/pkce.ts'
import { Refusal } from '../../lib/refusal.ts'
import { disconnectApp, isConnected, isTokenConnected, noteAppUse } from '../../sessions/connected-apps.ts'
import type { RequesterBearer, Tokens } from '../../sessions/tokens.ts'
import type { App, Apps } from '../../settings/app.ts'
import type { Limits } from '../../settings/limits.ts'
import type { Database } from '../../store/database.ts'
import type { OneTime } from '../../store/one-time.ts'
import { isFrozen } from '../../users/frozen.ts'
import { withParameters } from '../return-address.ts'
import { connects } from './cross-app.ts'

const text = v.pipe(v.string(), v.minLength(1))
/** The methods that another app may ask for, and where their parameters name the wallet. */
const calls = v.variant('method', [
  v.object({ method: v.literal('personal_sign'), params: v.strictTuple([v.string(), text]) }),
  v.object({
    method: v.literal('eth_signTypedData_v4'),
    params: v.strictTuple([text, v.union([text, v.record(v.string(), v.unknown())])]),
  }),
  v.object({
    method: v.literal('eth_sendTransaction'),
    params: v.strictTuple([v.looseObject({ from: text })]),
  }),
])
type Call = v.InferOutput<typeof calls>

const envelope = v.object({
  content: v.object({
    request: v.object({ request: v.object({ method: v.string(), params: v.array(v.unknown()) }) }),
  }),
  timestamp: v.number(),
  callbackUrl: v.string(),
})

/** A request that waits for its user. */
interface Waiting {
  appId: string
  requester: string
  userId: string
  /** The request ends with it. */
  connection: string
  /** The origin of the page that asks, and the only one that gets the result. */
  origin: string
  call: Call
  /** Unix milliseconds. */
  expiresAt: number
}
export interface ShownRequest {
  requester: { id: string; name: string; iconUrl: string | null; origin: string }
  call: Call
  expiresAt: number
}

/** The end of a request: a result, or what the app is told in its place. */
export type RequestOutcome = { result: string } | { error: 'rejected' | 'failed' }

/** A message for the page that asks. */
export interface RequestMessage {
  origin: string
  message: {
    type: 'PRIVY_CROSS_APP_ACTION_RESPONSE' | 'PRIVY_CROSS_APP_ACTION_ERROR'
    result?: string
    error?: string
    token?: { action: 'clear' }
  }
}

/** The user of a call, in the app that it is for. */
interface Who {
  app: App
  bearer: { userId: string }
  place: string
}

export interface CrossAppRequests {
  /**
   * Opens a request, once. Resolves with the address of the page on which its user reviews it, or with the message that refuses it;
   * `undefined` where not even the app that asks is certain.
   */
  open(token: string, request: string): Promise<{ page: string } | RequestMessage | undefined>
  /**
   * A request that is open, for its user.
   * @param asked.requester the app that a page has named to the user
   * @throws Refusal `cross_app_request_over`, `cross_app_wrong_user`
   */
  read(who: Who, asked: { id: string; requester?: string | undefined }): Promise<ShownRequest>
  /**
   * Ends a request. Resolves with the name by which {@link collect} finds the message.
   * @param given.disconnect ends all tokens of the app that asks as well
   * @throws Refusal as {@link read} does, and `invalid_data` for a result that is none of the method's
   */
  close(
    who: Who,
    asked: { id: string; requester?: string | undefined },
    given: { outcome: RequestOutcome; disconnect: boolean },
  ): Promise<string>
  /** The message of a request that has ended, once. */
  collect(code: string): Promise<RequestMessage | undefined>
}

/** Errors for the app that asks, in the protocol's own words. */
const words = {
  token: 'Transactions require a valid token',
  readOnly: 'Cannot transact against a read-only provider app',
  wallet: 'Cannot request a signature with this wallet address',
  request: 'Failed to initialize signature request',
  late: 'Request timeout',
  rejected: 'User rejected request',
  failed: 'Failed to complete signature request',
} as const

/** Results by their method: a signature, or the hash of a transaction. */
const results: Readonly<Record<Call['method'], RegExp>> = {
  personal_sign: /^0x(?:[\da-f]{2}){64,4096}$/i,
  eth_signTypedData_v4: /^0x(?:[\da-f]{2}){64,4096}$/i,
  eth_sendTransaction: /^0x[\da-f]{64}$/i,
}

/** Requests of other apps on this backend. Each is opened once, reviewed by the user of its token alone, and answered once. */
export function createCrossAppRequests(deps: {
  database: Database
  apps: Apps
  tokens: Tokens
  oneTime: OneTime
  limits: Limits
  clock: () => number
}): CrossAppRequests {
  const { database, apps, tokens, oneTime, limits, clock } = deps
  const waitingKey = (id: string) => ({ kind: 'cross-app-request', appId: '', value: id })
  const seenKey = (value: string) => ({ kind: 'cross-app-request-seen', appId: '', value })
  const answerKey = (code: string) => ({ kind: 'cross-app-answer', appId: '', value: code })

  /** The app whose user a token names, the app that shows it, and how it stands with both. */
  async function readToken(token: string) {
    const provider = apps.find(audienceOf(token) ?? '')
    const bearer = provider && (await tokens.readForRequester(provider, token))
    const requester = bearer && apps.find(bearer.requester)
    return provider && requester && connects(provider, requester.id)
      ? { provider, requester, bearer }
      : undefined
  }

  async function userOf(provider: App, bearer: RequesterBearer): Promise<User | undefined> {
    if (bearer.isExpired || !(await isTokenConnected(database, bearer))) return undefined
    if (await isFrozen(database, bearer.userId)) return undefined
    return loadUser(database, provider.id, bearer.userId)
  }

  /** @throws Refusal */
  async function findWaiting(
    { app, bearer }: Pick<Who, 'app' | 'bearer'>,
    { id, requester }: { id: string; requester?: string | undefined },
  ): Promise<Waiting> {
    const waiting = (await oneTime.peek(database, waitingKey(id))) as Waiting | undefined
    const isOpen =
      waiting?.appId === app.id &&
      connects(app, waiting.requester) &&
      (requester === undefined || requester === waiting.requester) &&
      (await isConnected(database, waiting.connection))
    if (!isOpen) throw new Refusal('cross_app_request_over', 'This request is no longer open.')
    if (waiting.userId !== bearer.userId)
      throw new Refusal('cross_app_wrong_user', 'This request is for another account.')
    return waiting
  }

  return {
    async open(token, request) {
      const known = await readToken(token)
      const asked = request.length <= limits.crossAppRequestLength ? readEnvelope(request) : undefined
      if (!known || !asked) return undefined
      const { provider, requester, bearer } = known
      const origin = callbackOrigin(requester, asked.callbackUrl)
      if (origin === undefined) return undefined
      const refuse = (reason: keyof typeof words): RequestMessage => ({
        origin,
        message: {
          type: 'PRIVY_CROSS_APP_ACTION_ERROR',
          error: words[reason],
          ...(reason === 'token' && { token: { action: 'clear' as const } }),
        },
      })
      const { crossApp } = provider
      if (crossApp?.readOnly) return refuse('readOnly')
      const user = await userOf(provider, bearer)
      if (!user) return refuse('token')
      const age = clock() - asked.timestamp
      if (!(age <= limits.crossAppRequestLife && age >= -limits.clockSkew)) return refuse('late')
      const call = readCall(asked.content.request.request)
      if (!call || !crossApp?.transactUrl) return refuse('request')
      if (!hasWallet(user, walletOf(call))) return refuse('wallet')
      const life = limits.crossAppRequestLife - Math.max(age, 0)
      const isNew = await oneTime.put(database, {
        ...seenKey(s256(`${token} ${request}`)),
        life: 2 * limits.crossAppRequestLife,
      })
      if (!isNew) return refuse('request')
      const id = randomBytes(32).toString('base64url')
      const data: Waiting = {
        appId: provider.id,
        requester: requester.id,
        userId: user.id,
        connection: bearer.connection,
        origin,
        call,
        expiresAt: clock() + life,
      }
      await oneTime.put(database, { ...waitingKey(id), data, life })
      await noteAppUse(database, bearer.connection, { now: clock() })
      return { page: withParameters(crossApp.transactUrl, { request_id: id, client_id: requester.id }) }
    },

    async read(who, asked) {
      const { requester: requesterId, origin, call, expiresAt } = await findWaiting(who, asked)
      const requester = apps.find(requesterId)
      return {
        requester: {
          id: requesterId,
          name: requester?.name ?? requesterId,
          iconUrl: requester?.iconUrl ?? null,
          origin,
        },
        call,
        expiresAt,
      }
    },

    async close(who, asked, { outcome, disconnect }) {
      const { requester, connection, origin, call } = await findWaiting(who, asked)
      const isResult = 'result' in outcome
      if (isResult && (disconnect || !results[call.method].test(outcome.result)))
        throw new Refusal('invalid_data', 'Invalid or missing: result')
      const code = randomBytes(36).toString('base64url')
      const { app, bearer, place } = who
      await database.transaction(async (tx) => {
        const isOpen = (await oneTime.take(tx, waitingKey(asked.id))) !== undefined
        // The user may have disconnected the app in another tab.
        if (!isOpen || !(await noteAppUse(tx, connection, { now: clock() })))
          throw new Refusal('cross_app_request_over', 'This request is no longer open.')
        const data: RequestMessage = {
          origin,
          message: isResult
            ? { type: 'PRIVY_CROSS_APP_ACTION_RESPONSE', result: outcome.result }
            : {
                type: 'PRIVY_CROSS_APP_ACTION_ERROR',
                error: words[outcome.error],
                ...(disconnect && { token: { action: 'clear' as const } }),
              },
        }
        await oneTime.put(tx, { ...answerKey(code), data, life: limits.crossAppAnswerLife })
        const actor = { app, userId: bearer.userId, place }
        const ended = isResult ? 'approved' : outcome.error
        const details = { app: requester, method: call.method, outcome: ended }
        await noteOwn(tx, actor, 'cross-app-request', clock(), details)
        if (!disconnect) return
        await disconnectApp(tx, { appId: app.id, userId: bearer.userId }, requester)
        await noteOwn(tx, actor, 'cross-app-disconnected', clock(), { app: requester })
      })
      return code
    },

    collect: async (code) => (await oneTime.take(database, answerKey(code))) as RequestMessage | undefined,
  }
}

/** The app that a token names, before anything of it is checked. */
function audienceOf(token: string): string | undefined {
  try {
    const { aud } = decodeJwt(token)
    return typeof aud === 'string' ? aud : undefined
  } catch {
    return undefined
  }
}

function readEnvelope(request: string): v.InferOutput<typeof envelope> | undefined {
  try {
    return parseBody(Buffer.from(request), envelope)
  } catch (cause) {
    if (cause instanceof Refusal) return undefined
    throw cause
  }
}

function readCall(request: object): Call | undefined {
  const result = v.safeParse(calls, request)
  return result.success ? result.output : undefined
}

function walletOf({ method, params }: Call): string {
  switch (method) {
    case 'personal_sign':
      return params[1]
    case 'eth_signTypedData_v4':
      return params[0]
    case 'eth_sendTransaction':
      return params[0].from
  }
}

/** The address of a wallet that other apps may ask; the protocol has no requests for Solana. */
function ethereumAddressOf(account: User['accounts'][number]): string | undefined {
  if (account.type === 'smart-wallet') return account.subject
  return account.type === 'embedded-wallet' && account.chainType === 'ethereum' ? account.address : undefined
}

const hasWallet = ({ accounts }: User, address: string): boolean =>
  accounts.some((account) => ethereumAddressOf(account)?.toLowerCase() === address.toLowerCase())

/** The origin of a page of the app that asks; plain http is for this machine only. */
function callbackOrigin({ allowedDomains }: App, callbackUrl: string): string | undefined {
  if (!URL.canParse(callbackUrl)) return undefined
  const { origin, protocol, hostname, username, password } = new URL(callbackUrl)
  if (username || password) return undefined
  const isSecure =
    protocol === 'https:' ||
    (protocol === 'http:' && (isLoopbackHost(hostname) || hostname.endsWith('.localhost')))
  return isSecure && originAllowed(origin, allowedDomains) ? origin : undefined
}
