import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Puts the focus where reading starts. When the dialog opens: the first field of a screen that has one,
 * unless an on-screen keyboard would appear, else the heading. On each later screen: the heading. A panel in
 * the page leaves the focus alone until somebody has used it.
 */
export function useArrivalFocus(
  step: string | number,
  arrival: 'open' | 'forward' | 'back',
  inline = false,
): RefObject<HTMLDivElement | null> {
  const root = useRef<HTMLDivElement>(null)
  const opening = useRef(true)
  useLayoutEffect(() => {
    opening.current = arrival === 'open'
  })
  // A dialog that is shown after this sets the focus itself. It does so once, instead of on its first button before.
  useLayoutEffect(() => {
    void step
    const target = opening.current && !inline && targetIn(layerOf(root.current), true)
    if (target) target.autofocus = true
  }, [step, inline])
  useEffect(() => {
    void step
    const layer = layerOf(root.current)
    layer?.setAttribute('data-arrived', '')
    if (inline && opening.current) return
    targetIn(layer, opening.current)?.focus({ preventScroll: true })
  }, [step, inline])
  return root
}

/** What the focus would be put on if the present screen were the first. */
export const firstFocusIn = (root: ParentNode): HTMLElement | null | undefined =>
  targetIn(layerOf(root), true)

const layerOf = (panel: ParentNode | null) => panel?.querySelector('[data-layer]:not([inert])')

function targetIn(layer: Element | null | undefined, opening: boolean): HTMLElement | null | undefined {
  const find = (what: string) => layer?.querySelector<HTMLElement>(what)
  return (
    (opening && !matchMedia('(pointer:coarse)').matches && find('[data-first]')) || find('[data-heading]')
  )
}
