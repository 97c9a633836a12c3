import type { ReactNode } from 'react'

/** The props that the fields of a login share, for an address and for a number. */
export interface LoginFieldProps {
  value: string
  /** The server's words about it. */
  error?: string | undefined
  /** A new value each time the flow asks, which makes the same error a new one. */
  asked: unknown
  busy: boolean
  /** Something else is busy. */
  inert: boolean
  chip?: ReactNode
  after?: ReactNode
  /** The only way on: its button is below it, and always there. */
  alone?: boolean
  /** Each change, as a text that `value` accepts, for a parent that remembers it. */
  onType?: (text: string) => void
}
