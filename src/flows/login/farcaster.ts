import type { FarcasterAuth } from '../../auth/farcaster.ts'
import { learn } from '../../copy/copy.ts'
import { farcaster as words } from '../../copy/en/farcaster.ts'
import { isMobile } from '../../core/device.ts'
import { limits } from '../../core/limits.ts'
import { farcasterVerdict } from '../../errors/farcaster.ts'
import { type KitError, toKitError } from '../../errors/kit-error.ts'
import { awaitingFarcaster as screen } from '../../screens/login/farcaster.tsx'
import type { FarcasterApproval, FarcasterChannel } from '../../wire/farcaster.ts'
import { attempt } from './attempt.ts'
import type { LoginContext, Way } from './context.ts'
import type { ShowFailure } from './gates.ts'
import { prove } from './prove.ts'

learn(words)

/** Logs in with Farcaster: the person approves on their phone. Spec §4 "Farcaster". */
export const way: Way = async (cx) => {
  const { stage, clock } = cx
  const { signal } = stage
  const disableSignup = cx.options.disableSignup ?? false
  const auth = await cx.auth.farcaster()
  const call = { signal, fromDialog: true }
  for (;;) {
    const opened = await attempt(cx, (captchaToken) => auth.open({ captchaToken }, call), {
      verdict: farcasterVerdict,
      show: showOn(cx),
    })
    if ('back' in opened) return opened
    const channel = opened.done
    const asked = await wait(cx, auth, channel)
    if (asked === 'back') return { back: true }
    const { approval, failure } = { approval: undefined, failure: undefined, ...asked }

    const proved = await prove(cx, {
      async work() {
        if (!approval) throw failure
        const login = await stage.during(screen, { state: 'checking' }, () =>
          auth.loginWith({ ...approval, channel }, { disableSignup }, call),
        )
        const shown = (own: AbortSignal) => clock.sleep(limits.successVisible, own)
        await stage.during(screen, { state: 'done' }, shown).catch(() => {})
        return login
      },
      verdict: farcasterVerdict,
      ...(approval && {
        conflict: {
          title: cx.t('account.conflict.profile', { kind: 'Farcaster' }),
          account: `Farcaster ${approval.fid}`,
          transfer: (offer) => auth.transfer({ offer, fid: approval.fid }, { signal }),
        },
      }),
      show: showOn(cx, failure?.code === 'farcaster_timeout' ? channel : undefined),
    })
    if ('login' in proved) return proved.login
    if ('back' in proved) return proved
  }
}

type Asked = { approval: FarcasterApproval } | { failure: KitError } | 'back'

/** Shows what to scan or to open until the person has approved, or turns back. */
async function wait(cx: LoginContext, auth: FarcasterAuth, channel: FarcasterChannel): Promise<Asked> {
  const { stage } = cx
  const left = new AbortController()
  const close = () => left.abort(stage.signal.reason)
  stage.signal.addEventListener('abort', close, { once: true })
  const answered = stage.ask(screen, { state: 'waiting', ...askingOf(cx, channel) }).then((): Asked => {
    left.abort()
    return 'back'
  })
  const approved = auth.approved(channel, { signal: left.signal, fromDialog: true }).then(
    (approval): Asked => ({ approval }),
    (cause: unknown): Asked => ({ failure: toKitError(cause) }),
  )
  try {
    const outcome = await Promise.race([answered, approved])
    stage.signal.throwIfAborted()
    return outcome
  } finally {
    stage.signal.removeEventListener('abort', close)
  }
}

/** What stands on the screen: a code to scan, or on a phone the app itself. */
const askingOf = ({ page, config }: LoginContext, { uri }: FarcasterChannel) => ({
  uri,
  mobile: isMobile(page.userAgent),
  logoUrl: config.logoUrl,
})

/** A failure stands on this method's own screen; over the code, where that has run out. */
const showOn =
  (cx: LoginContext, expired?: FarcasterChannel): ShowFailure =>
  (failed) =>
    cx.stage.ask(screen, { state: 'failed', ...failed, ...(expired && { expired: askingOf(cx, expired) }) })
