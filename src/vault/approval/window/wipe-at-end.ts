/** What screens of this window leave outside of it, such as a key on the clipboard; each wipes it, and gives whether there was any. */
const leftovers = new Set<() => boolean>()

/** Has something wiped when the request ends before the person has finished. Returns the function that takes that back. */
export function wipeAtEnd(wipe: () => boolean): () => void {
  leftovers.add(wipe)
  return () => void leftovers.delete(wipe)
}

/** Wipes everything. Gives whether there was anything: then the window has to stay until that is done. */
export const wipeLeftovers = (): boolean => [...leftovers].map((wipe) => wipe()).some(Boolean)
