/** What a page may ask of the vault, and what it is answered. Wire 7.4 to 7.6. */
import type { FrameRequest } from './messages.ts'
import { isPlainObject, type Plain, type PlainObject } from './plain.ts'

/** The events that the vault answers. Wire 7.5. */
export const frameEvents = {
  ready: 'privy:iframe:ready',
  /** The Ethereum wallet of index 0. */
  createWallet: 'privy:wallet:create',
  createSolanaWallet: 'privy:solana-wallet:create',
  /** The wallet of index 0 on either chain. */
  createWallets: 'privy:wallets:create',
  /** A wallet of another index, or on the other chain, of an entropy that is there. */
  addWallet: 'privy:wallets:add',
  importWallet: 'privy:wallets:import',
  connectWallet: 'privy:wallets:connect',
  recoverWallet: 'privy:wallets:recover',
  setRecovery: 'privy:wallets:set-recovery',
  walletRpc: 'privy:wallets:rpc',
  clearMfa: 'privy:mfa:clear',
} as const

/** The other events of wire 7.5: known, and answered with an error until the vault can do them. */
export const unsupportedFrameEvents = {
  verifyMfa: 'privy:mfa:verify',
  initMfaEnrollment: 'privy:mfa:init-enrollment',
  submitMfaEnrollment: 'privy:mfa:submit-enrollment',
  unenrollMfa: 'privy:mfa:unenroll',
  unlinkPasskey: 'privy:auth:unlink-passkey',
  initFarcasterSigner: 'privy:farcaster:init-signer',
  signFarcaster: 'privy:farcaster:sign',
  consentToDelegation: 'privy:delegated-actions:consent',
} as const

export type ChainType = 'ethereum' | 'solana'
const chainTypes: readonly string[] = ['ethereum', 'solana'] satisfies ChainType[]

/** Wire 7.4: what kind of address an entropy id is. */
export const verifiers = {
  ethereum: 'ethereum-address-verifier',
  solana: 'solana-address-verifier',
} as const satisfies Record<ChainType, string>

/** Ways in which a wallet comes back without its device, as the wire names them (4.3, 10.1). */
export const recoveryMethods = {
  automatic: 'privy',
  password: 'user-passcode',
  googleDrive: 'google-drive',
  icloud: 'icloud',
  /** A key that the host's own app keeps. */
  ownKey: 'recovery-encryption-key',
} as const
export type RecoveryMethod = (typeof recoveryMethods)[keyof typeof recoveryMethods]
/** A secret that a native app has put into iCloud by itself; kept as `icloud`. Wire 7.5. */
export const nativeIcloud = 'icloud-native'

/** What recovery needs from the person, by method: at most one of these fits. */
const RECOVERY = [
  'recoveryPassword',
  'recoveryAccessToken',
  'recoveryKey',
  'recoverySecretOverride',
  'iCloudRecordNameOverride',
] as const
const WALLET = ['accessToken', 'entropyId', 'entropyIdVerifier'] as const

type Texts<Required extends string, Optional extends string = never> = {
  readonly [K in Required]: string
} & { readonly [K in Optional]?: string | undefined }
/** Names the root wallet of an entropy: its address, and what kind of address that is. */
export type WalletData = Texts<(typeof WALLET)[number]>
/** What a way of recovery takes: the password, a token for the person's own drive, or a secret that the host keeps. */
export type RecoveryData = Texts<never, (typeof RECOVERY)[number]>
/** Empty on the wire. */
type Nothing = Readonly<Record<string, never>>

/** Each event with what is asked and what is answered. */
export interface FrameCalls {
  [frameEvents.ready]: { data: Nothing; answer: Nothing }
  [frameEvents.createWallet]: {
    data: RecoveryData & Texts<'accessToken', 'recoveryMethod' | 'solanaAddress'>
    answer: Texts<'address'>
  }
  [frameEvents.createSolanaWallet]: {
    data: Texts<'accessToken', 'ethereumAddress'>
    answer: Texts<'publicKey'>
  }
  [frameEvents.createWallets]: {
    data: RecoveryData & Texts<'accessToken', 'recoveryMethod'> & { readonly chainType: ChainType }
    answer: Texts<'address'>
  }
  [frameEvents.addWallet]: {
    data: WalletData & { readonly chainType: ChainType; readonly hdWalletIndex: number }
    answer: Texts<'address'>
  }
  [frameEvents.importWallet]: {
    data: Texts<'accessToken' | 'privateKey'> & { readonly chainType: ChainType }
    answer: Texts<'address'>
  }
  [frameEvents.connectWallet]: { data: WalletData; answer: Texts<'entropyId'> }
  [frameEvents.recoverWallet]: { data: WalletData & RecoveryData; answer: Texts<'entropyId'> }
  [frameEvents.setRecovery]: {
    data: WalletData & RecoveryData & Texts<'recoveryMethod', 'existingRecoveryMethod'>
    answer: Texts<'entropyId' | 'entropyIdVerifier' | 'recoveryMethod'>
  }
  [frameEvents.walletRpc]: {
    data: WalletData &
      Texts<never, 'requesterAppId'> & {
        readonly chainType: ChainType
        readonly hdWalletIndex: number
        readonly request: RpcRequest
      }
    answer: {
      readonly address: string
      readonly chainType: string
      /** `data`: text for signatures, `{ signature }` for Solana, an object for a filled-in transaction. Wire 7.6. */
      readonly response: { readonly method: string; readonly data: string | object }
    }
  }
  [frameEvents.clearMfa]: { data: Texts<'userId'>; answer: Nothing }
}
/** A JSON-RPC request as plain data; `params` is a list for Ethereum and an object for Solana. */
export interface RpcRequest {
  readonly method: string
  readonly params: readonly Plain[] | PlainObject
}
export type FrameEvent = keyof FrameCalls
/** What a page asks, by its event. */
export type FrameCall = { [E in FrameEvent]: { event: E; data: FrameCalls[E]['data'] } }[FrameEvent]

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
      return call(
        event,
        texts(withOldNames(data), ['accessToken'], ['recoveryMethod', 'solanaAddress', ...RECOVERY]),
      )
    case frameEvents.createSolanaWallet:
      return call(event, texts(data, ['accessToken'], ['ethereumAddress']))
    case frameEvents.createWallets:
      return call(event, onChain(data, texts(data, ['accessToken'], ['recoveryMethod', ...RECOVERY])))
    case frameEvents.addWallet:
      return call(event, onChain(data, atIndex(data, texts(data, WALLET))))
    case frameEvents.importWallet:
      return call(event, onChain(data, texts(data, ['accessToken', 'privateKey'])))
    case frameEvents.connectWallet:
      return call(event, texts(data, WALLET))
    case frameEvents.recoverWallet:
      return call(event, texts(data, WALLET, RECOVERY))
    case frameEvents.setRecovery:
      return call(event, texts(data, [...WALLET, 'recoveryMethod'], ['existingRecoveryMethod', ...RECOVERY]))
    case frameEvents.walletRpc:
      return call(event, readRpc(data))
    default:
      return 'unsupported'
  }
}

function readRpc(data: PlainObject): FrameCalls[typeof frameEvents.walletRpc]['data'] | undefined {
  const fields = onChain(data, atIndex(data, texts(data, WALLET, ['requesterAppId'])))
  if (!fields || !isPlainObject(data.request)) return undefined
  const { method, params } = data.request
  if (typeof method !== 'string' || !(Array.isArray(params) || isPlainObject(params))) return undefined
  return { ...fields, request: { method, params: params as RpcRequest['params'] } }
}

/** Wire 7.5: `recoveryPin` is what the password was once called. */
const withOldNames = (data: PlainObject): PlainObject =>
  data.recoveryPin === undefined
    ? data
    : { ...data, recoveryPassword: data.recoveryPassword ?? data.recoveryPin }

function onChain<T extends object>(
  data: PlainObject,
  fields: T | undefined,
): (T & { chainType: ChainType }) | undefined {
  const { chainType } = data
  if (!fields || typeof chainType !== 'string' || !chainTypes.includes(chainType)) return undefined
  return { ...fields, chainType: chainType as ChainType }
}

function atIndex<T extends object>(
  data: PlainObject,
  fields: T | undefined,
): (T & { hdWalletIndex: number }) | undefined {
  const hdWalletIndex = readIndex(data.hdWalletIndex)
  return fields && hdWalletIndex !== undefined ? { ...fields, hdWalletIndex } : undefined
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

/** BIP-32: the last index that is not hardened. */
const LAST_INDEX = 2 ** 31 - 1
/** Wire 7.4: a number may come as a bigint or as decimal text. */
function readIndex(value: Plain | undefined): number | undefined {
  const index = typeof value !== 'object' && /^\d{1,10}$/.test(String(value)) ? Number(value) : LAST_INDEX + 1
  return index <= LAST_INDEX ? index : undefined
}
