/** The part of `qrcode` that makes the matrix; its types describe the whole package only. */
declare module 'qrcode/lib/core/qrcode.js' {
  export function create(
    text: string,
    options: { errorCorrectionLevel: 'Q'; version?: number | undefined },
  ): { readonly version: number; readonly modules: { readonly size: number; readonly data: Uint8Array } }
}
