import { KitError } from '../../errors/kit-error.ts'
import { untilAborted } from '../../lib/abort.ts'
import { singleFlight } from '../../lib/single-flight.ts'
import type { Readable } from '../../lib/store.ts'
import { onReturn, watch } from '../../lib/watch.ts'
import {
  authenticateInFrame,
  authenticateWithFarcaster,
  type FarcasterApproval,
  type FarcasterChannel,
  farcasterStatus,
  fidOf,
  linkFarcaster,
  openFarcasterChannel,
  openFarcasterFrame,
  transferFarcaster,
} from '../../protocol/farcaster.ts'
import type { CallOptions } from '../../protocol/http.ts'
import type { LoginMode } from '../../protocol/sessions.ts'
import type { Transfer } from '../../protocol/transfer.ts'
import type { FlowState, FlowStatus } from '../flow-state.ts'
import { loginLimits } from '../limits.ts'
import { applyProof, type Login, loginOf, readAgain } from '../login-result.ts'
import type { AuthContext } from '../service-context.ts'
import { isRefusal, rejected } from './errors.ts'

export interface FarcasterInput {
  /** Existing users only. */
  disableSignup?: boolean | undefined
  captchaToken?: string | undefined
}
/** Logging in with Farcaster: the person approves in the app on their phone. */
export interface FarcasterAuth {
  /** How far the login is. */
  readonly state: Readable<FlowState>
  /** Opens a channel. Simultaneous callers share it. Throws a {@link KitError} with the server's code. */
  open(input?: FarcasterInput, options?: CallOptions): Promise<FarcasterChannel>
  /**
   * Waits until the person has approved; a lost network or a page in the background does not end that. Throws
   * `farcaster_timeout` after two minutes, `farcaster_rejected`, or the code with which the server refuses.
   */
  approved(channel: FarcasterChannel, options?: CallOptions): Promise<FarcasterApproval>
  /** Logs in with what was approved. Throws a {@link KitError} with the server's code. */
  loginWith(
    approval: FarcasterApproval & { channel: FarcasterChannel },
    input?: FarcasterInput,
    options?: CallOptions,
  ): Promise<Login>
  /**
   * The whole login: resolves with the address for the person, and `done` with the person. Simultaneous
   * callers share one request; a later call ends an earlier one with `flow_in_progress`.
   */
  connect(input?: FarcasterInput, options?: CallOptions): Promise<{ uri: string; done: Promise<Login> }>
  /** Takes the account over from another user, who is deleted by that. */
  transfer(
    input: { offer: Pick<Transfer, 'nonce' | 'farcasterAddress'>; fid: number },
    options?: CallOptions,
  ): Promise<Login>
  /** A nonce for the message that the app around this page signs. */
  initLoginToFrame(options?: CallOptions): Promise<{ nonce: string }>
  /** Logs in with that message. Throws `invalid_data` if it names no account, otherwise the server's code. */
  loginToFrame(
    input: { message: string; signature: string; disableSignup?: boolean },
    options?: CallOptions,
  ): Promise<Login>
}

export function createFarcasterAuth(cx: AuthContext): FarcasterAuth {
  const { page, clock, http } = cx
  const state = cx.state('farcaster')
  const own = (fid: number) => (account: Login['user']['linkedAccounts'][number]) =>
    account.type === 'farcaster' && account.fid === fid
  const modeOf = ({ disableSignup }: FarcasterInput): LoginMode =>
    disableSignup ? 'no-signup' : 'login-or-sign-up'
  let waiting: AbortController | undefined

  async function step<T>(status: Exclude<FlowStatus, 'error'>, work: () => Promise<T>): Promise<T> {
    state.set({ status })
    try {
      return await work()
    } catch (cause) {
      // A login that was replaced must not touch the state of the one that replaced it.
      if (!(cause instanceof KitError) || cause.code !== 'flow_in_progress')
        state.set({ status: 'error', error: cause instanceof Error ? cause : new Error(String(cause)) })
      throw cause
    }
  }

  const openOnce = singleFlight((captchaToken: string | undefined, fromDialog: boolean) =>
    openFarcasterChannel(http(), { page: page.origin, captchaToken }, { fromDialog }),
  )
  const open: FarcasterAuth['open'] = (input = {}, { signal, fromDialog = false } = {}) =>
    step('loading', () => untilAborted(openOnce(input.captchaToken, fromDialog), signal))

  const approved: FarcasterAuth['approved'] = (channel, options = {}) =>
    step('awaiting-approval', async () => {
      const status = await watch(clock, {
        every: loginLimits.farcasterPollEvery,
        limit: loginLimits.farcasterLoginLimit,
        signal: options.signal,
        async ask(signal) {
          const now = await farcasterStatus(http(), channel, { ...options, signal })
          return now.state === 'pending' ? undefined : now
        },
        isEnd,
        onWake: (wake) => onReturn(page.window, wake),
      })
      if (!status)
        throw new KitError('farcaster_timeout', 'The request timed out. Try again.', { retryable: true })
      if (status.state === 'rejected') throw rejected()
      return { message: status.message, signature: status.signature, fid: status.fid }
    })

  const loginWith: FarcasterAuth['loginWith'] = async ({ channel, ...approval }, input = {}, options) => {
    const login = await step('loading', async () => {
      const request = { ...approval, channel }
      return applyProof(
        cx,
        {
          method: 'farcaster',
          own: own(approval.fid),
          logIn: () => authenticateWithFarcaster(http(), { ...request, mode: modeOf(input) }, options),
          link: () => linkFarcaster(http(), request, options),
        },
        options?.signal,
      )
    })
    state.set({ status: 'done' })
    return login
  }

  const connect = singleFlight(async (input: FarcasterInput = {}, options: CallOptions = {}) => {
    waiting?.abort(new KitError('flow_in_progress', 'Another request replaced this one'))
    const mine = new AbortController()
    waiting = mine
    const { signal } = options
    const stop = () => mine.abort(signal?.reason)
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
    const call = { ...options, signal: mine.signal }
    const channel = await open(input, call)
    const done = approved(channel, call)
      .then((approval) => loginWith({ ...approval, channel }, input, call))
      .finally(() => signal?.removeEventListener('abort', stop))
    // A host may only show the address and follow the state.
    done.catch(() => {})
    return { uri: channel.uri, done }
  })

  return {
    state,
    open,
    approved,
    loginWith,
    connect,
    async transfer({ offer, fid }, options) {
      const { nonce, farcasterAddress: embeddedAddress } = offer
      const moved = await transferFarcaster(http(), { nonce, fid, embeddedAddress }, options)
      const user = await readAgain(cx, moved, options?.signal)
      cx.onLogin('farcaster')
      return { user, isNewUser: false, method: 'farcaster', account: user.linkedAccounts.find(own(fid)) }
    },
    initLoginToFrame: (options) => step('loading', () => openFarcasterFrame(http(), options)),
    async loginToFrame({ message, signature, ...input }, options) {
      const login = await step('loading', async () => {
        const fid = fidOf(message)
        if (fid === undefined)
          throw new KitError('invalid_data', 'The message does not contain a Farcaster account')
        const request = { message, signature, fid, mode: modeOf(input) }
        return loginOf(cx, await authenticateInFrame(http(), request, options), 'farcaster', own(fid))
      })
      state.set({ status: 'done' })
      return login
    },
  }
}

/** A refusal without a code of our server passes as well. */
const isEnd = (cause: unknown): boolean => isRefusal(cause) && cause.code !== 'unknown_auth_error'
