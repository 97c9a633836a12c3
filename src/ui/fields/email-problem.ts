import { trimInvisible } from '../../lib/typed-text.ts'

/** Keys of the words to show. */
export type EmailProblem = 'login.email.invalid' | 'login.email.noPlus'

/**
 * Whether it is an ordinary address: no quotes, no comments; before the @ ASCII only, as mail servers without SMTPUTF8 take it, in
 * the domain letters of any script; a domain with a dot.
 */
function isAddress(local: string, domain: string): boolean {
  // Browsers take long to read what asks for letters of any script, so it is not read before somebody has typed something.
  const part = /^[a-z\d!#$%&'*+/=?^_`{|}~-]+(\.[a-z\d!#$%&'*+/=?^_`{|}~-]+)*$/i
  const label = /^[\p{L}\p{M}\p{N}]([\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u
  const top = /^(?=.*[\p{L}])[\p{L}\p{M}\p{N}-]{2,63}$/u
  const labels = domain.split('.')
  return (
    local.length <= 64 &&
    part.test(local) &&
    labels.length > 1 &&
    labels.every((each) => label.test(each)) &&
    top.test(labels.at(-1) ?? '')
  )
}

/** What is wrong with an e-mail address, as words to show; nothing if it can be used. */
export function emailProblem(
  value: string,
  { plusAllowed }: { plusAllowed: boolean },
): EmailProblem | undefined {
  const address = trimInvisible(value)
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const valid = at > 0 && address.length <= 254 && isAddress(local, address.slice(at + 1))
  if (!valid) return 'login.email.invalid'
  return plusAllowed || !local.includes('+') ? undefined : 'login.email.noPlus'
}
