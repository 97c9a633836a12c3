import { useEffect, useState } from 'react'

/** The text of a field that a flow fills: another object in `filled` puts its text in place of what was typed. */
export function useFilled<T extends { readonly text: string }>(filled: T) {
  const [typed, setTyped] = useState(filled.text)
  const [shown, setShown] = useState(filled)
  useEffect(() => {
    setTyped(filled.text)
    setShown(filled)
  }, [filled])
  return { typed, setTyped, shown, isUntouched: typed === shown.text }
}
