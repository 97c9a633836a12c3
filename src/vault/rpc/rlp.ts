import { type Bytes, concatBytes, hexToBytes } from '../bytes.ts'

/** What Ethereum serialises: bytes, numbers that are not negative, and lists of these. */
export type Rlp = Uint8Array | bigint | readonly Rlp[]

const SHORT = 55
const TEXT = 0x80
const LIST = 0xc0

/** RLP of Ethereum's yellow paper, appendix B. */
export function rlp(item: Rlp): Bytes {
  if (item instanceof Uint8Array)
    return item.length === 1 && (item[0] ?? 0) < TEXT ? item.slice() : framed(TEXT, item)
  if (typeof item === 'bigint') return rlp(toBytes(item))
  return framed(LIST, concatBytes(...item.map(rlp)))
}

function framed(kind: number, content: Uint8Array): Bytes {
  if (content.length <= SHORT) return concatBytes(Uint8Array.of(kind + content.length), content)
  const length = toBytes(BigInt(content.length))
  return concatBytes(Uint8Array.of(kind + SHORT + length.length), length, content)
}

/** The shortest big-endian bytes; none at all for zero. */
function toBytes(number: bigint): Bytes {
  if (number === 0n) return new Uint8Array()
  const hex = number.toString(16)
  return hexToBytes(hex.length % 2 === 0 ? hex : `0${hex}`)
}
