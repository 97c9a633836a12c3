import type { FrameErrorType } from '../protocol/frame/messages.ts'

/** A failure that is reported to the page. The message is short, for people, and contains nothing secret. */
export class VaultError extends Error {
  override name = 'VaultError'
  constructor(
    readonly type: FrameErrorType,
    message: string,
    options?: ErrorOptions & { readonly code?: string | undefined },
  ) {
    super(message, options)
    this.code = options?.code
  }
  /** The server's own name for why it refused, for the vault alone. */
  readonly code: string | undefined
}

export const notOnDevice = (): VaultError =>
  new VaultError('wallet_not_on_device', 'The wallet is not on this device')

/** Why a share, or two of them, can't be used. */
export type ShareFailure = 'malformed' | 'version' | 'damaged' | 'mismatch' | 'commitment'
export class ShareError extends Error {
  override name = 'ShareError'
  constructor(
    readonly reason: ShareFailure,
    options?: ErrorOptions,
  ) {
    super(`The share can't be used: ${reason}`, options)
  }
}
