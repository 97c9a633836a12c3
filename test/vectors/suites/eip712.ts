import { keccak_256 } from '@noble/hashes/sha3.js'
import { hashTypedData, parseTypedData } from '../../../src/ethereum/typed-data.ts'
import { encodeType, parseStructs } from '../../../src/ethereum/typed-data-types.ts'
import { isPlainObject, type PlainObject, parsePlain } from '../../../src/lib/plain.ts'
import { bytesToHex, utf8 } from '../../../src/vault/bytes.ts'
import { signerOf } from './signer.ts'
import { read, type Suite, same } from './suite.ts'

interface Example {
  readonly typedData: { readonly types: object; readonly primaryType: string }
  readonly encodeType: string
  readonly typeHash: string
  readonly digest: string
  readonly signer: string
  readonly signature: { readonly r: string; readonly s: string; readonly v: number }
}

export const eip712: Suite = {
  name: 'EIP-712, through the vault’s requests',
  async run(load) {
    const example = await read<Example>(load, 'eip712/eips/mail-example.json')
    const text = JSON.stringify(example.typedData)
    same(`0x${bytesToHex(hashTypedData(parseTypedData(text)))}`, example.digest, 'digest')
    const structs = parseStructs(plain(example.typedData.types))
    const mail = structs.get(example.typedData.primaryType)
    const encoded = mail ? encodeType(mail, structs) : ''
    same(encoded, example.encodeType, 'encodeType')
    same(`0x${bytesToHex(keccak_256(utf8(encoded)))}`, example.typeHash, 'typeHash')

    // The standard's own key: the hash of "cow".
    const signer = await signerOf(`0x${bytesToHex(keccak_256(utf8('cow')))}`)
    same(signer.address, example.signer, 'signer')
    const { r, s, v } = example.signature
    const expected = `${r}${s.slice(2)}${v.toString(16)}`
    same(await signer.rpc('eth_signTypedData_v4', [signer.address, text]), expected, 'signature')
    return 'EIP-712: type, digest and signature of the standard’s example'
  },
}

function plain(value: object): PlainObject {
  const read = parsePlain(JSON.stringify(value), 10_000)
  if (!isPlainObject(read)) throw new Error('The example has no types')
  return read
}
