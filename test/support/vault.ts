import { frameEvents } from '../../src/protocol/frame/calls.ts'
import type { FrameEvents, OpenFrame } from '../../src/wallets/embedded/frame-port.ts'

type Handler = (
  data: Record<string, unknown>,
) => object | { error: { type: string; message: string } } | undefined

/** A vault behind the frame port. A handler that gives `undefined` never answers. */
export function fakeVault(handlers: Partial<Record<keyof typeof frameEvents, Handler>> = {}) {
  const asked: { event: string; data: Record<string, unknown> }[] = []
  const frames: { url: string; events: FrameEvents; open: boolean }[] = []
  let alive = true

  const open: OpenFrame = (url, events) => {
    const frame = { url, events, open: true }
    frames.push(frame)
    queueMicrotask(() => events.loaded())
    return {
      post(raw) {
        const { id, event, data } = raw as { id: string; event: string; data: Record<string, unknown> }
        if (!alive || !frame.open) return
        const name = (Object.keys(frameEvents) as (keyof typeof frameEvents)[]).find(
          (key) => frameEvents[key] === event,
        )
        if (event !== frameEvents.ready) asked.push({ event, data })
        const handler = name && (handlers[name] ?? (name === 'ready' ? () => ({}) : undefined))
        const answer = handler?.(data)
        if (answer === undefined) return
        queueMicrotask(() =>
          events.message('error' in answer ? { id, event, ...answer } : { id, event, data: answer }),
        )
      },
      close() {
        frame.open = false
      },
    }
  }
  return {
    open,
    asked,
    frames,
    /** From now on nothing is answered, as after a crash of the frame's process. */
    crash() {
      alive = false
    },
    revive() {
      alive = true
    },
  }
}
