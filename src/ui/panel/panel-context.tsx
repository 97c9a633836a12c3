import { createContext, use } from 'react'

/** What the panel offers to the screen inside it. */
export interface PanelContext {
  /** The id that names the dialog; the screen's heading carries it. */
  titleId?: string | undefined
  /**
   * Announces words to screen readers: `status` politely, `alert` for refusals. Returns a function that takes them away,
   * so that nobody who reads on finds what is no longer so.
   */
  announce(words: string, how?: 'status' | 'alert'): () => void
  /**
   * The screen draws the whole panel itself, its header included, and this high in CSS pixels; `undefined` gives both back.
   */
  fill?: ((height: number | undefined) => void) | undefined
  /**
   * Keeps the screen before this one in sight, inert, until the returned function is called: this one has nothing to show yet.
   */
  keepPrevious?: (() => () => void) | undefined
  /** Where the request stands among those that wait. */
  position?: { readonly position: number; readonly count: number } | undefined
  /** Asks for the dialog to be closed, where the person may do that. */
  close?: ((by: 'button' | 'escape') => void) | undefined
}

export const PanelContext = createContext<PanelContext>({ announce: () => () => {} })
export const usePanel = () => use(PanelContext)
/** The function that writes to the panel's live regions. */
export const useAnnounce = () => use(PanelContext).announce
