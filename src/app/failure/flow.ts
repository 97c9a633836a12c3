import { Closed } from '../../dialog/stage.ts'
import { unlessOffline } from '../../errors/error-screen.ts'
import type { KitError } from '../../errors/kit-error.ts'
import type { Verdict } from '../../errors/verdict.ts'
import { say } from '../../errors/words.ts'
import { safeLink } from '../../lib/safe-link.ts'
import { type Transfer, transferOf } from '../../protocol/transfer.ts'
import type { FlowContext } from '../flow-context.ts'
import { accountNotFound } from './account-not-found.tsx'
import { allowlistRejected } from './allowlist.tsx'
import { failure } from './failure.tsx'
import { userLimitReached } from './user-limit.tsx'

/** What follows a failure: another attempt, a message on the current or first screen, or a transfer. */
export type Next =
  | { next: 'again' }
  | { next: 'stay'; error: string }
  | { next: 'start'; error?: string }
  | { next: 'conflict'; transfer: Transfer }

/** Shows what went wrong on a method's own screen, and returns what the person wants then. */
export type ShowFailure = (failure: {
  title: string
  detail: string
  retryable: boolean
}) => Promise<'retry' | 'back' | 'close'>

/** Shows a failure and waits until the person has read it. Throws {@link Closed} where they have only turned back. */
export async function handleFailure(
  cx: FlowContext,
  error: KitError,
  itsVerdict: Verdict,
  show: ShowFailure = onFailureScreen(cx),
): Promise<Next> {
  if (error.cause instanceof Closed) throw error.cause
  cx.report(error)
  const verdict = unlessOffline(error, itsVerdict)
  switch (verdict.show) {
    case 'inline':
      return { next: 'stay', error: say(cx.t, verdict.words) }
    case 'start':
      return { next: 'start', error: say(cx.t, verdict.words) }
    case 'conflict': {
      const transfer = transferOf(error)
      return transfer ? { next: 'conflict', transfer } : { next: 'stay', error: say(cx.t, verdict.words) }
    }
    case 'gate':
      await showGate(cx, verdict.gate)
      return { next: 'start' }
    case 'screen': {
      const { title, detail, retryable } = verdict
      const answer = await show({ title: cx.t(title), detail: say(cx.t, detail), retryable })
      if (answer === 'retry') return { next: 'again' }
      if (answer === 'back') return { next: 'start' }
      throw error
    }
  }
}

const onFailureScreen =
  ({ stage }: FlowContext): ShowFailure =>
  ({ title, detail, retryable }) =>
    stage.ask(failure, { title, detail, action: retryable ? 'retry' : 'close', back: true })

async function showGate(cx: FlowContext, gate: Extract<Verdict, { show: 'gate' }>['gate']): Promise<void> {
  switch (gate) {
    case 'allowlist':
      return void (await cx.stage.ask(allowlistRejected, allowlistWords(cx.config)))
    case 'user-limit':
      return void (await cx.stage.ask(userLimitReached, {}))
    case 'account-not-found':
      return void (await cx.stage.ask(accountNotFound, {}))
  }
}

/** The host's words take precedence over the app's own. */
function allowlistWords({ host, app }: FlowContext['config']) {
  const own = host.allowlistConfig
  const set = app.allowlist
  return {
    title: own?.errorTitle ?? set.title,
    detail: own?.errorDetail ?? set.detail,
    buttonText: own?.errorCtaText ?? set.buttonText,
    link: safeLink(own?.errorCtaLink ?? set.link),
  }
}
