/** Payloads that owners of accounts sign, and signatures that accounts accept. */

import type { Hex } from 'viem'
import { getUserOperationHash, type UserOperation } from 'viem/account-abstraction'
import { bytesToHex, hashMessage } from 'viem/utils'
import { isHexBytes } from '../../../ethereum/hex.ts'
import { hashTypedData, parseTypedData } from '../../../ethereum/typed-data.ts'
import { InvalidRequest } from '../../../lib/invalid-request.ts'
import type { DeployedOn, OwnerPayload, SmartAccountCodec } from '../account-codec.ts'

/** No valid signature, but one from which contracts recover an address, so that an estimate covers their whole way. */
export const STUB_SIGNATURE =
  '0xfffffffffffffffffffffffffffffff0000000000000000000000000000000007aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1c'

/** An owner's signature as contracts accept it: 65 bytes that end with 27 or 28. */
export function checkSignature(signature: Hex): Hex {
  if (!isHexBytes(signature) || signature.length !== 132)
    throw new InvalidRequest("The owner's signature is not one of 65 bytes")
  const recovery = Number.parseInt(signature.slice(-2), 16)
  const known = recovery < 2 ? recovery + 27 : recovery
  if (known !== 27 && known !== 28) throw new InvalidRequest("The owner's signature has no known ending")
  return `${signature.slice(0, -2)}${known.toString(16)}`.toLowerCase() as Hex
}

/** The 32 bytes that `isValidSignature` of ERC-1271 is asked about. */
export function hashContent(content: OwnerPayload): Hex {
  switch (content.type) {
    case 'message':
      return hashMessage({ raw: content.raw })
    case 'typedData':
      return bytesToHex(hashTypedData(parseTypedData(content.typedData)))
    case 'hash':
      return checkHash(content.hash)
  }
}

function checkHash(hash: Hex): Hex {
  if (!isHexBytes(hash) || hash.length !== 66) throw new InvalidRequest('The hash is not one of 32 bytes')
  return hash
}

export interface TypedDataField {
  readonly name: string
  readonly type: string
}

/** Typed data of an account's own domain, as JSON. */
export function accountTypedData(
  domain: { readonly name?: string; readonly version?: string } & DeployedOn,
  primaryType: string,
  fields: readonly TypedDataField[],
  message: Readonly<Record<string, unknown>>,
): OwnerPayload {
  const { name, version, chainId, address } = domain
  return {
    type: 'typedData',
    typedData: {
      domain: {
        ...(name !== undefined && { name }),
        ...(version !== undefined && { version }),
        chainId,
        verifyingContract: address,
      },
      types: {
        EIP712Domain: [
          ...(name === undefined ? [] : [{ name: 'name', type: 'string' }]),
          ...(version === undefined ? [] : [{ name: 'version', type: 'string' }]),
          { name: 'chainId', type: 'uint256' },
          { name: 'verifyingContract', type: 'address' },
        ],
        [primaryType]: fields,
      },
      primaryType,
      message,
    },
  }
}

/** The hash of an operation at the account's EntryPoint. */
export const hashOperation = (
  { entryPoint }: Pick<SmartAccountCodec, 'entryPoint'>,
  operation: UserOperation,
  chainId: number,
): Hex =>
  getUserOperationHash({
    userOperation: operation,
    entryPointAddress: entryPoint.address,
    entryPointVersion: entryPoint.version,
    chainId,
  })

/** Accounts that check the hash of an operation as a signed message (EIP-191). */
export const signsOperationAsMessage = (
  entryPoint: SmartAccountCodec['entryPoint'],
): Pick<SmartAccountCodec, 'toOperationPayload'> => ({
  toOperationPayload: (operation, chainId) => ({
    type: 'message',
    raw: hashOperation({ entryPoint }, operation, chainId),
  }),
})

/** Refuses an account's version that we have no codec for: another version has other bytes. */
export function requireVersion(
  account: string,
  given: string | undefined,
  ...known: readonly string[]
): void {
  if (given !== undefined && !known.includes(given))
    throw new InvalidRequest(`The version of the ${account} account is not supported`)
}

/**
 * An account that vouches for content by typed data of its own, whose one field is the content's hash.
 * @param domain its fields beside the account's address and chain
 */
export const vouchesByHash = (
  primaryType: string,
  domain: { readonly name?: string; readonly version?: string } = {},
): Pick<SmartAccountCodec, 'toContentPayload' | 'toContentSignature'> => ({
  toContentPayload: (content, account) =>
    accountTypedData({ ...domain, ...account }, primaryType, [{ name: 'message', type: 'bytes' }], {
      message: hashContent(content),
    }),
  toContentSignature: checkSignature,
})
