/** What the files of a CDN begin with: every element under its own tag. No page imports from it, so it exports nothing. */
import { define } from './all.ts'

define()
