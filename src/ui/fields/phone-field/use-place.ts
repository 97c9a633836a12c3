import { type RefObject, useLayoutEffect } from 'react'

const gap = 4
const minHeight = 120

/** Opens the box, and keeps it at its anchor while the page moves under it. */
export function usePlace(box: RefObject<HTMLElement | null>, anchor: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const el = box.current
    if (!el) return
    const place = () => {
      const at = anchor.current?.getBoundingClientRect()
      const panel = anchor.current?.closest('[part=dialog]')?.getBoundingClientRect()
      if (!at) return
      const end = Math.min(panel?.bottom ?? innerHeight, innerHeight)
      const below = end - at.bottom - gap * 2
      const above = at.top - Math.max(panel?.top ?? 0, 0) - gap * 2
      const under = below >= el.offsetHeight || below >= above
      el.style.left = `${at.left}px`
      el.style.width = `${at.width}px`
      el.style.maxHeight = `min(11.75rem,${Math.max(minHeight, under ? below : above)}px)`
      el.style.top = under ? `${at.bottom + gap}px` : `${at.top - gap - el.offsetHeight}px`
    }
    el.showPopover()
    place()
    // The panel moves by an animation when a keyboard appears, and no event reports its last frame.
    let frame = 0
    const watch = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(place)
    }
    const sizes = new ResizeObserver(watch)
    sizes.observe(el)
    if (anchor.current) sizes.observe(anchor.current)
    const view = window.visualViewport
    window.addEventListener('resize', watch)
    window.addEventListener('scroll', watch, { capture: true, passive: true })
    view?.addEventListener('resize', watch)
    return () => {
      cancelAnimationFrame(frame)
      sizes.disconnect()
      window.removeEventListener('resize', watch)
      window.removeEventListener('scroll', watch, { capture: true })
      view?.removeEventListener('resize', watch)
    }
  }, [box, anchor])
}
