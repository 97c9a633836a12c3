/** What the files of a CDN begin with: every element under its own tag. */
import { define } from './all.ts'
import { expectKit } from './base/kit-link.ts'

/** Defines all elements. `kit` is the kit's file, where the page has asked for it already. */
export function start(kit?: Parameters<typeof expectKit>[0]): void {
  if (kit) expectKit(kit)
  define()
}
