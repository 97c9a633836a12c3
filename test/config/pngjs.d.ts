/** The part of `pngjs` that the tests read screenshots with. */
declare module 'pngjs' {
  export const PNG: {
    sync: { read(file: Uint8Array): { data: Uint8Array; width: number; height: number } }
  }
}
