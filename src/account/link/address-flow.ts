import { addWords } from '../../copy/copy.ts'
import { accounts as words } from '../../copy/en/accounts.ts'
import { login } from '../../copy/en/login.ts'
import type { BackToStart, Login, LoginContext } from '../../login/context.ts'
import { logInWith } from '../../login/methods.ts'
import { type EnterAddressProps, enterAddress } from './enter-address.tsx'

addWords(words, login)

/**
 * Asks for an address or a number, and for the code that is sent there, until that has led somewhere. What becomes of it
 * is the purpose of the context: it is added, or it replaces the old one. Somebody who came from a larger screen may go back
 * to it.
 */
export async function proveAddress(
  cx: LoginContext,
  via: EnterAddressProps['via'],
  { prefill, canGoBack }: { prefill?: string | undefined; canGoBack?: boolean | undefined },
): Promise<Login | 'back'> {
  const { stage, config, purpose, t } = cx
  const old = purpose.kind === 'update' ? purpose.old : undefined
  const { shown = (text: string) => text } = await cx.methods[via]()
  const awaited = cx.awaited?.type === (via === 'sms' ? 'phone' : via) ? cx.awaited.value : ''
  let value = prefill ?? awaited
  let error: string | undefined
  for (;;) {
    const answer = await stage.ask(enterAddress, {
      via,
      value,
      error,
      canGoBack,
      old: old === undefined ? undefined : shown(old),
      plusAllowed: config.plusEmailsAllowed,
      country: config.host.intl?.defaultCountry,
    })
    if (answer === 'back') return answer
    value = answer.address
    if (old !== undefined && value.toLowerCase() === old.toLowerCase()) {
      error = t(`account.update.${via}Same`)
      continue
    }
    const outcome: Login | BackToStart = await logInWith(cx, { method: via, value })
    if (!('back' in outcome)) return outcome
    error = outcome.error
  }
}
