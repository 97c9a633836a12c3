import '../transaction-copy.ts'
import { InvalidRequest } from '../../../../lib/invalid-request.ts'
import type { PlainObject } from '../../../../lib/plain.ts'
import { type BatchKind, partsOf, type SignRequestOf } from '../../../../protocol/frame/sign-request.ts'
import { approveCalls } from '../../../../signing/calls/approve-calls.tsx'
import { toCallsPreview } from '../../../../signing/calls/preview.ts'
import type { TransactionPreview } from '../../../../signing/preview.ts'
import type { ServerPreview } from '../../../server/preview.ts'
import { readTransaction } from '../evm-transaction/read.ts'
import { type ReadContext, type ReadKind, type SignReview, toReview } from '../review.ts'
import { readSolanaTransaction } from '../solana-transaction/read.ts'

/** The server's previews of the calls. The first one's stands for all where only one is asked for, such as the balance. */
interface ServerPreviews extends ServerPreview {
  readonly each: readonly (ServerPreview | undefined)[]
}

/** Several transactions of an Ethereum wallet, each read out of its own bytes. */
export const readTransactions: ReadKind<'evmTransactions'> = (request, cx) => {
  const first = request.transactions[0]?.transaction.chainId
  if (request.transactions.some(({ transaction }) => transaction.chainId !== first))
    throw new InvalidRequest('The calls are for different chains')
  return readCalls(request, cx)
}

/** Several transactions of a Solana wallet. */
export const readSolanaTransactions: ReadKind<'solanaTransactions'> = (request, cx) => readCalls(request, cx)

function readCalls(request: SignRequestOf<BatchKind>, cx: ReadContext): SignReview {
  const { root, walletIndex, address, state } = request
  const { asked: _, ...words } = cx.knowledge
  // Nothing about a single call can be edited, so each is the one that the page has brought.
  const own = { ...cx, knowledge: words }
  const before: PlainObject[] = []
  const reviews = (partsOf(request) ?? []).map((part) => {
    const asked = { ...part, root, walletIndex, address }
    if (asked.kind === 'evmTransaction') {
      const after = [...before]
      before.push(asked.transaction)
      return readTransaction(asked, { ...own, after })
    }
    if (asked.kind === 'solanaTransaction') return readSolanaTransaction(asked, own)
    throw new InvalidRequest('A call is no transaction')
  })
  const preparing = state === 'preparing'
  const previewOfAll = (each: readonly TransactionPreview[]) => {
    const preview = toCallsPreview(each)
    return state === 'underfunded' ? { ...preview, isUnderfunded: true } : preview
  }
  const previewWith = (server: ServerPreviews['each'] | undefined) =>
    previewOfAll(
      reviews.map(({ confirmed, props }, at) => {
        const said = server?.[at]
        const preview = previewOf(confirmed?.(at === 0 ? said : ofFollowing(request.kind, said)) ?? props)
        // On Solana a trial run doesn't know of the calls before it.
        return said && at > 0 && request.kind === 'solanaTransactions'
          ? { ...preview, balanceChanges: 'follows' }
          : preview
      }),
    )
  const waiting = previewOfAll(reviews.map((review) => previewOf(review.props)))
  const props = { preview: waiting, ...(preparing && { preparing }) }
  return toReview(approveCalls, props, 'high', {
    ...neededOf(reviews),
    ...(!preparing && {
      async confirm(vault, token): Promise<ServerPreviews> {
        const [opening, ...following] = reviews.map(({ confirm }) => askFor(confirm?.(vault, token)))
        if (!opening) throw new InvalidRequest('There are no calls')
        // Without what the server says of a later one it is displayed by its bytes.
        const rest = Promise.all(following.map((each) => each.catch(() => undefined)))
        const first = await opening
        return { ...first, each: [first, ...(await rest)] }
      },
      confirmed: (server) => ({
        ...props,
        preview: previewWith((server as ServerPreviews | undefined)?.each),
      }),
    }),
  })
}

const previewOf = (props: object) => (props as { readonly preview: TransactionPreview }).preview

/**
 * The server's preview of a call that follows others. Whether the wallet can pay is said of all together, and on Solana a trial run doesn't
 * know of those before it.
 */
function ofFollowing(kind: BatchKind, said: ServerPreview | undefined): ServerPreview | undefined {
  if (!said) return undefined
  const { prepared, ...server } = said
  return {
    ...server,
    prepared: prepared && { ...prepared, missing: 0n, isUnderfunded: false, reason: undefined },
    ...(kind === 'solanaTransactions' && { simulation: undefined }),
  }
}

const askFor = async (asking: Promise<ServerPreview> | undefined): Promise<ServerPreview> => {
  if (!asking) throw new InvalidRequest('The server has nothing to say of a call')
  return asking
}

/** Descriptors and tokens that would say more of any of the calls. */
function neededOf(reviews: readonly SignReview[]): Pick<SignReview, 'needed' | 'tokens'> {
  const needed = reviews.flatMap((review) => review.needed ?? [])
  const tokens = reviews.flatMap((review) => review.tokens ?? [])
  const unique = (list: readonly string[]) => [...new Set(list)]
  return {
    needed: needed[0] && {
      chainId: needed[0].chainId,
      contracts: unique(needed.flatMap(({ contracts }) => contracts)),
      messages: unique(needed.flatMap(({ messages }) => messages)),
      tokens: unique(needed.flatMap((each) => each.tokens)),
    },
    tokens: tokens[0] && { chainId: tokens[0].chainId, list: tokens.flatMap(({ list }) => list) },
  }
}
