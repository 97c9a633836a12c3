import type { ShowFailure } from '../../app/failure/flow.ts'
import { addWords } from '../../copy/copy.ts'
import { farcaster as words } from '../../copy/en/farcaster.ts'
import { type KitError, toKitError } from '../../errors/kit-error.ts'
import { isMobile } from '../../lib/device.ts'
import type { FarcasterApproval, FarcasterChannel } from '../../protocol/farcaster.ts'
import { walletsLimits } from '../../wallets/limits.ts'
import { attempt } from '../attempt.ts'
import type { LoginContext, LoginMethod } from '../context.ts'
import { prove } from '../prove.ts'
import { farcasterVerdict } from './errors.ts'
import { awaitingFarcaster as screen } from './farcaster.tsx'
import type { FarcasterAuth } from './service.ts'

addWords(words)

/** Loaded before anybody presses the row. */
export const prepare: LoginMethod['prepare'] = async (cx) => {
  await cx.auth.farcaster()
  return undefined
}

/** Logs in with Farcaster: the person approves on their phone. */
export const logIn: LoginMethod['logIn'] = async (cx) => {
  const { stage } = cx
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
        await stage.hold(screen, { state: 'done' }, walletsLimits.successVisible)
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

/** Shows what to scan or open until the person has approved or goes back. */
async function wait(cx: LoginContext, auth: FarcasterAuth, channel: FarcasterChannel): Promise<Asked> {
  const { stage } = cx
  try {
    const outcome = await stage.askDuring(screen, { state: 'waiting', ...askingOf(cx, channel) }, (signal) =>
      auth.approved(channel, { signal, fromDialog: true }),
    )
    return 'answer' in outcome ? 'back' : { approval: outcome.done }
  } catch (cause) {
    stage.signal.throwIfAborted()
    return { failure: toKitError(cause) }
  }
}

/** What the screen shows: a code to scan, or on a phone a link to the app. */
const askingOf = ({ page, config }: LoginContext, { uri }: FarcasterChannel) => ({
  uri,
  mobile: isMobile(page.userAgent),
  logoUrl: config.logoUrl,
})

/** A failure appears on this method's own screen; over the code, if that has expired. */
const showOn =
  (cx: LoginContext, expired?: FarcasterChannel): ShowFailure =>
  (failed) =>
    cx.stage.ask(screen, { state: 'failed', ...failed, ...(expired && { expired: askingOf(cx, expired) }) })
