/** The file from which wallets are rebuilt without any service. docs/recovery.md describes it for other programs. */
import { isPlainObject, type Plain, type PlainObject, parsePlain } from '../../lib/plain.ts'
import { type Bytes, fromBase64url, isUuid } from '../bytes.ts'
import { vaultLimits } from '../limits.ts'
import type { ChainType, WalletPath } from '../model.ts'
import { readLabel, type Share, secretLengths } from '../shares/envelope.ts'
import { FileError } from './file-error.ts'

export interface RecoveryFile {
  readonly roots: readonly RecoveryRoot[]
}
/** One secret with the wallets that are known to come from it. */
export interface RecoveryRoot {
  readonly walletId: string
  readonly wallets: readonly RecordedWallet[]
  readonly source: RecoverySource
}
export type RecordedWallet = WalletPath & { readonly address: string }
export type RecoverySource =
  | { readonly shares: readonly [Share, Share] }
  | {
      readonly package: string
      /** Automatic recovery: the key that the server keeps. */
      readonly key?: Bytes
      /** Password: the server's own secret. */
      readonly passwordSecret?: Bytes
      /** Drives and keys of the host's own: the text that they keep. */
      readonly secret?: string
    }

const FORMAT = 'latchkey-recovery'
const KEY = 32

/** Reads a recovery file. Throws {@link FileError} that names the field which is wrong. */
export async function readRecoveryFile(text: string): Promise<RecoveryFile> {
  const file = parsePlain(text, vaultLimits.recoveryFileSize)
  if (!isPlainObject(file)) throw new FileError('The file is not a JSON object')
  if (file.format !== FORMAT) throw new FileError(`The file has another format than "${FORMAT}"`)
  if (file.version !== 1) throw new FileError('This tool does not support the version of the file')
  const roots = listOf(file.roots, 'roots').map((root, i) => readRoot(root, `roots[${i}]`))
  return { roots: await Promise.all(roots) }
}

/** Reads the file that the vault has put into a person's own drive, and gives the secret in it. */
export function readDriveFile(text: string): { walletId: string; secret: string } {
  const found = readDrive(parsePlain(text, vaultLimits.recoveryFileSize))
  if (!found) throw new FileError('This is not a recovery file from a drive')
  return found
}

async function readRoot(raw: Plain, where: string): Promise<RecoveryRoot> {
  if (!isPlainObject(raw)) throw new FileError(`${where}is not an object`)
  const { walletId, wallets = [] } = raw
  if (!isUuid(walletId)) throw new FileError(`${where}.walletId is not a UUID`)
  return {
    walletId,
    wallets: listOf(wallets, `${where}.wallets`).map((one, i) => readWallet(one, `${where}.wallets[${i}]`)),
    source: raw.shares === undefined ? readSealed(raw, where) : await readShares(raw.shares, walletId, where),
  }
}

function readSealed(raw: PlainObject, where: string): RecoverySource {
  if (typeof raw.package !== 'string') throw new FileError(`${where} has neither "package" nor "shares"`)
  const key = keyOf(raw.key, `${where}.key`)
  const passwordSecret = keyOf(raw.passwordSecret, `${where}.passwordSecret`)
  const secret = typeof raw.secret === 'string' ? raw.secret : readDrive(raw.drive)?.secret
  return {
    package: raw.package,
    ...(key && { key }),
    ...(passwordSecret && { passwordSecret }),
    ...(secret !== undefined && { secret }),
  }
}

function readDrive(raw: Plain | undefined): { walletId: string; secret: string } | undefined {
  if (!isPlainObject(raw) || raw.v !== 1) return undefined
  const { wallet, secret } = raw
  return isUuid(wallet) && typeof secret === 'string' ? { walletId: wallet, secret } : undefined
}

async function readShares(raw: Plain, walletId: string, where: string): Promise<RecoverySource> {
  const [first, second, ...more] = listOf(raw, `${where}.shares`)
  if (!first || !second || more.length > 0) throw new FileError(`${where}.shares must be exactly two`)
  const shares: [Share, Share] = [
    await readShare(first, `${where}.shares[0]`),
    await readShare(second, `${where}.shares[1]`),
  ]
  if (shares.some((share) => share.walletId !== walletId))
    throw new FileError(`${where}.shares belong to another wallet`)
  return { shares }
}

/** An opened share: an envelope's label as it stands there, and the share that it sealed. */
async function readShare(raw: Plain, where: string): Promise<Share> {
  const { label, share } = isPlainObject(raw) ? raw : {}
  const [head, bytes] = [label, share].map((text) =>
    typeof text === 'string' ? fromBase64url(text) : undefined,
  )
  if (!head || !bytes) throw new FileError(`${where} is not an opened share`)
  const read = await readLabel(head)
  if (bytes.length !== secretLengths[read.secretKind] + 1)
    throw new FileError(`${where}.share has the wrong length`)
  return { ...read, bytes }
}

function readWallet(raw: Plain, where: string): RecordedWallet {
  const { chainType, index, address } = isPlainObject(raw) ? raw : {}
  if (!isChain(chainType) || typeof index !== 'number' || !isIndex(index) || typeof address !== 'string')
    throw new FileError(`${where} is not a wallet`)
  return { chainType, index, address }
}

const isChain = (value: unknown): value is ChainType => value === 'ethereum' || value === 'solana'
const isIndex = (value: number) => Number.isInteger(value) && value >= 0 && value < 2 ** 31

function keyOf(value: Plain | undefined, where: string): Bytes | undefined {
  if (value === undefined || value === null) return undefined
  const bytes = typeof value === 'string' ? fromBase64url(value) : undefined
  if (bytes?.length !== KEY) throw new FileError(`${where} is not ${KEY} bytes in base64url`)
  return bytes
}

function listOf(value: Plain | undefined, where: string): readonly Plain[] {
  if (!Array.isArray(value)) throw new FileError(`${where} is not a list`)
  return value
}
