import { KitError } from '../errors/kit-error.ts'

/** What a Solana wallet signs to log in. The fields are those of the Wallet Standard. */
export interface SiwsFields {
  /** Host, with its port. */
  readonly domain: string
  /** Base58. */
  readonly address: string
  /** May have several lines, but none that could be taken for a field. */
  readonly statement?: string | undefined
  readonly uri?: string | undefined
  readonly version?: string | undefined
  readonly chainId?: string | undefined
  readonly nonce?: string | undefined
  /** ISO 8601, as are the other times. */
  readonly issuedAt?: string | undefined
  readonly expirationTime?: string | undefined
  readonly notBefore?: string | undefined
  readonly requestId?: string | undefined
  readonly resources?: readonly string[] | undefined
}

/** The lines after the statement, in their order. */
const labels = {
  uri: 'URI',
  version: 'Version',
  chainId: 'Chain ID',
  nonce: 'Nonce',
  issuedAt: 'Issued At',
  expirationTime: 'Expiration Time',
  notBefore: 'Not Before',
  requestId: 'Request ID',
} as const
const names = Object.keys(labels) as (keyof typeof labels)[]
const fieldLine = new RegExp(`^(?:(?:${Object.values(labels).join('|')}): |Resources:|- )`, 'm')

/**
 * Builds the text of a Solana sign-in, as the Wallet Standard lays it out. Throws `invalid_data` where a
 * value would make another message of it: one with a line break or a space in the wrong place, or nothing at all.
 */
export function siwsMessage(fields: SiwsFields): string {
  const { domain, address, statement, resources } = fields
  const word = (name: string, text: string) => checked(name, text, /^[\x21-\x7e]+$/)
  const line = (name: string, text: string) => checked(name, text, /^[^\p{Cc}\p{Zl}\p{Zp}]+$/u)

  const head = `${word('domain', domain)} wants you to sign in with your Solana account:\n${word('address', address)}`
  const parts = [head]
  if (statement !== undefined) parts.push(statementOf(statement))
  const lines = names.flatMap((name) => {
    const text = fields[name]
    return text === undefined ? [] : [`${labels[name]}: ${line(name, text)}`]
  })
  if (resources) lines.push('Resources:', ...resources.map((each) => `- ${word('resources', each)}`))
  if (lines.length > 0) parts.push(lines.join('\n'))
  return parts.join('\n\n')
}

/** Several lines are allowed, but none that a reader could take for something else. */
function statementOf(text: string): string {
  const bad = text.trim() !== text || fieldLine.test(text) || /[^\P{Cc}\n]|[\p{Zl}\p{Zp}]/u.test(text)
  if (bad || text === '') throw wrong('statement')
  return text
}

function checked(name: string, text: string, good: RegExp): string {
  if (typeof text !== 'string' || !good.test(text)) throw wrong(name)
  return text
}

const wrong = (name: string) =>
  new KitError('invalid_data', 'The sign-in message could not be generated', {
    details: `${name} has an invalid value`,
  })
