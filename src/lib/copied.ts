/** What became of a press to copy is said for this long, in milliseconds. */
export const COPIED_VISIBLE = 2_000
