import { type ChainRpc, createChainRpc } from '../../chains/rpc.ts'
import { Refusal } from '../../lib/refusal.ts'
import { countEvent } from '../../store/rate-limits.ts'
import { noSuchWallet, ownWalletRow, type UserSession, type WalletContext } from '../context.ts'
import { type Fees, suggestFees } from './fees.ts'
import { hexOf, isRevert, readQuantity, resultOf } from './node-answers.ts'
import type { FilledTransaction, TransactionRequest } from './request.ts'

export interface Transactions {
  /**
   * Fills in what a transaction of the user's wallet lacks: nonce, gas, fees.
   * @throws Refusal `insufficient_funds`, `transaction_execution_failure`, `not_supported`; Unavailable
   */
  populate(session: UserSession, address: string, request: TransactionRequest): Promise<FilledTransaction>
  /**
   * What the user's wallet has of a token with decimals, and how many of it there are, in its smallest units.
   * @throws Refusal `not_supported` on a chain without a node, and for a contract that is no such token; Unavailable
   */
  tokenFigures(
    session: UserSession,
    token: { address: string; chainId: number; token: string },
  ): Promise<{ balance: bigint; supply: bigint | undefined }>
}

const minute = 60_000

/** Asks the chain's node in the vault's stead, which speaks to nobody but this server. */
export function createTransactions(
  cx: WalletContext & { rpcUrls: Readonly<Record<number, string>> },
): Transactions {
  const { database, limits, clock, rpcUrls } = cx
  const nodes = new Map<number, ChainRpc>()

  function nodeOf(chainId: number): ChainRpc {
    const url = Object.hasOwn(rpcUrls, chainId) ? rpcUrls[chainId] : undefined
    if (!url) throw new Refusal('not_supported', 'Transactions on this chain cannot be completed here.')
    const known = nodes.get(chainId) ?? createChainRpc({ what: 'The chain', url, chainId, limits })
    nodes.set(chainId, known)
    return known
  }

  const countAsk = ({ userId }: UserSession) =>
    countEvent(database, `populate ${userId}`, clock(), minute, [
      { most: limits.populatesPerMinute, span: minute },
    ])

  return {
    async tokenFigures(session, { address, chainId, token }) {
      const wallet = await ownWalletRow(database, session, address)
      if (wallet.chainType !== 'ethereum') throw noSuchWallet()
      const node = nodeOf(chainId)
      await countAsk(session)
      return readFigures(node, token, wallet.address)
    },

    async populate(session, address, request) {
      const wallet = await ownWalletRow(database, session, address)
      if (wallet.chainType !== 'ethereum') throw noSuchWallet()
      const from = wallet.address
      if (request.from !== undefined && request.from !== from)
        throw new Refusal('invalid_data', 'Invalid or missing: transaction.from')
      const node = nodeOf(request.chainId)
      await countAsk(session)
      return fill(node, { ...request, from })
    },
  }
}

/** `balanceOf(address)`, `totalSupply()` and `decimals()` of ERC-20. */
const BALANCE_OF = '0x70a08231'
const TOTAL_SUPPLY = '0x18160ddd'
const DECIMALS = '0x313ce567'

async function readFigures(node: ChainRpc, token: string, owner: string) {
  const until = node.deadline()
  const call = async (data: string) => {
    const said = await node.ask('eth_call', [{ to: token, data }, 'latest'], until)
    if ('error' in said && !isRevert(said.error)) resultOf(node, said)
    const result = 'result' in said ? said.result : undefined
    return typeof result === 'string' && /^0x[\da-f]{64}$/i.test(result) ? BigInt(result) : undefined
  }
  const [balance, supply, decimals] = await Promise.all([
    call(`${BALANCE_OF}${owner.slice(2).toLowerCase().padStart(64, '0')}`),
    call(TOTAL_SUPPLY),
    call(DECIMALS),
  ])
  // Of a contract without decimals a number names a token, and is no amount.
  if (balance === undefined || decimals === undefined)
    throw new Refusal('not_supported', 'This contract is not a token that is counted.')
  return { balance, supply }
}

async function fill(
  node: ChainRpc,
  request: TransactionRequest & { from: string },
): Promise<FilledTransaction> {
  const until = node.deadline()
  const { from } = request
  const quantity = async (method: string, params: unknown) =>
    readQuantity(node, resultOf(node, await node.ask(method, params, until)))
  // The first call alone, so that a node of another chain is asked nothing else.
  const block = await latestBlock(node, until)
  const [pending, mined, balance, fees] = await Promise.all([
    quantity('eth_getTransactionCount', [from, 'pending']),
    quantity('eth_getTransactionCount', [from, 'latest']),
    quantity('eth_getBalance', [from, 'latest']),
    suggestFees(node, request, block.baseFee, until),
  ])
  // A node that forgets what is pending must not have a mined one repeated.
  const next = Math.max(Number(pending), Number(mined))
  if (!Number.isSafeInteger(next)) throw node.down(new Error('It returned an impossible nonce'))
  const gasLimit = request.gasLimit ?? (await estimate(node, request, block.gasLimit, until))
  requireFunds(balance, (request.value ?? 0n) + gasLimit * priceOf(fees))
  return { ...request, ...fees, nonce: request.nonce ?? next, gasLimit }
}

const priceOf = (fees: Fees) => ('gasPrice' in fees ? fees.gasPrice : fees.maxFeePerGas)

function requireFunds(balance: bigint, cost: bigint): void {
  if (balance < cost)
    throw new Refusal(
      'insufficient_funds',
      'This wallet does not have enough for the transaction and its fee.',
    )
}

async function latestBlock(node: ChainRpc, until: number) {
  const result = resultOf(node, await node.ask('eth_getBlockByNumber', ['latest', false], until))
  if (typeof result !== 'object' || result === null) throw node.down(new Error('It has no latest block'))
  const { gasLimit, baseFeePerGas } = result as { gasLimit?: unknown; baseFeePerGas?: unknown }
  return {
    gasLimit: readQuantity(node, gasLimit),
    /** `undefined` before London. */
    baseFee:
      baseFeePerGas === undefined || baseFeePerGas === null ? undefined : readQuantity(node, baseFeePerGas),
  }
}

/** A fifth on top, for what changes until the transaction is mined; but for a plain payment, which always takes the same. */
async function estimate(
  node: ChainRpc,
  { from, to, data, value, accessList }: TransactionRequest,
  most: bigint,
  until: number,
): Promise<bigint> {
  const call = { from, to, data, accessList, value: value === undefined ? undefined : hexOf(value) }
  const said = await node.ask('eth_estimateGas', [call], until)
  if ('error' in said && /insufficient funds/i.test(said.error.message)) requireFunds(0n, 1n)
  if ('error' in said && isRevert(said.error))
    throw new Refusal('transaction_execution_failure', 'This transaction would fail.')
  const gas = readQuantity(node, resultOf(node, said))
  if (gas > most) throw node.down(new Error('It returned more gas than fits into a block'))
  const roomy = gas === 21_000n ? gas : (gas * 6n) / 5n
  return roomy > most ? most : roomy
}
