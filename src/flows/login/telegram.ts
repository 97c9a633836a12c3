import type { TelegramAuth } from '../../auth/telegram.ts'
import { learn } from '../../copy/copy.ts'
import { telegram as words } from '../../copy/en/telegram.ts'
import { limits } from '../../core/limits.ts'
import { type KitError, toKitError } from '../../errors/kit-error.ts'
import { telegramVerdict } from '../../errors/telegram.ts'
import { telegram as screen } from '../../screens/login/telegram.tsx'
import type { TelegramProof } from '../../wire/telegram.ts'
import { passCaptcha } from './captcha.ts'
import type { BackToStart, Login, LoginContext, Way, WayModule } from './context.ts'
import { prove } from './prove.ts'

learn(words)

/** The script is there before anybody presses the row, so that Telegram's page opens at once. */
export const prepare: WayModule['prepare'] = async (cx) => {
  await (await cx.auth.telegram()).prepare({ signal: cx.signal })
  return undefined
}

/** Logs in with Telegram, which asks the person in a window of its own. Spec §4 "Telegram". */
export const way: Way = (cx) => loginWithTelegram(cx)

/** The same for somebody whom Telegram has answered already; another try asks again. */
export async function loginWithTelegram(
  cx: LoginContext,
  known?: TelegramProof,
): Promise<Login | BackToStart> {
  const { stage, clock } = cx
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
        const login = await stage.during(screen, { state: 'checking' }, () =>
          auth.loginWith(proof, input, { signal }),
        )
        const wait = (own: AbortSignal) => clock.sleep(limits.successVisible, own)
        await stage.during(screen, { state: 'done' }, wait).catch(() => {})
        return login
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

/** After these the server has not judged what Telegram said: it can be sent once more. */
const stillGood: ReadonlySet<string> = new Set([
  ...['network_unavailable', 'client_request_timeout', 'too_many_requests'],
  ...['invalid_captcha', 'captcha_timeout', 'captcha_failure'],
])

type Asked = { proof: TelegramProof } | { failure: KitError } | 'back' | undefined

/** Waits for the window in which Telegram asks, or until the person turns back. */
async function ask(
  cx: LoginContext,
  auth: TelegramAuth,
  window: Window | null | undefined,
): Promise<NonNullable<Asked>> {
  const { stage, options } = cx
  const left = new AbortController()
  const back = stage.ask(screen, { state: 'window' }).then(() => {
    left.abort()
    return 'back' as const
  })
  const answer = auth
    .ask({
      window,
      signal: AbortSignal.any([stage.signal, left.signal]),
      disableSignup: options.disableSignup,
      run: { surface: cx.surface, loginMethods: options.loginMethods, prefill: options.prefill },
    })
    .then(
      (proof) => ({ proof }),
      (cause: unknown) => ({ failure: toKitError(cause) }),
    )
  const outcome = await Promise.race([back, answer])
  stage.signal.throwIfAborted()
  return outcome
}
