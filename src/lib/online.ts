/** Whether the browser says that it has no network. That it has one does not mean that anything answers. */
export const isOffline = (): boolean => globalThis.navigator?.onLine === false
