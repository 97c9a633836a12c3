import { type KitError, toKitError } from '../../errors/kit-error.ts'
import type { Verdict } from '../../errors/verdict.ts'
import { unreachable } from '../../wallets/approval/flow.ts'
import { embeddedWalletVerdict } from '../../wallets/embedded/errors.ts'
import { attempt } from '../attempt.ts'
import type { BackToStart, Login, LoginContext, LoginMethod } from '../context.ts'
import { loginLimits } from '../limits.ts'
import { prove } from '../prove.ts'
import { type CodeBoxes, ownBoxes } from './boxes.ts'
import { loginCodeVerdict, wasRight } from './errors.ts'
import type { CodeAuth } from './service.ts'
import { prepareBoxes, vaultBoxes, vaultTakesCode } from './vault-boxes.ts'

/** Where a code goes, and how that is described. */
interface CodeLogin {
  auth: CodeAuth
  via: 'email' | 'sms'
  /** As the server takes it. */
  to: string
  /** As a person reads it. */
  shown: string
  conflictTitle: string
  /** Failures of sending this kind of code that mean something else than for every code. */
  verdict?: (error: KitError) => Verdict
}

/** From an address to a person who has proved that it is theirs. */
export async function loginWithCode(cx: LoginContext, login: CodeLogin): Promise<Login | BackToStart> {
  const { auth, via, to, shown } = login
  const boxes = vaultTakesCode(cx) ? vaultBoxes(cx, auth, { via, to, shown }) : ownBoxes(cx, auth)
  try {
    return await untilLoggedIn(cx, login, boxes)
  } finally {
    boxes.close?.()
  }
}

async function untilLoggedIn(
  cx: LoginContext,
  { auth, via, to, shown, conflictTitle, verdict }: CodeLogin,
  boxes: CodeBoxes,
): Promise<Login | BackToStart> {
  const { stage, clock } = cx
  const { signal } = stage
  const disableSignup = cx.options.disableSignup ?? false
  let resendAt = 0
  const send = () =>
    attempt(
      cx,
      async (captchaToken) => {
        await auth.sendCode({ to, disableSignup, captchaToken }, { signal, fromDialog: true }, boxes.send)
        resendAt = clock.now() + loginLimits.resendCooldown
      },
      { ...(verdict && { verdict }) },
    )

  // After going back or reloading, the same address means the same person waiting for the code that was already sent.
  const before = auth.sentAt({ to, disableSignup })
  if (before !== undefined && clock.now() < before + loginLimits.resendCooldown)
    resendAt = before + loginLimits.resendCooldown
  else {
    const sent = await send()
    if ('back' in sent) return sent
  }
  if (cx.purpose.kind === 'login' && cx.config.createOnLogin !== 'off') {
    const ahead = cx.wallets.embedded().then((embedded) => embedded.prepare())
    // A failure shows when the wallet is created.
    ahead.catch(() => {})
  }

  let error: string | undefined
  for (;;) {
    const resendIn = Math.max(0, resendAt - clock.now())
    const answer = await boxes.ask({ to: shown, via, resendIn, ...(error && { error }) })
    error = undefined
    if (answer === 'back') return { back: true }
    if (answer === 'resend') {
      // Without a new code the one that was sent is still good.
      const again = await send()
      if ('back' in again) error = again.error
      continue
    }
    const logIn = () =>
      prove(cx, {
        work: () =>
          answer.login().catch((cause: unknown) => {
            if (wasRight(toKitError(cause))) auth.usedUp()
            throw cause
          }),
        verdict: (error) =>
          unreachable.has(error.code) ? embeddedWalletVerdict(error) : loginCodeVerdict(error),
        conflict: {
          title: conflictTitle,
          account: shown,
          transfer: ({ nonce }) => auth.transfer({ nonce, to }, { signal }),
        },
      })
    let proved = await logIn()
    while (answer.kept && 'next' in proved && proved.next === 'again') proved = await logIn()
    if ('login' in proved) return proved.login
    if ('back' in proved) return proved
    if (proved.next === 'stay') error = proved.error
  }
}

/** Loaded before an address is submitted, so that losing the network in between does no harm. */
export const prepare: LoginMethod['prepare'] = async (cx) => {
  await Promise.all([cx.auth.email(), prepareBoxes(cx)])
  return undefined
}

/** Logs in with a code sent by e-mail. */
export const logIn: LoginMethod['logIn'] = async (cx, { value: email = '' }) =>
  loginWithCode(cx, {
    auth: await cx.auth.email(),
    via: 'email',
    to: email,
    shown: email,
    conflictTitle: cx.t('account.conflict.email'),
  })
