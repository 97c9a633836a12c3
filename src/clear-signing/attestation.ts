/**
 * Auditors' signatures of descriptors (ERC-8176), carried in attestations of EAS that live off the chain. They are verified here, with
 * nothing but the signature. That one was revoked later is written on chain alone, and can't be seen here.
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { parseEthereumAddress } from '../ethereum/address.ts'
import { isWellFormed } from '../ethereum/hex.ts'
import { parseInteger } from '../ethereum/integer.ts'
import { recoverAddress } from '../ethereum/recover.ts'
import { hashTypedData, parseTypedData } from '../ethereum/typed-data.ts'
import { InvalidRequest } from '../lib/invalid-request.ts'
import { isPlainObject, type Plain, type PlainObject, readPlain } from '../lib/plain.ts'
import { getProperty } from './descriptor.ts'
import { MAX_DESCRIPTOR } from './limits.ts'

/** The schema of ERC-8176 at EAS: one field, the descriptor's hash. */
const SCHEMA = '0xe023eef113c1670774801c34b377fdf612dd8a4d2fa92fe382e15bd91fafb5c2'
/** EAS on Ethereum, where its auditors sign. */
const DOMAIN = {
  name: 'EAS Attestation',
  chainId: 1,
  verifyingContract: '0xA1207F3BBa224E2c9c3c6D5aF63D0eb1582Ce587',
}
const TYPES = {
  Attest: [
    { name: 'version', type: 'uint16' },
    { name: 'schema', type: 'bytes32' },
    { name: 'recipient', type: 'address' },
    { name: 'time', type: 'uint64' },
    { name: 'expirationTime', type: 'uint64' },
    { name: 'revocable', type: 'bool' },
    { name: 'refUID', type: 'bytes32' },
    { name: 'data', type: 'bytes' },
    { name: 'salt', type: 'bytes32' },
  ],
}
const MAX_ATTESTATION = 16_384

/** An auditor's signature that fits the descriptor. */
export interface Attestation {
  /** The auditor's address, with its checksum. */
  readonly auditor: string
  /** Seconds since 1970 of the signature, and of its end if it has one. */
  readonly time: number
  readonly expiresAt?: number | undefined
}

/** JSON in the one form of RFC 8785; `undefined` for what has none, such as numbers beyond JSON's or half characters. */
export function canonicalJson(value: Plain): string | undefined {
  if (typeof value === 'bigint') return undefined
  if (typeof value === 'string') return isWellFormed(value) ? JSON.stringify(value) : undefined
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const parts: (string | undefined)[] = Array.isArray(value)
    ? value.map(canonicalJson)
    : // `sort` compares UTF-16 units, as the RFC does.
      Object.keys(value)
        .sort()
        .map((key) => {
          const [name, text] = [canonicalJson(key), canonicalJson(getProperty(value, key) ?? null)]
          return name === undefined || text === undefined ? undefined : `${name}:${text}`
        })
  if (parts.some((part) => part === undefined)) return undefined
  return Array.isArray(value) ? `[${parts.join()}]` : `{${parts.join()}}`
}

/** The hash by which a descriptor is attested (ERC-8176): of the file as it is, before its includes are merged. */
export function descriptorHash(raw: unknown): string | undefined {
  const plain = readPlain(raw, MAX_DESCRIPTOR)
  const text = isPlainObject(plain) ? canonicalJson(plain) : undefined
  return text && `0x${bytesToHex(keccak_256(utf8ToBytes(text)))}`
}

/**
 * Verifies an attestation file, as `registry/<entity>/sigs` has it, for a descriptor with this hash.
 * @param now seconds since 1970, for an attestation that ends
 * @returns `undefined` if it is not by its signer, not for this descriptor, of another schema or domain, or has ended
 */
export function verifyAttestation(raw: unknown, hash: string, now?: number): Attestation | undefined {
  const plain = readPlain(raw, MAX_ATTESTATION)
  const sig = getProperty(plain, 'sig')
  const message = getProperty(sig, 'message')
  const signature = getProperty(sig, 'signature')
  const signer = parseEthereumAddress(getProperty(plain, 'signer'))
  if (!isPlainObject(message) || !isPlainObject(signature) || !signer) return undefined
  const domain = readDomain(getProperty(sig, 'domain'))
  if (!domain || message.schema !== SCHEMA || message.data !== hash.toLowerCase()) return undefined
  const [time, expiresAt] = [parseInteger(message.time), parseInteger(message.expirationTime)]
  if (time === undefined || expiresAt === undefined) return undefined
  if (expiresAt !== 0n && now !== undefined && expiresAt <= BigInt(now)) return undefined
  const digest = hashAttestation(domain, message)
  const compact = readSignature(signature)
  if (!digest || !compact || recoverAddress(compact, digest) !== signer) return undefined
  return { auditor: signer, time: Number(time), ...(expiresAt !== 0n && { expiresAt: Number(expiresAt) }) }
}

/** The domain that was signed, if it is that of EAS on Ethereum; only its version may be another. */
function readDomain(domain: Plain | undefined): PlainObject | undefined {
  if (!isPlainObject(domain)) return undefined
  const { name, version, chainId, verifyingContract } = domain
  const isRight =
    name === DOMAIN.name &&
    typeof version === 'string' &&
    parseInteger(chainId) === BigInt(DOMAIN.chainId) &&
    parseEthereumAddress(verifyingContract) === DOMAIN.verifyingContract
  return isRight ? { ...DOMAIN, version: version as string } : undefined
}

function hashAttestation(domain: PlainObject, message: PlainObject): Uint8Array | undefined {
  try {
    const typed = parseTypedData({ types: TYPES, primaryType: 'Attest', domain, message })
    return hashTypedData(typed)
  } catch (error) {
    if (error instanceof InvalidRequest) return undefined
    throw error
  }
}

/** 65 bytes: which of the points it is, then `r` and `s`. */
function readSignature({ r, s, v }: PlainObject): Uint8Array | undefined {
  const isWord = (value: Plain | undefined): value is string =>
    typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)
  if (!isWord(r) || !isWord(s) || (v !== 27 && v !== 28)) return undefined
  return hexToBytes(`0${v - 27}${r.slice(2)}${s.slice(2)}`)
}
