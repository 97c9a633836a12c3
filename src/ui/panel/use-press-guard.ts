import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { panelLimits } from './limits.ts'

/**
 * Ignores presses for a moment after a screen has arrived or changed: the second half of a double click was meant for what
 * stood there before. Controls take no pointer then (`data-arriving`), and no Enter or Space until something was typed.
 *
 * @param arrival another value for each screen, and for each change that a press has brought about
 * @param target what holds the controls
 */
export function usePressGuard(arrival: unknown, target: RefObject<HTMLElement | null>) {
  const arriving = useRef(false)
  useLayoutEffect(() => {
    void arrival
    const element = target.current
    arriving.current = true
    element?.setAttribute('data-arriving', '')
    const end = () => {
      arriving.current = false
      element?.removeAttribute('data-arriving')
    }
    const timer = setTimeout(end, panelLimits.pressIgnored)
    return () => clearTimeout(timer)
  }, [arrival, target])
  return {
    onInputCapture() {
      arriving.current = false
    },
    onKeyDownCapture(event: KeyboardEvent) {
      if (!arriving.current || (event.key !== 'Enter' && event.key !== ' ')) return
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
