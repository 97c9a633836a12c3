/** Whether the browser stores something under a key. Where storage is blocked, merely touching it throws. */
export function isStored(area: 'localStorage' | 'sessionStorage', key: string): boolean {
  try {
    return globalThis[area].getItem(key) !== null
  } catch {
    return false
  }
}
