import { type KeyObject, verify } from 'node:crypto'
import type { Address, Hex } from 'viem'
import { solanaKey, type WalletAddress } from '../chains/address.ts'
import { keySigned } from '../chains/node.ts'
import { solanaKeySigned } from '../chains/solana-signature.ts'
import { Refusal } from '../lib/refusal.ts'

/** In whose name a wallet's key signs. */
interface Signer {
  appId: string
  userId: string
}

const statement = (title: string, fields: Record<string, string | number>) =>
  [title, ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`)].join('\n')

/**
 * What the vault signs, one title for each use: the first three with a wallet's own key, so that nobody else can speak
 * for the wallet. The others with the key of the browser.
 */
export const statements = {
  newRoot: ({ appId, userId }: Signer, { address, walletId }: { address: string; walletId: string }) =>
    statement('Latchkey embedded wallet', { app: appId, user: userId, address, wallet: walletId }),
  addedWallet: (
    { appId, userId }: Signer,
    { walletId, chainType, walletIndex, address }: WalletAddress & { walletId: string; walletIndex: number },
  ) =>
    statement('Latchkey wallet added', {
      app: appId,
      user: userId,
      wallet: walletId,
      chain: chainType,
      index: walletIndex,
      address,
    }),
  addedDevice: ({ appId, userId }: Signer, { walletId, setId }: { walletId: string; setId: string }) =>
    statement('Latchkey device added', { app: appId, user: userId, wallet: walletId, set: setId }),
  recoveryConfirmed: ({ appId, userId }: Signer, given: { walletId: string; changeId: string }) =>
    statement('Latchkey recovery confirmed', {
      app: appId,
      user: userId,
      wallet: given.walletId,
      change: given.changeId,
    }),
  recoveryChange: (
    { appId, userId }: Signer,
    change: { walletId: string; changeId: string; method: string; packageHash: string },
  ) =>
    statement('Latchkey recovery change', {
      app: appId,
      user: userId,
      wallet: change.walletId,
      change: change.changeId,
      method: change.method,
      package: change.packageHash,
    }),
  /**
   * The following are never in a body: the key of the browser signs them with the request that they approve (the claim
   * `stm` of its proof). They name what changes; the window of the vault shows it.
   */
  accountChange: (
    { appId, userId }: Signer,
    change: { changeId: string; action: string; type: string; subject: string; replaces?: string },
  ) =>
    statement('Latchkey account change', {
      app: appId,
      user: userId,
      change: change.changeId,
      action: change.action,
      type: change.type,
      subject: change.subject,
      ...(change.replaces !== undefined && { replaces: change.replaces }),
    }),
  deviceRemoval: ({ appId, userId }: Signer, { deviceId }: { deviceId: string }) =>
    statement('Latchkey device removal', { app: appId, user: userId, device: deviceId }),
  /** `subject`: a number, or the ids of passkeys, separated by commas; empty for anything else. */
  factorChange: (
    { appId, userId }: Signer,
    change: {
      action: 'add' | 'remove' | 'set' | 'unlink' | 'renew'
      factor: 'totp' | 'sms' | 'passkey' | 'recovery-codes'
      subject: string
    },
  ) =>
    statement('Latchkey second factor', {
      app: appId,
      user: userId,
      action: change.action,
      factor: change.factor,
      subject: change.subject,
    }),
  keyExport: ({ appId, userId }: Signer, { address }: { address: string }) =>
    statement('Latchkey key export', { app: appId, user: userId, address }),
  keyImport: ({ appId, userId }: Signer, given: { address: string; walletId: string }) =>
    statement('Latchkey key import', {
      app: appId,
      user: userId,
      address: given.address,
      wallet: given.walletId,
    }),
  /** `terms`: the hash of all that the window has shown. */
  grant: ({ appId, userId }: Signer, given: { address: string; permission: string; terms: string }) =>
    statement('Latchkey permission', {
      app: appId,
      user: userId,
      address: given.address,
      permission: given.permission,
      terms: given.terms,
    }),
  deviceApproval: (
    { appId, userId }: Signer,
    given: { requestId: string; thumbprint: string; number: string },
  ) =>
    statement('Latchkey device approval', {
      app: appId,
      user: userId,
      request: given.requestId,
      thumbprint: given.thumbprint,
      number: given.number,
    }),
  vaultPasskey: ({ appId, userId }: Signer, credential: string) =>
    statement('Latchkey recovery passkey', { app: appId, user: userId, credential }),
  vaultPasskeyRemoved: ({ appId, userId }: Signer, credential: string) =>
    statement('Latchkey recovery passkey removed', { app: appId, user: userId, credential }),
}

/**
 * Checks that the key of an address signed a statement: EIP-191 in 0x-hex and with a low s, or ed25519 in base64url.
 * @throws Refusal `invalid_credentials` (401)
 */
export async function requireProof(by: WalletAddress, text: string, proof: string): Promise<void> {
  const signed =
    by.chainType === 'ethereum'
      ? (await keySigned(by.address as Address, text, proof as Hex)) === 'yes'
      : signedBySolana(by.address, text, proof)
  if (!signed)
    throw new Refusal('invalid_credentials', "This was not signed with the wallet's key.", { status: 401 })
}

/**
 * Checks that the key of a browser signed a statement: ES256 in base64url.
 * @throws Refusal `invalid_credentials` (401)
 */
export function requireDeviceProof(publicKey: KeyObject, text: string, proof: string): void {
  const signature = Buffer.from(proof, 'base64url')
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' as const }
  if (signature.toString('base64url') !== proof || !verify('sha256', Buffer.from(text), key, signature))
    throw new Refusal('invalid_credentials', "This was not signed with the browser's key.", { status: 401 })
}

function signedBySolana(address: string, text: string, proof: string): boolean {
  const key = solanaKey(address)
  const signature = Buffer.from(proof, 'base64url')
  return (
    key !== undefined && signature.toString('base64url') === proof && solanaKeySigned(key, text, signature)
  )
}
