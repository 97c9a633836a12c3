import { hashMessageType } from '../../clear-signing/index.ts'
import { toKitError } from '../../errors/kit-error.ts'
import { readPermits, withPermit } from '../../ethereum/edit-permit.ts'
import { decodePermit } from '../../ethereum/permit-decoder.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { readToken } from '../../ethereum/tokens.ts'
import { parseTypedData, type TypedData } from '../../ethereum/typed-data.ts'
import type { Delegate } from '../../ethereum/wallet-code.ts'
import { within } from '../../lib/clock.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import { factsIn, factsKey, readEdit, type TokenFacts, toEditable, tokensOf } from '../allowances.ts'
import { createApprover } from '../create-approver.ts'
import type { Knowledge } from '../description.ts'
import { signingLimits } from '../limits.ts'
import { type SignMessageUi, signatureWords } from '../message/flow.ts'
import { learnOnPage } from '../page-knowledge.ts'
import { requesterOf } from '../requester.ts'
import { type AccountSigner, readHex } from '../signature.ts'
import type { ReviewSources } from '../transaction/review.ts'
import { codeOf } from '../wallet-code.ts'
import { missingForTypedData, permitProps, previewTypedData } from './preview.ts'
import { type SignTypedDataProps, signTypedData as screen } from './sign-typed-data.tsx'

export interface SignTypedDataRequest {
  readonly wallet: EmbeddedAccount
  readonly typed: TypedData
  /** The chain that the wallet is on. */
  readonly chainId: number
  readonly ui?: SignMessageUi | undefined
  /** The requester takes a permit that the user has lowered, and uses the values that were signed. */
  readonly isEditable?: boolean | undefined
  /** Asked for the tokens of a permit. */
  readonly node?: ChainNode | undefined
  /** For a review in the page; the vault asks by itself. */
  readonly review?: ReviewSources | undefined
  /** Contracts whose code the app allows at its users' own addresses. */
  readonly delegates?: readonly Delegate[] | undefined
  /** The wallet's smart account, which signs in its place. */
  readonly signer?: AccountSigner | undefined
}
export interface SignedTypedData {
  /** 0x-hex. */
  readonly signature: string
  /** The typed data as they were signed, where the user has lowered a permit. */
  readonly edited?: TypedData | undefined
}

/**
 * Reviews typed data (EIP-712) with the user and signs it.
 * @throws Closed if the user rejects it
 */
export async function signTypedData(cx: WalletFlow, request: SignTypedDataRequest): Promise<SignedTypedData> {
  const { wallet, typed, chainId, ui, isEditable, review, signer, node, delegates = [] } = request
  const approver = createApprover(cx, ui?.isHidden)
  // A request that nobody may sign fails before anybody is asked about it.
  propsOf(cx, request, typed)
  const known = review && !ui?.isHidden ? await learn(cx, request, review) : {}
  // As an account it has code of its own.
  const more = signer ? undefined : codeOf({ chainId, node, delegates }, wallet.address, cx.clock)
  const place = { wallet, screen: screen as never, words: signatureWords(ui) }
  let now = typed
  for (;;) {
    const current = now
    const decision = await approver.review<SignTypedDataProps, TypedData, string>({
      ...place,
      async *previews() {
        const content = {
          kind: 'typedData',
          typedData: current.data,
          chainId,
          ...(signer && { account: signer.account }),
        } as const
        yield {
          state: 'ready',
          props: propsOf(cx, request, current, known),
          more,
          value: current,
          signature: {
            content: { ...content, ...(isEditable && { isEditable }) },
            ...(signer ? signer.sign({ typedData: current.data }) : { read: readHex }),
          },
        }
      },
      toError: (cause) => toKitError(cause, 'unable_to_sign'),
    })
    if (decision.outcome === 'edited') {
      const edit = isEditable ? readEdit(decision.edit, readPermits(typed)) : undefined
      if (edit) now = withPermit(now, edit)
      continue
    }
    if (decision.outcome !== 'approved') continue
    const { signed, edited } = decision
    if (isEditable && edited && 'typedData' in edited) now = parseTypedData(edited.typedData)
    await approver.showDone<SignTypedDataProps>(place, propsOf(cx, request, now, known))
    return { signature: signed, ...(now !== typed && { edited: now }) }
  }
}

/** What others say of the contracts and tokens of typed data. */
interface PermitFacts {
  readonly facts?: ReadonlyMap<string, TokenFacts> | undefined
  readonly knowledge?: Knowledge | undefined
  /** When they were asked, in seconds since 1970. */
  readonly since?: bigint | undefined
}

function propsOf(
  cx: WalletFlow,
  { wallet, typed: asked, chainId, isEditable, signer }: SignTypedDataRequest,
  typed: TypedData,
  { facts = new Map(), knowledge = {}, since }: PermitFacts = {},
): SignTypedDataProps {
  const findFacts = factsIn(facts)
  const { origin, app } = requesterOf(cx)
  const address = signer?.account.address ?? wallet.address
  const place = { chains: cx.config, origin, wallet: address, chainId, findFacts }
  const shown = previewTypedData({ ...place, ...knowledge, now: since }, typed)
  const permits = readPermits(typed)
  const allowances = isEditable ? toEditable(readPermits(asked), permits, findFacts, since ?? 0n) : []
  return {
    origin,
    app,
    address,
    cancellable: true,
    ...shown,
    ...permitProps(shown.permit, permits, allowances, isEditable),
  }
}

async function learn(
  cx: WalletFlow,
  request: SignTypedDataRequest,
  review: ReviewSources,
): Promise<PermitFacts> {
  const [facts, { facts: learned, ...knowledge }] = await Promise.all([
    readFacts(cx, request, review),
    readWords(cx, request, review),
  ])
  return {
    facts: new Map([...learned, ...facts]),
    knowledge,
    since: BigInt(Math.floor(review.clock.now() / 1_000)),
  }
}

/** Figures of the tokens of a permit, as far as they come in time. */
async function readFacts(
  cx: WalletFlow,
  { wallet, signer, typed, node }: SignTypedDataRequest,
  { clock }: ReviewSources,
): Promise<ReadonlyMap<string, TokenFacts>> {
  const facts = new Map<string, TokenFacts>()
  const tokens = node ? tokensOf(readPermits(typed)) : []
  if (!node || tokens.length === 0) return facts
  const { signal } = cx.stage
  const read = async ({ token }: { token: string }) => {
    const found = await readToken(node, token, { owner: signer?.account.address ?? wallet.address, signal })
    if (found.kind === 'token') facts.set(factsKey(token), found)
  }
  const all = () => Promise.allSettled(tokens.map(read))
  await within(clock, signingLimits.figuresWait, all).catch(() => {})
  signal.throwIfAborted()
  return facts
}

/** Words of descriptors, for typed data that are no permit: a permit has no other words than ours. */
async function readWords(
  cx: WalletFlow,
  { wallet: own, signer, typed, node }: SignTypedDataRequest,
  review: ReviewSources,
): Promise<Knowledge & { readonly facts: ReadonlyMap<string, TokenFacts> }> {
  const { chainId, contract } = typed.domain
  if (chainId === undefined || contract === undefined || decodePermit(typed)) return { facts: new Map() }
  const wallet = signer?.account.address ?? own.address
  const place = { chainId: Number(chainId), wallet, node, signal: cx.stage.signal }
  return learnOnPage(review, place, (known) => ({
    ...missingForTypedData(typed, { wallet, ...known }),
    messages: [hashMessageType(typed)],
  }))
}
