import { type RefObject, useState } from 'react'

/** The language of the page at this place, so that names of countries match the words around them. */
export function useLanguage(place: RefObject<HTMLElement | null>): string {
  const [language] = useState(() => {
    for (let at: Element | null = place.current; at; ) {
      const lang = at.closest<HTMLElement>('[lang]')?.lang
      if (lang) return lang
      const root: Node = at.getRootNode()
      at = root instanceof ShadowRoot ? root.host : null
    }
    return 'en'
  })
  return language
}
