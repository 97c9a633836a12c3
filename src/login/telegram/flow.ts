import { addWords } from '../../copy/copy.ts'
import { telegram as words } from '../../copy/en/telegram.ts'
import { type KitError, toKitError } from '../../errors/kit-error.ts'
import { type TelegramProof, webAppProof, widgetProof } from '../../protocol/telegram.ts'
import { walletsLimits } from '../../wallets/limits.ts'
import { passCaptcha } from '../captcha/pass.ts'
import type { BackToStart, Login, LoginContext, LoginMethod } from '../context.ts'
import { prove } from '../prove.ts'
import { telegramVerdict } from './errors.ts'
import { isRefusedByPage, type TelegramAuth } from './service.ts'
import { telegram as screen } from './telegram.tsx'

addWords(words)

/** The script is loaded before anybody presses the row, so that Telegram's page opens at once. */
export const prepare: LoginMethod['prepare'] = async (cx) => {
  try {
    await (await cx.auth.telegram()).prepare({ signal: cx.signal })
    return undefined
  } catch (cause) {
    if (isRefusedByPage(cause)) return 'unavailable'
    throw cause
  }
}

/** Logs in with Telegram, which asks the person in a separate window. */
export const logIn: LoginMethod['logIn'] = (cx) => loginWithTelegram(cx)

/** Continues with what Telegram has already sent; another try asks again. */
export const resume: LoginMethod['resume'] = async (cx, { returned }) => {
  const proof =
    returned.kind === 'mini-app'
      ? webAppProof(returned.data)
      : returned.kind === 'telegram'
        ? widgetProof(returned.fields)
        : undefined
  return proof ? loginWithTelegram(cx, proof) : { back: true }
}

async function loginWithTelegram(cx: LoginContext, known?: TelegramProof): Promise<Login | BackToStart> {
  const { stage } = cx
  const { signal } = stage
  const disableSignup = cx.options.disableSignup ?? false
  let window = stage.takeWindow()
  const auth = await cx.auth.telegram()
  let asked: Asked = known && { proof: known }
  let failed = ''
  const asksAgain = () => !stillGood.has(failed)
  for (;;) {
    asked ??= await ask(cx, auth, window)
    if (asked === 'back') return { back: true }
    const captcha = 'proof' in asked ? await passCaptcha(cx) : { token: undefined }
    if (captcha === 'back') return { back: true }
    const { proof, failure } = { proof: undefined, failure: undefined, ...asked }
    const proved = await prove(cx, {
      async work() {
        if (!proof) throw failure
        const input = { disableSignup, captchaToken: captcha.token }
        const outcome = await stage.askDuring(screen, { state: 'checking' }, (signal) =>
          auth.loginWith(proof, input, { signal }),
        )
        if (!('done' in outcome)) return 'back'
        await stage.hold(screen, { state: 'done' }, walletsLimits.successVisible)
        return outcome.done
      },
      verdict(error) {
        failed = error.code
        return telegramVerdict(error)
      },
      ...(proof && {
        conflict: {
          title: cx.t('account.conflict.profile', { kind: 'Telegram' }),
          account: 'Telegram',
          transfer: ({ nonce }) => auth.transfer({ nonce, proof }, { signal }),
        },
      }),
      show: async (failure) => stage.ask(screen, { state: 'failed', ...failure, asks: asksAgain() }),
    })
    if ('login' in proved) return proved.login
    if ('back' in proved) return proved
    if (asksAgain()) asked = undefined
    window = stage.takeWindow()
  }
}

/** After these the server has not judged Telegram's data, so they can be sent again. */
const stillGood: ReadonlySet<string> = new Set([
  ...['network_unavailable', 'client_request_timeout', 'too_many_requests'],
  ...['invalid_captcha', 'captcha_timeout', 'captcha_failure'],
])

type Asked = { proof: TelegramProof } | { failure: KitError } | 'back' | undefined

/** Waits for Telegram's window, or until the person goes back. */
async function ask(
  cx: LoginContext,
  auth: TelegramAuth,
  window: Window | null | undefined,
): Promise<NonNullable<Asked>> {
  const { stage, options } = cx
  try {
    const outcome = await stage.askDuring(screen, { state: 'window' }, (signal) =>
      auth.ask({
        window,
        signal,
        disableSignup: options.disableSignup,
        run: {
          surface: cx.surface,
          from: cx.from,
          loginMethods: options.loginMethods,
          prefill: options.prefill,
        },
      }),
    )
    return 'answer' in outcome ? 'back' : { proof: outcome.done }
  } catch (cause) {
    stage.signal.throwIfAborted()
    return { failure: toKitError(cause) }
  }
}
