import type { Address } from 'viem'
import { readEthereumAddress } from '../../chains/address.ts'
import { isAuthority, isField, type MessageFields, readFields } from '../wallet/message-fields.ts'

/** What a Sign-In-With-Ethereum message says (ERC-4361). */
export interface SiweMessage extends Omit<MessageFields, 'chainId'> {
  scheme?: string
  /** Host and port of the page. */
  domain: string
  /** In its EIP-55 form. */
  address: Address
  statement?: string
  uri: string
  version: string
  chainId: number
  nonce: string
  issuedAt: string
}

const first =
  /^(?:([A-Za-z][A-Za-z\d+.-]{0,31}):\/\/)?(\S{1,400}) wants you to sign in with your Ethereum account:$/

/**
 * Reads a message to the letter of ERC-4361: every field in its place and nothing between. `undefined`: it is none.
 * Whether it is true is another question.
 */
export function readSiweMessage(text: string): SiweMessage | undefined {
  const lines = text.split('\n')
  const [, scheme, domain] = first.exec(lines[0] ?? '') ?? []
  const address = readEthereumAddress(lines[1] ?? '')
  if (domain === undefined || !isAuthority(domain) || !address || address !== lines[1]) return undefined
  // An empty line, the statement if there is one, and an empty line again.
  const statement = lines[3] || undefined
  const fieldsAt = statement === undefined ? 4 : 5
  if (lines[2] !== '' || lines[fieldsAt - 1] !== '') return undefined
  if (statement !== undefined && (isField(statement) || /\p{Cc}/u.test(statement))) return undefined

  const fields = readFields(lines.slice(fieldsAt))
  const { uri, version, chainId, nonce, issuedAt, ...rest } = fields ?? {}
  if (!uri || !version || !nonce || !issuedAt || !/^[1-9]\d{0,15}$/.test(chainId ?? '')) return undefined
  if (!Number.isSafeInteger(Number(chainId))) return undefined
  return {
    ...(scheme !== undefined && { scheme: scheme.toLowerCase() }),
    ...(statement !== undefined && { statement }),
    domain,
    address,
    uri,
    version,
    chainId: Number(chainId),
    nonce,
    issuedAt,
    ...rest,
  }
}
