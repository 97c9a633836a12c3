import { failure } from '../../app/failure/failure.tsx'
import { untilLoaded } from '../../app/failure/until-loaded.ts'
import { addWords, type PlainKey } from '../../copy/copy.ts'
import { account } from '../../copy/en/account.ts'
import { accounts as words } from '../../copy/en/accounts.ts'
import { code } from '../../copy/en/code.ts'
import { errors } from '../../copy/en/errors.ts'
import { gate } from '../../copy/en/gate.ts'
import { login } from '../../copy/en/login.ts'
import { wallet } from '../../copy/en/wallet.ts'
import { Closed } from '../../dialog/stage.ts'
import { type KitError, toKitError } from '../../errors/kit-error.ts'
import type { BackToStart, Login, LoginContext } from '../../login/context.ts'
import { kindOf, logInWith, resume } from '../../login/methods.ts'
import type { ReturnedLogin } from '../../login/redirect/returned-login.ts'
import type { User } from '../../protocol/user.ts'
import { proveAddress } from './address-flow.ts'
import { linkPasskey } from './link-passkey.tsx'
import { requireRoom } from './may-link.ts'

addWords(account, code, errors, gate, login, wallet, words)

export interface LinkRequest {
  readonly method: string
  /** What is written into the field of an address or a number. */
  readonly prefill?: string | undefined
  /** The person came from a larger screen, to which going back leads. */
  readonly canGoBack?: boolean | undefined
}

/** Adds an account to the person who is logged in. The login's own ceremonies do it, for another purpose. */
export async function link(cx: LoginContext, user: User, request: LinkRequest): Promise<Login> {
  const { method, prefill, canGoBack } = request
  try {
    requireRoom(user, method, cx.config.app)
  } catch (cause) {
    return refuse(cx, method, toKitError(cause))
  }
  return orClosed(
    await untilLoaded(cx, async () => {
      switch (kindOf(method)) {
        case 'email':
        case 'sms':
          return proveAddress(cx, method as 'email' | 'sms', { prefill, canGoBack })
        case 'wallet':
          return logInWith(cx, { method: 'wallet' })
        case 'passkey':
          return linkNewPasskey(cx, canGoBack)
        default:
          return logInWith(cx, { method })
      }
    }),
  )
}

/**
 * Verifies an address or a number, also one that the user has already.
 * @param known what is written into the field
 * @throws Closed when the user goes back
 */
export const verify = async (cx: LoginContext, via: 'email' | 'sms', known?: string): Promise<Login> =>
  orClosed(await untilLoaded(cx, () => proveAddress(cx, via, { prefill: known, canGoBack: true })))

/** Continues where a link left the page. */
export const resumeLink = async (cx: LoginContext, left: ReturnedLogin): Promise<Login> =>
  orClosed(await untilLoaded(cx, () => resume(cx, left)))

/** Before the first screen there is nothing to go back to. */
function orClosed(outcome: Login | BackToStart | 'back'): Login {
  if (outcome === 'back' || 'back' in outcome) throw new Closed('The person turned back')
  return outcome
}

/** Says why the account can't be added; the host gets the error. */
async function refuse(cx: LoginContext, method: string, error: KitError): Promise<never> {
  const { stage, t } = cx
  if (error.code === 'cannot_link_more_of_type') {
    const detail =
      kindOf(method) === 'passkey'
        ? t('account.link.limitPasskeys')
        : t('account.link.limit', { name: nameOf(cx, method) })
    await stage.ask(failure, { title: t('account.link.limitTitle'), detail, action: 'close' })
  }
  if (error.code === 'mfa_method_not_allowed') {
    const words = { title: t('error.notAllowed.title'), detail: t('error.smsFactor.detail') }
    await stage.ask(failure, { ...words, action: 'close' })
  }
  throw error
}

/** What a person calls a kind of account. */
function nameOf({ t }: LoginContext, method: string): string {
  const kind = kindOf(method)
  if (kind === 'cross-app') return t('account.type.crossApp')
  return kind === 'email' || kind === 'sms' ? t(`account.type.${kind}`) : t(`login.${method}` as PlainKey)
}

async function linkNewPasskey(cx: LoginContext, canGoBack: boolean | undefined): Promise<Login | 'back'> {
  for (;;) {
    if ((await cx.stage.ask(linkPasskey, { canGoBack })) === 'back') return 'back'
    const outcome = await logInWith(cx, { method: 'passkey' })
    if (!('back' in outcome)) return outcome
  }
}
