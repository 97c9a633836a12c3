import { hashMessageType } from '../../clear-signing/index.ts'
import { readPermits, withPermit } from '../../ethereum/edit-permit.ts'
import { decodePermit } from '../../ethereum/permit-decoder.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { readToken } from '../../ethereum/tokens.ts'
import { parseTypedData, type TypedData } from '../../ethereum/typed-data.ts'
import { within } from '../../lib/clock.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import { factsIn, factsKey, readEdit, type TokenFacts, toEditable, tokensOf } from '../allowances.ts'
import {
  approvedInVault,
  askVault,
  ethereumSignature,
  inVault,
  prepareVault,
  showDone,
  untilDone,
} from '../approved.ts'
import type { Knowledge } from '../description.ts'
import { signingLimits } from '../limits.ts'
import type { SignMessageUi } from '../message/flow.ts'
import { learnOnPage } from '../page-knowledge.ts'
import { missingForTypedData, permitProps, shownTypedData } from './shown.ts'
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
}
export interface SignedTypedData {
  readonly signature: string
  /** The typed data as they were signed, where the user has lowered a permit. */
  readonly edited?: TypedData | undefined
}

/** Shows typed data (EIP-712) and signs it once the person agrees. Throws `Closed` if they don't. */
export async function signTypedData(cx: WalletFlow, request: SignTypedDataRequest): Promise<SignedTypedData> {
  const { wallet, typed, chainId, isEditable } = request
  if (!inVault(cx)) return signInPage(cx, request)
  // A request that nobody may sign fails before the vault is asked.
  propsOf(cx, request, typed)
  const { signed, edited } = await approvedInVault(cx, wallet, screen.id, async (show) =>
    show(requestOf(wallet, typed), { chainId, ...(isEditable && { isEditable }) }),
  )
  const signature = ethereumSignature(requestOf(wallet, typed)).read(signed)
  const data = edited && isEditable && Array.isArray(edited.params) ? edited.params[1] : undefined
  const changed = data === undefined ? undefined : parseTypedData(data)
  await showDone(cx, screen, propsOf(cx, request, changed ?? typed))
  return { signature, ...(changed && { edited: changed }) }
}

async function signInPage(cx: WalletFlow, request: SignTypedDataRequest): Promise<SignedTypedData> {
  const { wallet, typed, ui = {} } = request
  prepareVault(cx)
  const [facts, knowledge] = await Promise.all([readFacts(cx, request), readWords(cx, request)])
  const since = BigInt(Math.floor(cx.clock.now() / 1_000))
  let now = typed
  const props = () => ({ ...propsOf(cx, request, now, { facts, knowledge, since }), ...wordsOf(ui) })
  const signature = await untilDone(
    cx,
    screen,
    props(),
    async () => {
      const { request, read } = ethereumSignature(requestOf(wallet, now))
      return read(await askVault(cx, wallet, request))
    },
    (answer) => {
      const edit = request.isEditable ? readEdit(answer, readPermits(typed)) : undefined
      if (!edit) return undefined
      now = withPermit(now, edit)
      return props()
    },
  )
  return { signature, ...(now !== typed && { edited: now }) }
}

const requestOf = ({ address }: EmbeddedAccount, { data }: TypedData) => ({
  method: 'eth_signTypedData_v4',
  params: [address, data],
})

/** What others say of the contracts and tokens of typed data. */
interface PermitFacts {
  readonly facts?: ReadonlyMap<string, TokenFacts> | undefined
  readonly knowledge?: Knowledge | undefined
  /** When they were asked, in seconds since 1970. */
  readonly since?: bigint | undefined
}

function propsOf(
  cx: WalletFlow,
  { wallet, typed: asked, chainId, isEditable }: SignTypedDataRequest,
  typed: TypedData,
  { facts = new Map(), knowledge = {}, since = 0n }: PermitFacts = {},
): SignTypedDataProps {
  const findFacts = factsIn(facts)
  const place = { chains: cx.config, origin: cx.page.origin, wallet: wallet.address, chainId, findFacts }
  const shown = shownTypedData({ ...place, ...knowledge }, typed)
  const permits = readPermits(typed)
  const allowances = isEditable ? toEditable(readPermits(asked), permits, findFacts, since) : []
  return {
    origin: cx.page.origin,
    address: wallet.address,
    cancellable: true,
    ...shown,
    ...permitProps(shown.permit, permits, allowances, isEditable),
  }
}

/** Figures of the tokens of a permit, as far as they come in time. */
async function readFacts(
  cx: WalletFlow,
  { wallet, typed, node }: SignTypedDataRequest,
): Promise<ReadonlyMap<string, TokenFacts>> {
  const facts = new Map<string, TokenFacts>()
  const tokens = node ? tokensOf(readPermits(typed)) : []
  if (!node || tokens.length === 0) return facts
  const { signal } = cx.stage
  const read = async ({ token }: { token: string }) => {
    const found = await readToken(node, token, { owner: wallet.address, signal })
    if (found.kind === 'token') facts.set(factsKey(token), found)
  }
  await within(cx.clock, signingLimits.figuresWait, () => Promise.allSettled(tokens.map(read))).catch(
    () => {},
  )
  signal.throwIfAborted()
  return facts
}

/** Words of descriptors, for typed data that are no permit: a permit has no other words than ours. */
async function readWords(cx: WalletFlow, { wallet, typed, node }: SignTypedDataRequest): Promise<Knowledge> {
  const { chainId, contract } = typed.domain
  if (chainId === undefined || contract === undefined || decodePermit(typed)) return {}
  const place = { chainId: Number(chainId), wallet: wallet.address, node }
  const { descriptors, data } = await learnOnPage(cx, place, (known) => ({
    ...missingForTypedData(typed, { wallet: wallet.address, ...known }),
    messages: [hashMessageType(typed)],
  }))
  return { descriptors, data }
}

const wordsOf = ({
  isCancellable: cancellable = true,
  title,
  description,
  buttonText,
  iconUrl,
}: SignMessageUi) => ({
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description }),
  ...(buttonText !== undefined && { buttonText }),
  ...(iconUrl !== undefined && { iconUrl }),
  cancellable,
})
