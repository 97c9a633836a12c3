import { createHmac, randomBytes } from 'node:crypto'
import type { StoredChange } from './changes.ts'
import type { StoredFactors } from './mfa.ts'

/** A request's body, of which nothing is known yet. */
export type Body = Readonly<Record<string, unknown>>
export interface Reply {
  readonly status: number
  readonly body: object
}

export interface StoredWallet {
  readonly chainType: string
  readonly index: number
  readonly address: string
}
/** As the vault sends it: names of the wire. */
export interface StoredRecovery {
  method: string
  package: string
  key?: string
  secret_id?: string
  salt?: string
  file_id?: string
  record_name?: string
  rounds?: number
  verifier?: string
}
/** The public half of a device key. */
export type PublicJwk = Readonly<Record<'kty' | 'crv' | 'x' | 'y', string>>
/** A browser that has proved something. */
export interface StoredDevice {
  readonly id: string
  readonly user: string
  readonly thumbprint: string
  readonly key: PublicJwk
  readonly enrolledBy: string
  removed: boolean
  /** Until when each root's present recovery method counts as proved here. */
  readonly present: Map<string, number>
}
export interface StoredRoot {
  readonly user: string
  readonly walletId: string
  readonly secret: string
  readonly wallets: StoredWallet[]
  /** Auth shares by set. */
  readonly sets: Map<string, string>
  recovery: StoredRecovery
  /** Changes of recovery by their id. */
  readonly changes: Map<string, { recovery: StoredRecovery; confirmed: boolean }>
  /** Guesses at the password since the last proof that somebody has the key. */
  tries: number
}

/** A device that waits for the approval of another one. */
export interface StoredRequest {
  readonly id: string
  readonly user: string
  readonly thumbprint: string
  readonly number: string
  status: 'pending' | 'approved' | 'denied' | 'expired'
}

/** What the fake backend knows. Tests read it, and spoil it. */
export interface State {
  readonly roots: StoredRoot[]
  /** The server's own secrets for passwords; they never leave it. */
  readonly secrets: Map<string, { user: string; secret: Buffer; verifier: string }>
  readonly options: {
    requireOwnRecovery: boolean
    passwordTries: number
    importedRoots: number
    /** Whether a login is recent enough to enrol a further device. */
    loginEnrols: boolean
    /** Whether people have an address that a code can be sent to. */
    reachable: boolean
    /** Whether another enrolled device of the user is there to approve one. */
    approves: boolean
    /** The external wallet that the user has linked. */
    wallet?: { readonly chainType: string; readonly address: string }
    /** The provider of an account that the user has, and whose fresh login is a proof. */
    provider?: string
  }
  /** Devices that wait for another one's approval. */
  readonly requests: StoredRequest[]
  /** The vault's own passkeys. */
  readonly passkeys: { readonly id: string; readonly user: string }[]
  /** Messages that wallets may sign, by the thumbprint of the device that asked. */
  readonly messages: Map<string, string>
  readonly devices: StoredDevice[]
  /** Which device made a set, by its thumbprint. */
  readonly deviceOfSet: Map<string, string>
  /** Thumbprints for which a code was sent. */
  readonly codes: Set<string>
  readonly usedProofs: Set<string>
  readonly nonceKey: Buffer
  /** The server's clock. */
  now: () => number
  /** Answers `/transactions/populate`. */
  populate: (address: string, transaction: object) => Reply
  readonly tickets: Set<string>
  /** By person. */
  readonly factors: Map<string, StoredFactors>
  /** Changes of accounts and sessions, by their id. */
  readonly changes: Map<string, StoredChange>
  /** Users whose account is frozen until they enrol a device. */
  readonly frozen: Set<string>
}

export const createState = (): State => ({
  roots: [],
  secrets: new Map(),
  options: {
    requireOwnRecovery: false,
    passwordTries: 10,
    importedRoots: 20,
    loginEnrols: true,
    reachable: true,
    approves: false,
  },
  requests: [],
  passkeys: [],
  messages: new Map(),
  devices: [],
  deviceOfSet: new Map(),
  codes: new Set(),
  usedProofs: new Set(),
  nonceKey: randomBytes(32),
  now: () => Date.now(),
  populate: (_, transaction) => ok({ transaction }),
  tickets: new Set(),
  factors: new Map(),
  changes: new Map(),
  frozen: new Set(),
})

export const ok = (body: object): Reply => ({ status: 200, body })
export const refuse = (status: number, code: string): Reply => ({ status, body: { error: 'No', code } })

export const textOf = (body: Body, name: string): string => {
  const value = body[name]
  return typeof value === 'string' ? value : ''
}

/** What a server-held secret makes of a password's proof. */
export const evaluationOf = (secret: Buffer, proof: string): string =>
  createHmac('sha256', secret).update(Buffer.from(proof, 'base64url')).digest('base64url')

/** Whether a root comes back by something that the person has. */
export const isOwn = ({ method }: StoredRecovery): boolean => method !== 'privy'

export function newSecret(state: State, user: string, verifier: string): { id: string; secret: Buffer } {
  const id = crypto.randomUUID()
  const secret = randomBytes(32)
  state.secrets.set(id, { user, secret, verifier })
  return { id, secret }
}
