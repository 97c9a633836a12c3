import { randomBytes } from 'node:crypto'
import { originAllowed } from '../../../../src/lib/origin.ts'
import { Refusal, Unavailable } from '../../lib/refusal.ts'
import type { App } from '../../settings/app.ts'
import type { Limits } from '../../settings/limits.ts'
import type { Database } from '../../store/database.ts'
import type { OneTime } from '../../store/one-time.ts'
import type { MessageFields } from './message-fields.ts'

/** Who asks. */
export interface Caller {
  /** The page's, if a page asks. */
  origin: string | undefined
  /** The session that continues there. */
  sessionId: string | undefined
}
/** A message of a wallet, as far as the messages of both chains have it. */
interface Message extends Omit<MessageFields, 'chainId'> {
  scheme?: string
  domain: string
  address: string
}
/** A nonce as it is kept until it is used. */
interface IssuedNonce {
  address: string
  origin: string | null
  sessionId: string | null
  from: number
  until: number
}

export interface SignInNonces {
  /** A nonce for a message of an address; nobody is looked up. `until` in Unix milliseconds. */
  issue(app: App, address: string, caller: Caller): Promise<{ nonce: string; until: number }>
  /**
   * Uses up the nonce of a message, holds the message against what was issued, and only then has its signature checked.
   * What could not be checked is given back: the person may try the same again.
   * @param given.linking a session gets an account: only what was issued in it counts
   * @throws Refusal `invalid_credentials` for an untrue answer, `invalid_state` for one that could not be judged
   */
  verify(
    app: App,
    caller: Caller,
    given: { message: Message; linking: boolean; signed: () => Promise<boolean> },
  ): Promise<void>
}

/** One answer for every failure of a signed message. */
export const wrongSignature = () =>
  new Refusal('invalid_credentials', 'The signature of this wallet is not valid.', { status: 401 })

/** The nonces of what wallets sign to log in. @param kind the nonce of one kind is none of another */
export function createSignInNonces(
  kind: 'siwe' | 'siws',
  deps: { database: Database; oneTime: OneTime; limits: Limits; clock: () => number },
): SignInNonces {
  const { database, oneTime, limits, clock } = deps
  const key = (app: App, value: string) => ({ kind, appId: app.id, value })

  function inTime({ issuedAt, expirationTime, notBefore }: Message, issued: IssuedNonce): boolean {
    const now = clock()
    const at = Date.parse(issuedAt ?? '')
    return (
      at >= issued.from - limits.walletMessageSkew &&
      at <= now + limits.walletMessageSkew &&
      (expirationTime === undefined || now < Date.parse(expirationTime)) &&
      (notBefore === undefined || Date.parse(notBefore) <= now + limits.clockSkew)
    )
  }

  return {
    async issue(app, address, { origin = null, sessionId = null }) {
      const from = clock()
      const until = from + limits.walletNonceLife
      const nonce = randomBytes(12).toString('hex')
      const data: IssuedNonce = { address, origin, sessionId, from, until }
      await oneTime.put(database, { ...key(app, nonce), data, life: limits.walletNonceLife })
      return { nonce, until }
    },

    async verify(app, caller, { message, linking, signed }) {
      const nonce = key(app, message.nonce ?? '')
      const issued = (await oneTime.take(database, nonce)) as IssuedNonce | undefined
      if (
        !issued ||
        issued.address !== message.address ||
        !isForPage(app, message, [caller.origin, issued.origin]) ||
        !isForSession(caller, issued, linking) ||
        !inTime(message, issued)
      )
        throw wrongSignature()
      try {
        if (!(await signed())) throw wrongSignature()
      } catch (cause) {
        if (!(cause instanceof Unavailable)) throw cause
        await oneTime.put(database, { ...nonce, data: issued, life: issued.until - clock() })
        // Not 503, which a client would wait for and repeat: the person is there and can decide.
        throw new Refusal('invalid_state', cause.message)
      }
    },
  }
}

/**
 * Whether a message is for one page of the app, the one that asks and issued. A program that is no page has no origin;
 * it still signs for a page of the app.
 */
function isForPage(
  app: App,
  { domain, scheme, uri = '', version }: Message,
  origins: (string | null | undefined)[],
): boolean {
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  return (
    version === '1' &&
    url !== undefined &&
    !url.username &&
    !url.password &&
    url.host === domain &&
    (scheme === undefined || `${scheme}:` === url.protocol) &&
    originAllowed(url.origin, app.allowedDomains) &&
    origins.every((origin) => origin === url.origin || origin === undefined || origin === null)
  )
}

/** A login needs no session, and one that began meanwhile does no harm; a link is for the session that issued. */
function isForSession({ sessionId }: Caller, issued: IssuedNonce, linking: boolean): boolean {
  if (linking) return issued.sessionId !== null && issued.sessionId === sessionId
  return issued.sessionId === null || sessionId === undefined || issued.sessionId === sessionId
}
