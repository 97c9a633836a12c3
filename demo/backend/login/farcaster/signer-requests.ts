import * as v from 'valibot'
import type { Hex } from 'viem'
import { Refusal, Unavailable } from '../../lib/refusal.ts'
import { askOutside } from '../../outside/ask.ts'
import type { FarcasterSignerSettings } from '../../settings/app.ts'
import type { Limits } from '../../settings/limits.ts'

/** A request of an app that a key may sign for a user of Farcaster. */
export interface SignerRequest {
  readonly token: string
  /** Opens the request in the user's Farcaster app. */
  readonly url: string
}
/** `fid`: the account whose owner has decided. */
export type SignerRequestState =
  | { readonly status: 'pending_approval' }
  | { readonly status: 'approved'; readonly fid: number }
  | { readonly status: 'revoked'; readonly fid: number | undefined }
  | { readonly status: 'gone' }

/** The requests for signers of the API of Farcaster's own app. */
export interface SignerRequests {
  /** @throws Refusal `not_supported` where it doesn't take the app's request, Unavailable */
  open(app: FarcasterSignerSettings, key: Hex, deadline: number): Promise<SignerRequest>
  /** @throws Unavailable */
  stateOf(token: string, key: Hex): Promise<SignerRequestState>
}

/** The contract on Optimism that checks an app's request for a key (EIP-712). */
const validator = '0x00000000FC700472606ED4fA22623Acf62c60553'
const domain = {
  name: 'Farcaster SignedKeyRequestValidator',
  version: '1',
  chainId: 10,
  verifyingContract: validator,
} as const
const types = {
  SignedKeyRequest: [
    { name: 'requestFid', type: 'uint256' },
    { name: 'key', type: 'bytes' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const
const text = v.pipe(v.string(), v.minLength(1), v.maxLength(2_048))
const fid = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const answer = v.object({
  result: v.object({
    signedKeyRequest: v.object({
      token: v.pipe(v.string(), v.regex(/^[\w-]{1,256}$/)),
      deeplinkUrl: v.optional(v.pipe(text, v.url())),
      key: text,
      state: text,
      userFid: v.optional(fid),
    }),
  }),
})

/** @param deps.url base address of the API */
export function createSignerRequests(deps: { url: string; limits: Limits }): SignerRequests {
  const { limits } = deps
  const base = deps.url.replace(/\/+$/, '')
  const bounds = { timeout: limits.outsideTimeout, most: limits.outsideAnswerSize }
  const what = 'Farcaster'
  const garbled = () => new Unavailable('Farcaster gave no answer. Please try again.')
  const mayBeHttp = base.startsWith('http:')

  return {
    async open({ fid: requestFid, privateKey }, key, deadline) {
      const { privateKeyToAccount } = await import('viem/accounts')
      const message = { requestFid: BigInt(requestFid), key, deadline: BigInt(deadline) }
      const signature = await privateKeyToAccount(privateKey as Hex).signTypedData({
        domain,
        types,
        primaryType: 'SignedKeyRequest',
        message,
      })
      const json = { key, requestFid, signature, deadline }
      const { status, body } = await askOutside(what, `${base}/v2/signed-key-requests`, { json, ...bounds })
      if (status >= 400 && status < 500)
        throw new Refusal('not_supported', 'Farcaster does not take requests of this app.')
      const parsed = v.safeParse(answer, body)
      if (status >= 300 || !parsed.success) throw garbled()
      const { token, deeplinkUrl: url, key: same } = parsed.output.result.signedKeyRequest
      if (!url || same.toLowerCase() !== key) throw garbled()
      if (!url.startsWith('https://') && !(mayBeHttp && url.startsWith('http://'))) throw garbled()
      return { token, url }
    },

    async stateOf(token, key) {
      const query = new URLSearchParams({ token })
      const { status, body } = await askOutside(what, `${base}/v2/signed-key-request?${query}`, bounds)
      if (status === 404) return { status: 'gone' }
      const parsed = v.safeParse(answer, body)
      if (status !== 200 || !parsed.success) throw garbled()
      const { key: same, state, userFid } = parsed.output.result.signedKeyRequest
      if (same.toLowerCase() !== key) throw garbled()
      // `approved`: the user has, and the network doesn't have it yet.
      if (state === 'completed' && userFid !== undefined) return { status: 'approved', fid: userFid }
      return state === 'pending' || state === 'approved'
        ? { status: 'pending_approval' }
        : { status: 'revoked', fid: userFid }
    },
  }
}
