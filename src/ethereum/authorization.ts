/** Authorizations of code for a wallet's own address (EIP-7702): one that an app sends, and the wallet's own transaction. */
import { InvalidRequest } from '../lib/invalid-request.ts'
import { type Plain, type PlainObject, readPlain } from '../lib/plain.ts'
import { formatQuantity } from './integer.ts'
import { parseAuthorizationList } from './newer-types.ts'
import type { WalletTransaction } from './transaction.ts'
import { assertAllowedCode, type CodeAuthorization, type Delegate } from './wallet-code.ts'

const MOST_READ = 4_096
/** Above this, many programs round a nonce. */
const EXACT = BigInt(Number.MAX_SAFE_INTEGER)

/**
 * Reads an authorization that the wallet is to sign.
 * @throws InvalidRequest for what can't be read, for every chain at once, and for a contract that the app does not allow
 */
export function parseAuthorizationRequest(raw: unknown, delegates: readonly Delegate[]): CodeAuthorization {
  const plain: Plain | undefined = readPlain(raw, MOST_READ)
  const [own] = (plain !== undefined && parseAuthorizationList([plain])) || []
  if (!own) throw new InvalidRequest("The authorization can't be read")
  const { address, chainId, nonce, signature } = own
  if (signature) throw new InvalidRequest('The authorization is signed already')
  if (nonce === undefined || nonce > EXACT) throw new InvalidRequest('The authorization has no usable nonce')
  assertAllowedCode(own, delegates)
  return { chainId: Number(chainId), address, nonce }
}

/** Writes an authorization as {@link parseAuthorizationRequest} reads it. */
export const formatAuthorization = ({ chainId, address, nonce }: CodeAuthorization): PlainObject => ({
  chainId,
  address,
  nonce: formatQuantity(nonce),
})

/** A transaction of a wallet to itself whose only effect is its own authorization. The nonce and the fees are filled in when it is prepared. */
export function codeRequest({
  chainId,
  wallet,
  code,
}: {
  readonly chainId: number
  readonly wallet: string
  /** The contract; {@link NO_CODE} takes the code back. */
  readonly code: `0x${string}`
}): WalletTransaction {
  const own = wallet as `0x${string}`
  const authorizationList = [{ address: code, chainId: BigInt(chainId) }]
  return { chainId, from: own, to: own, value: 0n, data: '0x', authorizationList }
}
