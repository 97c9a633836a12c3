/** What the browser believes of its network. */
export function setOnline(yes: boolean): void {
  Object.defineProperty(navigator, 'onLine', { value: yes, configurable: true })
  window.dispatchEvent(new Event(yes ? 'online' : 'offline'))
}
export function forgetNetwork(): void {
  Reflect.deleteProperty(navigator, 'onLine')
}
