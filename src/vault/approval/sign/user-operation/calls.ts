import { parseUserOperation } from '../../../../ethereum/user-operation.ts'
import type { SignRequestOf } from '../../../../protocol/frame/sign-request.ts'
import type { SmartAccountKind, SmartCall } from '../../../../wallets/smart/account-codec.ts'
import { loadSmartAccountCodec } from '../../../../wallets/smart/accounts/features.ts'

/**
 * Reads the calls that an operation carries out, out of the bytes that its account is called with.
 * @throws InvalidRequest for a kind of account that the vault doesn't know, and for other bytes
 */
export async function readCalls({
  account: { kind, version },
  operation,
}: SignRequestOf<'userOperation'>): Promise<readonly SmartCall[]> {
  const codec = await loadSmartAccountCodec(kind as SmartAccountKind, version)
  return codec.decodeCalls(parseUserOperation(operation, codec.entryPoint.version).callData)
}
