/** What an Ethereum wallet is asked to sign, by method. docs/protocol.md lists the methods. */

import { parseEthereumAddress } from '../../ethereum/address.ts'
import { parseHexBytes } from '../../ethereum/hex.ts'
import { parseMessage } from '../../ethereum/message.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import type { Plain } from '../../lib/plain.ts'
import type { RpcRequest } from '../../protocol/frame/calls.ts'
import type { VaultSettings } from '../entry/settings.ts'
import { personalDigest, signDigest, toHexSignature } from '../keys/signature.ts'
import type { WalletKey } from '../model.ts'
import { isStatement } from '../reserved.ts'
import { reservedStatement, unsupported } from './errors.ts'

/** A request that has been read completely: only the key of the wrong wallet can still prevent the signature, which is all that is left. */
export interface SignatureRequest {
  /** The address whose signature is asked for, as far as the request names it. With its checksum. */
  readonly signer?: string | undefined
  /** Signed with this key of the same secret, in place of the wallet's own. */
  readonly use?: 'farcaster' | undefined
  sign(key: WalletKey): string | object
}

/** Raw bytes say nothing of what they stand for: one of the vault's own statements, or a transaction. */
const RAW = ['eth_sign', 'secp256k1_sign']
/** Bare hashes are signed for operations of Coinbase's smart wallets alone. */
const OF_OPERATIONS = ['secp256k1_sign', 'csw_signUserOperation']

/**
 * Reads a request; messages do without what reads the others. Throws `InvalidRequest`, or a `VaultError` for a method that is unknown or
 * not allowed to this app.
 */
export async function parseEthereumRequest(
  { method, params }: RpcRequest,
  {
    rawSigning,
    operationSigning = false,
    delegates,
  }: Pick<VaultSettings, 'rawSigning' | 'operationSigning' | 'delegates'>,
): Promise<SignatureRequest> {
  const isAllowed = operationSigning && OF_OPERATIONS.includes(method)
  if (RAW.includes(method) && !rawSigning && !isAllowed) throw unsupported('Signing raw hashes')
  switch (method) {
    case 'personal_sign': {
      const [message, signer] = takeParams(params, 2, 'personal_sign takes a message and an address')
      return personalSignature(message, signer)
    }
    case 'eth_sign': {
      // Like a node, the vault puts the prefix of `personal_sign` before the bytes: without it they could be a transaction.
      const [signer, message] = takeParams(params, 2, 'eth_sign takes an address and a message')
      return personalSignature(message, signer)
    }
    case 'eth_signTypedData_v4': {
      const [signer, data] = takeParams(params, 2, 'eth_signTypedData_v4 takes an address and typed data')
      const { hashTypedData, parseTypedData } = await import('../../ethereum/typed-data.ts')
      return { signer: parseSigner(signer), ...digestSignature(hashTypedData(parseTypedData(data))) }
    }
    case 'secp256k1_sign': {
      const [hash] = takeParams(params, 1, 'secp256k1_sign takes a hash')
      const digest = parseHexBytes(hash)
      if (digest?.length !== 32) throw new InvalidRequest('The hash must be 32 bytes in hex')
      return digestSignature(digest)
    }
    case 'csw_signUserOperation': {
      if (!isAllowed) throw unsupported('This method')
      return (await import('./coinbase-operation.ts')).readCoinbaseOperation(params)
    }
    case 'eth_signTransaction': {
      const [request] = takeParams(params, 1, 'eth_signTransaction takes a transaction')
      const [{ completeTransaction, parseTransaction }, { transactionSigner }] = await Promise.all([
        import('../../ethereum/transaction.ts'),
        import('./sign-transaction.ts'),
      ])
      const transaction = completeTransaction(parseTransaction(request, { delegates }))
      const signedBy = transactionSigner(transaction)
      return { signer: transaction.from, sign: ({ privateKey }) => signedBy(privateKey) }
    }
    case 'farcaster_sign':
      return (await import('./farcaster.ts')).parseFarcasterRequest({ method, params })
    case 'eth_sign7702Authorization': {
      const [signer, request] = takeParams(
        params,
        2,
        'eth_sign7702Authorization takes an address and an authorization',
      )
      const [{ parseAuthorizationRequest }, { signAuthorization }] = await Promise.all([
        import('../../ethereum/authorization.ts'),
        import('./sign-transaction.ts'),
      ])
      const authorization = parseAuthorizationRequest(request, delegates)
      return {
        signer: parseSigner(signer),
        sign: ({ privateKey }) => signAuthorization(authorization, privateKey),
      }
    }
    default:
      throw unsupported('This method')
  }
}

function personalSignature(message: Plain | undefined, signer: Plain | undefined): SignatureRequest {
  const bytes = parseMessage(message)
  if (isStatement(bytes)) throw reservedStatement()
  return { signer: parseSigner(signer), ...digestSignature(personalDigest(bytes)) }
}

const digestSignature = (digest: Uint8Array): SignatureRequest => ({
  sign: ({ privateKey }) => toHexSignature(signDigest(digest, privateKey)),
})

function parseSigner(signer: Plain | undefined): string {
  const address = parseEthereumAddress(signer)
  if (!address) throw new InvalidRequest('The signer is not an address')
  return address
}

/** The parameters of a method that takes `count` of them. Throws `InvalidRequest` with `message` for another number. */
export function takeParams(
  params: RpcRequest['params'],
  count: number,
  message: string,
): readonly (Plain | undefined)[] {
  if (!Array.isArray(params) || params.length !== count) throw new InvalidRequest(message)
  return params
}
