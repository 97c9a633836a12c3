/** The address bar of a page, which counts how often it is rewritten. */
export function addressBar(address: string) {
  let rewritten = 0
  return {
    address: () => address,
    rewrite(next: string) {
      address = next
      rewritten++
    },
    get rewritten() {
      return rewritten
    },
  }
}
