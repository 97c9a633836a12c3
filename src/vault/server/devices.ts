/** The vault's requests to the server about devices. docs/protocol.md */
import { isPlainObject, type Plain, type PlainObject } from '../../lib/plain.ts'
import { recoveryMethods } from '../../protocol/frame/calls.ts'
import { type Bytes, fromBase64url, toBase64url } from '../bytes.ts'
import type { VaultContext } from '../context.ts'
import { formatRootName, parseRootName } from '../keys/address.ts'
import { vaultLimits } from '../limits.ts'
import type { ChainType, RecoveryMethod, RootName } from '../model.ts'
import { isVisitedProvider, type VisitedProvider } from '../providers.ts'
import { statementShown, statements } from '../statements.ts'
import type { Token } from '../token.ts'
import { toBrowser, toServer } from './credentials.ts'
import { rootPath, unexpectedAnswer } from './transport.ts'

/** The proofs by which a user can have another device enrolled. */
export type EnrolmentFactor =
  /** Another device of theirs is enrolled, and can approve this one. */
  | { readonly type: 'device' }
  /** A passkey of the vault itself. */
  | { readonly type: 'passkey' }
  /** A second factor that is enough by itself. */
  | { readonly type: 'mfa' }
  | WalletFactor
  | ProviderFactor
  | {
      readonly type: 'email' | 'sms'
      readonly id: string /** Where the code goes, shortened. */
      readonly hint: string
    }
  | RecoveryFactor
/** An external wallet of theirs, which signs. */
export interface WalletFactor {
  readonly type: 'wallet'
  readonly id: string
  readonly chainType: ChainType
  readonly address: string
}
/** An account of theirs at a provider, with which they log in afresh in the vault's window. */
export interface ProviderFactor {
  readonly type: 'provider'
  readonly id: string
  readonly provider: VisitedProvider
  /** A name by which its owner recognises it; may be empty. */
  readonly hint: string
}
/** The recovery method of one of the user's roots. */
export interface RecoveryFactor {
  readonly type: 'recovery'
  readonly method: RecoveryMethod
  readonly root: RootName
  /** Of a password. */
  readonly stretching?: { readonly salt: Bytes; readonly iterations: number }
  /** Where the user's own drive has the secret. */
  readonly fileId?: string
  readonly recordName?: string
}

/** What proves that this device may be enrolled. */
export type EnrolmentProof =
  | { readonly factor: 'login' | 'mfa' }
  | { readonly factor: 'code'; readonly code: string }
  | { readonly factor: 'device'; readonly id: string }
  | { readonly factor: 'passkey'; readonly assertion: PlainObject }
  | { readonly factor: 'wallet'; readonly id: string; readonly signature: string }
  | { readonly factor: 'provider'; readonly state: string; readonly code: string }
  | ({ readonly factor: 'recovery'; readonly root: RootName } & RecoveryProof)
/** What proves a recovery method without giving it away: `proof` for a password, `verifier` for every other secret. */
export type RecoveryProof = { readonly proof: Bytes } | { readonly verifier: Bytes }

const sent = (given: RecoveryProof) =>
  'proof' in given ? { proof: toBase64url(given.proof) } : { verifier: toBase64url(given.verifier) }

/** What this user can prove, in the order in which it is offered. Factors that this version does not know are left out. */
export async function fetchFactors(cx: VaultContext, token: Token): Promise<readonly EnrolmentFactor[]> {
  const { factors } = await cx.api(token, '/devices/enroll/options', {})
  if (!Array.isArray(factors)) throw unexpectedAnswer()
  return (await Promise.all(factors.map(readFactor))).flat()
}

/** Asks for an assertion of one of the vault's passkeys that is good for this device's key alone. */
export const beginPasskeyProof = async (cx: VaultContext, token: Token): Promise<PlainObject> =>
  toBrowser(await cx.api(token, '/devices/enroll/passkey', {}))

/** Composes the message that an external wallet signs for this device's key. */
export async function composeWalletMessage(cx: VaultContext, token: Token, id: string): Promise<string> {
  const { message } = await cx.api(token, '/devices/enroll/wallet', { id })
  if (typeof message !== 'string' || message === '') throw unexpectedAnswer()
  return message
}

/** Has a code sent that is good for this device's key alone. Resolves with where it goes, shortened. */
export async function sendEnrolmentCode(cx: VaultContext, token: Token, id: string): Promise<string> {
  const { hint } = await cx.api(token, '/devices/enroll/code', { id })
  if (typeof hint !== 'string') throw unexpectedAnswer()
  return hint
}

/** Enrols this device. Throws a `VaultError` with the server's code where the proof is not good enough. */
export async function enrol(cx: VaultContext, token: Token, given: EnrolmentProof): Promise<void> {
  const { device_id: id } = await cx.api(token, '/devices/enroll', enrolmentBody(given))
  if (typeof id !== 'string' || id === '') throw unexpectedAnswer()
}

/** One of a person's devices, as the server knows it. */
export interface KnownDevice {
  readonly id: string
  readonly name: string
  /** Where it was last seen, as a range of network addresses; may be empty. */
  readonly place: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly lastUsedAt: number
  /** It is this one. */
  readonly current: boolean
}

/** The person's devices. Throws a `VaultError`. */
export async function fetchDevices(cx: VaultContext, token: Token): Promise<readonly KnownDevice[]> {
  const { devices } = await cx.api(token, '/devices', undefined)
  if (!Array.isArray(devices)) throw unexpectedAnswer()
  return devices.map(readDevice)
}

function readDevice(value: Plain | undefined): KnownDevice {
  if (!isPlainObject(value)) throw unexpectedAnswer()
  const { id, name, place, created_at: created, last_used_at: used, current } = value
  const texts = [id, name, place].every((each) => typeof each === 'string')
  if (!texts || typeof created !== 'number' || typeof used !== 'number') throw unexpectedAnswer()
  return {
    ...({ id, name, place } as Pick<KnownDevice, 'id' | 'name' | 'place'>),
    createdAt: created * 1_000,
    lastUsedAt: used * 1_000,
    current: current === true,
  }
}

/** Removes a device: the server gives it nothing from then on. Throws a `VaultError`. */
export async function removeDevice(cx: VaultContext, token: Token, id: string): Promise<void> {
  const text = statements.deviceRemoved({ app: cx.settings.appId, user: token.user, device: id })
  await cx.api(token, `/devices/${encodeURIComponent(id)}/remove`, {}, statementShown(cx, text))
}

function enrolmentBody(given: EnrolmentProof): object {
  switch (given.factor) {
    case 'recovery':
      return { factor: given.factor, root: formatRootName(given.root), ...sent(given) }
    case 'passkey':
      return { factor: given.factor, assertion: toServer(given.assertion) }
    default:
      return given
  }
}

/** Proves the recovery method that is in force: for ten minutes this device may then change it, or show the key. */
export async function provePresentMethod(
  cx: VaultContext,
  token: Token,
  root: RootName,
  given: RecoveryProof,
): Promise<void> {
  await cx.api(token, `${rootPath(root)}/recovery/present`, sent(given))
}

async function readFactor(value: Plain | undefined): Promise<EnrolmentFactor[]> {
  if (!isPlainObject(value)) return []
  const { type, id, hint, address, chain_type: chainType } = value
  if (type === 'recovery') return readRecovery(value)
  if (type === 'device' || type === 'passkey' || type === 'mfa') return [{ type }]
  if (type === 'wallet') {
    const texts = typeof id === 'string' && typeof address === 'string' && address !== ''
    return texts && isChain(chainType) ? [{ type, id, chainType, address }] : []
  }
  if (type === 'provider') {
    const { provider } = value
    const texts = typeof id === 'string' && isVisitedProvider(provider) && typeof hint === 'string'
    return texts ? [{ type, id, provider, hint }] : []
  }
  if ((type !== 'email' && type !== 'sms') || typeof id !== 'string' || typeof hint !== 'string') return []
  return [{ type, id, hint }]
}

const isChain = (value: unknown): value is ChainType => value === 'ethereum' || value === 'solana'

async function readRecovery(value: PlainObject): Promise<RecoveryFactor[]> {
  const { root_address: address, chain_type: chainType, file_id: fileId, record_name: recordName } = value
  const method = Object.values(recoveryMethods).find((known) => known === value.method)
  if (typeof address !== 'string' || !isChain(chainType)) return []
  const root = await parseRootName(chainType, address)
  if (!root || !method) return []
  const factor = { type: 'recovery', method, root } as const
  if (method === recoveryMethods.password) {
    const stretching = readStretching(value)
    return stretching ? [{ ...factor, stretching }] : []
  }
  return [
    {
      ...factor,
      ...(typeof fileId === 'string' && { fileId }),
      ...(typeof recordName === 'string' && { recordName }),
    },
  ]
}

/** A stretching weaker than any vault ever wrote would be a way to have the password guessed. */
function readStretching({ salt, rounds }: PlainObject): RecoveryFactor['stretching'] {
  const bytes = typeof salt === 'string' ? fromBase64url(salt) : undefined
  if (bytes?.length !== 16 || typeof rounds !== 'number' || !Number.isInteger(rounds)) return undefined
  if (rounds < vaultLimits.passwordRoundsLeast || rounds > vaultLimits.passwordRoundsMost) return undefined
  return { salt: bytes, iterations: rounds }
}
