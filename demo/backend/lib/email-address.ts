import { domainToASCII } from 'node:url'
import { trimInvisible } from '../../../src/lib/typed-text.ts'

const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
/** Longer text is no address, whatever is around it. */
const MOST_CHARACTERS = 1_000
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/

/**
 * The one form in which an e-mail address is stored and compared: trimmed, lower case, an international domain in
 * its ASCII form. Returns `undefined` for what is no address (quoted names, comments and bare host names included).
 */
export function normaliseEmail(text: string): string | undefined {
  if (text.length > MOST_CHARACTERS) return undefined
  const trimmed = trimInvisible(text).toLowerCase()
  if (trimmed.length > 254) return undefined
  const at = trimmed.lastIndexOf('@')
  const local = trimmed.slice(0, at)
  if (at < 1 || local.length > 64 || !LOCAL_PART.test(local)) return undefined
  const domain = domainToASCII(trimmed.slice(at + 1))
  const labels = domain.split('.')
  if (labels.length < 2 || domain.length > 253) return undefined
  if (!labels.every((label) => label.length <= 63 && LABEL.test(label))) return undefined
  return /^\d+$/.test(labels.at(-1) ?? '') ? undefined : `${local}@${domain}`
}

/** Whether the name before the `@` carries a tag, as in `ada+news@example.com`. */
export const isPlusAddress = (email: string) => email.slice(0, email.lastIndexOf('@')).includes('+')

/** A mail service that delivers one name at several domains to one mailbox. */
interface MailService {
  domains: readonly string[]
  /** Characters of a name that the service overlooks. */
  ignored?: RegExp
}
const mailServices: readonly MailService[] = [
  { domains: ['gmail.com', 'googlemail.com'], ignored: /\./g },
  { domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], ignored: /[._-]/g },
  { domains: ['icloud.com', 'me.com', 'mac.com'] },
  { domains: ['yandex.com', 'yandex.ru', 'yandex.by', 'yandex.kz', 'ya.ru'] },
]

/**
 * Finds the mailbox that receives mail for a normalised address, to count what is sent there: tags after `+` and aliases of
 * a service's domain end in one mailbox. Users are known by the address as they gave it.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  // A name that begins with the sign has no tag.
  const name = email.slice(0, at).replace(/(?<=.)\+.*$/, '')
  const service = mailServices.find(({ domains }) => domains.includes(domain))
  if (!service) return `${name}@${domain}`
  const { ignored, domains } = service
  return `${ignored ? name.replace(ignored, '') : name}@${domains[0]}`
}

/** Whether a list names the address itself, or its domain as `@example.com`. */
export function emailListed(email: string, list: readonly string[]): boolean {
  const domain = email.slice(email.lastIndexOf('@'))
  return list.some((entry) => entry.toLowerCase() === email || entry.toLowerCase() === domain)
}
