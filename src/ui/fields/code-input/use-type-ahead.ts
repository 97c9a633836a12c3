import { type RefObject, useEffect, useRef } from 'react'

/**
 * Sends digits and pastes to the code's input even if the input doesn't have the focus, unless another field has it.
 * So the heading can have the focus first, as on every screen, and people can still type at once.
 */
export function useTypeAhead(input: RefObject<HTMLInputElement | null>, paste: (text: string) => void) {
  const take = useRef(paste)
  useEffect(() => {
    take.current = paste
  })
  useEffect(() => {
    const el = input.current
    const screen = el?.closest<HTMLElement>('[data-layer]')
    if (!el || !screen) return
    const elsewhere = (event: Event) => !(event.target instanceof HTMLInputElement)
    const onKey = (event: KeyboardEvent) => {
      if (/^(\p{Nd}|Backspace)$/u.test(event.key) && !event.ctrlKey && !event.metaKey && elsewhere(event))
        el.focus()
    }
    const onPaste = (event: ClipboardEvent) => {
      if (!elsewhere(event)) return
      event.preventDefault()
      el.focus()
      take.current(event.clipboardData?.getData('text') ?? '')
    }
    screen.addEventListener('keydown', onKey)
    screen.addEventListener('paste', onPaste)
    return () => {
      screen.removeEventListener('keydown', onKey)
      screen.removeEventListener('paste', onPaste)
    }
  }, [input])
}
