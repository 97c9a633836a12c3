import { isPlainObject, type PlainObject, parsePlain } from '../../../lib/plain.ts'
import {
  ExchangeError,
  type Fetch,
  type RetryingRequest,
  retryingFetch,
} from '../../../lib/retrying-fetch.ts'
import { randomBytes, toBase64url, wipe } from '../../bytes.ts'
import type { VaultContext } from '../../context.ts'
import { VaultError } from '../../errors.ts'
import { vaultLimits } from '../../limits.ts'

/** A secret in a person's own drive, and which wallet it is for. */
export interface DriveFile {
  readonly v: number
  readonly app: string
  readonly wallet: string
  readonly secret: string
}
/** A drive of the person's own. Both throw {@link VaultError}. */
export interface Drive {
  /** Writes a new file and never over another one. Resolves with its name in the drive. */
  write(file: DriveFile): Promise<string>
  /** The file as it was written, as far as anybody can tell: {@link readSecret} judges it. */
  read(name: string): Promise<PlainObject>
  /** The e-mail address or the name of the account, so far as the drive tells it. */
  owner(): Promise<string | undefined>
}

/** The file of this version for a wallet, with a fresh secret of 256 bits. */
export function newFile(app: string, walletId: string): DriveFile {
  const bytes = randomBytes(vaultLimits.recoveryKeyBits / 8)
  const secret = toBase64url(bytes)
  wipe(bytes)
  return { v: 1, app, wallet: walletId, secret }
}

/** The secret of a file that is this wallet's, where that is known. Throws {@link VaultError} for any other. */
export function readSecret(file: PlainObject, app: string, walletId: string | undefined): string {
  const ours = file.v === 1 && file.app === app && file.wallet === (walletId ?? file.wallet)
  if (!ours || typeof file.secret !== 'string' || file.secret === '') throw fileNotFound()
  return file.secret
}

/** The first text of these, cut to what fits on a screen. */
export const firstText = (...values: unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value.trim() !== '')?.slice(0, 320)

/** Nothing of the wallet is in this drive: often it is that of another account. */
export const fileNotFound = () =>
  new VaultError('error', 'The recovery file was not found in this drive', { code: 'wrong_account' })
export const accessDenied = () => new VaultError('error', 'The drive denied access')
export const driveUnavailable = (cause?: unknown) =>
  new VaultError('error', 'The drive is not available', { cause })

/** One exchange with a drive's server. Nothing that it says reaches a person, and no redirect is followed. */
export async function exchange(
  { clock }: Pick<VaultContext, 'clock'>,
  fetch: Fetch,
  request: RetryingRequest,
): Promise<{ status: number; body: PlainObject }> {
  try {
    const { status, text } = await retryingFetch(fetch, clock, {
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      ...request,
    })
    const body = parsePlain(text, vaultLimits.driveAnswerSize)
    return { status, body: isPlainObject(body) ? body : {} }
  } catch (cause) {
    // The cause may hold an address with a token in it: only its kind is kept.
    throw driveUnavailable(cause instanceof ExchangeError ? cause.reason : undefined)
  }
}
