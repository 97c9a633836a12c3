/** The vault's requests to the server about devices that ask another device of the user for approval. docs/protocol.md */
import { isPlainObject, type Plain } from '../../lib/plain.ts'
import type { VaultContext } from '../context.ts'
import { statements } from '../statements.ts'
import type { Token } from '../token.ts'
import { unexpectedAnswer } from './transport.ts'

/** A request of this device, which an enrolled one is to approve. */
export interface OwnRequest {
  readonly id: string
  /** Shown here, and chosen there among others. */
  readonly number: string
  /** Milliseconds since the epoch, by this device's clock. */
  readonly expiresAt: number
}
export type RequestStatus = 'pending' | 'approved' | 'denied' | 'expired'

/** A time of the server, in seconds, as this device's clock will show it. */
const toDeviceTime = ({ aheadBy }: VaultContext, seconds: number) => seconds * 1_000 - (aheadBy() ?? 0)

/** Has the user's enrolled devices asked for approval. A request that this device has made before is replaced. */
export async function requestApproval(cx: VaultContext, token: Token): Promise<OwnRequest> {
  const { id, number, expires_at: expires } = await cx.api(token, '/devices/enroll/request', {})
  if (typeof id !== 'string' || typeof number !== 'string' || typeof expires !== 'number')
    throw unexpectedAnswer()
  return { id, number, expiresAt: toDeviceTime(cx, expires) }
}

/** A status that this version does not know counts as pending: the request ends by itself. */
export async function fetchStatus(cx: VaultContext, token: Token, id: string): Promise<RequestStatus> {
  const { status } = await cx.api(token, `/devices/enroll/request/${encodeURIComponent(id)}`, {})
  return status === 'approved' || status === 'denied' || status === 'expired' ? status : 'pending'
}

/** Another device, which waits for this one. */
export interface DeviceRequest {
  readonly id: string
  /** Such as `Chrome on Windows`. */
  readonly name: string
  /** A range of network addresses; may be empty. */
  readonly place: string
  /** Milliseconds since the epoch, by this device's clock. */
  readonly createdAt: number
  readonly expiresAt: number
  /** One of them is shown on that device. */
  readonly numbers: readonly string[]
  /** The thumbprint of that device's key. */
  readonly thumbprint: string
}

/** The devices that wait, the oldest request first. Throws a `VaultError`. */
export async function fetchRequests(cx: VaultContext, token: Token): Promise<readonly DeviceRequest[]> {
  const { requests } = await cx.api(token, '/devices/requests', {})
  if (!Array.isArray(requests)) throw unexpectedAnswer()
  return requests.map((each) => readRequest(cx, each))
}

function readRequest(cx: VaultContext, value: Plain | undefined): DeviceRequest {
  if (!isPlainObject(value)) throw unexpectedAnswer()
  const { id, name, place, numbers, thumbprint, created_at: created, expires_at: expires } = value
  const texts = [id, name, place, thumbprint].every((each) => typeof each === 'string')
  if (!texts || typeof created !== 'number' || typeof expires !== 'number') throw unexpectedAnswer()
  if (!Array.isArray(numbers) || numbers.some((each) => typeof each !== 'string')) throw unexpectedAnswer()
  return {
    ...({ id, name, place, thumbprint } as Pick<DeviceRequest, 'id' | 'name' | 'place' | 'thumbprint'>),
    numbers: numbers as readonly string[],
    createdAt: toDeviceTime(cx, created),
    expiresAt: toDeviceTime(cx, expires),
  }
}

/** Approves a device. Throws a `VaultError`; a number that is not the one shown there denies the request. */
export async function approveRequest(
  cx: VaultContext,
  token: Token,
  { id, thumbprint }: DeviceRequest,
  number: string,
): Promise<void> {
  const values = { app: cx.settings.appId, user: token.user, request: id, thumbprint, number }
  await cx.api(
    token,
    `/devices/requests/${encodeURIComponent(id)}/approve`,
    { number },
    { statement: statements.deviceApproval(values) },
  )
}

export async function denyRequest(cx: VaultContext, token: Token, id: string): Promise<void> {
  await cx.api(token, `/devices/requests/${encodeURIComponent(id)}/deny`, {})
}
