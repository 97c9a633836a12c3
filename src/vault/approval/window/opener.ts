import type { StageControl } from '../../../dialog/stage.ts'
import { createStore, type Readable } from '../../../lib/store.ts'
import type { ApprovalLook } from '../../../protocol/frame/approval.ts'
import type { VaultContext } from '../../context.ts'
import { vaultLimits } from '../../limits.ts'
import { hearVisit } from '../providers/news.ts'
import type { WindowAbout } from './about.ts'
import { type Over, readFromWindow, readHello, type ToWindow } from './messages.ts'

/** The vault's own windows, as its frame sees them. */
export interface Windows {
  /** Opens one; to be called within a press. `null` if the browser refuses. */
  readonly open: () => Window | null
  /** Has that window draw what `stage` shows, until it is closed or told that it is over. The stage lives on without it. */
  draw(opened: Window, stage: StageControl, about: WindowAbout): DrawingWindow
  /** Whether this page still has the focus: the browser has not shown the other window. */
  hasFocus(): boolean
}

/** `opening`: not connected yet. `closed`: by the user. `late`: it never connected. */
export type WindowState = 'opening' | 'open' | 'closed' | 'late'

export interface DrawingWindow {
  readonly state: Readable<WindowState>
  show(): void
  /** The request is done. */
  settle(): void
  /** Tells the window why it has nothing more to draw. It closes by itself, unless only its words say what has become of the request. */
  end(why: Over): void
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

  /** Calls back with the port that this very window sends with a nonce, each of which counts once. */
  function onConnected(opened: Window, connected: (port: WindowPort) => void, signal: AbortSignal): void {
    const onMessage = ({ source, origin, data, ports }: MessageEvent) => {
      if (source !== opened || origin !== page.location.origin || ports.length !== 1) return
      const nonce = nonces.get(opened)
      if (nonce === undefined || readHello(data) !== nonce) return
      nonces.delete(opened)
      connected(ports[0] as WindowPort)
    }
    page.addEventListener('message', onMessage, { signal })
  }

  return {
    open,
    hasFocus: () => page.document?.hasFocus() ?? false,
    draw(opened, stage, about) {
      const life = new AbortController()
      const { signal } = life
      const state = createStore<WindowState>('opening')
      let port: WindowPort | undefined
      let settled = false
      const send = (message: ToWindow) => port?.postMessage(message)
      const draw = () => {
        const scene = stage.scene.get()
        if (!scene) return
        const { screen, props, busy, step } = scene
        send({ type: 'scene', scene: { id: screen.id, props, busy, step } })
      }
      const restyle = () => send({ type: 'look', look: look.get() })
      const stops = [stage.scene.subscribe(draw), look.subscribe(restyle)]

      function stop(to: WindowState): void {
        if (signal.aborted) return
        life.abort()
        for (const each of stops) each()
        nonces.delete(opened)
        state.set(to)
      }
      function onMessage(message: ReturnType<typeof readFromWindow>): void {
        if (!message || signal.aborted) return
        const scene = stage.scene.get()
        switch (message.type) {
          case 'ping':
            send({ type: 'pong' })
            return
          case 'gone':
            stop('closed')
            return
          case 'visit':
            hearVisit(stage, message.news)
            return
          case 'answer':
            if (scene?.step === message.step && scene.busy === undefined) scene.answer(message.answer)
        }
      }
      function connect(connected: WindowPort): void {
        port = connected
        connected.onmessage = ({ data }) => {
          if (port === connected) onMessage(readFromWindow(data))
        }
        restyle()
        send({ type: 'about', about })
        if (settled) send({ type: 'settled' })
        state.set('open')
        draw()
      }
      /** A window that is gone need not say so. */
      async function watch(): Promise<void> {
        const until = clock.now() + vaultLimits.windowConnects
        for (;;) {
          await clock.sleep(vaultLimits.windowCheck, signal)
          if (opened.closed) return stop('closed')
          if (state.get() !== 'opening' || clock.now() < until) continue
          stop('late')
          opened.close()
          return
        }
      }
      onConnected(opened, connect, signal)
      watch().catch(() => {})
      return {
        state,
        show: () => opened.focus(),
        settle() {
          settled = true
          send({ type: 'settled' })
        },
        end(why) {
          const had = state.get()
          send({ type: 'over', why })
          stop('closed')
          // One that hears that it is over closes by itself, once what it may have left behind is wiped.
          if (had !== 'open') opened.close()
        },
      }
    },
  }
}
