import { KitError } from '../../errors/kit-error.ts'
import { lazily } from '../../errors/lazily.ts'
import { untilAborted } from '../../lib/abort.ts'
import { TimedOut, within } from '../../lib/clock.ts'
import { singleFlight } from '../../lib/single-flight.ts'
import type { Readable } from '../../lib/store.ts'
import type { CallOptions } from '../../protocol/http.ts'
import {
  type Assertion,
  finishPasskeyLink,
  finishPasskeyLogin,
  finishPasskeySignup,
  startPasskeyLink,
  startPasskeyLogin,
  startPasskeySignup,
  type VerifyOptions,
} from '../../protocol/passkeys.ts'
import type { LinkedAccount } from '../../protocol/user.ts'
import type { FlowState, FlowStatus } from '../flow-state.ts'
import { loginLimits } from '../limits.ts'
import { applyProof, type Login, loginOf } from '../login-result.ts'
import type { AuthContext } from '../service-context.ts'

/** A passkey that was picked in a field's own list, and its answer. */
export interface PickedPasskey {
  readonly challenge: string
  readonly assertion: Assertion
}
export interface PasskeyLoginInput {
  /** Asks for one of these passkeys; by default for any that the person has here. */
  credentialIds?: readonly string[] | undefined
  captchaToken?: string | undefined
}

/**
 * Logging in and signing up with passkeys. Headless: hosts may use it without our screens. A page can ask for
 * one passkey at a time, so each request ends the one before it.
 */
export interface PasskeyAuth {
  /** How far the login is. */
  readonly state: Readable<FlowState>
  /**
   * Asks for a passkey and logs in with it. Throws a {@link KitError}: `passkey_not_allowed` when the person
   * declined, had none, or never answered; `passkey_not_supported`; `flow_in_progress` when another request
   * replaced it; `invalid_configuration` when the page may not use passkeys; or the server's code.
   */
  login(input?: PasskeyLoginInput, options?: CallOptions): Promise<Login>
  /**
   * Creates a passkey, and signs up with it or adds it to the person who is logged in, whichever the service was made for.
   * Throws as {@link login} does.
   */
  signup(input?: { captchaToken?: string | undefined }, options?: CallOptions): Promise<Login>
  /**
   * Lets the browser offer passkeys in the field that is being filled in, for as long as nothing else asks
   * for one. Resolves with the one that was picked, or with `undefined` when something else began or the
   * browser can't.
   */
  offer(options?: CallOptions): Promise<PickedPasskey | undefined>
  /**
   * Asks for an existing passkey, and gives what it answers: whoever asked for the challenge knows what that is for. Throws as
   * {@link login} does.
   */
  prove(
    begin: (signal: AbortSignal) => Promise<VerifyOptions>,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<Assertion>
  /** Logs in with the result of {@link offer}. */
  loginWith(picked: PickedPasskey, options?: CallOptions): Promise<Login>
  /** Loads what talks to the browser, so that a press leads to its dialogue at once. */
  prepare(): Promise<void>
}

const library = lazily(() => import('@simplewebauthn/browser'))
type Browser = Awaited<ReturnType<typeof library>>
/** Missing in some browsers; those refuse when they are asked. */
interface FeaturePolicy {
  allowsFeature(name: string): boolean
}
const permissions = { get: 'publickey-credentials-get', create: 'publickey-credentials-create' }

export function createPasskeyAuth(cx: AuthContext): PasskeyAuth {
  const { clock, page } = cx
  const { origin } = page
  const state = cx.state('passkey')
  let running: AbortController | undefined
  /** The login that owns the state: the one that began last. */
  let teller: object | undefined
  let asks = 0

  const startLogin = singleFlight((captchaToken: string | undefined, options?: CallOptions) =>
    startPasskeyLogin(cx.http(), { origin, captchaToken }, options),
  )
  const startSignup = singleFlight((captchaToken: string | undefined, options?: CallOptions) =>
    cx.purpose.kind === 'link'
      ? startPasskeyLink(cx.http(), options)
      : startPasskeySignup(cx.http(), { origin, captchaToken }, options),
  )

  /**
   * One request to the browser, from its challenge to its answer: ends the one before it, and ends with the
   * signal.
   */
  async function ceremony<T>(
    signal: AbortSignal | undefined,
    work: (own: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted()
    running?.abort(new KitError('flow_in_progress', 'Another passkey request replaced this one'))
    const own = new AbortController()
    running = own
    const stop = () => own.abort(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    try {
      return await untilAborted(work(own.signal), own.signal)
    } finally {
      signal?.removeEventListener('abort', stop)
      if (running === own) running = undefined
    }
  }

  /** The library that talks to the browser, if passkeys are supported here. */
  async function ready(kind: keyof typeof permissions): Promise<Browser> {
    const browser = await library()
    if (!browser.browserSupportsWebAuthn())
      throw new KitError('passkey_not_supported', 'WebAuthn is not supported in this browser')
    const { document } = page.window as { document?: { featurePolicy?: FeaturePolicy } }
    if (document?.featurePolicy?.allowsFeature(permissions[kind]) === false)
      throw new KitError('invalid_configuration', "Passkeys can't be used in this frame", {
        details: `the frame needs allow="${permissions[kind]}"`,
      })
    return browser
  }

  /** Asks the browser; an abort, or the end of the time, reaches its dialogue. */
  async function ask<T>(
    { WebAuthnAbortService, browserSupportsWebAuthnAutofill }: Browser,
    timeout: number = loginLimits.passkeyTimeout,
    signal: AbortSignal,
    start: () => Promise<T>,
  ): Promise<T> {
    const mine = ++asks
    const cancel = () => WebAuthnAbortService.cancelCeremony()
    const stop = () => {
      cancel()
      // The library asks the browser this before an offer, so an aborted offer has to be ended after that
      // too.
      browserSupportsWebAuthnAutofill().then(() => mine === asks && cancel())
    }
    const limit = Math.min(timeout, loginLimits.passkeyTimeout) + loginLimits.passkeyGrace
    signal.throwIfAborted()
    signal.addEventListener('abort', stop, { once: true })
    try {
      return await within(clock, limit, start, signal)
    } catch (cause) {
      signal.throwIfAborted()
      if (cause instanceof TimedOut) cancel()
      throw named(cause)
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  /** A whole login, which also updates the state. */
  async function told(
    signal: AbortSignal | undefined,
    work: (own: AbortSignal, say: (status: Exclude<FlowStatus, 'error'>) => void) => Promise<Login>,
  ): Promise<Login> {
    const mine = {}
    teller = mine
    const tell = (next: FlowState) => teller === mine && state.set(next)
    try {
      const login = await ceremony(signal, (own) => work(own, (status) => tell({ status })))
      tell({ status: 'done' })
      return login
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause))
      tell(signal?.aborted ? { status: 'initial' } : { status: 'error', error })
      throw cause
    }
  }

  // Not stored as the method used last: a passkey is never tagged 'Recent'.
  const quiet = { session: cx.session, purpose: cx.purpose, onLogin: () => {} }
  const own = (credentialId: string) => (account: LinkedAccount) =>
    account.type === 'passkey' && account.credentialId === credentialId

  async function finish({ challenge, assertion }: PickedPasskey, options: CallOptions): Promise<Login> {
    const answer = await finishPasskeyLogin(cx.http(), { origin, challenge, assertion }, options)
    return loginOf(quiet, answer, 'passkey', own(assertion.id))
  }

  return {
    state,

    login: ({ credentialIds, captchaToken } = {}, options = {}) =>
      told(options.signal, async (signal, say) => {
        say('generating-challenge')
        const browser = await ready('get')
        const asked = await untilAborted(startLogin(captchaToken, withoutSignal(options)), signal)
        const allowCredentials = credentialIds?.map((id) => ({ id, type: 'public-key' as const }))
        const optionsJSON = { ...asked, ...(allowCredentials && { allowCredentials }) }
        say('awaiting-passkey')
        const assertion = await ask(browser, asked.timeout, signal, () =>
          browser.startAuthentication({ optionsJSON }),
        )
        say('submitting-response')
        return finish({ challenge: asked.challenge, assertion }, { ...options, signal })
      }),

    signup: ({ captchaToken } = {}, options = {}) =>
      told(options.signal, async (signal, say) => {
        say('generating-challenge')
        const browser = await ready('create')
        const asked = await untilAborted(startSignup(captchaToken, withoutSignal(options)), signal)
        say('awaiting-passkey')
        const attestation = await ask(browser, asked.timeout, signal, () =>
          browser.startRegistration({ optionsJSON: asked }),
        )
        say('submitting-response')
        const made = [cx.http(), { origin, attestation }, { ...options, signal }] as const
        return applyProof(
          quiet,
          {
            method: 'passkey',
            own: own(attestation.id),
            logIn: () => finishPasskeySignup(...made),
            link: () => finishPasskeyLink(...made),
          },
          signal,
        )
      }),

    loginWith: (picked, options = {}) =>
      told(options.signal, async (signal, say) => {
        say('submitting-response')
        return finish(picked, { ...options, signal })
      }),

    prove: (begin, options = {}) =>
      ceremony(options.signal, async (signal) => {
        const browser = await ready('get')
        const asked = await untilAborted(begin(signal), signal)
        return ask(browser, asked.timeout, signal, () => browser.startAuthentication({ optionsJSON: asked }))
      }),

    async offer(options = {}) {
      try {
        const browser = await ready('get')
        if (!(await browser.browserSupportsWebAuthnAutofill())) return undefined
        return await ceremony(options.signal, async (signal) => {
          for (;;) {
            const asked = await untilAborted(startLogin(undefined, withoutSignal(options)), signal)
            try {
              const assertion = await ask(browser, asked.timeout, signal, () =>
                browser.startAuthentication({
                  optionsJSON: asked,
                  useBrowserAutofill: true,
                  // The library would look for the field in the document, but ours is in a shadow root.
                  verifyBrowserAutofillInput: false,
                }),
              )
              return { challenge: asked.challenge, assertion }
            } catch (cause) {
              // The challenge has expired while nobody touched the field, so a new one replaces it.
              if (!(cause instanceof KitError && cause.cause instanceof TimedOut)) throw cause
            }
          }
        })
      } catch {
        // It is only an offer: a failure shows when somebody asks for a passkey.
        return undefined
      }
    },

    async prepare() {
      await library()
    },
  }
}

/** For a shared call, which one of the callers must not end for the others. */
const withoutSignal = ({ fromDialog = false }: CallOptions): CallOptions => ({ fromDialog })

/** Compared by name, because the classes of these errors differ between browsers. */
function named(cause: unknown): KitError {
  if (cause instanceof KitError) return cause
  const { name, message } = cause instanceof Error ? cause : new Error(String(cause))
  const details = `${name}: ${message}`
  // An abort that is not ours: another part of the page has asked for a passkey.
  if (name === 'NotAllowedError' || name === 'AbortError' || cause instanceof TimedOut)
    return new KitError('passkey_not_allowed', 'Passkey request timed out or rejected by user.', {
      cause,
      details,
      retryable: true,
    })
  if (name === 'SecurityError')
    return new KitError('invalid_configuration', "Passkeys can't be used on this page", { cause, details })
  return new KitError('unknown_auth_error', 'Unknown error occurred.', { cause, details, retryable: true })
}
