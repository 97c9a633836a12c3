import { failure } from '../../../app/failure/failure.tsx'
import { addWords, type Translate } from '../../../copy/copy.ts'
import { accountChange as words } from '../../../copy/en/account-change.ts'
import { errors } from '../../../copy/en/errors.ts'
import { Closed, type Stage } from '../../../dialog/stage.ts'
import { enrolmentRequired, isFrozen, VaultError } from '../../errors.ts'
import { parseRootName } from '../../keys/address.ts'
import { vaultLimits } from '../../limits.ts'
import {
  type AccountChange,
  approveChange,
  rejectChange,
  reviewChange,
} from '../../server/account-changes.ts'
import { unfreezeOn } from '../frozen/flow.ts'
import type { PurposeFlow } from '../purpose.ts'
import { type Asking, isTooMany, untilReached, wordsFor } from '../recover/ask.ts'
import { enrolOn, type Wanted } from '../recover/enrol.ts'
import { accountChange as screen } from './account-change.tsx'
import { describeChange } from './describe.ts'

addWords(words, errors)

/** Gives the wallet that the user proves to be theirs where this browser isn't known yet, if the page has named one. */
type FindWallet = () => Promise<Wanted | undefined>
/** Makes the change. Once it is made that is final, whatever is closed meanwhile. */
type Commit = (work: () => Promise<void>) => Promise<void>
/** A change inside another request, which has a result of its own. */
const asPart: Commit = (work) => work()

/** Makes a change of the user's accounts or sessions once they have agreed to it. */
export const accountChange: PurposeFlow<'account-change'> = async (cx) => {
  const { change, link, root: named, address } = cx.asked.get()
  const findWallet = async () => {
    const root = named && (await parseRootName(named.chainType, named.address))
    return root && { root, address: address ?? named.address }
  }
  const commit: Commit = (work) => cx.commit(work, () => ({ changed: true }))
  if (change !== undefined) await approveAccountChange(cx, change, findWallet, commit)
  else if (link !== undefined) await linkAccount(cx, link, findWallet, commit)
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
  commit: Commit = asPart,
): Promise<void> {
  // A change that has ended needs no window.
  const known = await reviewed(cx, cx.stage, id).catch((cause: unknown) => {
    if (barrierOf(cause)) return undefined
    throw cause
  })
  if (known === 'made') return
  const work = async (stage: Stage) => {
    const change = known ?? (await reviewedHere(cx, stage, id, findWallet))
    if (change !== 'made') await approveOn(cx, stage, change, findWallet, commit)
  }
  try {
    await cx.approving('high', work, 'account-change')
  } catch (cause) {
    if (cause instanceof Closed) await reject(cx, id)
    throw cause
  }
}

/** Has the user log in with an account and agree to its linking, all in one window. Throws `Closed`, and a `VaultError`. */
async function linkAccount(
  cx: Asking,
  provider: string,
  findWallet: FindWallet,
  commit: Commit,
): Promise<void> {
  let pending: string | undefined
  const work = async (stage: Stage) => {
    const { linkWithProvider } = await import('../providers/prove.ts')
    const came = await withoutBarrier(cx, stage, findWallet, () => linkWithProvider(cx, stage, provider))
    if (came === 'back') throw new Closed('The user turned back')
    pending = came.done
    if (pending === undefined) return
    const change = await reviewedHere(cx, stage, pending, findWallet)
    if (change !== 'made') await approveOn(cx, stage, change, findWallet, commit)
  }
  try {
    await cx.approving('high', work, 'account-change')
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

/** Reads what changes; 'made' if it has been made already. One that can't be approved any more is shown as that. */
async function reviewed(cx: Asking, stage: Stage, id: string): Promise<AccountChange | 'made'> {
  const read = await untilReached(cx, stage, async () => {
    try {
      return { change: await reviewChange(cx.vault, await cx.token(), id) }
    } catch (cause) {
      // No other attempt would change these.
      if (isMade(cause) || isOver(cause)) return { cause }
      throw cause
    }
  })
  if ('change' in read) return read.change
  if (isMade(read.cause)) return 'made'
  throw await showOver(cx, stage, read.cause)
}

/** The same where the user first confirms this browser, or that the frozen account is theirs. */
async function reviewedHere(
  cx: Asking,
  stage: Stage,
  id: string,
  findWallet: FindWallet,
): Promise<AccountChange | 'made'> {
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
  commit: Commit,
): Promise<void> {
  const shown = describeChange(cx.t, cx.vault.settings.appName, change)
  let error: string | undefined
  for (;;) {
    if ((await stage.ask(screen, { ...shown, error })) === 'cancel') throw new Closed('The user cancelled')
    try {
      return await commit(async () => approveChange(cx.vault, await cx.token(), change))
    } catch (cause) {
      // The answer to an earlier attempt was lost.
      if (isMade(cause)) return
      stage.signal.throwIfAborted()
      if (cause instanceof Closed) throw cause
      if (isOver(cause)) throw await showOver(cx, stage, cause)
      cx.shown(cause)
      const isBarrier = barrierOf(cause) !== undefined
      if (isBarrier) await removeBarrier(cx, stage, cause, findWallet)
      error = isBarrier ? undefined : failureWords(cx.t, cause)
    }
  }
}

const failureWords = (t: Translate, cause: unknown): string =>
  cause instanceof VaultError && isTooMany(cause)
    ? t('change.tooMany')
    : wordsFor(t, cause, t('change.failed'))

const codeOf = (cause: unknown) => (cause instanceof VaultError ? cause.code : undefined)
const isMade = (cause: unknown): boolean => codeOf(cause) === 'token_already_used'

/** The server no longer has the change, or can't make it any more: something else has changed meanwhile. */
const over: ReadonlySet<string | undefined> = new Set([
  ...['linked_account_not_found', 'linked_to_another_user', 'cannot_link_more_of_type'],
  ...['max_accounts_reached', 'cannot_unlink_sole_account', 'mfa_method_not_allowed'],
  ...['invalid_credentials', 'invalid_state', 'resource_conflict'],
])
const isOver = (cause: unknown): boolean => over.has(codeOf(cause))

/** Resolves once the user has read it: with their turning back, because nothing is left to do here. */
async function showOver(cx: Asking, stage: Stage, cause: unknown): Promise<Closed> {
  cx.shown(new VaultError('approval_required', "The change can't be approved any more", { cause }))
  const words = codeOf(cause) === 'linked_account_not_found' ? 'expired' : 'impossible'
  const screen = { title: cx.t(`change.${words}.title`), detail: cx.t(`change.${words}.text`) }
  await stage.ask(failure, { ...screen, action: 'close' })
  return new Closed('The change is over', { cause })
}

/** Best effort, and short: the change ends by itself, and the page waits for its answer. */
async function reject(cx: Asking, id: string): Promise<void> {
  const { clock } = cx.vault
  const rejected = async () => rejectChange(cx.vault, await cx.token(), id)
  await Promise.race([rejected(), clock.sleep(vaultLimits.rejectWait)]).catch(() => {})
}
