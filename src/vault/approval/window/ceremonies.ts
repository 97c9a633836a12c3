import type { Plain } from '../../../lib/plain.ts'

/**
 * Runs what only the window may do, and only within the press that answers: a passkey of the vault's origin, or another page's login
 * in a window of its own. It gets the answer that was pressed and the screen's props, and resolves with the answer that the frame gets
 * in place of that one; a failure is an answer as well. `undefined` for an answer that needs nothing of the kind.
 */
export type Ceremony = (answer: Plain, props: object) => Promise<Plain> | undefined

/** Ceremonies by the id of their screen. A screen that has one adds a line here. */
export const ceremonies: Readonly<Record<string, Ceremony>> = {}
