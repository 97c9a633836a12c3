import * as v from 'valibot'
import type { CallOptions, Endpoint, Http } from './http.ts'

/** Contracts of one chain, and hashes of message types. */
export interface DescriptorSelection {
  readonly chainId: number
  readonly contracts: readonly string[]
  readonly messages: readonly string[]
}
export interface SelectedDescriptors {
  /** A part of a packed registry, which whoever uses it checks. */
  readonly registry: unknown
  /** The code behind each proxy among the contracts, by address in lower case. */
  readonly implementations: Readonly<Record<string, string>>
}

/** Of each kind, in one request. */
const MOST = 16
const address = v.pipe(v.string(), v.regex(/^0x[\da-f]{40}$/))
const select: Endpoint<object, SelectedDescriptors> = {
  method: 'POST',
  path: '/api/v1/descriptors',
  inBackground: true,
  retries: false,
  answer: v.object({
    registry: v.unknown(),
    implementations: v.optional(v.record(address, address), {}),
  }),
}

/** `POST /descriptors`: the server's copy of the ERC-7730 registry, as far as a request needs it. Throws what {@link Http.call} throws. */
export const selectDescriptors = (
  http: Http,
  { chainId, contracts, messages }: DescriptorSelection,
  options?: CallOptions,
): Promise<SelectedDescriptors> =>
  http.call(
    select,
    { chain_id: chainId, contracts: contracts.slice(0, MOST), messages: messages.slice(0, MOST) },
    options,
  )
