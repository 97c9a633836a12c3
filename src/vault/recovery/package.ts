import { sha256 } from '@noble/hashes/sha2.js'
import { isPlainObject, parsePlain } from '../../lib/plain.ts'
import { recoveryMethods } from '../../protocol/frame/calls.ts'
import { type Bytes, equalBytes, fromBase64url, toBase64url, utf8, wipe } from '../bytes.ts'
import { ShareError } from '../errors.ts'
import { vaultLimits } from '../limits.ts'
import type { RecoveryMethod } from '../model.ts'
import { openShare, type Share } from '../shares/envelope.ts'
import { sealShare } from '../shares/seal.ts'
import { importSealingKey } from '../shares/sealing-key.ts'
import { checkOf, type Stretching } from './keys.ts'

/** The plain-text header of a package; both of its shares are bound to it. */
export interface PackageHeader {
  readonly method: RecoveryMethod
  /** For passwords. */
  readonly stretching?: Stretching
}
/** A package that has been read, but not opened. */
export interface SealedPackage extends PackageHeader {
  /** Opens it. Throws {@link WrongKey}, or {@link ShareError} when a bit of it is not as it was sealed. */
  open(key: Bytes, walletId: string): Promise<{ auth: Share; recovery: Share }>
}

/** The key is not the one that the package was sealed with. Nothing of the package has been touched. */
export class WrongKey extends Error {
  override name = 'WrongKey'
}

/*
 * text = header . envelope of the auth share . envelope of the recovery share
 * The header is base64url of JSON; its SHA-256 is authenticated together with each share, so that neither the
 * parameters of a password nor the method can be exchanged without notice.
 */
const VERSION = 2
const KDF = 'PBKDF2-SHA256'
const SALT = 16
const HEADER_SIZE = 512
/** Version 1: two envelopes of one length, one after the other, and no header. */
const FIRST = { length: 392, method: recoveryMethods.automatic }

/** Seals what brings a root back without any device: the auth and the recovery share of one set. */
export async function sealPackage(
  { method, stretching }: PackageHeader,
  key: Bytes,
  auth: Share,
  recovery: Share,
): Promise<string> {
  const kdf = stretching && {
    name: KDF,
    iterations: stretching.iterations,
    salt: toBase64url(stretching.salt),
  }
  const check = toBase64url(await checkOf(key))
  const header = toBase64url(utf8(JSON.stringify({ v: VERSION, method, kdf, check })))
  const sealing = await importSealingKey(key)
  const context = sha256(utf8(header))
  const shares = [await sealShare(sealing, auth, context), await sealShare(sealing, recovery, context)]
  return [header, ...shares].join('.')
}

/**
 * Reads a package. Throws {@link ShareError}: 'version' when a newer vault has made it, 'malformed' when it is none
 * or asks for a stretching that is weaker than any vault ever wrote.
 */
export function readPackage(text: string): SealedPackage {
  if (text.length === FIRST.length && !text.includes('.'))
    return { method: FIRST.method, open: openFirst(text) }
  const [header = '', auth = '', recovery = '', ...more] = text.split('.')
  if (more.length > 0 || auth === '' || recovery === '' || header.length > HEADER_SIZE)
    throw new ShareError('malformed')
  const { check, ...fields } = readHeader(header)
  return {
    ...fields,
    async open(key, walletId) {
      if (!equalBytes(await checkOf(key), check)) throw new WrongKey()
      return openBoth(key, walletId, auth, recovery, sha256(utf8(header)))
    },
  }
}

const openFirst =
  (text: string): SealedPackage['open'] =>
  (key, walletId) =>
    openBoth(key, walletId, text.slice(0, FIRST.length / 2), text.slice(FIRST.length / 2))

async function openBoth(key: Bytes, walletId: string, auth: string, recovery: string, context?: Bytes) {
  const sealing = await importSealingKey(key)
  const first = await openShare(sealing, auth, { kind: 'auth', walletId }, context)
  try {
    return {
      auth: first,
      recovery: await openShare(sealing, recovery, { kind: 'recovery', walletId }, context),
    }
  } catch (cause) {
    wipe(first.bytes)
    throw cause
  }
}

function readHeader(text: string): PackageHeader & { check: Bytes } {
  const bytes = fromBase64url(text)
  const header = bytes && parsePlain(new TextDecoder().decode(bytes), HEADER_SIZE)
  if (!isPlainObject(header)) throw new ShareError('malformed')
  if (header.v !== VERSION) throw new ShareError('version')
  const method = Object.values(recoveryMethods).find((known) => known === header.method)
  // A method that this version does not know belongs to a newer one, even if the package has a known version number.
  if (!method) throw new ShareError('version')
  const check = bytesOf(header.check, SALT)
  if (method !== recoveryMethods.password) return { method, check }
  const { name, iterations, salt } = isPlainObject(header.kdf) ? header.kdf : {}
  if (name !== KDF) throw new ShareError('version')
  const fits =
    typeof iterations === 'number' &&
    Number.isInteger(iterations) &&
    iterations >= vaultLimits.passwordRoundsLeast &&
    iterations <= vaultLimits.passwordRoundsMost
  if (!fits) throw new ShareError('malformed')
  return { method, check, stretching: { iterations, salt: bytesOf(salt, SALT) } }
}

function bytesOf(value: unknown, length: number): Bytes {
  const bytes = typeof value === 'string' ? fromBase64url(value) : undefined
  if (bytes?.length !== length) throw new ShareError('malformed')
  return bytes
}
