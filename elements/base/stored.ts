/** Whether the browser keeps something under a key: merely touching its storage throws where that is blocked. */
export function isStored(area: 'localStorage' | 'sessionStorage', key: string): boolean {
  try {
    return globalThis[area].getItem(key) !== null
  } catch {
    return false
  }
}
