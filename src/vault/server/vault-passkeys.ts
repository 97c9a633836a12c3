/** The vault's requests to the server about its own passkeys, which no page can ask for. docs/protocol.md */
import { isPlainObject, type Plain, type PlainObject } from '../../lib/plain.ts'
import type { VaultContext } from '../context.ts'
import { statements } from '../statements.ts'
import type { Token } from '../token.ts'
import { toBrowser, toServer } from './credentials.ts'
import { unexpectedAnswer } from './transport.ts'

/** One of the vault's passkeys of a user. */
export interface VaultPasskey {
  readonly id: string
  /** Such as `Chrome on Windows`, where it was made. */
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

/** What the browser is asked for to make one. */
export const beginVaultPasskey = async (cx: VaultContext, token: Token): Promise<PlainObject> =>
  toBrowser(await cx.api(token, '/devices/passkeys/options', {}))

/** Registers a passkey that the browser has just made. Throws a `VaultError`. */
export async function addVaultPasskey(
  cx: VaultContext,
  token: Token,
  attestation: PlainObject,
): Promise<void> {
  const { id: credential } = attestation
  if (typeof credential !== 'string') throw unexpectedAnswer()
  const values = { app: cx.settings.appId, user: token.user, credential }
  const statement = statements.vaultPasskey(values)
  await cx.api(token, '/devices/passkeys', { attestation: toServer(attestation) }, { statement })
}

/** The vault's passkeys of this user. Throws a `VaultError`. */
export async function fetchVaultPasskeys(cx: VaultContext, token: Token): Promise<readonly VaultPasskey[]> {
  const { passkeys } = await cx.api(token, '/devices/passkeys/list', {})
  if (!Array.isArray(passkeys)) throw unexpectedAnswer()
  return passkeys.map(readPasskey)
}

function readPasskey(value: Plain | undefined): VaultPasskey {
  if (!isPlainObject(value)) throw unexpectedAnswer()
  const { id, name, created_at: created } = value
  if (typeof id !== 'string' || typeof name !== 'string' || typeof created !== 'number')
    throw unexpectedAnswer()
  return { id, name, createdAt: created * 1_000 }
}

/** Removes a passkey: it enrols no device from then on. Throws a `VaultError`. */
export async function removeVaultPasskey(cx: VaultContext, token: Token, id: string): Promise<void> {
  const values = { app: cx.settings.appId, user: token.user, credential: id }
  await cx.api(
    token,
    `/devices/passkeys/${encodeURIComponent(id)}/remove`,
    {},
    { statement: statements.vaultPasskeyRemoved(values) },
  )
}

/** What the user could enrol another device with; nothing means that their wallet lives in this browser alone. */
export async function fetchProofKinds(cx: VaultContext, token: Token): Promise<readonly string[]> {
  const { kinds } = await cx.api(token, '/devices/proofs', {})
  if (!Array.isArray(kinds)) throw unexpectedAnswer()
  return kinds.filter((kind) => typeof kind === 'string')
}
