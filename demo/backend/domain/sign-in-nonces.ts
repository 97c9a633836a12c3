import { randomBytes } from 'node:crypto'
import { originAllowed } from '../../../src/core/origin.ts'
import type { Database } from '../store/open.ts'
import type { App } from './app-settings.ts'
import type { RateLimits } from './limits.ts'
import type { MessageFields } from './message-fields.ts'
import type { OneTime } from './one-time.ts'
import { Refusal, Unavailable } from './refusal.ts'

/** Who asks. */
export interface Asker {
  /** The page's, if a page asks. */
  origin: string | undefined
  /** The session that goes on there. */
  sessionId: string | undefined
}
/** A message of a wallet, as far as both of the wire's kinds have it. */
interface Message extends Omit<MessageFields, 'chainId'> {
  scheme?: string
  domain: string
  address: string
}
/** A nonce as it is kept until it is used. */
interface Asked {
  address: string
  origin: string | null
  sessionId: string | null
  from: number
  until: number
}

export interface SignInNonces {
  /** A nonce for a message of an address; nobody is looked up. `until` in Unix milliseconds. */
  issue(app: App, address: string, asker: Asker): Promise<{ nonce: string; until: number }>
  /**
   * Uses up the nonce of a message, holds the message against what was asked, and only then has its signature checked.
   * What could not be checked is given back: the person may try the same again.
   * @param given.linking a session gets an account: only what was asked in it counts
   * @throws Refusal `invalid_credentials` for an untrue answer, `invalid_state` for one that could not be judged
   */
  settle(
    app: App,
    asker: Asker,
    given: { message: Message; linking: boolean; signed: () => Promise<boolean> },
  ): Promise<void>
}

export const wrongSignature = () =>
  new Refusal('invalid_credentials', 'The signature of this wallet is not valid.', { status: 401 })

/** What wallets sign to log in. Wire 2.5, security T9. @param kind the nonce of one kind is none of another */
export function createSignInNonces(
  kind: 'siwe' | 'siws',
  deps: { database: Database; oneTime: OneTime; limits: RateLimits; clock: () => number },
): SignInNonces {
  const { database, oneTime, limits, clock } = deps
  const key = (app: App, value: string) => ({ kind, appId: app.id, value })

  function inTime({ issuedAt, expirationTime, notBefore }: Message, asked: Asked): boolean {
    const now = clock()
    const issued = Date.parse(issuedAt ?? '')
    return (
      issued >= asked.from - limits.walletMessageSkew &&
      issued <= now + limits.walletMessageSkew &&
      (expirationTime === undefined || now < Date.parse(expirationTime)) &&
      (notBefore === undefined || Date.parse(notBefore) <= now + limits.clockSkew)
    )
  }

  return {
    async issue(app, address, { origin = null, sessionId = null }) {
      const from = clock()
      const until = from + limits.walletNonceLife
      const nonce = randomBytes(12).toString('hex')
      const data: Asked = { address, origin, sessionId, from, until }
      await oneTime.put(database, { ...key(app, nonce), data, life: limits.walletNonceLife })
      return { nonce, until }
    },

    async settle(app, asker, { message, linking, signed }) {
      const nonce = key(app, message.nonce ?? '')
      const asked = (await oneTime.take(database, nonce)) as Asked | undefined
      if (
        !asked ||
        asked.address !== message.address ||
        !isForPage(app, message, [asker.origin, asked.origin]) ||
        !isForSession(asker, asked, linking) ||
        !inTime(message, asked)
      )
        throw wrongSignature()
      try {
        if (!(await signed())) throw wrongSignature()
      } catch (cause) {
        if (!(cause instanceof Unavailable)) throw cause
        await oneTime.put(database, { ...nonce, data: asked, life: asked.until - clock() })
        // Not 503, which a client would wait for and repeat: the person is there and can decide (R13).
        throw new Refusal('invalid_state', cause.message)
      }
    },
  }
}

/**
 * Whether a message is for one page of the app, the one that asks and asked. A program that is no page has no origin;
 * it signs for a page of the app all the same.
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

/** A login needs no session, and one that began meanwhile does no harm; a link is for the session that asked. */
function isForSession({ sessionId }: Asker, asked: Asked, linking: boolean): boolean {
  if (linking) return asked.sessionId !== null && asked.sessionId === sessionId
  return asked.sessionId === null || sessionId === undefined || asked.sessionId === sessionId
}
