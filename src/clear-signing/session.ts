/** What one request has used up of the limits, and what it lacked, nested calls included. */

import { MAX_CALLS } from '../ethereum/calls/limits.ts'
import { isAddress } from '../ethereum/calls/values.ts'
import {
  type ChainInfo,
  type DataProvider,
  isCreation,
  isFigures,
  isKinds,
  isToken,
  type Need,
} from './data.ts'
import type { DescriptorSource } from './description.ts'
import { MAX_FIELDS, MAX_STEPS } from './limits.ts'

/** A descriptor does not apply to a request after all. `code` says which warning that gives. */
export class NotDescribed extends Error {
  override name = 'NotDescribed'
  readonly code: 'descriptor-refused' | 'must-match' | 'too-large'
  readonly data: Readonly<Record<string, string>>
  constructor(code: NotDescribed['code'], data: NotDescribed['data']) {
    super(code)
    this.code = code
    this.data = data
  }
}

export interface Session {
  readonly source: DescriptorSource
  readonly data: DataProvider
  /** Seconds since 1970, if the caller says so. */
  readonly now: bigint | undefined
  need(need: Need): void
  readonly needed: () => readonly Need[]
  /** Throws {@link NotDescribed} if there are too many. */
  spendField(): void
  /** The same for elements of lists that a descriptor goes through, displayed or not. */
  spendStep(): void
  /** Whether one more call may be described. */
  spendCall(): boolean
}

/** As many different data as a request may lack. */
const MAX_NEEDS = 1_024

export function createSession(source: DescriptorSource, provider: DataProvider, now?: number): Session {
  const needs = new Map<string, Need>()
  let fields = 0
  let steps = 0
  let calls = 0
  return {
    source,
    data: guard(provider),
    now: Number.isSafeInteger(now) ? BigInt(now as number) : undefined,
    need(need) {
      if (needs.size < MAX_NEEDS) needs.set(Object.values(need).join(' '), need)
    },
    needed: () => [...needs.values()],
    spendField() {
      if (++fields > MAX_FIELDS) throw new NotDescribed('too-large', { reason: 'fields' })
    },
    spendStep() {
      if (++steps > MAX_STEPS) throw new NotDescribed('too-large', { reason: 'elements' })
    },
    spendCall: () => ++calls <= MAX_CALLS,
  }
}

/** A provider that fails, or answers with something else, knows nothing: that must not keep a request from being shown. */
function guard(provider: DataProvider): DataProvider {
  const call = <A extends unknown[], T>(
    name: keyof DataProvider,
    isValid: (value: unknown) => boolean,
  ): ((...args: A) => T | undefined) => {
    return (...args: A) => {
      try {
        const method = provider[name] as ((...args: A) => T | undefined) | undefined
        const value = method?.apply(provider, args)
        return isValid(value) ? value : undefined
      } catch {
        return undefined
      }
    }
  }
  const isText = (value: unknown) => typeof value === 'string' && value !== ''
  return {
    token: call('token', isToken),
    addressName: call('addressName', isText),
    ensName: call('ensName', isText),
    nftCollectionName: call('nftCollectionName', isText),
    blockTimestamp: call('blockTimestamp', Number.isSafeInteger),
    chain: call('chain', (value) => isText((value as ChainInfo | undefined)?.name)),
    implementation: call('implementation', isAddress),
    creation: call('creation', isCreation),
    addressKinds: call('addressKinds', isKinds),
    tokenFigures: call('tokenFigures', isFigures),
  }
}
