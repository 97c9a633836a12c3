/**
 * Keeps listeners of `lk-close` that are removed together with an open element, as Angular removes them, until that event
 * has fired: only half a second later is it certain that the element won't come back. Returns the function to call then.
 */
export function keepCloseListeners(element: HTMLElement): () => void {
  const late = new Map<unknown, () => void>()
  const letGo = () => {
    for (const remove of late.values()) remove()
    late.clear()
  }
  const { addEventListener, removeEventListener } = EventTarget.prototype
  const own = {
    addEventListener(...given: Parameters<typeof addEventListener>) {
      late.delete(given[1])
      addEventListener.apply(element, given)
    },
    removeEventListener(...given: Parameters<typeof removeEventListener>) {
      const remove = () => removeEventListener.apply(element, given)
      const [type, listener] = given
      if (type !== 'lk-close') return remove()
      late.set(listener, remove)
      // One that is taken off while the element stays is not meant to hear anything more.
      queueMicrotask(() => element.isConnected && letGo())
    },
  }
  Object.assign(element, own)
  return () => {
    for (const [name, method] of Object.entries(own))
      if (Reflect.get(element, name) === method) Reflect.deleteProperty(element, name)
    letGo()
  }
}
