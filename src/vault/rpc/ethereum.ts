/** What an Ethereum wallet is asked to sign, by method. Wire 7.6. */
import type { RpcRequest } from '../../wire/frame/calls.ts'
import type { Plain } from '../../wire/frame/plain.ts'
import type { Bytes } from '../bytes.ts'
import type { WalletKey } from '../model.ts'
import { isStatement } from '../statements.ts'
import { readAddress, readBytes } from './hex.ts'
import { invalid, ownStatement, unsupported } from './invalid.ts'
import { messageBytes } from './message.ts'
import { signDigest, signPersonal, toHexSignature } from './sign.ts'
import { readTransaction } from './transaction/request.ts'
import { completeTransaction, signTransaction } from './transaction/sign.ts'
import { typedDataDigest } from './typed-data/digest.ts'

/** A request that was read through, so that nothing but a wrong wallet is in its way. */
export interface Signing {
  /** Whose signature is asked for, as far as the request says. */
  readonly signer?: Bytes | undefined
  sign(key: WalletKey): string | object
}

/** Reads a request. Throws a VaultError. */
export function readEthereumRequest({ method, params }: RpcRequest): Signing {
  switch (method) {
    case 'personal_sign': {
      const [message, signer] = take(params, 2, 'personal_sign takes a message and an address')
      return personal(message, signer)
    }
    case 'eth_sign': {
      // The bytes get the prefix of `personal_sign`, as nodes do it: without one they could be a transaction.
      const [signer, message] = take(params, 2, 'eth_sign takes an address and a message')
      return personal(message, signer)
    }
    case 'eth_signTypedData_v4': {
      const [signer, data] = take(params, 2, 'eth_signTypedData_v4 takes an address and typed data')
      return { signer: readSigner(signer), ...signingOf(typedDataDigest(data)) }
    }
    case 'secp256k1_sign': {
      const [hash] = take(params, 1, 'secp256k1_sign takes a hash')
      const digest = readBytes(hash)
      if (digest?.length !== 32) throw invalid('The hash is not 32 bytes of hex')
      return signingOf(digest)
    }
    case 'eth_signTransaction': {
      const [request] = take(params, 1, 'eth_signTransaction takes a transaction')
      const { from, ...asked } = readTransaction(request)
      const transaction = completeTransaction(asked)
      return { signer: from, sign: ({ privateKey }) => signTransaction(transaction, privateKey) }
    }
    default:
      throw unsupported('This method')
  }
}

function personal(message: Plain | undefined, signer: Plain | undefined): Signing {
  const bytes = messageBytes(message)
  if (isStatement(bytes)) throw ownStatement()
  return { signer: readSigner(signer), sign: ({ privateKey }) => signPersonal(bytes, privateKey) }
}

const signingOf = (digest: Uint8Array): Signing => ({
  sign: ({ privateKey }) => toHexSignature(signDigest(digest, privateKey)),
})

function readSigner(signer: Plain | undefined): Bytes {
  const address = readAddress(signer)
  if (!address) throw invalid('The signer is not an address')
  return address
}

/** Parameters by their number; more or fewer belong to another method. */
export function take(
  params: RpcRequest['params'],
  count: number,
  words: string,
): readonly (Plain | undefined)[] {
  if (!Array.isArray(params) || params.length !== count) throw invalid(words)
  return params
}
