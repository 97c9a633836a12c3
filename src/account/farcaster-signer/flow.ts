import { handleFailure } from '../../app/failure/flow.ts'
import { addWords } from '../../copy/copy.ts'
import { farcaster } from '../../copy/en/farcaster.ts'
import { farcasterSigner } from '../../copy/en/farcaster-signer.ts'
import { Closed } from '../../dialog/stage.ts'
import { KitError, toKitError } from '../../errors/kit-error.ts'
import { isMobile } from '../../lib/device.ts'
import { onReturn, watch } from '../../lib/watch.ts'
import { farcasterVerdict, isRefusal, rejected } from '../../login/farcaster/errors.ts'
import { awaitingFarcasterSigner as screen } from '../../login/farcaster/farcaster.tsx'
import { loginLimits } from '../../login/limits.ts'
import { isApprovalUrl, signerStatus } from '../../protocol/farcaster-signer.ts'
import type { Http } from '../../protocol/http.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import { withWalletHere } from '../../wallets/flows.ts'
import { walletsLimits } from '../../wallets/limits.ts'

addWords(farcaster, farcasterSigner)

export interface RequestSigner {
  /** The wallet whose secret the key comes from. */
  readonly wallet: EmbeddedAccount
  readonly http: () => Http
}

/**
 * Has the user approve in their Farcaster app that a key of their vault signs for them. Resolves once the account has it.
 * @throws Closed if the user leaves, or the failure that they have seen
 */
export async function requestSigner(cx: WalletFlow, { wallet, http }: RequestSigner): Promise<void> {
  const { stage } = cx
  for (;;) {
    let uri: string | undefined
    try {
      const asked = await withWalletHere(cx, wallet, (embedded) =>
        stage.during(screen, { state: 'checking' }, (signal) => embedded.initFarcasterSigner(wallet, signal)),
      )
      if (asked.status === 'rejected') throw rejected()
      if (asked.status === 'pending') {
        if (!isApprovalUrl(asked.url))
          throw new KitError('malformed_response', 'The request has no address', { retryable: true })
        uri = asked.url
        await untilApproved(cx, http, asked.key, uri)
      }
      await stage.during(screen, { state: 'checking' }, async (signal) =>
        (await cx.wallets.embedded()).refresh(signal),
      )
      await stage.hold(screen, { state: 'done' }, walletsLimits.successVisible)
      return
    } catch (cause) {
      stage.signal.throwIfAborted()
      if (cause instanceof Closed) throw cause
      await askToRetry(cx, toKitError(cause), uri)
    }
  }
}

/** Shows what to scan or open until the user has decided in their app. */
async function untilApproved(cx: WalletFlow, http: () => Http, key: string, uri: string): Promise<void> {
  const { stage, clock, page } = cx
  const came = await stage.askDuring(screen, { state: 'waiting', ...askingOf(cx, uri) }, (signal) =>
    watch(clock, {
      every: loginLimits.farcasterPollEvery,
      limit: loginLimits.farcasterSignerLimit,
      signal,
      async ask(own) {
        const { status } = await signerStatus(http(), key, { signal: own, fromDialog: true })
        return status === 'pending' ? undefined : status
      },
      isEnd: isRefusal,
      onWake: (wake) => onReturn(page.window, wake),
    }),
  )
  if ('answer' in came) throw new Closed('The user turned back')
  const decided = came.done
  if (decided === 'rejected') throw rejected()
  if (decided === undefined)
    throw new KitError('farcaster_timeout', 'The request timed out. Try again.', { retryable: true })
}

/** Resolves once the user wants to try again. @throws the failure where they don't */
async function askToRetry(cx: WalletFlow, error: KitError, uri: string | undefined): Promise<void> {
  const isExpired = uri !== undefined && error.code === 'farcaster_timeout'
  const { next } = await handleFailure(cx, error, farcasterVerdict(error), async (failed) => {
    const expired = isExpired ? { expired: askingOf(cx, uri) } : {}
    const answer = await cx.stage.ask(screen, { state: 'failed', ...failed, ...expired })
    return answer === 'retry' ? 'retry' : 'close'
  })
  if (next !== 'again') throw error
}

const askingOf = ({ page, config }: WalletFlow, uri: string) => ({
  uri,
  mobile: isMobile(page.userAgent),
  logoUrl: config.logoUrl,
})
