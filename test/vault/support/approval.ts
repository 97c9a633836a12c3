import { addWords, createTranslate } from '../../../src/copy/copy.ts'
import { errors } from '../../../src/copy/en/errors.ts'
import { createStage, type StageControl } from '../../../src/dialog/stage.ts'
import { createStore } from '../../../src/lib/store.ts'
import type { ApprovalPurpose, ApprovalRequests } from '../../../src/protocol/frame/approval.ts'
import { createOutcome } from '../../../src/vault/approval/outcome.ts'
import { hearVisit } from '../../../src/vault/approval/providers/news.ts'
import type { VisitNews } from '../../../src/vault/approval/providers/popup.ts'
import type { ApprovalContext, Risk } from '../../../src/vault/approval/purpose.ts'
import { isTrying } from '../../../src/vault/approval/sign/server-preview.ts'
import type { VaultContext } from '../../../src/vault/context.ts'
import { createContext } from '../../../src/vault/create-context.ts'
import { readToken } from '../../../src/vault/token.ts'
import { appId, type Backend } from './backend.ts'
import { type Device, partsOf, quickClock, settings } from './device.ts'

addWords(errors)

/** What the vault's pages work with on a device. */
export function vaultOn(backend: Pick<Backend, 'fetch'>, device: Device): VaultContext {
  const strict = { ...settings, vault: 'strict' } as const
  return createContext({
    approves: true,
    settings: strict,
    fetch: backend.fetch,
    clock: quickClock,
    ...partsOf(device),
  })
}

/** One thing that a person does where the vault asks: on this screen, that answer; `close` closes its page, `on` waits for it. */
export type Act =
  | readonly [screen: string, answer: unknown]
  | { readonly close: string }
  | { readonly on: string }
  /** The provider sends the user back with these fields, once its popup is open. */
  | { readonly returns: Readonly<Record<string, string>> }
  /** The popup looks closed. */
  | { readonly popup: 'closed' }

interface VisitShown {
  phase?: string
  visit?: { state: string }
}

/** An approval, with a person in front of the frame and of the window. */
export function approvalOf<P extends ApprovalPurpose>(
  vault: VaultContext,
  accessToken: string,
  request: ApprovalRequests[P],
  app: string = appId,
) {
  const frame = createStage({ clock: quickClock })
  const window = createStage({ clock: quickClock })
  const shown: string[] = []
  const risks: Risk[] = []
  const seen: { place: 'frame' | 'window'; screen: string; props: Record<string, unknown> }[] = []
  const { settle, commit } = createOutcome<P>(() => {})
  const cx: ApprovalContext<P> = {
    vault,
    settle,
    commit,
    stage: frame,
    origin: 'https://host.example',
    t: createTranslate(),
    asked: createStore(request),
    token: async () => readToken(accessToken, app, vault.clock.now()),
    passkey: () => Promise.reject(new Error('No passkey is asked for here')),
    tokenText: async () => accessToken,
    turn: () => Promise.reject(new Error('Nobody asks for more than one answer here')),
    shown: (failure) => shown.push(failure instanceof Error ? failure.message : String(failure)),
    approving: (risk, work) => {
      risks.push(risk)
      return work(risk === 'high' ? window : frame)
    },
  }
  const places = { frame, window }
  for (const [name, stage] of Object.entries(places))
    stage.scene.subscribe(() => {
      const scene = stage.scene.get()
      if (scene && scene.busy === undefined)
        seen.push({ place: name as 'frame', screen: scene.screen.id, props: scene.props as never })
    })

  /** Does one thing after the other, each once its screen asks. */
  async function act(...acts: readonly Act[]): Promise<void> {
    for (const next of acts) {
      if ('on' in next) await asking(next.on)
      else if ('returns' in next)
        await visiting((state) => ({ is: 'returned', state, fields: { state, ...next.returns } }))
      else if ('popup' in next) await visiting((state) => ({ is: 'closed', state }))
      else if ('close' in next) (await asking(next.close))[0].close()
      else (await asking(next[0], next[1]))[1](next[1])
    }
  }
  /** A person presses the button of agreement once it can be pressed. */
  async function asking(id: string, answer?: unknown): Promise<[StageControl, (answer: unknown) => void]> {
    for (let tries = 0; tries < 2_000; tries++) {
      for (const stage of [window, frame]) {
        const scene = stage.scene.get()
        const isWorking = (scene?.props as VisitShown | undefined)?.phase === 'working'
        const isNotYet = answer === 'approve' && isTrying(scene?.props ?? {})
        if (scene?.screen.id === id && scene.busy === undefined && !isWorking && !isNotYet)
          return [stage, scene.answer]
      }
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    throw new Error(`No screen ${id} came; there were ${seen.map(({ screen }) => screen).join(', ')}`)
  }
  /** News of the popup that is open now, until they are taken. */
  async function visiting(news: (state: string) => VisitNews): Promise<void> {
    const isOpen = () => {
      const { phase, visit } = (window.scene.get()?.props ?? {}) as VisitShown
      return (phase === 'window' || phase === 'closed') && visit
    }
    await until(() => isOpen() && window.scene.get()?.busy === undefined, 'No popup of a provider was opened')
    const step = window.scene.get()?.step
    const open = isOpen()
    if (open) hearVisit(window, news(open.state))
    await until(() => window.scene.get()?.step !== step, 'Nobody took the news of the popup')
  }
  async function until(check: () => unknown, otherwise: string): Promise<void> {
    for (let tries = 0; tries < 2_000; tries++) {
      if (check()) return
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    throw new Error(otherwise)
  }
  /** Whether a screen that could not be agreed to yet has become one that can. */
  const isSame = (one: (typeof seen)[number] | undefined, next: (typeof seen)[number]) =>
    one?.place === next.place && one.screen === next.screen && isTrying(one.props)
  /** Screens that asked for something, in their order, and where they were; one that only awaits its trial run counts once. */
  const trace = () =>
    seen
      .filter((each, at) => !isSame(seen[at - 1], each))
      .filter(({ screen }) => screen !== 'connecting-wallet')
      .map((each) => `${each.place} ${each.screen}`)
  const errorsOn = (id: string) => seen.filter(({ screen }) => screen === id).map(({ props }) => props.error)
  /** An answer of the screen that is displayed, whether or not its button can be pressed. */
  const force = (answer: unknown) => (window.scene.get() ?? frame.scene.get())?.answer(answer)
  return { cx, act, force, shown, risks, trace, errorsOn, seen }
}
