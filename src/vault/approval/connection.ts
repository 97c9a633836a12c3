import { untilAborted } from '../../lib/abort.ts'
import { within } from '../../lib/clock.ts'
import { isPlainObject, type Plain, type PlainObject } from '../../lib/plain.ts'
import { createStore, type Readable } from '../../lib/store.ts'
import {
  type ApprovalAnswers,
  type ApprovalFromFrame,
  type ApprovalLook,
  type ApprovalPurpose,
  type ApprovalRequest,
  type ApprovalRequests,
  approvalHello,
  readApprovalRequest,
  readApprovalToFrame,
} from '../../protocol/frame/approval.ts'
import { frameLimits } from '../../protocol/frame/limits.ts'
import type { FrameFailure } from '../../protocol/frame/messages.ts'
import { unknownSignKind } from '../../protocol/frame/sign-request.ts'
import type { VaultContext } from '../context.ts'
import type { VaultPage } from '../entry/frame-channel.ts'
import { awaitHello } from '../entry/hello.ts'
import { VaultError } from '../errors.ts'
import { readTokenOf, type Token } from '../token.ts'

/** What a page has asked over its port, and the way back. */
export interface ApprovalConnection {
  /** The page, as the browser names it. */
  readonly origin: string
  readonly purpose: ApprovalPurpose
  readonly asked: Readable<ApprovalRequests[ApprovalPurpose]>
  readonly look: Readable<ApprovalLook>
  send(message: ApprovalFromFrame): void
  /** Sends an answer that is not the last, and resolves with what the page asks then. */
  turn(answer: ApprovalAnswers[ApprovalPurpose]): Promise<ApprovalRequests[ApprovalPurpose]>
  /** Asks the page for its token; nobody may be logged in there. */
  tokenText(): Promise<string | undefined>
  /** Asks the page for its token. Throws a `VaultError`. */
  token(): Promise<Token>
  /**
   * Has the page ask for a passkey, which belongs to its origin. Resolves with what that has answered. Throws {@link PasskeyRefused}.
   */
  passkey(want: 'verify' | 'add', signal: AbortSignal): Promise<PlainObject>
}

/** There is no answer of a passkey. */
export class PasskeyRefused extends Error {
  override name = 'PasskeyRefused'
  constructor(readonly why: 'declined' | 'other') {
    super(`There is no answer of a passkey: ${why}`)
  }
}

/**
 * Waits for the page's hello and for its one request. A request that this version can't read is an answer of its own: `send` tells
 * the page, and the promise is then left as it is.
 */
export async function connect(
  page: Pick<VaultPage, 'parent' | 'addEventListener' | 'removeEventListener'>,
  { settings, clock, aheadBy }: Pick<VaultContext, 'settings' | 'clock' | 'aheadBy'>,
): Promise<ApprovalConnection> {
  const { port, origin } = await awaitHello(page, approvalHello, settings.allowedOrigins)
  const send = (message: ApprovalFromFrame) => port.postMessage(message)
  let waiting: ((text: string | undefined) => void)[] = []

  const tokenText = () =>
    within(
      clock,
      frameLimits.readyForAction,
      () =>
        new Promise<string | undefined>((resolve) => {
          waiting.push(resolve)
          if (waiting.length === 1) send({ type: 'token' })
        }),
    )
  async function token(): Promise<Token> {
    const text = await tokenText()
    if (!text) throw new VaultError('error', 'The page has no access token', { remedy: 'login' })
    return readTokenOf({ settings, clock, aheadBy }, text)
  }

  let answered: ((answer: PlainObject | PasskeyRefused) => void) | undefined
  const passkey: ApprovalConnection['passkey'] = (want, signal) =>
    untilAborted(
      new Promise((resolve, reject) => {
        answered = (answer) => (answer instanceof PasskeyRefused ? reject(answer) : resolve(answer))
        send({ type: 'passkey', want })
      }),
      signal,
    )

  return new Promise((resolve) => {
    let opened: { asked: ReturnType<typeof askedStore>; look: ReturnType<typeof lookStore> } | undefined
    port.onmessage = ({ data }) => {
      const message = readApprovalToFrame(data)
      if (!message) return
      if (message.type === 'ping') return send({ type: 'pong' })
      if (message.type === 'open') {
        const request = readApprovalRequest(message.purpose, message.request)
        if (opened) return
        if (!request) return send({ type: 'failed', error: unreadable(message.purpose, message.request) })
        opened = { asked: askedStore(message.purpose, request), look: lookStore(message.look) }
        const { asked } = opened
        const turn = (answer: ApprovalAnswers[ApprovalPurpose]) => {
          send({ type: 'turn', answer: answer as never })
          return asked.next()
        }
        resolve({ origin, purpose: message.purpose, ...opened, send, turn, token, tokenText, passkey })
      } else if (message.type === 'token') {
        const all = waiting
        waiting = []
        for (const each of all) each(message.accessToken)
      } else if (message.type === 'passkey') {
        const { answer, refused = 'other' } = message
        answered?.(isPlainObject(answer) ? answer : new PasskeyRefused(refused))
        answered = undefined
      } else if (message.type === 'look') opened?.look.set(message.look)
      else opened?.asked.update(message.request)
    }
  })
}

function unreadable(purpose: ApprovalPurpose, request: Plain): FrameFailure {
  const kind = purpose === 'sign' ? unknownSignKind(request) : undefined
  return {
    type: 'invalid_request_arguments',
    message:
      kind === undefined ? 'The request is incomplete' : `Unknown kind of request: ${kind.slice(0, 64)}`,
  }
}

const lookStore = (look: ApprovalLook) => createStore(look)

function askedStore(purpose: ApprovalPurpose, first: ApprovalRequest['request']) {
  const store = createStore(first)
  return {
    get: store.get,
    subscribe: store.subscribe,
    /** Resolves with what is asked next. */
    next: () =>
      new Promise<ReturnType<typeof store.get>>((resolve) => {
        const stop = store.subscribe(() => {
          stop()
          resolve(store.get())
        })
      }),
    /** What can't be read changes nothing. */
    update(raw: Parameters<typeof readApprovalRequest>[1]) {
      const next = readApprovalRequest(purpose, raw)
      if (next) store.set(next)
    },
  }
}
