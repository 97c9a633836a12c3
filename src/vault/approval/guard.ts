import { createStore, type Readable } from '../../lib/store.ts'
import type { ApprovalLook } from '../../protocol/frame/approval.ts'
import { watchVisibility } from '../entry/visibility.ts'
import { vaultLimits } from '../limits.ts'
import { watchEssentials } from './essentials.ts'
import { watchPointers } from './pointers.ts'
import { type Act, createPresses, type Refusal } from './press.ts'
import { hasRoomToRead } from './room.ts'

export type { Refusal } from './press.ts'

/** Decides whether a press can have been meant for what a person sees. */
export interface Guard {
  /** What is shown has changed. */
  restart(): void
  /** Why the act that is being handled does not count, if it doesn't. */
  refusal(): Refusal | undefined
  /** Why a press of a button would not count now, if it wouldn't. */
  readonly hold: Readable<Refusal | undefined>
  stop(): void
}

export interface GuardOptions {
  /** All that is drawn is in there. */
  readonly target: Element
  readonly root: ShadowRoot
  readonly place: 'frame' | 'window'
  readonly look: Readable<Pick<ApprovalLook, 'textScale'>>
}

/** What people do to a page. None of it counts if a script has done it. */
const acts = [
  'click',
  'pointerdown',
  'pointerup',
  'mousedown',
  'mouseup',
  'keydown',
  'keyup',
  'input',
  'change',
  'submit',
]
/** Where Space is a character, and Enter ends what was typed. */
const typing =
  'textarea,select,[contenteditable],input:not([type=checkbox],[type=radio],[type=button],[type=submit])'

/**
 * Watches over everything that is drawn in `target`: what a script does there is kept from it. A frame can be covered or moved by the
 * page around it, so there the browser has to confirm that all of `target` can be seen
 * (where it can't, nothing is approved in a frame), a pointer that is somewhere else in
 * the frame without having moved tells that the frame has, and one that has only just come may have been waiting for something else.
 */
export function createGuard(window: Window, { target, root, place, look }: GuardOptions): Guard {
  const over = new AbortController()
  const { signal } = over
  const now = () => performance.now()
  const hold = createStore<Refusal | undefined>('early')
  const essentials = watchEssentials(window, root)
  const visibility = place === 'frame' ? watchVisibility([target], () => check()) : undefined
  const isSeen = (duration: number) => visibility?.seen(target, duration) ?? true
  /** Until then, something has not been in view together with the button. */
  let incompleteAt = now()
  let size = { width: window.innerWidth, height: window.innerHeight }

  function obstacle(act: Act): Refusal | undefined {
    if (place === 'frame' && !hasRoomToRead(window, look.get())) return 'small'
    if (!isSeen(act === 'press' ? vaultLimits.quietBeforePress : vaultLimits.visibleBeforePress))
      return isSeen(0) ? 'early' : 'covered'
    if (act === 'typed') return undefined
    const view = essentials.look(true)
    if (view === 'elsewhere') return 'unread'
    return now() - incompleteAt < vaultLimits.quietBeforePress ? 'early' : undefined
  }
  const presses = createPresses({ now, obstacle })
  /** Where something is approved, typing is no shorter way. */
  const actOf = (isTyped: boolean): Act =>
    isTyped && !root.querySelector('[data-layer]:not([inert]) [data-approves]') ? 'typed' : 'press'

  /** The reason why the button is held, in words for the user. */
  function holdNow(): Refusal | undefined {
    const view = essentials.look(isSeen(0))
    if (view !== 'seen') incompleteAt = now()
    const refusal = presses.judge('press') ?? (pointers?.isNew() ? 'early' : undefined)
    // A browser takes a moment to say that nothing covers what has just been drawn.
    if (refusal === 'covered' && now() < presses.quietAt()) return view === 'elsewhere' ? 'unread' : 'early'
    return refusal
  }
  let timer: number | undefined
  let pressing = false
  function check(): void {
    window.clearTimeout(timer)
    if (signal.aborted) return
    // The button must not change under a press, nor before the click that ends it.
    if (!pressing) hold.set(holdNow())
    // While it lives, events tell what ends that.
    timer =
      hold.get() === undefined && !pressing ? undefined : window.setTimeout(check, vaultLimits.pressCheck)
  }

  const restart = () => {
    presses.change()
    essentials.forget()
    incompleteAt = now()
    check()
  }
  const moved = () => {
    presses.change()
    check()
  }
  const disturb = () => {
    presses.disturb()
    check()
  }
  const resized = () => {
    const { innerWidth: width, innerHeight: height } = window
    const isLess = width < size.width || height < size.height
    size = { width, height }
    if (isLess) restart()
    else moved()
  }

  /** The verdict on the event that is handled now. */
  let handled: { readonly refusal: Refusal | undefined } | undefined
  const handle = (refusal: Refusal | undefined) => {
    handled = { refusal }
    window.setTimeout(() => {
      handled = undefined
      pressing = false
      check()
    })
  }
  const begin = () => {
    pressing = true
    check()
  }
  const hear = (type: string, hear: (event: Event) => void, on: EventTarget = window, capture = true) =>
    on.addEventListener(type, (event) => event.isTrusted && hear(event), { capture, signal, passive: true })

  for (const act of acts)
    window.addEventListener(
      act,
      (event) => {
        if (event.isTrusted) return
        event.preventDefault()
        event.stopImmediatePropagation()
      },
      { capture: true, signal },
    )
  // No page can move a window that it has opened on another origin.
  const pointers =
    place === 'frame' ? watchPointers(window, { now, moved, changed: () => check(), signal }) : undefined
  hear('pointerdown', (event) => {
    const pointer = event as PointerEvent
    presses.beginPointer(pointer.pointerId, pointers?.isNew(pointer))
    begin()
  })
  hear('pointerup', (event) => {
    presses.endPointer((event as PointerEvent).pointerId, false)
    // A touch becomes a click only after this; if none comes, the button must not stay as it was.
    window.setTimeout(() => {
      pressing = false
      check()
    }, vaultLimits.pressCheck)
  })
  hear('pointercancel', (event) => {
    presses.endPointer((event as PointerEvent).pointerId, true)
    pressing = false
    check()
  })
  hear('keydown', (event) => {
    const { key, repeat } = event as KeyboardEvent
    if (key !== 'Enter' && key !== ' ') return
    const [into] = event.composedPath()
    const isTyped = into instanceof Element && into.matches(typing)
    if (isTyped && key === ' ') return
    presses.beginKey(repeat, actOf(isTyped))
    begin()
  })
  hear('keyup', (event) => {
    const { key } = event as KeyboardEvent
    if (key === 'Enter' || key === ' ')
      window.setTimeout(() => {
        pressing = false
        check()
      })
  })
  hear('click', () => handle(presses.click()))
  for (const act of ['input', 'change', 'submit'])
    hear(act, () => {
      if (!handled) handle(presses.judge(actOf(true)))
    })
  hear('focusin', presses.focus, root)
  window.addEventListener('resize', resized, { signal })
  root.addEventListener('scroll', check, { capture: true, passive: true, signal })
  // The page was somewhere else until now.
  window.addEventListener('pageshow', moved, { signal })
  window.document.addEventListener('visibilitychange', moved, { signal })
  window.addEventListener('blur', disturb, { signal })
  // Another window may have lain over this one until the press that was meant for it. A frame gets the focus by the press itself.
  window.addEventListener('focus', place === 'window' ? moved : disturb, { signal })
  check()
  return {
    restart,
    hold,
    refusal: () => (handled ? handled.refusal : presses.judge(actOf(true))),
    stop() {
      over.abort()
      window.clearTimeout(timer)
      visibility?.stop()
    },
  }
}
