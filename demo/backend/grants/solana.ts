import { InvalidRequest } from '../../../src/lib/invalid-request.ts'
import { formatBase58 } from '../../../src/solana/base58.ts'
import { MOST_PRIORITY } from '../../../src/solana/budget.ts'
import { decodeActions } from '../../../src/solana/decode.ts'
import { networkFee } from '../../../src/solana/fees.ts'
import { type DecodedMessage, decodeMessage, encodeTransaction } from '../../../src/solana/message.ts'
import { TOKEN_2022_PROGRAM } from '../../../src/solana/programs/token-2022.ts'
import { getProgress } from '../../../src/solana/queries.ts'
import { associatedAccount } from '../../../src/solana/token-metadata.ts'
import { askTwo } from '../preview/compare.ts'
import type { PreviewNode } from '../preview/nodes.ts'
import { previewSolana } from '../preview/solana.ts'
import { denied } from './denials.ts'
import { type GrantWallet, largerOf, type Plan, type PlanContext } from './plan.ts'
import { invalidTransaction, readPreview } from './preview.ts'
import { type SendResult, sendToNodes } from './send.ts'
import { BLOCKHASH_BLOCKS } from './solana-outcome.ts'
import type { GrantTerms } from './terms.ts'
import { signSolana } from './wallet-key.ts'

const SENT_ALREADY = /already been processed|AlreadyProcessed/i

/**
 * Reads, prepares and simulates a message of Solana, and counts what it takes. Everything that isn't a transfer which the terms
 * name, what a transfer needs, or a setting of its fee is refused.
 * @throws Refusal `permission_denied`, `invalid_data`, `insufficient_funds`; Unavailable
 */
export async function planSolana(
  nodes: readonly PreviewNode[],
  {
    wallet,
    terms,
    cluster,
    transaction,
  }: { wallet: GrantWallet; terms: GrantTerms; cluster: string; transaction: string },
  context: PlanContext,
): Promise<Plan> {
  const chain = `solana:${cluster}`
  if (wallet.chainType !== 'solana') throw denied('chain')
  const message = readMessage(transaction)
  const { target, amounts: decoded, scalable } = await allowedAmounts(message, wallet.address, terms, chain)
  const work = Promise.all([
    previewSolana(nodes, { cluster, wallet: wallet.address, message: message.bytes }, context),
    agreedHeight(nodes, context.limits.previewComparison),
  ])
  const { simulated, figure } = await readPreview(
    work.then(([preview]) => preview),
    terms,
  )
  const [{ tokens }, height] = await work
  // A limit counts the units that the network moves: of a token that people see in others, "10" is another amount.
  if (scalable.some((mint) => tokens[mint]?.scale !== 1)) throw denied('asset')
  // The rent of accounts that it opens for others is spent as well.
  const withRent = new Map(decoded).set('native', (decoded.get('native') ?? 0n) + figure('rent'))
  const amounts = largerOf(withRent, simulated)
  const fee = figure('fee')
  return {
    chain,
    target,
    costs: [
      { asset: 'native', amount: (amounts.get('native') ?? 0n) + fee, fee },
      ...[...amounts].flatMap(([asset, amount]) => (asset === 'native' ? [] : [{ asset, amount, fee: 0n }])),
    ],
    ...(height !== undefined && { lastBlock: height + BLOCKHASH_BLOCKS }),
    sign(key) {
      const signature = signSolana(key, message.bytes)
      const raw = Buffer.from(encodeTransaction(message.bytes, [signature])).toString('base64')
      return { raw, hash: formatBase58(signature) }
    },
    send: (raw) => sendSolana(nodes, raw),
  }
}

/** Sends a signed transaction to the nodes until one takes it. */
export const sendSolana = (nodes: readonly PreviewNode[], raw: string): Promise<SendResult> =>
  sendToNodes(nodes, {
    method: 'sendTransaction',
    params: [raw, { encoding: 'base64', preflightCommitment: 'confirmed' }],
    known: SENT_ALREADY,
  })

function readMessage(text: string): DecodedMessage {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) throw invalidTransaction()
  try {
    return decodeMessage(new Uint8Array(bytes))
  } catch (cause) {
    if (cause instanceof InvalidRequest) throw invalidTransaction()
    throw cause
  }
}

/**
 * The height after which a transaction of now ends the latest: the higher one of two nodes'. `undefined` where one of them is silent: then
 * nothing is ever taken for too old.
 */
async function agreedHeight(nodes: readonly PreviewNode[], patience: number): Promise<number | undefined> {
  const heights = await askTwo(nodes, async (node) => Number((await getProgress(node)).blockHeight), patience)
  return heights.length < Math.min(2, nodes.length) ? undefined : Math.max(...heights)
}

/**
 * The amounts that the instructions themselves say, and the tokens among them whose mints may scale what people see.
 * @throws Refusal `permission_denied` for anything that the terms don't allow
 */
async function allowedAmounts(
  message: DecodedMessage,
  wallet: string,
  terms: GrantTerms,
  chain: string,
): Promise<{ target: string; amounts: Map<string, bigint>; scalable: readonly string[] }> {
  const here = terms.allow.filter((each) => each.chain === chain)
  if (here.length === 0) throw denied('chain')
  // The wallet alone signs and pays, and every account stands in the message itself.
  if (message.payer !== wallet || message.signers.length !== 1) throw denied('account')
  if (message.lookups.length > 0) throw denied('call')
  const actions = decodeActions(message)
  const transfersOf = (asset: string) =>
    here.flatMap((each) => ('transfer' in each && each.transfer === asset ? [each] : []))
  const amounts = new Map<string, bigint>()
  const add = (asset: string, amount: bigint) => amounts.set(asset, (amounts.get(asset) ?? 0n) + amount)
  const scalable: string[] = []
  let target: string | undefined
  for (const action of actions) {
    if (action.kind === 'computeBudget') continue
    if (action.kind === 'transferSol') {
      const allowed = transfersOf('native')
      if (allowed.length === 0 || action.from !== wallet) throw denied('call')
      if (!allowed.some(({ to }) => to?.includes(action.to) ?? true)) throw denied('recipient')
      add('native', action.lamports)
      target ??= action.to
      continue
    }
    if (action.kind === 'transferToken') {
      const { mint, authority, destination, program } = action
      const allowed = mint === undefined ? [] : transfersOf(mint)
      if (mint === undefined || allowed.length === 0 || authority !== wallet) throw denied('call')
      const holderOf = (owner: string) => associatedAccount({ owner, mint, program })
      if (action.source !== (await holderOf(wallet))) throw denied('account')
      const recipients = allowed.every(({ to }) => to !== null) ? allowed.flatMap(({ to }) => to ?? []) : null
      const places = recipients && (await Promise.all(recipients.map(holderOf)))
      if (places && !places.includes(destination)) throw denied('recipient')
      add(mint, action.amount)
      if (program === TOKEN_2022_PROGRAM) scalable.push(mint)
      target ??= destination
      continue
    }
    if (action.kind === 'createTokenAccount') {
      const { payer, mint, owner, account, tokenProgram, isIdempotent } = action
      const allowed = transfersOf(mint)
      const isOwn = account === (await associatedAccount({ owner, mint, program: tokenProgram }))
      if (allowed.length === 0 || payer !== wallet || !isIdempotent || !isOwn) throw denied('call')
      if (!allowed.some(({ to }) => to?.includes(owner) ?? true)) throw denied('recipient')
      continue
    }
    throw denied('call')
  }
  if (target === undefined) throw denied('call')
  // Beyond that a signer would pay a validator of its choice.
  if (networkFee(message, actions, undefined).priority > MOST_PRIORITY) throw denied('fee')
  return { target, amounts, scalable }
}
