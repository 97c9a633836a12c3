import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { recoveryMethods } from '../../protocol/frame/calls.ts'
import { type Bytes, wipe } from '../bytes.ts'
import { ShareError } from '../errors.ts'
import type { OpenRoot } from '../model.ts'
import { passwordKey, proofOf, type Stretching, secretKey, stretch } from '../recovery/keys.ts'
import { readPackage, WrongKey } from '../recovery/package.ts'
import { openRoot } from '../shares/combine.ts'
import type { Share } from '../shares/envelope.ts'
import { FileError } from './file-error.ts'
import type { RecoveryRoot, RecoverySource } from './recovery-file.ts'

/** What a person has in their head or elsewhere; asked for only where the file does not have it. */
export interface Asked {
  password(): Promise<string>
  /** The text that a drive, or the host's own app, keeps for this wallet. */
  secret(walletId: string, from: string): Promise<string>
}

/**
 * Puts a root together and lends it to `work`: from two shares, or from a package and what its recovery method needs.
 * The shares must be of one set, and what they give must be what the set was made of, in hash and in address.
 * Throws {@link WrongKey} for a wrong password or secret, and {@link FileError} for everything else.
 */
export async function rebuild<T>(
  { walletId, source }: RecoveryRoot,
  asked: Asked,
  work: (root: OpenRoot) => Promise<T>,
): Promise<T> {
  try {
    const [first, second] = 'shares' in source ? source.shares : await unseal(walletId, source, asked)
    return await openRoot(first, second, work)
  } catch (cause) {
    throw cause instanceof ShareError ? new FileError(reasons[cause.reason], { cause }) : cause
  }
}

const reasons: Record<ShareError['reason'], string> = {
  malformed: 'This is not a package or share of a wallet',
  version: 'It was made by a newer version that this tool does not support',
  damaged: 'It is damaged, or belongs to another wallet',
  mismatch: 'The two shares do not belong together',
  commitment: 'The shares do not combine to the original secret',
}

type Sealed = Extract<RecoverySource, { package: string }>

async function unseal(walletId: string, source: Sealed, asked: Asked): Promise<[Share, Share]> {
  const sealed = readPackage(source.package)
  const key = await keyFor(walletId, source, asked, sealed.method, sealed.stretching)
  try {
    const { auth, recovery } = await sealed.open(key, walletId)
    return [auth, recovery]
  } finally {
    wipe(key)
  }
}

async function keyFor(
  walletId: string,
  source: Sealed,
  asked: Asked,
  method: string,
  stretching: Stretching | undefined,
): Promise<Bytes> {
  if (method === recoveryMethods.automatic) {
    if (!source.key) throw new FileError('The file has no "key", the key for automatic recovery')
    return source.key.slice()
  }
  if (stretching) {
    if (!source.passwordSecret)
      throw new FileError('The file has no "passwordSecret", the server\'s part of the password key')
    return passwordKeyOf(await asked.password(), stretching, source.passwordSecret)
  }
  return secretKey(source.secret ?? (await asked.secret(walletId, placeOf(method))))
}

/** Where the text is that opens the package. */
const placeOf = (method: string): string => {
  if (method === recoveryMethods.googleDrive) return 'Google Drive'
  return method === recoveryMethods.icloud ? 'iCloud' : 'the app that kept the recovery key'
}

/** The server's part included: what it would answer to the proof of this password. */
async function passwordKeyOf(password: string, stretching: Stretching, serverSecret: Bytes): Promise<Bytes> {
  const stretched = await stretch(password, stretching)
  let proof: Bytes | undefined
  let evaluation: Bytes | undefined
  try {
    proof = await proofOf(stretched)
    evaluation = hmac(sha256, serverSecret, proof) as Bytes
    return await passwordKey(stretched, evaluation, stretching.salt)
  } finally {
    wipe(stretched, proof, evaluation)
  }
}

export { WrongKey }
