/** Biconomy Nexus 1.0.0 with the K1 validator. */
import { type Address, domainSeparator, type Hex } from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import { bytesToHex, concatHex, encodePacked, keccak256, stringToHex } from 'viem/utils'
import { hashStructs, parseTypedData, type TypedData } from '../../../ethereum/typed-data.ts'
import { encodeType } from '../../../ethereum/typed-data-types.ts'
import type { DeployedOn, OwnerPayload, SmartAccountCodec } from '../account-codec.ts'
import { createCallCodec, executions, functionOf } from './call-forms.ts'
import { create2Address, erc1967Proxy } from './proxies.ts'
import {
  accountTypedData,
  checkSignature,
  hashContent,
  requireVersion,
  STUB_SIGNATURE,
  signsOperationAsMessage,
} from './signatures.ts'

const VERSION = '1.0.0'
const FACTORY = '0x00000bb19a3579F4D779215dEf97AFbd0e30DB55'
const IMPLEMENTATION = '0x000000039dfcAd030719B07296710F045F0558f7'
const VALIDATOR = '0x00000004171351c442B202678c48D8AB5B321E8f'

const createAccount = functionOf(
  'function createAccount(address owner, uint256 index, address[] attesters, uint8 threshold)',
)

/** Fields with which the validator nests typed data (ERC-7739), as this version of it writes them. */
const nestedFields = (contents: string) => [
  { name: 'contents', type: contents },
  { name: 'fields', type: 'bytes1' },
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
  { name: 'extensions', type: 'uint256[]' },
]
const NESTED = 'TypedDataSign'
/** Name, version, chain and contract of the account's domain are in use, in the bits of ERC-5267. */
const DOMAIN_FIELDS = '0x0f'
const NO_SALT = `0x${'00'.repeat(32)}` as const

const domainOf = (account: DeployedOn) => ({ name: 'Nexus', version: VERSION, ...account })

const personalSign = (account: DeployedOn, prefixed: Hex): OwnerPayload =>
  accountTypedData(domainOf(account), 'PersonalSign', [{ name: 'prefixed', type: 'bytes' }], { prefixed })

/** A message as EIP-191 hashes it. */
const withPrefix = (raw: Hex): Hex =>
  concatHex([stringToHex(`\x19Ethereum Signed Message:\n${(raw.length - 2) / 2}`), raw])

/** The owner's payload for a hash whose content is unknown, or can't be nested: the digest of `PersonalSign`, as a message. */
function signedDigest(hash: Hex, account: DeployedOn): OwnerPayload {
  const { name, version, chainId, address } = domainOf(account)
  const domain = domainSeparator({ domain: { name, version, chainId, verifyingContract: address } })
  const typeHash = keccak256(stringToHex('PersonalSign(bytes prefixed)'))
  const digest = keccak256(concatHex(['0x1901', domain, keccak256(concatHex([typeHash, hash]))]))
  return { type: 'message', raw: digest }
}

interface Nested {
  readonly typed: TypedData
  /** `encodeType` of the content. */
  readonly type: string
}

/**
 * Typed data that the validator can nest. It writes the type of the content before those that the content needs, which is EIP-712's order
 * only where the content's name comes first; and it refuses names that begin with a small letter.
 */
function readNested(content: OwnerPayload): Nested | undefined {
  if (content.type !== 'typedData') return undefined
  const typed = parseTypedData(content.typedData)
  const { structs, primaryType } = typed
  const primary = structs.get(primaryType)
  if (!primary || structs.has(NESTED) || /^[a-z(]/.test(primaryType)) return undefined
  const type = encodeType(primary, structs)
  const names = Array.from(type.matchAll(/(?:^|\))([^()]+)\(/g), ([, name = '']) => `${name}(`)
  return names.slice(1).every((name) => `${primaryType}(` < name) ? { typed, type } : undefined
}

function toContentPayload(content: OwnerPayload, account: DeployedOn): OwnerPayload {
  if (content.type === 'message') return personalSign(account, withPrefix(content.raw))
  const nested = readNested(content)
  if (!nested) return signedDigest(hashContent(content), account)
  const { domain, types, primaryType, message } = nested.typed.data as Readonly<Record<string, unknown>>
  const { name, version, chainId, address } = domainOf(account)
  return {
    type: 'typedData',
    typedData: {
      domain,
      types: { ...(types as object), [NESTED]: nestedFields(String(primaryType)) },
      primaryType: NESTED,
      message: {
        contents: message,
        fields: DOMAIN_FIELDS,
        name,
        version,
        chainId,
        verifyingContract: address,
        salt: NO_SALT,
        extensions: [],
      },
    },
  }
}

/** Behind the owner's signature of nested typed data follow the parts from which the validator hashes it again. */
function toContentSignature(signature: Hex, content: OwnerPayload): Hex {
  const owner = checkSignature(signature)
  const nested = readNested(content)
  if (!nested) return concatHex([VALIDATOR, owner]).toLowerCase() as Hex
  const { domain, message } = hashStructs(nested.typed)
  const type = stringToHex(nested.type)
  return encodePacked(
    ['address', 'bytes', 'bytes32', 'bytes32', 'bytes', 'uint16'],
    [VALIDATOR, owner, bytesToHex(domain), bytesToHex(message), type, nested.type.length],
  )
}

export function createCodec(version?: string): SmartAccountCodec {
  requireVersion('nexus', version, VERSION)
  const entryPoint = { address: entryPoint07Address, version: '0.7' } as const
  return {
    kind: 'nexus',
    version: VERSION,
    entryPoint,
    // Before the validator stand three bytes for parallel nonces, and the mode of validation, which is zero.
    nonceKey: BigInt(VALIDATOR),
    getFactoryArgs: (owner) => ({ factory: FACTORY, factoryData: createAccount.encode([owner, 0n, [], 0]) }),
    getAddress(owner: Address) {
      // No attesters, and so a threshold of zero.
      const salt = keccak256(encodePacked(['address', 'uint256', 'uint8'], [owner, 0n, 0]))
      return create2Address(FACTORY, salt, erc1967Proxy(IMPLEMENTATION))
    },
    ...createCallCodec(executions),
    stubSignature: STUB_SIGNATURE,
    ...signsOperationAsMessage(entryPoint),
    toOperationSignature: checkSignature,
    toContentPayload,
    toContentSignature,
  }
}
