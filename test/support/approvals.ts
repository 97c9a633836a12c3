// Loaded beforehand, so that no test waits for what the kit loads lazily.
import '../../src/kit/services/account-changes.ts'
import '../../src/wallets/approval/service.ts'
import { Closed } from '../../src/dialog/stage.ts'
import { KitError } from '../../src/errors/kit-error.ts'
import { createStore } from '../../src/lib/store.ts'
import { notVerified } from '../../src/protocol/frame/messages.ts'
import type { ApprovalMfa } from '../../src/wallets/approval/approval-frame.ts'
import type { OpenApprovalFrame } from '../../src/wallets/approval/service.ts'

/** How the user, the vault and the server end one approval. */
export type Ending = { answer: object } | { error: Error } | 'rejected'

/**
 * The vault's frames for approvals, without a vault: `decide` ends each, once the page has shown its request. One that gets nothing stays
 * open until its page closes it.
 */
export function fakeApprovals(decide: (purpose: string, request: object) => Ending | undefined) {
  const opened: { purpose: string; request: object; isOpen: boolean }[] = []
  const open = (({ purpose, mfa }: { purpose: string; mfa: ApprovalMfa }) => {
    const life = new AbortController()
    let finish = (_: object) => {}
    let fail = (_: unknown) => {}
    const answer = new Promise<object>((resolve, reject) => {
      finish = resolve
      fail = reject
    })
    answer.catch(() => {})
    const approval = { purpose, request: {}, isOpen: true }
    opened.push(approval)
    const close = () => {
      approval.isOpen = false
      life.abort()
    }
    return {
      height: createStore<number | undefined>(undefined),
      mount: () => close,
      restyle() {},
      isFinishing: () => false,
      settled: () => undefined,
      turn: () => new Promise<never>(() => {}),
      ask: () => Promise.reject(new Error('One request is asked for here')),
      answer,
      gone: life.signal,
      close,
      show(request: object) {
        approval.request = request
        const ending = decide(purpose, request)
        if (!ending) return
        close()
        if (ending === 'rejected') fail(new Closed('The user said no'))
        else if ('error' in ending) {
          if (ending.error instanceof KitError && notVerified.has(ending.error.code)) mfa.ended(ending.error)
          fail(ending.error)
        } else finish(ending.answer)
      },
    }
  }) as unknown as OpenApprovalFrame
  return { open, opened, requests: () => opened.map(({ purpose, request }) => [purpose, request] as const) }
}
