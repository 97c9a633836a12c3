import * as v from 'valibot'
import type { FrameCalls, frameEvents } from './frame/calls.ts'
import type { CallOptions, Endpoint, Http } from './http.ts'

/** How far a key is that is to sign for the user on Farcaster. */
export interface SignerStatus {
  readonly status: 'pending' | 'approved' | 'rejected'
}

/** A request for a signer on Farcaster. */
export interface AskedSigner extends SignerStatus {
  /** The public key, 0x-hex. */
  readonly key: string
  /** Opens the request in the user's Farcaster app. */
  readonly url?: string | undefined
}

const statuses = { pending_approval: 'pending', approved: 'approved', revoked: 'rejected' } as const

/** Reads the vault's answer to a request for a signer. */
export const readAskedSigner = ({
  public_key: key,
  status: said,
  signer_approval_url: url,
}: FrameCalls[typeof frameEvents.initFarcasterSigner]['answer']): AskedSigner => ({
  key,
  status: statuses[said],
  url,
})

/** A status that a newer server made up is waited through. */
const status = v.pipe(
  v.object({ status: v.string() }),
  v.transform(
    (raw): SignerStatus => ({
      status: raw.status === 'approved' ? 'approved' : raw.status === 'revoked' ? 'rejected' : 'pending',
    }),
  ),
)

/**
 * `POST /farcaster/signer/status`: how far a key is. Not tried again by itself, because the next question comes anyway. Throws what
 * {@link Http.call} throws.
 * @param key 0x-hex
 */
export function signerStatus(http: Http, key: string, options?: CallOptions): Promise<SignerStatus> {
  const endpoint: Endpoint<{ ed25519_public_key: string }, SignerStatus> = {
    method: 'POST',
    path: '/api/v1/farcaster/signer/status',
    answer: status,
    retries: false,
  }
  return http.call(endpoint, { ed25519_public_key: key }, options)
}

/** An address for users to open; plain http only where the whole demo runs on one machine. */
export const isApprovalUrl = (address: string | undefined): address is string =>
  address !== undefined &&
  URL.canParse(address) &&
  /^https:\/\/|^farcaster:\/\/|^http:\/\/(localhost|127\.0\.0\.1)[:/]/.test(address)
