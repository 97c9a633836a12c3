/**
 * What stood behind the `#` of the address, read once and erased. This is the first module that the page evaluates:
 * before anything else runs, the token of a compatible client is out of the address and of the history.
 */
export const fragment = takeFragment()

function takeFragment(): string {
  const { hash, pathname, search } = location
  if (hash !== '') history.replaceState(null, '', pathname + search)
  return hash.slice(1)
}
