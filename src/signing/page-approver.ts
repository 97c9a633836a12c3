import type { Screen } from '../dialog/screen.ts'
import { Closed } from '../dialog/stage.ts'
import { KitError } from '../errors/kit-error.ts'
import type { WalletFlow } from '../wallets/flow-context.ts'
import type { ApprovalRequest, Approver, Decision, Edit, ReadyReview, Review } from './approver.ts'
import { signingLimits } from './limits.ts'
import { reportFailure } from './report-failure.ts'
import { createScreens } from './screens.ts'
import { createKeySigner, prepareVault } from './signer.ts'

/** The answers of the screens that review a request. */
type Answer = 'sign' | 'approve' | 'recheck' | 'add-funds' | 'cancel' | { readonly edited: Edit }

/** Displays requests in the kit's own screens. */
export function createPageApprover(cx: WalletFlow): Approver {
  const { stage, clock } = cx

  async function review<P extends object, V, S>(request: ApprovalRequest<P, V, S>): Promise<Decision<V, S>> {
    prepareVault(cx)
    const screen = request.screen as unknown as Screen<object, Answer>
    const propsOf = (props: P) => ({ ...props, ...request.words })
    const reading = new AbortController()
    try {
      const signal = AbortSignal.any([stage.signal, reading.signal])
      return await decide(await untilReady(signal), signal)
    } finally {
      reading.abort()
    }

    async function untilReady(signal: AbortSignal): Promise<ReadyReview<P, V, S>> {
      const previews = request.previews(signal)[Symbol.asyncIterator]()
      const next = async () => {
        const { done, value } = await previews.next()
        if (done) throw new Error('A preview has no end')
        return value
      }
      let current: Review<P, V, S> = await next()
      while (current.state === 'preparing') {
        const props = { ...propsOf(current.props), preparing: true }
        current = await displayDuring(props, next())
      }
      return current
    }

    /** Nothing can be approved meanwhile. */
    async function displayDuring<T>(props: object, work: Promise<T>): Promise<T> {
      for (;;) {
        const came = await stage.askDuring(screen, props, () => work)
        if ('done' in came) return came.done
        if (came.answer === 'cancel') throw new Closed('The user cancelled')
      }
    }

    /** Asks the user, and displays what comes while they read. */
    async function ask(props: object, coming: Promise<object>): Promise<Answer> {
      const came = await stage.askDuring(screen, props, () => coming)
      return 'answer' in came ? came.answer : stage.ask(screen, { ...props, ...came.done })
    }

    async function decide(first: ReadyReview<P, V, S>, signal: AbortSignal): Promise<Decision<V, S>> {
      let displayed = first
      const coming = first.more && arrival(first.more(signal))
      let at = clock.now()
      let error: string | undefined
      let isRenewed = false
      for (;;) {
        const props = propsOf(displayed.props)
        const said = { ...(isRenewed && { notice: 'renewed' }), ...(error && { error }) }
        const shown = { ...props, ...said }
        const answer = await (coming ? ask(shown, coming) : stage.ask(screen, shown))
        error = undefined
        isRenewed = false
        if (answer === 'cancel') throw new Closed('The user cancelled')
        if (answer === 'recheck' || answer === 'add-funds') return { outcome: answer }
        if (typeof answer === 'object') return { outcome: 'edited', edit: answer.edited }
        if (clock.now() - at >= signingLimits.previewAge) {
          const renewed = await request.renew?.(displayed.value, stage.signal)
          stage.signal.throwIfAborted()
          at = clock.now()
          // Only the preview displayed last is signed.
          if (renewed) {
            displayed = renewed
            isRenewed = true
            continue
          }
        }
        const { value, signature } = displayed
        try {
          const sign = async () => signature.read(await createKeySigner(cx, request.wallet).sign(signature))
          // Screens on the way can be closed if the request itself can be.
          const signed = await (screen.closable(props) ? sign() : stage.lock(sign))
          return { outcome: 'approved', value, signed }
        } catch (cause) {
          stage.signal.throwIfAborted()
          if (cause instanceof KitError && cause.code === 'signature_mismatch') throw cause
          // A user who turns back from recovering the wallet is asked again; only this screen rejects the request.
          error = cause instanceof Closed ? undefined : reportFailure(cx, request.toError(cause))
        }
      }
    }
  }

  return {
    ...createScreens(cx),
    review,
    showDone: (request, props) => createScreens(cx).showDone(request, { ...props, ...request.words }),
  }
}

/** Resolves once there is something to display, and never where there is nothing. */
const arrival = <T extends object>(coming: Promise<T | undefined>): Promise<T> =>
  new Promise((resolve) => {
    coming.then(
      (found) => found && resolve(found),
      () => {},
    )
  })
