import { Closed, type Stage } from '../../../dialog/stage.ts'
import { within } from '../../../lib/clock.ts'
import { InvalidRequest } from '../../../lib/invalid-request.ts'
import type { Readable } from '../../../lib/store.ts'
import type { ApprovalAnswers, EditedContent } from '../../../protocol/frame/approval.ts'
import { chainTypes, type SignRequest } from '../../../protocol/frame/sign-request.ts'
import { type EditedFees, type TransactionPreview, withoutFee } from '../../../signing/preview.ts'
import { enrolmentRequired, isFrozen, notOnDevice, VaultError } from '../../errors.ts'
import { parseRootName } from '../../keys/address.ts'
import { vaultLimits } from '../../limits.ts'
import { unasked } from '../../mfa/proofs.ts'
import type { RootName } from '../../model.ts'
import type { ServerPreview } from '../../server/preview.ts'
import { isWithinFrameSpending } from '../../server/spending.ts'
import type { DeviceRecord } from '../../shares/store.ts'
import type { SignatureRequest } from '../../signing/ethereum.ts'
import { prepareSigning } from '../../signing/prepare.ts'
import { signRequest } from '../../signing/signature.ts'
import type { Token } from '../../token.ts'
import { wordsForFailure } from '../failure-words.ts'
import type { ApprovalContext, PurposeFlow } from '../purpose.ts'
import { readSigning } from './calls/sign.ts'
import { chosenFees } from './fees.ts'
import { readSignRequest } from './kinds.ts'
import type { KnownRequests } from './requested-from.ts'
import type { RequestedFrom, ReviewKnowledge, SignReview } from './review.ts'
import { isOtherPreview, isTrying } from './server-preview.ts'
import { whyOf } from './why.ts'

/** The token that the server has released a share to, and the other share as this device keeps it. */
interface Ahead {
  readonly token: Token
  readonly record: DeviceRecord | undefined
}
/** All that a signature takes but the press. What fails is done again after the press, or told then. */
interface Prepared {
  readonly request: Promise<SignatureRequest>
  readonly ahead: Promise<Ahead | undefined>
  /** What the server says of the request, which the screen doesn't wait for. */
  readonly confirming: Confirmation
}
/** What the server says of a transaction; `undefined` where it has nothing to say, or it did not come in time. */
type Confirmation = Promise<ServerPreview | undefined>

/**
 * Shows a request out of its own bytes, and signs it once the person agrees. What the page has not prepared yet is shown without a
 * way to agree.
 */
export const sign: PurposeFlow<'sign'> = async (cx) => {
  const known: KnownRequests = new Map()
  let ahead: Promise<Ahead | undefined> | undefined
  for (;;) {
    const asked = cx.asked.get()
    const from = await requestedFrom(cx, asked, known)
    const read = await readFor(cx, asked, from)
    await read.assertAllowed?.(cx.vault.proving(unasked), await cx.token())
    ahead ??= whileReading(cx, asked)
    const confirming = confirmation(cx, read)
    const state = 'state' in asked ? asked.state : undefined
    // Nothing is approved here: the user is told, and has it looked at again without a window that would close on them.
    if (state === 'underfunded') {
      const wanted = await lookAgain(cx, asked, read, confirming)
      if (wanted) return wanted
      continue
    }
    if (state !== 'preparing') {
      const prepared = { request: readOne(cx, asked), ahead, confirming }
      const knowledge = await learn(cx, asked, from, read)
      const full = knowledge ? await readFor(cx, asked, from, knowledge) : read
      const review = { asked, from, read: full, prepared, knowledge }
      // The frame may approve it as well, as far as the app says; the server counts it.
      if (await isCounted(cx, asked, full, false)) {
        const result = await cx.approving(
          'usual',
          (stage) => signOn(cx, stage, review, () => isCounted(cx, asked, full, true)),
          whyOf(full),
        )
        if (result !== 'over-limit') return result
      }
      return cx.approving(full.risk, (stage) => signOn(cx, stage, review), whyOf(full))
    }
    const came = await cx.stage.askDuring(read.screen, read.props, (signal) =>
      changed(cx.asked, asked, signal),
    )
    if ('answer' in came && came.answer === 'cancel') throw new Closed('The person cancelled')
  }
}

/** Reads a request by the rules of the vault's own server. */
const readFor = (
  { t, vault }: ApprovalContext<'sign'>,
  asked: SignRequest,
  from: RequestedFrom,
  knowledge?: ReviewKnowledge,
): Promise<SignReview> => readSignRequest(asked, from, t, knowledge, vault.settings)

/** The parsers that compare a request with another app's come with the first such request. */
async function requestedFrom(
  cx: ApprovalContext<'sign'>,
  asked: SignRequest,
  known: KnownRequests,
): Promise<RequestedFrom> {
  const id = 'requester' in asked ? asked.requester : undefined
  if (id === undefined) return { origin: cx.origin }
  const { findRequester } = await import('./requested-from.ts')
  return findRequester(cx, asked, id, known)
}

function readOne(cx: ApprovalContext<'sign'>, asked: SignRequest): Promise<SignatureRequest> {
  const request = readSigning(asked, cx.vault.settings)
  request.catch(() => {})
  return request
}

/**
 * What a signature needs of the page, the server and this device, so that it follows the press at once.
 */
async function whileReading({ vault, token: present }: ApprovalContext<'sign'>, asked: SignRequest) {
  try {
    const token = await present()
    // Nobody is asked to verify who they are for what they are still reading.
    const record = await prepareSigning(
      vault.proving(unasked),
      token,
      await rootOf(asked),
      chainTypes[asked.kind],
    )
    return { token, record }
  } catch {
    return undefined
  }
}

/** The wallet has the coins for the fee, and too few of the tokens. */
const wantsTokens = (props: object): boolean => {
  const { isUnderfunded = true, tokenShortage } = previewOf(props) ?? {}
  return !isUnderfunded && tokenShortage !== undefined
}

/** The user wants to add funds, to which only the page can lead them. */
function fundsFor(props: object): {
  readonly wants: 'funds'
  readonly token?: string
  readonly missing?: string
} {
  const { missing, tokenShortage } = previewOf(props) ?? {}
  if (wantsTokens(props) && tokenShortage)
    return { wants: 'funds', token: tokenShortage.token, missing: String(tokenShortage.missing) }
  return { wants: 'funds', ...(missing !== undefined && { missing: String(missing) }) }
}

/** Shows that the wallet has too little money, until the page has looked again, or the user wants to add funds. */
async function lookAgain(
  cx: ApprovalContext<'sign'>,
  asked: SignRequest,
  { screen, props: first, confirmed }: SignReview,
  confirming: Confirmation,
): Promise<ReturnType<typeof fundsFor> | undefined> {
  let props = first
  const next = (signal: AbortSignal) => changed(cx.asked, asked, signal)
  let came = await cx.stage.askDuring(screen, props, (signal) =>
    Promise.race([next(signal), arrival(confirming, props)]),
  )
  if ('done' in came && came.done && confirmed) {
    props = confirmed(came.done.server)
    came = await cx.stage.askDuring(screen, props, next)
  }
  if ('done' in came) return undefined
  if (came.answer === 'cancel') throw new Closed('The person cancelled')
  if (came.answer === 'add-funds') return fundsFor(props)
  await cx.stage.during(screen, { ...props, preparing: true, error: undefined }, () =>
    cx.turn({ again: true }),
  )
  return undefined
}

/** Asks the server about a transaction while the user reads. */
async function confirmation(
  { vault, token }: ApprovalContext<'sign'>,
  { confirm }: SignReview,
): Confirmation {
  if (!confirm) return undefined
  return within(vault.clock, vaultLimits.figuresWait, async () =>
    confirm(vault.proving(unasked), await token()),
  ).catch(() => undefined)
}

/** Resolves once the server has something to change, or what is waited for hasn't come in time; and never where nothing changes. */
const arrival = (confirming: Confirmation, props: object) =>
  new Promise<{ readonly server: ServerPreview | undefined }>((resolve) => {
    confirming.then((server) => {
      if (server || isTrying(props)) resolve({ server })
    })
  })

/**
 * What the server can say of the request in time: words of its descriptors, and what its allowances reach. Without any of it the request is
 * read by its bytes alone.
 */
async function learn(
  cx: ApprovalContext<'sign'>,
  asked: SignRequest,
  from: RequestedFrom,
  first: SignReview,
): Promise<ReviewKnowledge | undefined> {
  if (!first.needed && !first.tokens) return undefined
  const { learnFromServer } = await import('./learn.ts')
  const { vault, token } = cx
  const read = (knowledge: ReviewKnowledge) => readFor(cx, asked, from, knowledge)
  return learnFromServer({ vault: vault.proving(unasked), token, address: asked.address }, first, read)
}

/** Whether the frame may approve a transfer. Where the server can't be asked, it may not. */
async function isCounted(
  { vault, token }: ApprovalContext<'sign'>,
  { address }: SignRequest,
  { transfer }: SignReview,
  reserve: boolean,
): Promise<boolean> {
  if (!vault.settings.frameSpending || !transfer) return false
  try {
    return await within(vault.clock, vaultLimits.figuresWait, async () =>
      isWithinFrameSpending(vault.proving(unasked), await token(), address, transfer, reserve),
    )
  } catch {
    return false
  }
}

/** A request as it is reviewed now. */
interface CurrentReview {
  readonly asked: SignRequest
  readonly from: RequestedFrom
  readonly read: SignReview
  readonly prepared: Prepared
  readonly knowledge: ReviewKnowledge | undefined
}

function signOn(cx: ApprovalContext<'sign'>, stage: Stage, first: CurrentReview): ReturnType<typeof sign>
function signOn(
  cx: ApprovalContext<'sign'>,
  stage: Stage,
  first: CurrentReview,
  reserve: () => Promise<boolean>,
): Promise<Awaited<ReturnType<typeof sign>> | 'over-limit'>
/** @param reserve counts the transfer where the frame approves it */
async function signOn(
  cx: ApprovalContext<'sign'>,
  stage: Stage,
  first: CurrentReview,
  reserve?: () => Promise<boolean>,
): Promise<Awaited<ReturnType<typeof sign>> | 'over-limit'> {
  let review = first
  let { props } = first.read
  let server: ServerPreview | undefined
  let isConfirmed = false
  let confirmedAt = cx.vault.clock.now()
  let notice: 'fees-refused' | undefined
  let error: string | undefined
  for (;;) {
    const { asked, read, prepared } = review
    const { screen, confirmed } = read
    // The frame approves what was counted, and nothing else.
    const offered = reserve ? withoutChoice(props) : props
    const shown = { ...offered, ...(notice && { notice }), ...(error && { error }) }
    notice = undefined
    const came =
      isConfirmed || !confirmed
        ? { answer: await stage.ask(screen, shown) }
        : await stage.askDuring(screen, shown, () => arrival(prepared.confirming, props))
    // What was pressed before the change was shown is no answer to it.
    if ('done' in came) {
      isConfirmed = true
      confirmedAt = cx.vault.clock.now()
      server = came.done.server
      props = confirmed?.(server) ?? props
      continue
    }
    const { answer } = came
    if (answer === 'cancel') throw new Closed('The person cancelled')
    // Nobody has read yet what the trial run finds.
    if (answer === 'approve' && isTrying(props)) continue
    if (answer === 'add-funds') return fundsFor(props)
    // Figures of a token come with the request, which only the page brings anew.
    if (answer === 'recheck' && wantsTokens(props)) return { again: true }
    if (answer === 'recheck') {
      server = await stage.during(screen, { ...props, preparing: true }, () => confirmation(cx, read))
      isConfirmed = true
      confirmedAt = cx.vault.clock.now()
      props = confirmed && (server || isTrying(props)) ? confirmed(server) : props
      error = undefined
      continue
    }
    if (typeof answer === 'object') {
      const changed = await edited(cx, stage, first, review, { props, answer, server })
      if (!changed) {
        if ('fees' in ((answer as { edited?: object }).edited ?? {})) notice = 'fees-refused'
        continue
      }
      review = changed.review
      server = changed.server
      props = (server && review.read.confirmed?.(server)) ?? review.read.props
      isConfirmed = server !== undefined
      confirmedAt = cx.vault.clock.now()
      error = undefined
      continue
    }
    const changed = await renewed(cx, read, props, confirmedAt)
    confirmedAt = cx.vault.clock.now()
    if (changed) {
      isConfirmed = true
      props = changed
      continue
    }
    if (reserve && stage === cx.stage && !(await reserve())) return 'over-limit'
    try {
      const signed = await signedHere(cx, stage, asked, prepared)
      const content = asked === first.asked ? undefined : editedContent(asked)
      return { signed, ...(content && { edited: content }) }
    } catch (cause) {
      stage.signal.throwIfAborted()
      // The page has to bring the access to a drive.
      if (cause instanceof VaultError && cause.type === notOnDevice().type) throw cause
      error = undefined
      // Whoever turns back from recovering the wallet is asked again: only this screen says no.
      if (cause instanceof Closed) continue
      cx.shown(cause)
      error = cx.t(wordsForFailure(cause, 'sign.failed'))
    }
  }
}

/** The review of the request with other fees or a lower allowance: other bytes, which are read and asked about anew. */
async function edited(
  cx: ApprovalContext<'sign'>,
  stage: Stage,
  first: CurrentReview,
  { from, read, prepared }: CurrentReview,
  {
    props,
    answer,
    server: known,
  }: { readonly props: object; readonly answer: object; readonly server: ServerPreview | undefined },
): Promise<{ readonly review: CurrentReview; readonly server?: ServerPreview | undefined } | undefined> {
  const preview = previewOf(props)
  const fees = preview && chosenFees(answer, preview)
  try {
    const asked = fees ? read.withFees?.(fees, known) : read.edit?.(answer)
    if (!asked) return undefined
    const knowledge = { ...first.knowledge, asked: first.asked }
    const next = await readFor(cx, asked, from, knowledge)
    const confirming = confirmation(cx, next)
    const request = readOne(cx, asked)
    const review = { asked, from, read: next, prepared: { ...prepared, request, confirming }, knowledge }
    if (!preview || !fees) return { review }
    // The levels beside the chosen one come from the server.
    const waiting = withoutFee(preview, (answer as EditedFees).edited.fees)
    const server = await stage.during(
      next.screen,
      { ...props, preview: waiting, preparing: true },
      () => confirming,
    )
    return { review, server }
  } catch (cause) {
    if (cause instanceof InvalidRequest) return undefined
    throw cause
  }
}

/** What was signed, for the page. */
const editedContent = (asked: SignRequest): EditedContent | undefined =>
  asked.kind === 'evmTransaction'
    ? { transaction: asked.transaction }
    : asked.kind === 'typedData'
      ? { typedData: asked.typedData }
      : asked.kind === 'solanaTransaction'
        ? { message: asked.message }
        : undefined

const previewOf = (props: object) => (props as { readonly preview?: TransactionPreview }).preview

function withoutChoice(props: object): object {
  const preview = previewOf(props)
  if (!preview?.fees) return props
  const { fees: _, ...rest } = preview
  return { ...props, preview: rest }
}

/** What the server says now, where that is something else than what was displayed for a while. */
async function renewed(
  cx: ApprovalContext<'sign'>,
  read: SignReview,
  props: object,
  since: number,
): Promise<object | undefined> {
  if (!read.confirm || cx.vault.clock.now() - since < vaultLimits.previewAge) return undefined
  const server = await confirmation(cx, read)
  const next = server && read.confirmed?.(server)
  const [before, now] = [previewOf(props), next && previewOf(next)]
  return next && before && now && isOtherPreview(now, before) ? { ...next, notice: 'renewed' } : undefined
}

/** Signs; a wallet that is not on this device is recovered first, and a frozen account opened. Their person is not asked twice. */
async function signedHere(cx: ApprovalContext<'sign'>, stage: Stage, asked: SignRequest, prepared: Prepared) {
  const removed = new Set<string>()
  for (;;) {
    try {
      return await signed(cx, asked, prepared)
    } catch (cause) {
      stage.signal.throwIfAborted()
      if (!(cause instanceof VaultError) || removed.has(cause.type)) throw cause
      removed.add(cause.type)
      // Most who sign have their wallet here, and do without what follows.
      if (isFrozen(cause)) await (await import('../frozen/flow.ts')).unfreezeFor(cx, cause)
      else if (elsewhere.has(cause.type)) {
        const { bringHere } = await import('../recover/bring-here.ts')
        await bringHere(cx, stage, { root: await rootOf(asked), address: asked.address })
      } else throw cause
    }
  }
}

/** The wallet is not on this device, or this device may not use it yet. */
const elsewhere: ReadonlySet<string> = new Set([notOnDevice().type, enrolmentRequired().type])

async function rootOf({ root: { chainType, address } }: SignRequest): Promise<RootName> {
  const root = await parseRootName(chainType, address)
  if (!root) throw new VaultError('invalid_request_arguments', 'The root is not an address')
  return root
}

async function signed({ vault, token }: ApprovalContext<'sign'>, asked: SignRequest, prepared: Prepared) {
  const { kind, walletIndex, address } = asked
  const path = { chainType: chainTypes[kind], index: walletIndex }
  const root = await rootOf(asked)
  const [request, earlier] = await Promise.all([prepared.request, prepared.ahead])
  // Whoever reads for long, or whose release has ended, needs the page's token of now.
  const present = earlier && vault.releases.get(earlier.token, root) ? earlier.token : await token()
  const made = await signRequest(vault, present, root, path, request, earlier?.record)
  // The person has read another wallet's address.
  if (made.address !== address)
    throw new VaultError('invalid_request_arguments', 'The address does not belong to the wallet')
  return made.data as Extract<ApprovalAnswers['sign'], { signed: unknown }>['signed']
}

/** Resolves once something else is asked than what was seen; it may have come while that was read. */
const changed = (asked: Readable<SignRequest>, seen: SignRequest, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (asked.get() !== seen) return resolve()
    const stop = asked.subscribe(() => {
      stop()
      resolve()
    })
    signal.addEventListener('abort', stop, { once: true })
  })
