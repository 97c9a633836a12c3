import { Closed } from '../../dialog/stage.ts'
import { KitError } from '../../errors/kit-error.ts'
import { type Clock, TimedOut, within } from '../../lib/clock.ts'
import type { Plain } from '../../lib/plain.ts'
import { createStore, type Readable } from '../../lib/store.ts'
import {
  type ApprovalAnswers,
  type ApprovalFromFrame,
  type ApprovalLook,
  type ApprovalPurpose,
  type ApprovalRequests,
  type ApprovalToFrame,
  approvalHello,
  readApprovalAnswer,
  readApprovalFromFrame,
} from '../../protocol/frame/approval.ts'
import { frameLimits } from '../../protocol/frame/limits.ts'
import { notVerified } from '../../protocol/frame/messages.ts'
import { onBlocked, onOffline } from '../embedded/frame-port.ts'
import { createHeartbeat } from '../embedded/heartbeat.ts'
import { crashed, fromVault, offline, unreachable } from '../embedded/vault-frame.ts'

/** One approval in the vault's own frame, as the screen around it sees it. */
export interface ApprovalPlace {
  /** `undefined` until the vault has drawn something; then how high it wants to be, in CSS pixels. */
  readonly height: Readable<number | undefined>
  /** Whether the vault is doing what closing would not call off. */
  isFinishing(): boolean
  /** Puts the frame into an element; returns a function that removes it. Only once: a frame that moves is reloaded. */
  mount(into: HTMLElement, look: ApprovalLook, onClose: (by: 'button' | 'escape') => void): () => void
  /** The page's look has changed. */
  restyle(look: ApprovalLook): void
}
export interface Approval<P extends ApprovalPurpose> extends ApprovalPlace {
  /** Shows a request; again when more is known of it. */
  show(request: ApprovalRequests[P]): void
  /**
   * What the vault has done. Rejects with {@link Closed} if the person says no, and with a {@link KitError}: `vault_timeout`,
   * `vault_unavailable`, `vault_crashed`, `network_unavailable` while the browser has no network to load the frame with, or the vault's own.
   */
  readonly answer: Promise<ApprovalAnswers[P]>
  /**
   * Asks something, and resolves with an answer that need not be the last. Rejects as {@link answer} does.
   */
  ask(request: ApprovalRequests[P]): Promise<ApprovalAnswers[P]>
  /** Resolves with the next answer that is not the last; the vault waits for what {@link show} is given next. */
  turn(): Promise<ApprovalAnswers[P]>
  /** The outcome that is final by now, whether or not the user has finished there. */
  settled(): ApprovalAnswers[P] | undefined
  /** Aborted once the frame is gone. */
  readonly gone: AbortSignal
  /** Removes the frame; the answer is what has happened by then, or never comes. */
  close(): void
}

export interface OpenApproval<P extends ApprovalPurpose> {
  readonly url: string
  readonly purpose: P
  readonly clock: Clock
  readonly accessToken: () => Promise<string | undefined>
  /** The person was shown this failure and may try again. */
  readonly shown: (error: KitError) => void
  readonly mfa: ApprovalMfa
  /** The request has taken effect: called with its first {@link Approval.settled}. */
  readonly onSettled?: () => void
}
/** What a frame needs of its page for second factors. */
export interface ApprovalMfa {
  /** Asks for one of the person's passkeys, or links a new one. Resolves with what the server is to judge. */
  passkey(want: 'verify' | 'add', signal: AbortSignal): Promise<object>
  /** Whether the person is being asked to verify that they are who they are: closing is then no answer to what they came for. */
  verifying(on: boolean): void
  /** They were not verified: nothing of what they came for goes on. */
  ended(why: KitError): void
}

/** Opens the frame in which a person approves something. */
export function openApproval<P extends ApprovalPurpose>({
  url,
  purpose,
  clock,
  accessToken,
  shown,
  mfa,
  onSettled,
}: OpenApproval<P>): Approval<P> {
  const { origin } = new URL(url)
  const life = new AbortController()
  const channel = new MessageChannel()
  const frame = createFrame()
  const height = createStore<number | undefined>(undefined)
  let wanted: number | undefined
  let request: ApprovalRequests[P] | undefined
  let look: ApprovalLook | undefined
  let opened = false
  const heartbeat = createHeartbeat(clock, life.signal)
  let onClose: (by: 'button' | 'escape') => void = () => {}
  let wasReady = false
  let isReady = () => {}
  const ready = new Promise<void>((resolve) => {
    isReady = () => {
      wasReady = true
      resolve()
    }
  })
  let settled: ApprovalAnswers[P] | undefined
  let finishing = false
  let take: ((turn: ApprovalAnswers[P]) => void) | undefined
  let settle: { resolve(answer: ApprovalAnswers[P]): void; reject(cause: unknown): void } | undefined
  const answer = new Promise<ApprovalAnswers[P]>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // Whoever has closed it no longer waits.
  answer.catch(() => {})

  function close(): void {
    if (life.signal.aborted) return
    life.abort()
    mfa.verifying(false)
    channel.port1.close()
    frame.remove()
    if (settled) settle?.resolve(settled)
  }
  /** Nothing that fails afterwards undoes what has happened. */
  function fail(cause: unknown): void {
    if (life.signal.aborted) return
    close()
    settle?.reject(cause)
  }
  const send = (message: ApprovalToFrame) => channel.port1.postMessage(message)

  function open(): void {
    if (opened || !loaded || !look || request === undefined) return
    opened = true
    send({ type: 'open', purpose, request: request as never, look })
  }
  function onMessage(message: ApprovalFromFrame): void {
    heartbeat.heard()
    switch (message.type) {
      case 'ready':
        isReady()
        height.set(wanted ?? 1)
        break
      case 'height':
        wanted = message.height
        if (height.get() !== undefined) height.set(wanted)
        break
      case 'token':
        accessToken().then(
          (text) => send({ type: 'token', ...(text && { accessToken: text }) }),
          () => send({ type: 'token' }),
        )
        break
      case 'shown':
        shown(fromVault(message.error.type, message.error.message))
        break
      case 'turn': {
        isReady()
        const turn = readApprovalAnswer(purpose, message.answer)
        if (turn) take?.(turn)
        else fail(unreadable())
        break
      }
      case 'settled': {
        const read = readApprovalAnswer(purpose, message.answer)
        if (!read) break
        const isFirst = settled === undefined
        settled = read
        if (isFirst) onSettled?.()
        break
      }
      case 'finishing':
        finishing = message.on
        break
      case 'done':
        finish(readApprovalAnswer(purpose, message.answer))
        break
      case 'failed': {
        const error = fromVault(message.error.type, message.error.message)
        if (notVerified.has(error.code)) mfa.ended(error)
        fail(error)
        break
      }
      case 'verifying':
        mfa.verifying(message.on)
        break
      case 'passkey':
        mfa.passkey(message.want, life.signal).then(
          (answer) => send({ type: 'passkey', answer: plainOf(answer) }),
          (cause: unknown) => send({ type: 'passkey', refused: isDeclined(cause) ? 'declined' : 'other' }),
        )
        break
      case 'rejected':
        fail(new Closed('The person said no'))
        break
      case 'close':
        onClose(message.by)
        break
      case 'pong':
    }
  }
  function finish(read: ApprovalAnswers[P] | undefined): void {
    if (read) {
      settled = read
      close()
    } else fail(unreadable())
  }
  channel.port1.onmessage = ({ data }) => {
    const message = readApprovalFromFrame(data)
    if (message && !life.signal.aborted) onMessage(message)
  }

  /** A frame that dies sends no event. */
  async function watch(): Promise<void> {
    await within(clock, frameLimits.readyForAction, () => ready, life.signal)
    heartbeat.heard()
    await heartbeat.untilDead(() => send({ type: 'ping' }))
    fail(crashed('the approval frame stopped answering'))
  }

  let loaded = false
  let mounted = false
  function show(next: ApprovalRequests[P]): void {
    request = next
    if (opened) send({ type: 'update', request: next as never })
    else open()
  }
  const turn = () =>
    new Promise<ApprovalAnswers[P]>((resolve) => {
      take = resolve
    })
  return {
    height,
    turn,
    settled: () => settled,
    isFinishing: () => finishing && !life.signal.aborted,
    answer,
    close,
    show,
    gone: life.signal,
    ask(request) {
      const next = turn()
      show(request)
      return Promise.race([next, answer])
    },
    restyle(next) {
      look = next
      frame.style.colorScheme = next.theme
      if (opened && !life.signal.aborted) send({ type: 'look', look: next })
    },
    mount(into, given, closed) {
      if (mounted || life.signal.aborted) return () => {}
      mounted = true
      look = given
      // Its corners are see-through only where its page has the colour scheme of this one.
      frame.style.colorScheme = given.theme
      onClose = closed
      const { signal } = life
      frame.addEventListener(
        'load',
        () => {
          if (loaded) return fail(crashed('the approval frame was loaded anew'))
          loaded = true
          frame.contentWindow?.postMessage(approvalHello, origin, [channel.port2])
          open()
        },
        { signal },
      )
      onBlocked(origin, signal, (directive) =>
        fail(unreachable('vault_unavailable', `blocked by the page's policy: ${directive}`)),
      )
      onOffline(signal, () => wasReady || fail(offline()))
      if (signal.aborted) return () => {}
      watch().catch((cause: unknown) => {
        if (cause instanceof TimedOut)
          fail(unreachable('vault_timeout', 'the approval frame is not ready', cause))
      })
      frame.src = url
      into.append(frame)
      return close
    },
  }
}

/** Loads the files of a frame that will be wanted, in one that nobody sees. */
export function prepareApproval(url: string, purpose: ApprovalPurpose, signal: AbortSignal): void {
  if (signal.aborted) return
  const frame = createFrame()
  frame.style.display = 'none'
  frame.setAttribute('aria-hidden', 'true')
  frame.src = `${url}#${purpose}`
  signal.addEventListener('abort', () => frame.remove(), { once: true })
  document.body.append(frame)
}

/** Without prototypes and functions, as a message takes it. */
const plainOf = (answer: object): Plain => JSON.parse(JSON.stringify(answer))
const isDeclined = (cause: unknown) => cause instanceof KitError && cause.code === 'passkey_not_allowed'

const unreadable = () => new KitError('malformed_response', "The wallet couldn't complete the request")

function createFrame(): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.title = 'Wallet'
  // Without a referrer some browsers also hide from the vault whose page it stands in, and it refuses those it can't know.
  frame.referrerPolicy = 'strict-origin'
  // A window of the frame is a page of its own, and must not inherit these limits.
  frame.sandbox.add('allow-scripts', 'allow-same-origin', 'allow-popups', 'allow-popups-to-escape-sandbox')
  // A person may keep the password that they have set there; its fields are a form for password managers, which leads nowhere.
  frame.sandbox.add('allow-downloads', 'allow-forms')
  frame.allow = 'clipboard-write'
  Object.assign(frame.style, {
    display: 'block',
    width: '100%',
    height: '100%',
    border: '0',
    colorScheme: 'normal',
  })
  return frame
}
