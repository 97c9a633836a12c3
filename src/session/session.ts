import { KitError } from '../errors/kit-error.ts'
import { untilAborted } from '../lib/abort.ts'
import type { Clock } from '../lib/clock.ts'
import { createEmitter } from '../lib/emitter.ts'
import { singleFlight } from '../lib/single-flight.ts'
import { createStore, type Readable } from '../lib/store.ts'
import { acceptTerms, getMe } from '../protocol/account.ts'
import type { CallOptions, Http, TokenSource } from '../protocol/http.ts'
import {
  endSession,
  forkSession,
  recoverSession,
  refreshSession,
  type SessionAnswer,
} from '../protocol/sessions.ts'
import type { User } from '../protocol/user.ts'
import { sessionLimits } from './limits.ts'
import type { SharedTokens } from './shared-tokens.ts'
import type { Tabs } from './tabs.ts'
import type { Tokens } from './tokens.ts'

/** Who is logged in, for how long, and in which tabs (docs/security.md, "Sessions"). */
export interface Session extends TokenSource {
  readonly user: Readable<User | null>
  /**
   * Calls `listener` before each change of {@link Session.user} that nobody has made in this tab: another tab has
   * logged in or out or changed the person, or the server has ended the session.
   */
  onChangeElsewhere(listener: (next: User | null) => void): () => void
  /**
   * Restores what an earlier page left, with at most one call to the server. Throws a {@link KitError} when
   * the server can't be reached; the stored session then stays for another attempt.
   */
  restore(): Promise<void>
  /**
   * Brings this tab in line with what another tab has stored, which may be newer than its message, and with what the server says now:
   * the session may have been ended in another browser. Throws what {@link Session.refreshUser} throws.
   */
  follow(): Promise<void>
  /** Stores the tokens of a login. Returns the person; throws `malformed_response` if there is none. */
  authenticate(answer: SessionAnswer): User
  /** An access token that is good for at least 30 s, or `undefined` when nobody is logged in. */
  accessToken(): Promise<string | undefined>
  identityToken(): string | undefined
  /** Asks the server who is logged in, and tells the other tabs if that has changed. */
  refreshUser(options?: CallOptions): Promise<User | null>
  acceptTerms(options?: CallOptions): Promise<User>
  /** The time at the server in Unix milliseconds, as far as its responses tell; the device's own clock may be hours off. */
  serverNow(): number
  /**
   * Ends the session here, in the other tabs and at the server. Never rejects: a server that can't be told is
   * a warning.
   */
  logout(): Promise<void>
  /**
   * A token with which another place takes over this session: once, within a minute, for this app. Throws
   * `must_be_authenticated` when nobody is logged in.
   */
  fork(options?: CallOptions): Promise<string>
  /**
   * Takes over a session of another place. Throws the server's error for a token that is used, expired or
   * another app's; the person who is logged in here then stays.
   */
  recover(forkedToken: string, options?: CallOptions): Promise<User>
  close(): void
}

export function createSession({
  tokens,
  shared,
  tabs,
  http,
  clock,
  onLogin = () => {},
  onLogout = () => {},
}: {
  tokens: Tokens
  shared: SharedTokens
  tabs: Tabs
  clock: Pick<Clock, 'now'>
  http: () => Http
  /** Called with who has just logged in here, before anybody else sees them. */
  onLogin?: (user: User) => void
  /** Forgets what somebody has begun in this tab; called when they log out here, and when somebody whom this tab shows is gone. */
  onLogout?: () => void
}): Session {
  const user = createStore<User | null>(null)
  /** Counts logins and logouts, so that a refresh that was under way can't revive a session. */
  let generation = 0
  /** The token under which this tab knows its user; another one in the storage belongs to another login. */
  let ownToken: string | undefined
  const changes = createEmitter<{ elsewhere: User | null }>()

  function forget() {
    tokens.clear()
    showNobody()
  }

  function showNobody() {
    if (user.get()) onLogout()
    generation++
    ownToken = undefined
    user.set(null)
  }

  /**
   * The tab that logged out has cleared the storage, and may have written the next login since. This tab's view of it can be older than
   * the message, so clearing it once more could end that login.
   */
  function showNobodyElsewhere() {
    if (user.get()) changes.emit('elsewhere', null)
    showNobody()
  }

  /** Between two people there is nobody, so that whatever belongs to the first one ends before the second begins. */
  function show(next: User): void {
    const known = user.get()
    if (known && known.id !== next.id) user.set(null)
    if (!next.isGuest) tokens.forgetGuest()
    user.set(next)
  }

  function showElsewhere(next: User): void {
    changes.emit('elsewhere', next)
    show(next)
  }

  /**
   * Shows what the server told this tab, and has the other tabs ask for themselves if it is new: whoever changed the person may be a
   * page that was closed before it could tell them.
   */
  function showOwn(next: User): void {
    const known = user.get() ?? next
    show(next)
    if (tokens.noteUser(next) && known.id === next.id) tabs.broadcast('user')
  }

  function take(answer: SessionAnswer): void {
    if (answer.action === 'clear') {
      forget()
      tabs.broadcast('logout')
      return
    }
    try {
      tokens.keep(answer)
    } catch (cause) {
      forget()
      throw cause
    }
    ownToken = tokens.bearer()
    if (answer.user) showOwn(answer.user)
  }

  const renew = singleFlight((refused: string | undefined) => {
    const before = generation
    return shared.exclusively(async () => {
      const stored = tokens.read()
      const bearer = tokens.bearer()
      if (stored.state === 'none' || (stored.state === 'active' && bearer !== refused)) return bearer
      try {
        const answer = await refreshSession(http())
        if (generation === before) take(answer)
      } catch (cause) {
        if (!(cause instanceof KitError) || cause.code !== 'missing_or_invalid_token') throw cause
        console.warn('Unable to refresh tokens - token is missing or no longer valid')
        if (generation === before) {
          tokens.clear()
          showNobodyElsewhere()
          tabs.broadcast('logout')
        }
      }
      return tokens.bearer()
    })
  })

  async function fresh(signal?: AbortSignal): Promise<string | undefined> {
    const stored = tokens.read()
    if (stored.state === 'active') return tokens.bearer()
    if (stored.state === 'none') return undefined
    if (stored.state === 'inactive' && stored.refreshable) return untilAborted(renew(undefined), signal)
    if (stored.state === 'broken' && stored.why === 'wrong-app') await session.logout()
    else forget()
    return undefined
  }

  async function fetchUser(display: (next: User) => void, options?: CallOptions): Promise<User | null> {
    if (!(await fresh(options?.signal))) return null
    const before = generation
    const me = await getMe(http(), options)
    if (generation !== before) return user.get()
    tokens.keepIdentity(me.identityToken)
    ownToken = tokens.bearer()
    display(me.user)
    return me.user
  }
  /** When the server last said who this is; 0 once that may have changed. */
  let askedAt = 0
  async function fetchElsewhere(): Promise<void> {
    askedAt = 0
    await fetchUser(showElsewhere)
    askedAt = clock.now()
  }

  async function follow(): Promise<void> {
    const stored = tokens.read()
    const known = user.get()
    if (stored.state === 'none') return void (known && showNobodyElsewhere())
    // Whether the session was ended in another browser, the server alone knows.
    if (known && (stored.state !== 'active' || stored.userId === known.id))
      return clock.now() - askedAt < sessionLimits.askedAgain ? undefined : fetchElsewhere()
    // Nothing of this person may go on with the other one's token, not even while the server is asked who that is.
    if (known) showNobodyElsewhere()
    await fetchElsewhere()
  }
  const followQuietly = () => void follow().catch(() => {})
  const stops = [
    tabs.onMessage((message) => {
      const bearer = tokens.bearer()
      // A login that has overtaken the message of a logout must not be cleared by it.
      if (message === 'logout' && (bearer === undefined || bearer === ownToken)) showNobodyElsewhere()
      else if (message === 'login' || message === 'logout') followQuietly()
      else if (message === 'user') void fetchElsewhere().catch(() => {})
    }),
    tabs.onReturn(followQuietly),
    shared.onStored(followQuietly),
  ]

  const session: Session = {
    user,
    onChangeElsewhere: (listener) => changes.on('elsewhere', listener),
    stored: () => tokens.bearer(),
    fresh,
    renewed: (refused, signal) => untilAborted(renew(refused), signal),
    identityToken: () => tokens.identity(),

    async restore() {
      if ((await fresh()) && !user.get()) await session.refreshUser()
    },
    follow,
    authenticate(answer) {
      if (!answer.user || !answer.token)
        throw new KitError('malformed_response', 'The server sent an unexpected answer', {
          details: 'no user',
        })
      generation++
      onLogin(answer.user)
      take(answer)
      tabs.broadcast('login')
      return answer.user
    },
    async accessToken() {
      await fresh()
      const stored = tokens.read()
      return stored.state === 'active' ? stored.token : undefined
    },
    refreshUser: (options) => fetchUser(showOwn, options),
    async acceptTerms(options) {
      const accepted = await acceptTerms(http(), options)
      showOwn(accepted)
      return accepted
    },
    serverNow() {
      const ahead = http().aheadBy()
      return ahead === undefined ? tokens.serverNow() : clock.now() + ahead
    },
    async logout() {
      const ended = endSession(http()).catch((cause: unknown) => {
        if (cause instanceof KitError && cause.code === 'already_logged_out') return
        console.warn('The server could not be told of the logout', cause)
      })
      forget()
      onLogout()
      tabs.broadcast('logout')
      await ended
    },
    async fork(options) {
      if (!(await fresh(options?.signal)))
        throw new KitError('must_be_authenticated', 'User must be authenticated before forking a session')
      const { forkedToken } = await forkSession(http(), options)
      return forkedToken
    },
    async recover(forkedToken, options) {
      return session.authenticate(await recoverSession(http(), forkedToken, options))
    },
    close() {
      for (const stop of stops) stop()
    },
  }
  return session
}
