import { panel } from '../../../styles/scale.ts'

const enough = 96
const header = 56

/** What only touch needs: see {@link letDrag} and {@link keepAboveKeyboard}. Returns the function that ends it. */
export function followTouch(el: HTMLElement, close: () => (() => void) | undefined): () => void {
  const ends = [letDrag(el, close), keepAboveKeyboard(el)]
  return () => {
    for (const end of ends) end()
  }
}

/** Lets a drawer be dragged down by its header; 96 px ask to close it. Returns the function that ends it. */
function letDrag(el: HTMLElement, close: () => (() => void) | undefined): () => void {
  let from: number | undefined
  let by = 0
  const move = (to: number) => {
    by = to
    el.style.translate = `0 ${to}px`
    el.style.transition = to ? '' : 'translate 180ms'
  }
  const start = (event: PointerEvent) => {
    const inHeader = event.clientY - el.getBoundingClientRect().top < header
    const drawer = matchMedia(`(max-width:${panel.drawerUpTo}px)`).matches
    const onButton = event.composedPath().some((node) => node instanceof HTMLButtonElement)
    if (!drawer || !inHeader || onButton || !event.isPrimary || !close()) return
    from = event.clientY
    el.setPointerCapture(event.pointerId)
  }
  const drag = (event: PointerEvent) => {
    if (from !== undefined) move(Math.max(0, event.clientY - from))
  }
  const end = () => {
    if (from === undefined) return
    from = undefined
    const far = by >= enough
    move(0)
    if (far) close()?.()
  }
  el.addEventListener('pointerdown', start)
  el.addEventListener('pointermove', drag)
  el.addEventListener('pointerup', end)
  el.addEventListener('pointercancel', end)
  return () => {
    el.removeEventListener('pointerdown', start)
    el.removeEventListener('pointermove', drag)
    el.removeEventListener('pointerup', end)
    el.removeEventListener('pointercancel', end)
  }
}

/** What of a page can be seen: less than its window while a keyboard is on the screen. */
export type VisibleArea = Pick<
  VisualViewport,
  'scale' | 'height' | 'offsetTop' | 'addEventListener' | 'removeEventListener'
>

/**
 * Keeps a dialog above an on-screen keyboard, if the browser does not count it into `dvh`. Returns the function that ends it.
 */
export function keepAboveKeyboard(
  el: HTMLElement,
  view: VisibleArea | null = window.visualViewport,
): () => void {
  const keepUp = () => {
    if (view?.scale !== 1) return
    const under = Math.max(0, window.innerHeight - view.height - view.offsetTop)
    el.style.setProperty('--_view', under > 1 ? `${view.height}px` : '100dvh')
    el.style.setProperty('--_under', `${under}px`)
  }
  // The keyboard may be there already.
  keepUp()
  view?.addEventListener('resize', keepUp)
  return () => view?.removeEventListener('resize', keepUp)
}
