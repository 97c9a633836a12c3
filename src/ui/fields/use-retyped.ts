import { type RefObject, useEffect, useRef } from 'react'

/**
 * For the input of a secret, which nobody mends but types anew: once an answer was refused, all of it is selected, so that the next one
 * replaces it.
 * @param isBusy whether what was typed is being checked
 */
export function useRetyped(isBusy: boolean, error: string | undefined): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null)
  const isChecked = useRef(false)
  useEffect(() => {
    if (isBusy) isChecked.current = true
    else if (isChecked.current && error) {
      isChecked.current = false
      input.current?.focus()
      input.current?.select()
    }
  }, [isBusy, error])
  return input
}
