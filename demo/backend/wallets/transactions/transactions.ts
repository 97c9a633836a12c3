import { gasPriceOracleOf } from '../../../../src/ethereum/chains.ts'
import { type PreparedTransaction, prepareTransaction } from '../../../../src/ethereum/prepare-transaction.ts'
import type { ChainNode } from '../../../../src/ethereum/rpc.ts'
import { balanceOfData, erc20Selectors, readMetadata, readUint } from '../../../../src/ethereum/tokens.ts'
import { transactionType, type WalletTransaction } from '../../../../src/ethereum/transaction.ts'
import { InvalidRequest } from '../../../../src/lib/invalid-request.ts'
import { NodeError } from '../../../../src/lib/node-errors.ts'
import { type ChainRpc, createChainRpc } from '../../chains/rpc.ts'
import { Refusal } from '../../lib/refusal.ts'
import { nodeUrlsOf, type RpcUrls } from '../../settings/chain-rpc-urls.ts'
import { countEvent } from '../../store/rate-limits.ts'
import { noSuchWallet, ownWalletRow, type UserSession, type WalletContext } from '../context.ts'
import { isRevert, resultOf } from './node-answers.ts'
import type { FilledTransaction, TransactionRequest } from './request.ts'

export interface Transactions {
  /**
   * Fills in what a transaction of the user's wallet lacks: nonce, gas, fees.
   * @throws Refusal `insufficient_funds`, `transaction_execution_failure`, `not_supported`; Unavailable
   */
  populate(session: UserSession, address: string, request: TransactionRequest): Promise<FilledTransaction>
  /**
   * What the user's wallet (or a contract) has of a token with decimals, and how many of it there are, in its smallest units. Symbol
   * and decimals where both can be displayed.
   * @throws Refusal `not_supported` on a chain without a node, and for a contract that is no such token; Unavailable
   */
  tokenFigures(
    session: UserSession,
    token: { address: string; chainId: number; token: string; owner?: string | undefined },
  ): Promise<TokenFigures>
}

interface TokenFigures {
  readonly balance: bigint
  readonly supply: bigint | undefined
  readonly symbol?: string
  readonly decimals?: number
}

const minute = 60_000

/** Asks the chain's node in the vault's stead, which speaks to nobody but this server. */
export function createTransactions(cx: WalletContext & { rpcUrls: RpcUrls }): Transactions {
  const { database, limits, clock, rpcUrls } = cx
  const nodes = new Map<number, ChainRpc>()

  function nodeOf(chainId: number): ChainRpc {
    const urls = nodeUrlsOf(rpcUrls, chainId)
    if (urls.length === 0)
      throw new Refusal('not_supported', 'Transactions on this chain cannot be completed here.')
    const known = nodes.get(chainId) ?? createChainRpc({ what: 'The chain', urls, chainId, limits })
    nodes.set(chainId, known)
    return known
  }

  const countAsk = ({ userId }: UserSession) =>
    countEvent(database, `populate ${userId}`, clock(), minute, [
      { most: limits.populatesPerMinute, span: minute },
    ])

  return {
    async tokenFigures(session, { address, chainId, token, owner }) {
      const wallet = await ownWalletRow(database, session, address)
      if (wallet.chainType !== 'ethereum') throw noSuchWallet()
      const node = nodeOf(chainId)
      await countAsk(session)
      return readFigures(node, token, owner ?? wallet.address)
    },

    async populate(session, address, request) {
      const wallet = await ownWalletRow(database, session, address)
      if (wallet.chainType !== 'ethereum') throw noSuchWallet()
      const from = wallet.address
      if (request.from !== undefined && request.from !== from)
        throw new Refusal('invalid_data', 'Invalid or missing: transaction.from')
      const node = nodeOf(request.chainId)
      await countAsk(session)
      return fill(node, { ...request, from }, gasPriceOracleOf({ host: {} }, request.chainId))
    },
  }
}

async function readFigures(node: ChainRpc, token: string, owner: string): Promise<TokenFigures> {
  const until = node.deadline()
  const call = async (data: string) => {
    const said = await node.ask('eth_call', [{ to: token, data }, 'latest'], until)
    if ('error' in said && !isRevert(said.error)) resultOf(node, said)
    const result = 'result' in said ? said.result : undefined
    return typeof result === 'string' && /^0x([\da-f]{2})*$/i.test(result)
      ? (result as `0x${string}`)
      : undefined
  }
  const [ownBalance, totalSupply, decimals, symbol] = await Promise.all([
    call(balanceOfData(owner)),
    call(erc20Selectors.totalSupply),
    call(erc20Selectors.decimals),
    call(erc20Selectors.symbol),
  ])
  const [balance, supply] = [ownBalance && readUint(ownBalance), totalSupply && readUint(totalSupply)]
  // Of a contract without decimals a number names a token, and is no amount.
  if (balance === undefined || (decimals && readUint(decimals)) === undefined)
    throw new Refusal('not_supported', 'This contract is not a token that is counted.')
  const metadata = readMetadata(token, { name: undefined, symbol, decimals })
  return {
    balance,
    supply,
    ...(metadata.kind === 'token' && { symbol: metadata.symbol, decimals: metadata.decimals }),
  }
}

/** The same preparation as in the kit; a node's answers that can't be used are an outage. */
async function fill(
  rpc: ChainRpc,
  request: TransactionRequest & { from: string },
  gasPriceOracle: string | undefined,
): Promise<FilledTransaction> {
  const until = rpc.deadline()
  // The first call alone, so that a node of another chain is asked nothing else.
  await rpc.ask('eth_chainId', [], until)
  const { transaction, isUnderfunded, simulationError, reason } = await prepare(
    rpc,
    request,
    until,
    gasPriceOracle,
  )
  if (isUnderfunded)
    throw new Refusal(
      'insufficient_funds',
      'This wallet does not have enough for the transaction and its fee.',
    )
  if (reason?.kind === 'reverted' || reason?.kind === 'out-of-gas')
    throw new Refusal('transaction_execution_failure', 'This transaction would fail.')
  if (simulationError) throw rpc.down(simulationError)
  const { nonce, gasLimit, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = transaction
  const fees = gasPrice === undefined ? { maxFeePerGas, maxPriorityFeePerGas } : { gasPrice }
  return { ...request, ...fees, nonce: Number(nonce), gasLimit }
}

async function prepare(
  rpc: ChainRpc,
  { nonce, ...request }: TransactionRequest & { from: string },
  until: number,
  gasPriceOracle: string | undefined,
): Promise<PreparedTransaction> {
  const node: ChainNode = {
    async ask(method, params) {
      const said = await rpc.ask(method, params ?? [], until)
      if ('error' in said) throw new NodeError(said.error.code, said.error.message, said.error.data)
      return said.result
    },
  }
  const wallet = {
    ...request,
    value: request.value ?? 0n,
    data: request.data ?? '0x',
    nonce: nonce === undefined ? undefined : BigInt(nonce),
  } as WalletTransaction
  try {
    transactionType(wallet)
    return await prepareTransaction(node, wallet, { gasPriceOracle })
  } catch (cause) {
    if (cause instanceof InvalidRequest) throw new Refusal('invalid_data', cause.message)
    throw cause instanceof NodeError ? rpc.down(cause) : cause
  }
}
