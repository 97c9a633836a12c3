/**
 * Tells the page's developer of a failure that leaves out a figure and that users are not told of. It is at debug level, which consoles
 * display on request, because such failures come and go with the network.
 */
export function logFailure(what: string, cause: unknown): void {
  console.debug(what, cause)
}
