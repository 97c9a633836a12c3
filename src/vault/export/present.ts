import { recoveryMethods } from '../../protocol/frame/calls.ts'
import type { VaultContext } from '../context.ts'
import { VaultError } from '../errors.ts'
import type { RootName } from '../model.ts'
import { wrongPassword } from '../recovery/errors.ts'
import { provePresent } from '../recovery/present.ts'
import { fetchPackage } from '../server/recovery.ts'
import type { Token } from '../token.ts'
import { element } from './dom.ts'
import { words } from './words.ts'

export interface Proving {
  readonly root: RootName
  /** The wallet, by which a password manager finds its entry. */
  readonly address: string
  /** The person's login, as long as it is good. Throws a {@link VaultError}. */
  login(): Token
  /** Puts the field into the page. */
  draw(form: HTMLElement): void
  /** Aborted when the person has logged out. */
  readonly ended: AbortSignal
}

/**
 * Has a person prove their recovery password in a field of this page, which the page around never sees: clients that know of no such
 * proof go on as well. Resolves once it is right. Throws a {@link VaultError} for a wallet that is recovered in another way.
 */
export async function provePassword(
  { document }: Window,
  cx: VaultContext,
  { root, address, login, draw, ended }: Proving,
): Promise<void> {
  const { method } = await fetchPackage(cx, login(), root)
  if (method !== recoveryMethods.password)
    throw new VaultError('recovery_proof_required', words.proveElsewhere)
  const owner = element(document, 'input', { name: 'username', autocomplete: 'username', value: address })
  owner.hidden = true
  const field = element(document, 'input', {
    type: 'password',
    name: 'password',
    autocomplete: 'current-password',
    'aria-label': words.password,
    placeholder: words.password,
    'aria-describedby': 'problem',
  })
  const button = element(document, 'button', { type: 'submit', text: words.proceed })
  const problem = element(document, 'p', { id: 'problem', class: 'status', role: 'alert' })
  const row = element(document, 'div', { class: 'row' }, field, button)
  const why = element(document, 'p', { class: 'note', text: words.prove })
  const form = element(document, 'form', {}, why, owner, row, problem)
  await new Promise<void>((resolve, reject) => {
    let busy = false
    ended.addEventListener('abort', () => reject(ended.reason))
    form.addEventListener('submit', async (event) => {
      event.preventDefault()
      const password = field.value
      if (!event.isTrusted || busy || password === '') return
      busy = true
      button.ariaDisabled = 'true'
      problem.textContent = ''
      try {
        await provePresent(cx, login(), root, { password })
        resolve()
      } catch (cause) {
        problem.textContent = problemOf(cause)
        field.select()
      }
      busy = false
      button.ariaDisabled = 'false'
    })
    draw(form)
  })
}

function problemOf(cause: unknown): string {
  if (!(cause instanceof VaultError)) return words.failed
  return cause.type === wrongPassword().type ? words.wrongPassword : cause.message
}
