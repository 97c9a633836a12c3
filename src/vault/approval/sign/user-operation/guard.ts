/** Messages and typed data of a wallet that would approve an operation of its smart account, unread. */
import type { UserOperation } from 'viem/account-abstraction'
import { InvalidRequest } from '../../../../lib/invalid-request.ts'
import type { SmartAccountCodec, SmartAccountKind } from '../../../../wallets/smart/account-codec.ts'
import { loadSmartAccountCodec } from '../../../../wallets/smart/accounts/features.ts'
import type { VaultContext } from '../../../context.ts'
import { fetchSmartAccounts, type LinkedSmartAccount } from '../../../server/smart-accounts.ts'
import type { Token } from '../../../token.ts'

/** A message of 32 bytes, or the primary type of typed data. */
export type Content = { readonly primaryType: string } | 'hash'

/**
 * Asks the vault's own server for the user's smart accounts.
 * @param owner the wallet that is to sign
 * @throws InvalidRequest if one of them takes such a signature of its owner as the approval of an operation; a `VaultError` if nobody can say
 */
export async function assertNoOperation(
  cx: VaultContext,
  token: Token,
  owner: string,
  content: Content,
): Promise<void> {
  for (const account of await fetchSmartAccounts(cx, token)) {
    const codec = await codecOf(account, owner)
    // A kind that this version doesn't know may check anything.
    if (codec === 'other-owner' || (codec && !approves(codec, content))) continue
    throw new InvalidRequest(
      "It could approve an operation of the user's smart wallet, which is signed as an operation alone",
    )
  }
}

/** `undefined` for a kind or version without a codec. */
async function codecOf(
  { address, kind, version }: LinkedSmartAccount,
  owner: string,
): Promise<SmartAccountCodec | 'other-owner' | undefined> {
  try {
    const codec = await loadSmartAccountCodec(kind as SmartAccountKind, version)
    const own = codec.getAddress(owner as `0x${string}`)
    return own.toLowerCase() === address.toLowerCase() ? codec : 'other-owner'
  } catch (cause) {
    if (cause instanceof InvalidRequest) return undefined
    throw cause
  }
}

function approves(codec: SmartAccountCodec, content: Content): boolean {
  const payload = codec.toOperationPayload(sample(codec), 1)
  if (content === 'hash') return payload.type === 'message'
  if (payload.type !== 'typedData') return false
  return (payload.typedData as { readonly primaryType: string }).primaryType === content.primaryType
}

/** Any operation of the account: only the form of its payload counts. */
const sample = ({ entryPoint }: SmartAccountCodec): UserOperation =>
  ({
    sender: '0x0000000000000000000000000000000000000000',
    nonce: 0n,
    ...(entryPoint.version === '0.6' && { initCode: '0x', paymasterAndData: '0x' }),
    callData: '0x',
    callGasLimit: 0n,
    verificationGasLimit: 0n,
    preVerificationGas: 0n,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    signature: '0x',
  }) as UserOperation
