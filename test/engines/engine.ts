/** What a test needs of a browser, whatever protocol it is driven by. */

/** Input as the WebDriver standard describes it, in its classic form and in BiDi. */
export type InputSource =
  | { readonly type: 'pointer'; readonly id: string; readonly actions: readonly object[] }
  | { readonly type: 'key'; readonly id: string; readonly actions: readonly object[] }

/** A page in a tab. */
export interface Tab {
  goto(address: string): Promise<void>
  /** Evaluates an expression, which may be a promise, in the page. It must come to something that JSON can hold. */
  evaluate<T>(expression: string): Promise<T>
  /** The same in the only frame whose address begins so. */
  evaluateInFrame<T>(address: string, expression: string): Promise<T>
  act(input: readonly InputSource[]): Promise<void>
  /** The other window of this device whose address begins so. */
  window(address: string): Promise<Tab>
}

/** A browser that runs. */
export interface Engine {
  /** What it says it is. */
  readonly version: string
  /** A page in a profile of its own: another device of a person. */
  newDevice(): Promise<Tab>
  close(): Promise<void>
}

/** A programme that is missing here, in words. */
export interface Missing {
  readonly missing: string
}
