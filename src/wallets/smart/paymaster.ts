/** A paymaster service, whose contract pays for operations in place of their account (ERC-7677). */
import type { Address, Hex } from 'viem'
import { formatUserOperationRequest, type UserOperation } from 'viem/account-abstraction'
import { address, bytes, quantity, readFields } from '../../ethereum/answers.ts'
import { formatQuantity } from '../../ethereum/integer.ts'
import { createNode } from '../../ethereum/rpc.ts'
import type { Clock } from '../../lib/clock.ts'
import { NodeError, Unreachable } from '../../lib/node-errors.ts'
import type { PlainObject } from '../../lib/plain.ts'
import type { Fetch } from '../../lib/retrying-fetch.ts'
import { safeLink } from '../../lib/safe-link.ts'
import { plainText, safeTextLimits } from '../../lib/safe-text.ts'
import type { BundlerOptions, EntryPoint } from './bundler.ts'
import { operationError } from './errors.ts'
import { smartAccountLimits } from './limits.ts'

/** The fields of an operation that a paymaster gives. EntryPoint 0.6 has one field for all of them. */
export interface PaymasterFields {
  readonly paymasterAndData?: Hex | undefined
  readonly paymaster?: Address | undefined
  readonly paymasterData?: Hex | undefined
  readonly paymasterVerificationGasLimit?: bigint | undefined
  readonly paymasterPostOpGasLimit?: bigint | undefined
}

/** The sponsor, in its own words: foreign text, on one line. */
export interface Sponsor {
  readonly name?: string | undefined
  /** An https address, or an image in a data URL. */
  readonly icon?: string | undefined
}

export interface StubData {
  readonly fields: PaymasterFields
  readonly sponsor: Sponsor
  /** The fields are those of the final operation as well. */
  readonly isFinal: boolean
}

export interface PaymasterOptions extends BundlerOptions {
  /** The gas of a block: a paymaster can't need more. */
  readonly mostGas: bigint
}

/** Seconds for which a sponsor's signature is good, where its service lets that be set. */
const SPONSORED_FOR = 300

/** Both methods throw a `KitError`: `sponsor_declined` with the sponsor's words in `data.reason`, `sponsor_unavailable` or `sponsor_answer_invalid`. */
export interface Paymaster {
  /** Fields with which gas is estimated. */
  getStubData(
    operation: UserOperation,
    entryPoint: EntryPoint,
    chainId: number,
    options: PaymasterOptions,
  ): Promise<StubData>
  /** Fields of the complete operation. Nothing of it may change afterwards but its signature. */
  getData(
    operation: UserOperation,
    entryPoint: EntryPoint,
    chainId: number,
    options: PaymasterOptions,
  ): Promise<PaymasterFields>
}

export interface PaymasterServices {
  readonly url: string
  readonly fetch: Fetch
  readonly clock: Clock
  /** The app's agreement with the service, such as the id of a policy. It is passed on as it is. */
  readonly context?: PlainObject | undefined
}

/**
 * A paymaster service at a URL.
 * @example
 * import { createPaymaster } from './paymaster.ts'
 * import { systemClock } from '../../lib/clock.ts'
 *
 * const paymaster = createPaymaster({ url: 'https://paymaster.example/1', fetch, clock: systemClock })
 */
export function createPaymaster({ url, fetch, clock, context: given }: PaymasterServices): Paymaster {
  const context = { ...defaultContext(url), ...given }
  const node = createNode({ url, fetch, clock })

  async function ask(
    method: string,
    operation: UserOperation,
    { address: entryPoint }: EntryPoint,
    chainId: number,
    { signal }: PaymasterOptions,
  ): Promise<unknown> {
    const { signature: _, ...unsigned } = formatUserOperationRequest(operation)
    const params = [unsigned, entryPoint, formatQuantity(chainId), context]
    try {
      return await node.ask(method, params, { signal })
    } catch (cause) {
      signal?.throwIfAborted()
      if (cause instanceof NodeError) throw declined(cause)
      if (cause instanceof Unreachable) throw operationError('sponsor_unavailable', { cause })
      throw cause
    }
  }

  return {
    async getStubData(operation, entryPoint, chainId, options) {
      const answer = await ask('pm_getPaymasterStubData', operation, entryPoint, chainId, options)
      return checked(answer, (fields) => ({
        fields: readPaymasterFields(fields, entryPoint, options.mostGas),
        sponsor: readSponsor(fields.get('sponsor')),
        isFinal: fields.get('isFinal') === true,
      }))
    },
    async getData(operation, entryPoint, chainId, options) {
      const answer = await ask('pm_getPaymasterData', operation, entryPoint, chainId, options)
      return checked(answer, (fields) => readPaymasterFields(fields, entryPoint, options.mostGas))
    },
  }
}

/** What vendors are told unless the app says otherwise; others would refuse fields that they don't know. */
const vendorContexts: Readonly<Record<string, PlainObject>> = {
  'biconomy.io': { mode: 'SPONSORED', expiryDuration: SPONSORED_FOR, calculateGasLimits: true },
}
const defaultContext = (url: string): PlainObject | undefined => {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  return Object.entries(vendorContexts).find(([vendor]) => `.${host}`.endsWith(`.${vendor}`))?.[1]
}

const declined = (cause: NodeError) =>
  operationError('sponsor_declined', {
    cause,
    details: plainText(cause.message),
    data: { reason: plainText(cause.message), code: cause.code },
  })

const WHAT = 'the fields of a paymaster'

/** Readers of answers throw a `NodeError`, as if the paymaster had refused: here it is one of the paymaster's answers. */
function checked<T>(answer: unknown, read: (fields: ReadonlyMap<string, unknown>) => T): T {
  try {
    return read(readFields(answer, WHAT))
  } catch (cause) {
    if (!(cause instanceof NodeError)) throw cause
    throw operationError('sponsor_answer_invalid', { cause, details: cause.message })
  }
}

function readPaymasterFields(
  fields: ReadonlyMap<string, unknown>,
  { version }: EntryPoint,
  mostGas: bigint,
): PaymasterFields {
  if (version === '0.6') {
    const paymasterAndData = boundedBytes(fields.get('paymasterAndData'))
    requirePaymaster(`0x${paymasterAndData.slice(2, 42)}`)
    return { paymasterAndData }
  }
  const gas = (name: string) =>
    (fields.get(name) ?? undefined) === undefined ? undefined : quantity(WHAT, mostGas)(fields.get(name))
  const paymasterVerificationGasLimit = gas('paymasterVerificationGasLimit')
  const paymasterPostOpGasLimit = gas('paymasterPostOpGasLimit')
  return {
    paymaster: requirePaymaster(fields.get('paymaster')),
    paymasterData: boundedBytes(fields.get('paymasterData')),
    ...(paymasterVerificationGasLimit !== undefined && { paymasterVerificationGasLimit }),
    ...(paymasterPostOpGasLimit !== undefined && { paymasterPostOpGasLimit }),
  }
}

function boundedBytes(value: unknown): Hex {
  const read = bytes(WHAT)(value)
  if (read.length > 2 + smartAccountLimits.paymasterData * 2)
    throw new NodeError(0, `The node did not return ${WHAT}`)
  return read
}

function requirePaymaster(value: unknown): Address {
  const read = address(WHAT)(value)
  if (BigInt(read) === 0n) throw new NodeError(0, 'The node returned no paymaster')
  return read
}

/** A sponsor's words and icon are displayed, so anything else than short text and an image is left out. */
function readSponsor(value: unknown): Sponsor {
  if (typeof value !== 'object' || value === null) return {}
  const { name, icon } = value as { readonly name?: unknown; readonly icon?: unknown }
  const text = typeof name === 'string' ? plainText(name).slice(0, safeTextLimits.name) : ''
  const image = typeof icon === 'string' ? readIcon(icon) : undefined
  return { ...(text && { name: text }), ...(image && { icon: image }) }
}

function readIcon(icon: string): string | undefined {
  if (icon.length > smartAccountLimits.sponsorIcon) return undefined
  if (/^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/i.test(icon)) return icon
  return safeLink(icon)?.startsWith('https:') ? icon : undefined
}

/** Seconds since 1970 between which a paymaster pays. */
export interface Validity {
  readonly after: number
  readonly until: number
}

/** Bytes of an owner's signature at the end of a paymaster's data, and of the same without its last byte (EIP-2098). */
const SIGNATURES = [65, 64]
/** Validity lies within so many seconds of now, or else the bytes mean something else. */
const PLAUSIBLE = 366 * 24 * 3_600

/**
 * When a paymaster pays, as far as its data says so in a form that is known: that of the VerifyingPaymaster (two numbers of 32 bytes,
 * then a signature), and that of the singleton paymaster (a byte, two numbers of six bytes, then a signature).
 * @param data behind the paymaster's address
 * @param now milliseconds since 1970
 */
export function readValidity(data: Hex, now: number): Validity | undefined {
  const size = (data.length - 2) / 2
  const read = (at: number, length: number) => BigInt(`0x${data.slice(2 + at * 2, 2 + (at + length) * 2)}`)
  const seconds = BigInt(Math.floor(now / 1_000))
  const plausible = (until: bigint, after: bigint): Validity | undefined =>
    after <= until && until > seconds - BigInt(PLAUSIBLE) && until < seconds + BigInt(PLAUSIBLE)
      ? { after: Number(after), until: Number(until) }
      : undefined
  if (SIGNATURES.some((signature) => size === 64 + signature)) return plausible(read(0, 32), read(32, 32))
  if (SIGNATURES.some((signature) => size === 13 + signature)) return plausible(read(1, 6), read(7, 6))
  return undefined
}
