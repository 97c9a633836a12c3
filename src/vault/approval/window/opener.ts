import { Closed, createStage, type Stage } from '../../../dialog/stage.ts'
import type { Readable } from '../../../lib/store.ts'
import type { ApprovalLook } from '../../../protocol/frame/approval.ts'
import type { VaultContext } from '../../context.ts'
import { vaultLimits } from '../../limits.ts'
import { hearVisit } from '../providers/news.ts'
import { readFromWindow, readHello, type ToWindow } from './messages.ts'

/** The vault's own windows, as its frame sees them. */
export interface Windows {
  /** Opens one; to be called within a press. `null` if the browser refuses. */
  readonly open: () => Window | null
  /**
   * Lends `work` a stage whose screens that window draws. Closing or leaving it rejects with `Closed`, as does a window that never
   * connects. The window is closed at the end.
   */
  drawIn<T>(opened: Window, work: (stage: Stage) => Promise<T>, signal: AbortSignal): Promise<T>
}

/** As much of a port as is needed. */
interface WindowPort {
  onmessage: ((event: MessageEvent) => void) | null
  postMessage(message: unknown): void
}

/** @param page the frame's own window: what it opens has no other opener, so the page around never gets hold of it */
export function createWindows(
  page: Window,
  { clock }: Pick<VaultContext, 'clock'>,
  look: Readable<ApprovalLook>,
): Windows {
  const nonces = new WeakMap<Window, string>()

  function open(): Window | null {
    const nonce = crypto.randomUUID()
    const { origin, pathname } = page.location
    const opened = page.open(`${origin}${pathname}/window#${nonce}`, '_blank', 'popup,width=420,height=680')
    if (opened) nonces.set(opened, nonce)
    return opened
  }

  /** The port that this very window sends with its nonce, once. */
  function connected(opened: Window, signal: AbortSignal): Promise<WindowPort> {
    const nonce = nonces.get(opened)
    nonces.delete(opened)
    return new Promise((resolve) => {
      const onMessage = ({ source, origin, data, ports }: MessageEvent) => {
        if (source !== opened || origin !== page.location.origin || ports.length !== 1) return
        if (nonce === undefined || readHello(data) !== nonce) return
        page.removeEventListener('message', onMessage)
        resolve(ports[0] as WindowPort)
      }
      page.addEventListener('message', onMessage, { signal })
    })
  }

  async function untilGone(opened: Window, signal: AbortSignal): Promise<never> {
    for (;;) {
      await clock.sleep(vaultLimits.windowCheck, signal)
      if (opened.closed) throw new Closed('The window was closed')
    }
  }

  return {
    open,
    async drawIn(opened, work, signal) {
      const over = new AbortController()
      const stop = AbortSignal.any([signal, over.signal])
      const stage = createStage({ clock })
      const ends = [] as (() => void)[]
      const onAbort = () => stage.close()
      signal.addEventListener('abort', onAbort, { signal: over.signal })
      let reached = false
      const late = clock.sleep(vaultLimits.windowConnects, stop)
      try {
        const port = await Promise.race([
          connected(opened, stop),
          untilGone(opened, stop),
          late.then(() => {
            throw new Closed('The window did not connect')
          }),
        ])
        reached = true
        const send = (message: ToWindow) => port.postMessage(message)
        port.onmessage = ({ data }) => {
          const message = readFromWindow(data)
          const scene = stage.scene.get()
          if (message?.type === 'gone') stage.close()
          if (message?.type === 'visit') hearVisit(stage, message.news)
          if (message?.type === 'answer' && scene?.step === message.step && scene.busy === undefined)
            scene.answer(message.answer)
        }
        const draw = () => {
          const scene = stage.scene.get()
          if (!scene) return
          const { screen, props, busy, step } = scene
          send({ type: 'scene', scene: { id: screen.id, props, busy, step } })
        }
        const restyle = () => send({ type: 'look', look: look.get() })
        ends.push(stage.scene.subscribe(draw), look.subscribe(restyle), () => send({ type: 'over' }))
        restyle()
        untilGone(opened, stop).catch(() => stage.close())
        return await work(stage)
      } finally {
        over.abort()
        for (const end of ends) end()
        stage.close()
        // One that hears that it is over closes by itself, once what it may have left behind is wiped.
        if (!reached) opened.close()
      }
    },
  }
}
