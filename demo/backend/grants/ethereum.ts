import { hexToBytes, keccak256, serializeTransaction } from 'viem/utils'
import { decodeCall } from '../../../src/ethereum/call-decoder.ts'
import { exactDecoder } from '../../../src/ethereum/exact-abi.ts'
import {
  completeTransaction,
  parseTransaction,
  transactionType,
  type WalletTransaction,
  withSender,
} from '../../../src/ethereum/transaction.ts'
import { InvalidRequest } from '../../../src/lib/invalid-request.ts'
import { previewEthereum } from '../preview/ethereum.ts'
import type { PreviewNode } from '../preview/nodes.ts'
import { assetKey } from '../settings/permissions.ts'
import { denied } from './denials.ts'
import { type GrantWallet, largerOf, type Plan, type PlanContext } from './plan.ts'
import { invalidTransaction, readPreview } from './preview.ts'
import { type SendResult, sendToNodes } from './send.ts'
import type { GrantTerms } from './terms.ts'
import { signEthereum } from './wallet-key.ts'

/**
 * The fields that a signer may set. The server chooses nonce, gas and fees: with them a signer could replace the user's own
 * transactions, or pay the network more than it asks.
 */
const settable: ReadonlySet<string> = new Set(['to', 'from', 'value', 'data', 'type', 'chainId'])
const KNOWN_ALREADY = /already known|already imported|known transaction|already in mempool/i

/**
 * Reads, prepares and simulates a transaction of Ethereum, and counts what it takes.
 * @throws Refusal `permission_denied`, `invalid_data`, `insufficient_funds`; Unavailable
 */
export async function planEthereum(
  nodes: readonly PreviewNode[],
  {
    wallet,
    terms,
    chainId,
    transaction,
  }: {
    wallet: GrantWallet
    terms: GrantTerms
    chainId: number
    transaction: Readonly<Record<string, string | number>>
  },
  context: PlanContext,
): Promise<Plan> {
  const chain = `eip155:${chainId}`
  const request = readTransaction(transaction, wallet, chainId)
  const decoded = allowedAmounts(request, terms, chain)
  const type = transaction.type === undefined ? undefined : transactionType(request)
  return planRequest(nodes, { request, terms, decoded, type }, context)
}

/**
 * Prepares a transaction that moves nothing, from a wallet to itself: with it the server uses up a number that nobody else will, for
 * those that wait behind it. It costs its fee.
 * @throws Refusal `insufficient_funds`; Unavailable
 */
export function planGap(
  nodes: readonly PreviewNode[],
  { wallet, chainId }: { wallet: GrantWallet; chainId: number },
  context: PlanContext,
): Promise<Plan> {
  const request = withSender(
    parseTransaction({ to: wallet.address, value: 0, chainId }, { chainId }),
    wallet.address,
  )
  const terms = { simulate: 'off' } as const
  return planRequest(nodes, { request, terms, decoded: new Map(), type: undefined }, context)
}

async function planRequest(
  nodes: readonly PreviewNode[],
  {
    request,
    terms,
    decoded,
    type,
  }: {
    request: WalletTransaction
    terms: Pick<GrantTerms, 'simulate'>
    /** What the call itself says that it takes. */
    decoded: ReadonlyMap<string, bigint>
    /** As the signer has named it. */
    type: ReturnType<typeof transactionType> | undefined
  },
  context: PlanContext,
): Promise<Plan> {
  const { chainId } = request
  const chain = `eip155:${chainId}`
  const work = previewEthereum(nodes, request, context)
  const { prepared, simulated, figure } = await readPreview(work, terms)
  if (prepared.reason !== undefined) throw denied('simulation')
  const fee = figure('fee')
  const amounts = largerOf(decoded, simulated)
  const native = amounts.get('native') ?? 0n
  const fees =
    prepared.gas_price === undefined
      ? {
          maxFeePerGas: figure('max_fee_per_gas'),
          maxPriorityFeePerGas: figure('max_priority_fee_per_gas'),
        }
      : { gasPrice: figure('gas_price') }
  const gasLimit = figure('gas_limit')
  return {
    chain,
    target: request.to ?? '',
    costs: [
      { asset: 'native', amount: native + fee, fee },
      ...[...amounts].flatMap(([asset, amount]) => (asset === 'native' ? [] : [{ asset, amount, fee: 0n }])),
    ],
    nonce: Number(figure('nonce')),
    sign(key, nonce) {
      const named = type === undefined ? {} : { type }
      const complete = completeTransaction({
        ...request,
        ...named,
        ...fees,
        gasLimit,
        nonce: BigInt(nonce ?? figure('nonce')),
      })
      // No permission covers code at the wallet's own address.
      if (complete.type === 4) throw denied('call')
      const kind = (['legacy', 'eip2930', 'eip1559'] as const)[complete.type]
      const unsigned = {
        type: kind,
        chainId,
        nonce: Number(complete.nonce),
        gas: gasLimit,
        to: complete.to,
        value: complete.value,
        data: complete.data,
        ...(kind !== 'legacy' && { accessList: [] }),
        ...fees,
      } as Parameters<typeof serializeTransaction>[0]
      const signature = signEthereum(key, hexToBytes(keccak256(serializeTransaction(unsigned))))
      const raw = serializeTransaction(unsigned, signature)
      return { raw, hash: keccak256(raw) }
    },
    send: (raw) => sendEthereum(nodes, raw),
  }
}

/** Sends a signed transaction to the nodes until one takes it. */
export const sendEthereum = (nodes: readonly PreviewNode[], raw: string): Promise<SendResult> =>
  sendToNodes(nodes, { method: 'eth_sendRawTransaction', params: [raw], known: KNOWN_ALREADY })

function readTransaction(
  given: Readonly<Record<string, string | number>>,
  wallet: GrantWallet,
  chainId: number,
): WalletTransaction {
  if (wallet.chainType !== 'ethereum') throw denied('chain')
  const fields = Object.keys(given)
  if (fields.some((field) => !settable.has(field))) throw denied('fee')
  let request: ReturnType<typeof parseTransaction>
  try {
    request = parseTransaction(given, { chainId })
  } catch (cause) {
    if (cause instanceof InvalidRequest) throw invalidTransaction()
    throw cause
  }
  if (request.chainId !== chainId) throw denied('chain')
  if (request.from !== undefined && request.from !== wallet.address) throw denied('account')
  // Without a recipient it creates a contract.
  if (request.to === undefined) throw denied('call')
  return withSender(request, wallet.address)
}

/** The amounts that the call itself says. @throws Refusal `permission_denied` for a call that the terms don't allow */
function allowedAmounts(
  request: WalletTransaction,
  terms: GrantTerms,
  chain: string,
): ReadonlyMap<string, bigint> {
  const { value, data } = request
  const to = assetKey(request.to ?? '')
  const here = terms.allow.filter((each) => each.chain === chain)
  if (here.length === 0) throw denied('chain')
  const native: [string, bigint][] = value > 0n ? [['native', value]] : []
  if (data === '0x') {
    const transfers = here.filter((each) => 'transfer' in each && each.transfer === 'native')
    if (transfers.length === 0) throw denied('call')
    requireRecipient(transfers, to)
    return new Map(native)
  }
  const call = decodeCall(data, to)
  if (call?.action === 'transfer' && call.from === undefined && call.amount !== undefined) {
    const transfers = here.filter((each) => 'transfer' in each && each.transfer === to)
    if (transfers.length === 0 || value > 0n) throw denied('call')
    requireRecipient(transfers, assetKey(call.party ?? ''))
    return new Map([[to, call.amount]])
  }
  const functions = here.flatMap((each) => ('contract' in each && each.contract === to ? each.functions : []))
  // Named and written in its one way: other bytes may mean another call.
  if (!exactDecoder(functions.map((each) => `function ${each}`))(data)) throw denied('call')
  return new Map(native)
}

function requireRecipient(transfers: readonly GrantTerms['allow'][number][], to: string): void {
  const isAllowed = transfers.some((each) => 'transfer' in each && (each.to?.includes(to) ?? true))
  if (!isAllowed) throw denied('recipient')
}
