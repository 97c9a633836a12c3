/**
 * EIP-712 in one walk that checks and encodes, so that nothing is signed that was not read. A type's text is hashed
 * once, however many structs of it there are: libraries that hash it for each can be held for minutes (security T34).
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { limits } from '../../../core/limits.ts'
import { isPlainObject, type Plain, parsePlain } from '../../../wire/frame/plain.ts'
import { bounds } from '../../bounds.ts'
import { concatBytes, utf8 } from '../../bytes.ts'
import { invalid } from '../invalid.ts'
import { encodeType, readDomainStruct, readStructs, type Struct, type Structs, type Type } from './types.ts'

/**
 * The digest that `eth_signTypedData_v4` signs, of typed data as an object or as its JSON text. Throws a VaultError
 * unless the message has exactly the fields of its types, each with a value of its type (security T15).
 */
export function typedDataDigest(raw: Plain | undefined): Uint8Array {
  const data = typeof raw === 'string' ? parsePlain(raw, limits.vaultMessageSize) : raw
  if (!isPlainObject(data)) throw invalid('The typed data is no object')
  const { types, primaryType, domain, message, ...more } = data
  if (
    !isPlainObject(types) ||
    !isPlainObject(domain) ||
    !isPlainObject(message) ||
    Object.keys(more).length > 0
  )
    throw invalid('Typed data has types, a primaryType, a domain and a message')
  const structs = readStructs(types)
  const primary = typeof primaryType === 'string' ? structs.get(primaryType) : undefined
  if (!primary) throw invalid('The typed data has no such primaryType')

  const hash = createHash(structs)
  return keccak_256(
    concatBytes(
      Uint8Array.of(0x19, 0x01),
      hash(readDomainStruct(types.EIP712Domain, domain), domain),
      hash(primary, message),
    ),
  )
}

/** EIP-712 `hashStruct` over the structs of one request. */
function createHash(structs: Structs) {
  const typeHashes = new Map<Struct, Uint8Array>()
  const typeHash = (struct: Struct) => {
    const known = typeHashes.get(struct) ?? keccak_256(utf8(encodeType(struct, structs)))
    typeHashes.set(struct, known)
    return known
  }

  function hashStruct(struct: Struct, value: Plain | undefined, depth: number): Uint8Array {
    if (!isPlainObject(value)) throw invalid(`The typed data has no ${struct.name} where one should be`)
    if (Object.keys(value).length > struct.fields.length)
      throw invalid(`The typed data has a field that ${struct.name} does not have`)
    const words = struct.fields.map(({ name, type }) => {
      const word = Object.hasOwn(value, name) ? encode(type, value[name], depth) : undefined
      if (!word) throw invalid(`The typed data does not fit its types at ${struct.name}.${name}`)
      return word
    })
    return keccak_256(concatBytes(typeHash(struct), ...words))
  }

  let values = 0
  function encode(type: Type, value: Plain | undefined, depth: number): Uint8Array | undefined {
    if (++values > bounds.typedDataValues) throw invalid('The typed data has too many values')
    if (type.kind === 'value') return type.encode(value)
    if (depth === bounds.typedDataDepth) throw invalid('The typed data is too deep')
    if (type.kind === 'list') return hashList(type.of, type.length, value, depth + 1)
    const struct = structs.get(type.name)
    return struct && hashStruct(struct, value, depth + 1)
  }

  function hashList(of: Type, length: number | undefined, value: Plain | undefined, depth: number) {
    if (!Array.isArray(value) || (length !== undefined && value.length !== length)) return undefined
    const words = value.map((item: Plain) => encode(of, item, depth))
    return words.every((word) => word !== undefined) ? keccak_256(concatBytes(...words)) : undefined
  }

  return (struct: Struct, value: Plain) => hashStruct(struct, value, 1)
}
