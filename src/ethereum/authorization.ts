/** An authorization by itself (EIP-7702), which somebody else sends: read strictly, and held against the contracts that an app allows. */
import { InvalidRequest } from '../lib/invalid-request.ts'
import { type Plain, type PlainObject, readPlain } from '../lib/plain.ts'
import { formatQuantity } from './integer.ts'
import { parseAuthorizationList } from './newer-types.ts'
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
