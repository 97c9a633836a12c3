/** The part of `pngjs` that screenshots are read and written with. */
declare module 'pngjs' {
  export class PNG {
    constructor(size: { width: number; height: number })
    readonly width: number
    readonly height: number
    readonly data: Uint8Array
    static readonly sync: { read(file: Uint8Array): PNG; write(picture: PNG): Uint8Array }
  }
}
