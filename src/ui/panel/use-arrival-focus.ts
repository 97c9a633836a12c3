import { type RefObject, useEffect, useRef } from 'react'

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
  const how = useRef(arrival)
  useEffect(() => {
    how.current = arrival
  })
  useEffect(() => {
    void step
    const layer = root.current?.querySelector<HTMLElement>('[data-layer]:not([inert])')
    layer?.setAttribute('data-arrived', '')
    const opening = how.current === 'open'
    if (inline && opening) return
    const find = (what: string) => layer?.querySelector<HTMLElement>(what)
    const field = opening && !matchMedia('(pointer:coarse)').matches ? find('[data-first]') : undefined
    const target = field ?? find('[data-heading]')
    target?.focus({ preventScroll: true })
    // For a dialog that is shown only after this, and sets the focus itself.
    if (target && opening) target.autofocus = true
  }, [step, inline])
  return root
}
