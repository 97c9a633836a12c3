/** The bytes of a `Uint8Array` of any realm, such as a frame's or a test runner's, as a copy of this realm; else `undefined`. */
export const toByteArray = (value: unknown): Uint8Array<ArrayBuffer> | undefined =>
  ArrayBuffer.isView(value) && nameOf(value) === 'Uint8Array'
    ? new Uint8Array(value as Uint8Array)
    : undefined

/** The kind of a typed array by its internal slot, which no object can imitate; `undefined` for a `DataView`. */
const nameOf = (value: ArrayBufferView): unknown =>
  Reflect.get(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag, value)
