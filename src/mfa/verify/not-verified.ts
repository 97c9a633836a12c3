/** Why a prompt has ended without anybody being verified. */
export class NotVerified extends Error {
  override name = 'NotVerified'
  constructor(
    readonly why: 'canceled' | 'timeout' | 'max-attempts',
    options?: ErrorOptions,
  ) {
    super(`The person was not verified: ${why}`, options)
  }
}
