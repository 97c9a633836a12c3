import { failure } from '../../../app/failure/failure.tsx'
import { addWords, type Translate } from '../../../copy/copy.ts'
import { accountChange as words } from '../../../copy/en/account-change.ts'
import { errors } from '../../../copy/en/errors.ts'
import { Closed, type Stage } from '../../../dialog/stage.ts'
import { enrolmentRequired, VaultError } from '../../errors.ts'
import { parseRootName } from '../../keys/address.ts'
import { vaultLimits } from '../../limits.ts'
import {
  type AccountChange,
  approveChange,
  rejectChange,
  reviewChange,
} from '../../server/account-changes.ts'
import { isFrozen, unfreezeOn } from '../frozen/flow.ts'
import type { PurposeFlow } from '../purpose.ts'
import { type Asking, isTooMany, untilReached, wordsFor } from '../recover/ask.ts'
import { enrolOn, type Wanted } from '../recover/enrol.ts'
import { accountChange as screen } from './account-change.tsx'
import { describeChange } from './describe.ts'

addWords(words, errors)

/** Gives the wallet that the user proves to be theirs where this browser isn't known yet, if the page has named one. */
type FindWallet = () => Promise<Wanted | undefined>

/** Makes a change of the user's accounts or sessions once they have agreed to it. */
export const accountChange: PurposeFlow<'account-change'> = async (cx) => {
  const { change, link, root: named, address } = cx.asked.get()
  const findWallet = async () => {
    const root = named && (await parseRootName(named.chainType, named.address))
    return root && { root, address: address ?? named.address }
  }
  if (change !== undefined) await approveAccountChange(cx, change, findWallet)
  else if (link !== undefined) await linkAccount(cx, link, findWallet)
  else throw new VaultError('invalid_request_arguments', 'The request names no change')
  return { changed: true }
}

/**
 * Makes a pending change once the user has agreed, in the vault's own window, to what the server says it is. A browser that is new to
 * their wallets is confirmed first, in the same window. Throws `Closed` if they don't agree, and a `VaultError`.
 */
export async function approveAccountChange(
  cx: Asking,
  id: string,
  findWallet: FindWallet = async () => undefined,
): Promise<void> {
  // What ends here needs no window.
  const known = await reviewed(cx, cx.stage, id).catch((cause: unknown) => {
    if (barrierOf(cause)) return undefined
    throw cause
  })
  const work = async (stage: Stage) =>
    approveOn(cx, stage, known ?? (await reviewedHere(cx, stage, id, findWallet)), findWallet)
  try {
    await cx.approving('high', work, 'change')
  } catch (cause) {
    if (cause instanceof Closed) await reject(cx, id)
    throw cause
  }
}

/** Has the user log in with an account and agree to its linking, all in one window. Throws `Closed`, and a `VaultError`. */
async function linkAccount(cx: Asking, provider: string, findWallet: FindWallet): Promise<void> {
  let pending: string | undefined
  const work = async (stage: Stage) => {
    const { linkWithProvider } = await import('../providers/prove.ts')
    const came = await withoutBarrier(cx, stage, findWallet, () => linkWithProvider(cx, stage, provider))
    if (came === 'back') throw new Closed('The user turned back')
    pending = came.done
    if (pending === undefined) return
    await approveOn(cx, stage, await reviewedHere(cx, stage, pending, findWallet), findWallet)
  }
  try {
    await cx.approving('high', work, 'change')
  } catch (cause) {
    if (cause instanceof Closed && pending !== undefined) await reject(cx, pending)
    throw cause
  }
}

/** Repeats what a new browser or a frozen account refuses, once the user has removed that. */
async function withoutBarrier<T>(
  cx: Asking,
  stage: Stage,
  findWallet: FindWallet,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (cause) {
      stage.signal.throwIfAborted()
      await removeBarrier(cx, stage, cause, findWallet)
    }
  }
}

/** What stands before a review, and can be removed by the user. */
const barrierOf = (cause: unknown): 'enrolment' | 'freeze' | undefined => {
  if (isFrozen(cause)) return 'freeze'
  return cause instanceof VaultError && cause.type === enrolmentRequired().type ? 'enrolment' : undefined
}

/** Reads what changes. One that can't be approved any more is shown as that, and is the failure. */
async function reviewed(cx: Asking, stage: Stage, id: string): Promise<AccountChange> {
  try {
    return await untilReached(cx, stage, async () => reviewChange(cx.vault, await cx.token(), id))
  } catch (cause) {
    stage.signal.throwIfAborted()
    throw isExpired(cause) ? await showExpired(cx, stage, cause) : cause
  }
}

/** The same where the user first confirms this browser, or that the frozen account is theirs. */
async function reviewedHere(
  cx: Asking,
  stage: Stage,
  id: string,
  findWallet: FindWallet,
): Promise<AccountChange> {
  return withoutBarrier(cx, stage, findWallet, () => reviewed(cx, stage, id))
}

/** Throws `cause` if it is no barrier. */
async function removeBarrier(
  cx: Asking,
  stage: Stage,
  cause: unknown,
  findWallet: FindWallet,
): Promise<void> {
  const barrier = barrierOf(cause)
  const wanted = barrier && (await findWallet())
  if (!wanted) throw cause
  if (barrier === 'freeze') await unfreezeOn(cx, stage, wanted)
  else await enrolOn(cx, stage, wanted)
}

async function approveOn(
  cx: Asking,
  stage: Stage,
  change: AccountChange,
  findWallet: FindWallet,
): Promise<void> {
  const shown = describeChange(cx.t, cx.vault.settings.appName, change)
  let error: string | undefined
  for (;;) {
    if ((await stage.ask(screen, { ...shown, error })) === 'cancel') throw new Closed('The user cancelled')
    try {
      return await approveChange(cx.vault, await cx.token(), change)
    } catch (cause) {
      stage.signal.throwIfAborted()
      if (cause instanceof Closed) throw cause
      if (isExpired(cause)) throw await showExpired(cx, stage, cause)
      cx.shown(cause)
      if (barrierOf(cause)) await removeBarrier(cx, stage, cause, findWallet)
      error = barrierOf(cause) ? undefined : failureWords(cx.t, cause)
    }
  }
}

const failureWords = (t: Translate, cause: unknown): string =>
  cause instanceof VaultError && isTooMany(cause)
    ? t('change.tooMany')
    : wordsFor(t, cause, t('change.failed'))

/** The server no longer has it: it has expired, was used, or belongs to another login. */
const isExpired = (cause: unknown): boolean =>
  cause instanceof VaultError && cause.code === 'change_not_found'

/** Resolves with what the page is told. */
async function showExpired(cx: Asking, stage: Stage, cause: unknown): Promise<VaultError> {
  const expired = new VaultError('approval_required', 'The change has expired', { cause })
  cx.shown(expired)
  const title = cx.t('change.expired.title')
  await stage.ask(failure, { title, detail: cx.t('change.expired.text'), action: 'close' })
  return expired
}

/** Best effort, and short: the change ends by itself, and the page waits for its answer. */
async function reject(cx: Asking, id: string): Promise<void> {
  const { clock } = cx.vault
  const rejected = async () => rejectChange(cx.vault, await cx.token(), id)
  await Promise.race([rejected(), clock.sleep(vaultLimits.rejectWait)]).catch(() => {})
}
