/**
 * The language between a page and the vault's frame, shared by the kit and the vault. Wire 7. What arrives is read
 * by hand, without a library: both bundles carry this file, and it meets hostile input first.
 */
import { limits } from '../core/limits.ts'

/** The events that the vault answers. Wire 7.5. */
export const frameEvents = {
  ready: 'privy:iframe:ready',
  createWallet: 'privy:wallet:create',
  connectWallet: 'privy:wallets:connect',
  recoverWallet: 'privy:wallets:recover',
  walletRpc: 'privy:wallets:rpc',
  clearMfa: 'privy:mfa:clear',
} as const

/** The other events of wire 7.5: known, and answered with an error until the vault can do them. */
export const unsupportedFrameEvents = {
  createSolanaWallet: 'privy:solana-wallet:create',
  createWallets: 'privy:wallets:create',
  addWallet: 'privy:wallets:add',
  importWallet: 'privy:wallets:import',
  setRecovery: 'privy:wallets:set-recovery',
  verifyMfa: 'privy:mfa:verify',
  initMfaEnrollment: 'privy:mfa:init-enrollment',
  submitMfaEnrollment: 'privy:mfa:submit-enrollment',
  unenrollMfa: 'privy:mfa:unenroll',
  unlinkPasskey: 'privy:auth:unlink-passkey',
  initFarcasterSigner: 'privy:farcaster:init-signer',
  signFarcaster: 'privy:farcaster:sign',
  consentToDelegation: 'privy:delegated-actions:consent',
} as const

/** Wire 7.4: what says that an entropy id is an Ethereum address. */
export const ethereumVerifier = 'ethereum-address-verifier'
/** Wire 7.5: recovery without the person's help, the only method of this version. */
export const automaticRecovery = 'privy'

/** Fields of `createWallet` that belong to other ways of recovery, or to a wallet of another chain. */
const CREATE_EXTRAS = [
  'recoveryPassword',
  'recoveryPin',
  'recoveryAccessToken',
  'recoveryKey',
  'recoverySecretOverride',
  'iCloudRecordNameOverride',
  'solanaAddress',
] as const
const WALLET = ['accessToken', 'entropyId', 'entropyIdVerifier'] as const

type Texts<Required extends string, Optional extends string = never> = {
  readonly [K in Required]: string
} & { readonly [K in Optional]?: string | undefined }
/** Names the root wallet of a person: its address, and what kind of address that is. */
type WalletData = Texts<(typeof WALLET)[number]>
/** Empty on the wire. */
type Nothing = Readonly<Record<string, never>>

/** Each event with what is asked and what is answered. */
export interface FrameCalls {
  [frameEvents.ready]: { data: Nothing; answer: Nothing }
  [frameEvents.createWallet]: {
    data: Texts<'accessToken', 'recoveryMethod' | (typeof CREATE_EXTRAS)[number]>
    answer: Texts<'address'>
  }
  [frameEvents.connectWallet]: { data: WalletData; answer: Texts<'entropyId'> }
  [frameEvents.recoverWallet]: { data: WalletData; answer: Texts<'entropyId'> }
  [frameEvents.walletRpc]: {
    data: WalletData &
      Texts<'chainType', 'requesterAppId'> & {
        readonly hdWalletIndex: number
        readonly request: { readonly method: string; readonly params: readonly Plain[] }
      }
    answer: Texts<'address' | 'chainType'> & { readonly response: Texts<'method' | 'data'> }
  }
  [frameEvents.clearMfa]: { data: Texts<'userId'>; answer: Nothing }
}
export type FrameEvent = keyof FrameCalls
/** What a page asks, by its event. */
export type FrameCall = { [E in FrameEvent]: { event: E; data: FrameCalls[E]['data'] } }[FrameEvent]

/** Wire 7.7. */
export const frameErrorTypes = [
  'error',
  'invalid_request_arguments',
  'invalid_recovery_pin',
  'wallet_not_on_device',
  'insufficient_funds',
  'missing_or_invalid_mfa',
  'mfa_verification_max_attempts_reached',
  'mfa_timeout',
  'twilio_verification_failed',
] as const
export type FrameErrorType = (typeof frameErrorTypes)[number]

/** A type of error as the wire names it; one that this version does not know is a plain 'error'. */
export const toFrameErrorType = (type: unknown): FrameErrorType =>
  frameErrorTypes.find((known) => known === type) ?? 'error'

/** Wire 7.2. */
export interface FrameRequest {
  readonly id: string
  readonly event: string
  readonly data: PlainObject
}
export type FrameFailure = { readonly type: FrameErrorType; readonly message: string }
export type FrameAnswer<D extends object = object> =
  | { readonly id: string; readonly event: string; readonly data: D; readonly error?: never }
  | { readonly id: string; readonly event: string; readonly error: FrameFailure }

/** Where the vault's page is, below the base address. Wire 7.1. */
export const framePath = (appId: string) => `/apps/${encodeURIComponent(appId)}/embedded-wallets`

/** The address of the vault's frame. `base` has no trailing slash. Wire 7.1. */
export function frameUrl(
  base: string,
  app: { appId: string; analyticsId?: string | undefined; clientId?: string | undefined },
): string {
  const query = new URLSearchParams({ caid: app.analyticsId ?? '', client_id: app.clientId ?? '' })
  return `${base}${framePath(app.appId)}?${query}`
}

/** Data without behaviour: what JSON can say, and bigint. Objects have no prototype. */
export type Plain = null | boolean | number | bigint | string | readonly Plain[] | PlainObject
export interface PlainObject {
  readonly [key: string]: Plain | undefined
}
export const isPlainObject = (value: Plain | undefined): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Security T34, and a few levels for the envelope around typed data. */
const DEPTH = 40
const ENTRIES = 10_000
const BIGGEST = 2n ** 256n
const DANGEROUS: readonly string[] = ['__proto__', 'constructor', 'prototype']

/**
 * Copies a value that came from outside into plain data. Gives `undefined`, and never throws, when it has a key that
 * reaches for a prototype, a cycle, anything that is not data, more than 40 levels or 10,000 entries in one list, or
 * is longer than `size` characters of JSON. Security T14, T34.
 */
export function readPlain(raw: unknown, size: number): Plain | undefined {
  let left = size
  const spend = (characters: number) => {
    left -= characters
    if (left < 0) throw new RangeError('too long')
  }
  const copy = (value: unknown, depth: number): Plain => {
    if (typeof value === 'string' || isShort(value)) {
      spend(typeof value === 'string' ? value.length + 2 : String(value).length)
      return value
    }
    if (typeof value !== 'object' || depth === DEPTH) throw new TypeError('not data')
    if (Array.isArray(value)) {
      if (value.length > ENTRIES) throw new RangeError('too long')
      spend(Math.max(2, value.length + 1))
      return Array.from(value, (entry) => copy(entry ?? null, depth + 1))
    }
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null) throw new TypeError('not data')
    const keys = Object.keys(value)
    if (keys.length > left) throw new RangeError('too long')
    spend(2)
    let comma = 0
    const result: Record<string, Plain> = Object.create(null)
    for (const key of keys) {
      if (DANGEROUS.includes(key)) throw new TypeError('dangerous key')
      const entry = (value as Record<string, unknown>)[key]
      if (entry === undefined) continue
      spend(key.length + 3 + comma)
      comma = 1
      result[key] = copy(entry, depth + 1)
    }
    return result
  }
  try {
    return copy(raw, 0)
  } catch {
    return undefined
  }
}

const isShort = (value: unknown): value is null | boolean | number | bigint =>
  value === null ||
  typeof value === 'boolean' ||
  Number.isFinite(value) ||
  (typeof value === 'bigint' && value < BIGGEST && value > -BIGGEST)

/** Parses JSON text of at most `size` characters into plain data; `undefined` where {@link readPlain} says so. */
export function parsePlain(text: string, size: number): Plain | undefined {
  if (text.length > size) return undefined
  try {
    return readPlain(JSON.parse(text), size)
  } catch {
    return undefined
  }
}

/**
 * Reads what a window sent as a request, in either form of wire 7.2: an object, or the same as JSON text.
 * Gives `undefined`, and never throws, for anything else. The event may be one that nobody knows.
 */
export function readRequest(raw: unknown): FrameRequest | undefined {
  const size = limits.vaultMessageSize
  const message = typeof raw === 'string' ? parsePlain(raw, size) : readPlain(raw, size)
  if (!isPlainObject(message)) return undefined
  const { id, event, data = Object.create(null) } = message
  if (!isName(id) || !isEvent(event) || !isPlainObject(data)) return undefined
  return { id, event, data }
}

/** Reads what the vault sent as an answer; always an object (R12). Gives `undefined` for anything else. */
export function readAnswer(raw: unknown): FrameAnswer<PlainObject> | undefined {
  const message = readPlain(raw, limits.vaultMessageSize)
  if (!isPlainObject(message)) return undefined
  const { id, event, data, error } = message
  if (!isName(id) || !isEvent(event)) return undefined
  if (isPlainObject(error)) {
    const text = typeof error.message === 'string' ? error.message.slice(0, limits.serverTextLength) : ''
    return { id, event, error: { type: toFrameErrorType(error.type), message: text } }
  }
  return isPlainObject(data) ? { id, event, data } : undefined
}

const isName = (value: Plain | undefined): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= 128
const isEvent = (value: Plain | undefined): value is string => isName(value) && value.startsWith('privy:')

/** Reads a request's event and data. 'unsupported': no event of {@link frameEvents}; 'invalid': wrong data. */
export function readCall({ event, data }: FrameRequest): FrameCall | 'unsupported' | 'invalid' {
  const call = <E extends FrameEvent>(name: E, read: FrameCalls[E]['data'] | undefined) =>
    read ? ({ event: name, data: read } as FrameCall) : 'invalid'
  switch (event) {
    case frameEvents.ready:
      return call(event, {})
    case frameEvents.clearMfa:
      return call(event, texts(data, ['userId']))
    case frameEvents.createWallet:
      return call(event, texts(data, ['accessToken'], ['recoveryMethod', ...CREATE_EXTRAS]))
    case frameEvents.connectWallet:
    case frameEvents.recoverWallet:
      return call(event, texts(data, WALLET))
    case frameEvents.walletRpc:
      return call(event, readRpc(data))
    default:
      return 'unsupported'
  }
}

function readRpc(data: PlainObject): FrameCalls[typeof frameEvents.walletRpc]['data'] | undefined {
  const fields = texts(data, [...WALLET, 'chainType'], ['requesterAppId'])
  const hdWalletIndex = readIndex(data.hdWalletIndex)
  if (!fields || hdWalletIndex === undefined || !isPlainObject(data.request)) return undefined
  const { method, params } = data.request
  if (typeof method !== 'string' || !Array.isArray(params)) return undefined
  return { ...fields, hdWalletIndex, request: { method, params } }
}

/** Picks fields of text. `undefined` when a required one is missing or empty, or any is not text; `null` is missing. */
function texts<R extends string, O extends string = never>(
  data: PlainObject,
  required: readonly R[],
  optional: readonly O[] = [],
): Texts<R, O> | undefined {
  const result: Record<string, string> = Object.create(null)
  for (const key of [...required, ...optional]) {
    const value = data[key] ?? ''
    if (typeof value !== 'string' || (value === '' && required.includes(key as R))) return undefined
    if (value !== '') result[key] = value
  }
  return result as Texts<R, O>
}

/** Wire 7.4: a number may come as a bigint or as decimal text. */
const readIndex = (value: Plain | undefined) =>
  typeof value !== 'object' && /^\d{1,10}$/.test(String(value)) ? Number(value) : undefined
