import { createHmac, randomBytes } from 'node:crypto'

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

/** What the fake backend knows. Tests read it, and spoil it. */
export interface State {
  readonly roots: StoredRoot[]
  /** The server's own secrets for passwords; they never leave it. */
  readonly secrets: Map<string, { user: string; secret: Buffer }>
  readonly options: { requireOwnRecovery: boolean; passwordTries: number; importedRoots: number }
  /** Answers `/transactions/populate`. */
  populate: (address: string, transaction: object) => Reply
  readonly tickets: Set<string>
}

export const createState = (): State => ({
  roots: [],
  secrets: new Map(),
  options: { requireOwnRecovery: false, passwordTries: 10, importedRoots: 20 },
  populate: (_, transaction) => ok({ transaction }),
  tickets: new Set(),
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

export function newSecret(state: State, user: string): { id: string; secret: Buffer } {
  const id = crypto.randomUUID()
  const secret = randomBytes(32)
  state.secrets.set(id, { user, secret })
  return { id, secret }
}
