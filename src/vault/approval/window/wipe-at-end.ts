/** What screens of this window leave outside of it, such as a key on the clipboard. */
type Wipe = () => Promise<boolean> | undefined

const leftovers = new Set<Wipe>()

/**
 * Has something wiped when the request ends. Returns the function that takes that back.
 * @param wipe resolves with whether that worked; gives nothing where there is nothing to wipe
 */
export function wipeAtEnd(wipe: Wipe): () => void {
  leftovers.add(wipe)
  return () => void leftovers.delete(wipe)
}

/** Wipes everything. Where there is anything the window has to stay until that is done: resolves with whether all of it worked. */
export function wipeLeftovers(): Promise<boolean> | undefined {
  const wiping = [...leftovers].flatMap((wipe) => wipe() ?? [])
  return wiping.length > 0 ? Promise.all(wiping).then((all) => all.every(Boolean)) : undefined
}
