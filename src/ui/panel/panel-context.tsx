import { createContext, use, useEffect } from 'react'

/** What the panel offers to the screen inside it. */
export interface PanelContext {
  /** The id that names the dialog; the screen's heading carries it. */
  titleId?: string | undefined
  /** Announces words to screen readers: `status` politely, `alert` for refusals. */
  announce(words: string, how?: 'status' | 'alert'): void
}

export const PanelContext = createContext<PanelContext>({ announce: () => {} })
export const usePanel = () => use(PanelContext)
/** The function that writes to the panel's live regions. */
export const useAnnounce = () => use(PanelContext).announce

/** Announces words once whenever they change. */
export function useAnnounced(words: string | undefined | false, how?: 'status' | 'alert') {
  const announce = useAnnounce()
  useEffect(() => {
    if (words) announce(words, how)
  }, [words, how, announce])
}
