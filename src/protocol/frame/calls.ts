/** What a page may ask of the vault, and what it is answered. */
import * as v from 'valibot'
import { isPlainObject, type Plain, type PlainObject } from '../../lib/plain.ts'
import type { FrameRequest } from './messages.ts'

/** The events that the vault answers. */
export const frameEvents = {
  ready: 'privy:iframe:ready',
  /** Creates the Ethereum wallet of index 0. */
  createWallet: 'privy:wallet:create',
  createSolanaWallet: 'privy:solana-wallet:create',
  /** Creates the wallet of index 0 on either chain. */
  createWallets: 'privy:wallets:create',
  /** Adds a wallet of another index, or on the other chain, to an existing entropy. */
  addWallet: 'privy:wallets:add',
  importWallet: 'privy:wallets:import',
  connectWallet: 'privy:wallets:connect',
  recoverWallet: 'privy:wallets:recover',
  setRecovery: 'privy:wallets:set-recovery',
  walletRpc: 'privy:wallets:rpc',
  verifyMfa: 'privy:mfa:verify',
  initMfaEnrollment: 'privy:mfa:init-enrollment',
  submitMfaEnrollment: 'privy:mfa:submit-enrollment',
  unenrollMfa: 'privy:mfa:unenroll',
  /** Makes new recovery codes, which stand in for a lost factor. */
  newMfaRecoveryCodes: 'privy:mfa:recovery-codes',
  clearMfa: 'privy:mfa:clear',
  unlinkPasskey: 'privy:auth:unlink-passkey',
  /** Removes one of the person's devices. */
  removeDevice: 'privy:devices:remove',
  /** Has the server ask for the vault's key as a signer on Farcaster. */
  initFarcasterSigner: 'privy:farcaster:init-signer',
  /** Signs a hash with that key. */
  signFarcaster: 'privy:farcaster:sign',
  /** Lets a server of the app act with wallets, once the page of a compatible app has asked the user. */
  consentToGrants: 'privy:delegated-actions:consent',
} as const

export type ChainType = 'ethereum' | 'solana'

/** What kind of address an entropy id is. */
export const verifiers = {
  ethereum: 'ethereum-address-verifier',
  solana: 'solana-address-verifier',
} as const satisfies Record<ChainType, string>

/** Ways in which a wallet comes back without its device, as the protocol names them. */
export const recoveryMethods = {
  automatic: 'privy',
  password: 'user-passcode',
  googleDrive: 'google-drive',
  icloud: 'icloud',
  /** A key that the host's own app keeps. */
  ownKey: 'recovery-encryption-key',
} as const
export type RecoveryMethod = (typeof recoveryMethods)[keyof typeof recoveryMethods]
/** A secret that a native app has put into iCloud by itself; kept as `icloud`. */
export const nativeIcloud = 'icloud-native'

/** A JSON-RPC request as plain data; `params` is a list for Ethereum and an object for Solana. */
export interface RpcRequest {
  readonly method: string
  readonly params: readonly Plain[] | PlainObject
}

const text = v.pipe(v.string(), v.nonEmpty())
/** `null` and an empty text are missing; anything else that is no text is refused, because the page meant something by it. */
const optionalText = v.optional(
  v.pipe(
    v.nullable(v.string()),
    v.transform((value) => value || undefined),
  ),
)
/** `null` is missing. */
const orMissing = <T>(schema: v.GenericSchema<unknown, T>) =>
  v.optional(
    v.pipe(
      v.nullable(schema),
      v.transform((value) => value ?? undefined),
    ),
  )
/** Whose request it is, and what they give to be verified if the vault has asked for that. */
const person = {
  accessToken: text,
  mfaMethod: optionalText,
  /** Six digits, a recovery code, or what a passkey has answered. */
  mfaCode: orMissing(
    v.union([v.string(), v.custom<PlainObject>((code) => isPlainObject(code as Plain | undefined))]),
  ),
  /** The page whose passkey it is. */
  relyingParty: optionalText,
}
/** Names the root wallet of an entropy: its address, and what kind of address that is. */
const wallet = { entropyId: text, entropyIdVerifier: text }
function ofPerson<E extends v.ObjectEntries>(more: E) {
  return v.object({ ...person, ...more })
}
function ofWallet<E extends v.ObjectEntries>(more: E) {
  return v.object({ ...person, ...wallet, ...more })
}
/** What proves the recovery method that is in force: its password, or a token for the drive. */
const present = { presentPassword: optionalText, presentAccessToken: optionalText }
/** What recovery needs from the person, by method: at most one of these fits. */
const recovery = {
  recoveryPassword: optionalText,
  recoveryAccessToken: optionalText,
  recoveryKey: optionalText,
  recoverySecretOverride: optionalText,
  iCloudRecordNameOverride: optionalText,
}
const chainType = v.picklist(['ethereum', 'solana'])
/** BIP-32: the last index that is not hardened. */
const LAST_INDEX = 2 ** 31 - 1
/** A number may come as a bigint or as decimal text. */
const walletIndex = v.pipe(
  v.union([v.number(), v.bigint(), v.string()]),
  v.transform(String),
  v.regex(/^\d{1,10}$/),
  v.transform(Number),
  v.check((index) => index <= LAST_INDEX),
)
const rpcParams = v.custom<RpcRequest['params']>(
  (params) => Array.isArray(params) || isPlainObject(params as Plain | undefined),
)

/** The wallet of the secret from which the signer on Farcaster comes: unmodified clients name no index. */
const signerWallet = { address: text, hdWalletIndex: orMissing(walletIndex) }

/** What is asked, by event. Fields that are not named here are dropped. */
const requests = {
  [frameEvents.ready]: v.object({}),
  [frameEvents.clearMfa]: v.object({ userId: text }),
  [frameEvents.removeDevice]: ofPerson({
    deviceId: text,
    /** What proves the recovery method of a wallet of theirs, and which wallet that is. */
    present: orMissing(v.object({ ...wallet, ...present })),
  }),
  [frameEvents.verifyMfa]: v.object(person),
  [frameEvents.initMfaEnrollment]: ofPerson({ method: text, phoneNumber: optionalText }),
  [frameEvents.submitMfaEnrollment]: ofPerson({
    method: text,
    code: optionalText,
    phoneNumber: optionalText,
    credentialIds: orMissing(v.array(text)),
    removeForLogin: orMissing(v.boolean()),
  }),
  [frameEvents.unenrollMfa]: ofPerson({ method: text }),
  [frameEvents.newMfaRecoveryCodes]: v.object(person),
  [frameEvents.unlinkPasskey]: ofPerson({
    credentialId: text,
    removeAsMfa: orMissing(v.boolean()),
    evenIfSole: orMissing(v.boolean()),
  }),
  [frameEvents.createWallet]: v.pipe(
    v.object({
      accessToken: text,
      recoveryMethod: optionalText,
      solanaAddress: optionalText,
      ...recovery,
      /** What the password was once called. */
      recoveryPin: optionalText,
    }),
    v.transform(({ recoveryPin, ...data }) => {
      const recoveryPassword = data.recoveryPassword ?? recoveryPin
      return recoveryPassword === undefined ? data : { ...data, recoveryPassword }
    }),
  ),
  [frameEvents.createSolanaWallet]: ofPerson({ ethereumAddress: optionalText }),
  [frameEvents.createWallets]: ofPerson({
    chainType,
    recoveryMethod: optionalText,
    ...recovery,
  }),
  [frameEvents.addWallet]: ofWallet({ chainType, hdWalletIndex: walletIndex }),
  [frameEvents.importWallet]: v.object({ accessToken: text, privateKey: text, chainType }),
  [frameEvents.connectWallet]: ofWallet({}),
  [frameEvents.recoverWallet]: ofWallet(recovery),
  [frameEvents.setRecovery]: ofWallet({
    recoveryMethod: text,
    existingRecoveryMethod: optionalText,
    ...present,
    ...recovery,
  }),
  [frameEvents.walletRpc]: ofWallet({
    chainType,
    hdWalletIndex: walletIndex,
    requesterAppId: optionalText,
    request: v.object({ method: v.string(), params: rpcParams }),
  }),
  [frameEvents.initFarcasterSigner]: ofPerson(signerWallet),
  [frameEvents.signFarcaster]: ofPerson({
    ...signerWallet,
    payload: v.object({ hash: text }),
    fid: v.optional(v.union([v.number(), v.bigint(), v.string()])),
  }),
  [frameEvents.consentToGrants]: ofPerson({
    rootWallet: v.object({ address: text, chainType }),
    delegatedWallets: v.pipe(
      v.array(v.object({ address: text, chainType, walletIndex: orMissing(walletIndex) })),
      v.minLength(1),
      v.maxLength(32),
    ),
  }),
} as const

const address = v.object({ address: v.string() })
const entropy = v.object({ entropyId: v.string() })

/** What the vault's answers must be, by event. */
export const vaultAnswers = {
  [frameEvents.ready]: v.object({}),
  [frameEvents.clearMfa]: v.object({}),
  [frameEvents.removeDevice]: v.object({ deviceId: text }),
  [frameEvents.verifyMfa]: v.object({}),
  /** `secret` and `authUrl` for an authenticator app. */
  [frameEvents.initMfaEnrollment]: v.object({
    method: v.optional(v.string()),
    secret: v.optional(v.string()),
    authUrl: v.optional(v.string()),
  }),
  [frameEvents.submitMfaEnrollment]: v.object({}),
  [frameEvents.unenrollMfa]: v.object({}),
  [frameEvents.newMfaRecoveryCodes]: v.object({ codes: v.array(v.string()) }),
  [frameEvents.unlinkPasskey]: v.object({}),
  [frameEvents.createWallet]: address,
  [frameEvents.createSolanaWallet]: v.object({ publicKey: v.string() }),
  [frameEvents.createWallets]: address,
  [frameEvents.addWallet]: address,
  [frameEvents.importWallet]: address,
  [frameEvents.connectWallet]: entropy,
  [frameEvents.recoverWallet]: entropy,
  [frameEvents.setRecovery]: v.object({
    entropyId: v.string(),
    entropyIdVerifier: v.string(),
    recoveryMethod: v.string(),
  }),
  [frameEvents.walletRpc]: v.object({
    address: v.string(),
    chainType: v.string(),
    /** `data`: text for signatures, `{ signature }` for Solana, an object for a filled-in transaction. */
    response: v.object({
      method: v.string(),
      data: v.union([v.string(), v.custom<object>((data) => typeof data === 'object' && data !== null)]),
    }),
  }),
  [frameEvents.initFarcasterSigner]: v.object({
    public_key: v.string(),
    status: v.picklist(['pending_approval', 'approved', 'revoked']),
    signer_approval_url: v.optional(v.string()),
    fid: v.optional(v.number()),
  }),
  [frameEvents.signFarcaster]: v.object({ hash: v.string(), signature: v.string() }),
  [frameEvents.consentToGrants]: v.object({ success: v.boolean() }),
} as const

export type FrameEvent = keyof typeof requests

/**
 * What a proof of a second factor is good for. `use`: for a quarter of an hour, whatever wallets are used for; each of the
 * others for a minute, and as `use` besides.
 */
export const mfaPurposes = ['use', 'export', 'recovery', 'factors', 'device', 'account'] as const
export type MfaPurpose = (typeof mfaPurposes)[number]
/** For what a request wants a proof, where that is more than `use`. */
export const mfaPurposeOf: Readonly<Partial<Record<FrameEvent, MfaPurpose>>> = {
  // A page has a person verified ahead of showing them their key.
  [frameEvents.verifyMfa]: 'export',
  [frameEvents.setRecovery]: 'recovery',
  [frameEvents.removeDevice]: 'device',
  [frameEvents.initMfaEnrollment]: 'factors',
  [frameEvents.submitMfaEnrollment]: 'factors',
  [frameEvents.unenrollMfa]: 'factors',
  [frameEvents.newMfaRecoveryCodes]: 'factors',
  [frameEvents.unlinkPasskey]: 'factors',
  [frameEvents.consentToGrants]: 'account',
}
/** What a person gives as `mfaMethod` to be verified. */
export type MfaMethodName = 'totp' | 'sms' | 'passkey' | 'recovery'
/** Each event with what is asked and what is answered. */
export type FrameCalls = {
  readonly [E in FrameEvent]: {
    readonly data: Readonly<v.InferOutput<(typeof requests)[E]>>
    readonly answer: Readonly<v.InferOutput<(typeof vaultAnswers)[E]>>
  }
}
/** What names a root wallet in a request. */
export type WalletData = FrameCalls[typeof frameEvents.connectWallet]['data']
/** What a recovery method takes: the password, a token for the person's own drive, or a secret that the host keeps. */
export type RecoveryData = { readonly [Field in keyof typeof recovery]?: string | undefined }
/** What a page asks, by its event. */
export type FrameCall = {
  [E in FrameEvent]: { readonly event: E; readonly data: FrameCalls[E]['data'] }
}[FrameEvent]

/** Where the vault's page is, below the base address. */
export const framePath = (appId: string) => `/apps/${encodeURIComponent(appId)}/embedded-wallets`

/** The address of the vault's frame. `base` has no trailing slash. */
export const frameUrl = (base: string, app: FramingApp): string =>
  `${base}${framePath(app.appId)}?${clientQuery(app)}`

/** The page that frames the vault. */
export interface FramingApp {
  readonly appId: string
  readonly analyticsId?: string | undefined
  readonly clientId?: string | undefined
}
/** What the vault's calls to the server say of the page, as its own do. */
export const clientQuery = ({ analyticsId = '', clientId = '' }: FramingApp): URLSearchParams =>
  new URLSearchParams({ caid: analyticsId, client_id: clientId })

const isFrameEvent = (event: string): event is FrameEvent => Object.hasOwn(requests, event)

/**
 * Reads a request's event and data. 'unsupported': no event of {@link frameEvents}; 'invalid': wrong data. Never throws.
 * The data has no prototype: a field that is missing stays missing whatever a script has put on `Object.prototype`.
 */
export function readCall({ event, data }: FrameRequest): FrameCall | 'unsupported' | 'invalid' {
  if (!isFrameEvent(event)) return 'unsupported'
  const read = v.safeParse(requests[event], data, { abortEarly: true })
  if (!read.success) return 'invalid'
  return { event, data: Object.assign(Object.create(null), read.output) } as FrameCall
}
