/** The codecs of smart accounts, each loaded once a wallet is of its kind. */
import { lazily } from '../../../errors/lazily.ts'
import { InvalidRequest } from '../../../lib/invalid-request.ts'
import type { SmartAccountCodec, SmartAccountKind } from '../account-codec.ts'

interface CodecModule {
  createCodec(version?: string): SmartAccountCodec
}

const codecs: ReadonlyMap<SmartAccountKind, () => Promise<CodecModule>> = new Map([
  ['safe', lazily(() => import('./safe.ts'))],
  ['kernel', lazily(() => import('./kernel.ts'))],
  ['biconomy', lazily(() => import('./biconomy.ts'))],
  ['light_account', lazily(() => import('./light-account.ts'))],
  ['coinbase_smart_wallet', lazily(() => import('./coinbase-smart-wallet.ts'))],
  ['thirdweb', lazily(() => import('./thirdweb.ts'))],
  ['nexus', lazily(() => import('./nexus.ts'))],
  ['simple_7702', lazily(() => import('./simple-7702.ts'))],
])

/** All kinds of accounts that there is a codec for. */
export const smartAccountKinds: readonly SmartAccountKind[] = Array.from(codecs.keys())

/**
 * The codec of a kind of account.
 * @param version of a user's stored wallet; without one the newest that new wallets get
 * @throws InvalidRequest for a kind or a version without a codec
 */
export async function loadSmartAccountCodec(
  kind: SmartAccountKind,
  version?: string,
): Promise<SmartAccountCodec> {
  const load = codecs.get(kind)
  if (!load) throw new InvalidRequest('This kind of smart account is not supported')
  return (await load()).createCodec(version)
}
