/** Registers all elements; `define({ prefix })` registers them once more under other tags. */
import { define } from './all.ts'

export * from './all.ts'

define()
