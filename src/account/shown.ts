/** How a list shows one thing that a person has. */
export interface Shown {
  /** Names it in an answer. */
  readonly key: string
  /** Path data, the name of a provider or a wallet, or the address of an image. */
  readonly icon: string
  readonly label: string
  readonly detail?: string | undefined
  /** A fact at the end of its row: what is on, or where the person is. */
  readonly mark?: { readonly text: string; readonly tone: 'plain' | 'success' } | undefined
}

/** A list that comes from the server. */
export type Loaded<T> =
  | { readonly state: 'loading' | 'failed' }
  | { readonly state: 'loaded'; readonly items: readonly T[] }
