import { panel } from '../../../styles/scale.ts'

const enough = 96
const header = 56

/** Lets a drawer be dragged down by its header; 96 px ask to close it. Returns the function that ends it. */
export function letDrag(el: HTMLElement, close: () => (() => void) | undefined): () => void {
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
