/** A bundler, which includes operations in transactions (ERC-7769). */
import type { Address, Hex } from 'viem'
import { formatUserOperationRequest, type UserOperation } from 'viem/account-abstraction'
import { address, bytes, quantity, readFields, readList } from '../../ethereum/answers.ts'
import { parseInteger } from '../../ethereum/integer.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { NodeError, TransactionUnknownError, Unreachable } from '../../lib/node-errors.ts'
import type { SmartAccountCodec } from './account-codec.ts'
import { bundlerRefusal, operationError } from './errors.ts'
import { smartAccountLimits } from './limits.ts'

export type EntryPoint = SmartAccountCodec['entryPoint']

/** Gas of an operation, each a limit. */
export interface OperationGas {
  readonly callGasLimit: bigint
  readonly verificationGasLimit: bigint
  readonly preVerificationGas: bigint
  readonly paymasterVerificationGasLimit?: bigint | undefined
  readonly paymasterPostOpGasLimit?: bigint | undefined
}

export interface BundlerOptions {
  readonly signal?: AbortSignal | undefined
}

/** All methods throw a `KitError`: the refusal by its code, `bundler_unavailable`, or `bundler_answer_invalid` for an answer that can't be right. */
export interface Bundler {
  /** Host of its URL, which says whose methods for fees it has. */
  readonly host: string
  /** Throws unless the bundler serves this EntryPoint on this chain. */
  assertServes(entryPoint: EntryPoint, chainId: number, options?: BundlerOptions): Promise<void>
  /** @param mostGas the gas of a block: no operation can have more */
  estimateGas(
    operation: UserOperation,
    entryPoint: EntryPoint,
    options: BundlerOptions & { readonly mostGas: bigint },
  ): Promise<OperationGas>
  /**
   * Sends a signed operation once.
   * @param operation as JSON
   * @param sent its hash, which the bundler must name as well, and its EntryPoint
   * @throws TransactionUnknownError if no answer came, and KitError `user_operation_other_hash` for another hash: the bundler may have it
   */
  send(
    operation: object,
    sent: Pick<SentOperation, 'hash' | 'entryPoint'>,
    options?: BundlerOptions,
  ): Promise<void>
  /** The transaction that holds the operation; `undefined` while there is none. */
  findTransaction(operation: SentOperation, options?: BundlerOptions): Promise<Hex | undefined>
  /** Whether the bundler has the operation, in a transaction or waiting for one. */
  knows(operation: SentOperation, options?: BundlerOptions): Promise<boolean>
  /** Another method of the bundler's. Rejects with the node's own errors. */
  ask(method: string, params: readonly unknown[], options?: BundlerOptions): Promise<unknown>
}

export interface SentOperation {
  readonly hash: Hex
  readonly sender: Address
  readonly nonce: bigint
  readonly entryPoint: Address
  /** Block at which it was prepared: no earlier one can hold it. */
  readonly blockNumber: bigint
}

export interface BundlerServices {
  readonly url: string
  /** The service at the URL. */
  readonly node: ChainNode
}

/**
 * A bundler at a URL.
 * @example
 * import { createBundler } from './bundler.ts'
 * import { createNode } from '../../ethereum/rpc.ts'
 * import { systemClock } from '../../lib/clock.ts'
 *
 * const url = 'https://bundler.example/1'
 * const bundler = createBundler({ url, node: createNode({ url, fetch, clock: systemClock }) })
 */
export function createBundler({ url, node }: BundlerServices): Bundler {
  let served: string | undefined
  const ask = (method: string, params: readonly unknown[], { signal, retries }: AskOptions = {}) =>
    askService(node, method, params, signal, retries)
  return {
    host: new URL(url).host,
    ask: (method, params, { signal } = {}) => node.ask(method, params, { signal }),

    async assertServes(entryPoint, chainId, options) {
      const wanted = `${entryPoint.address}@${chainId}`
      if (served === wanted) return
      const [chain, entryPoints] = await Promise.all([
        ask('eth_chainId', [], options).then(checked(quantity('a chain ID'))),
        ask('eth_supportedEntryPoints', [], options).then(
          checked((answer) => readList(answer, 'a list of EntryPoints').map(address('an EntryPoint'))),
        ),
      ])
      if (chain !== BigInt(chainId)) throw invalidAnswer('it serves another chain')
      if (!entryPoints.some((each) => isSame(each, entryPoint.address)))
        throw operationError('smart_account_unavailable', { details: 'The bundler has another EntryPoint' })
      served = wanted
    },

    async estimateGas(operation, entryPoint, { mostGas, signal }) {
      const params = [formatUserOperationRequest(operation), entryPoint.address]
      const answer = await ask('eth_estimateUserOperationGas', params, { signal })
      return checked((gas) => readGas(gas, mostGas))(answer)
    },

    async send(operation, { hash, entryPoint }, { signal } = {}) {
      const params = [operation, entryPoint]
      let answer: unknown
      try {
        // Sent once: a bundler refuses the same operation the second time, though it has the first.
        answer = await node.ask('eth_sendUserOperation', params, { signal, retries: false })
      } catch (cause) {
        signal?.throwIfAborted()
        if (cause instanceof NodeError) throw bundlerRefusal(cause)
        throw new TransactionUnknownError('The bundler may have the operation', hash, { cause })
      }
      if (typeof answer !== 'string' || answer.toLowerCase() !== hash.toLowerCase())
        throw operationError('user_operation_other_hash', { data: { userOpHash: hash } })
    },

    async findTransaction(operation, options) {
      const answer = await ask('eth_getUserOperationReceipt', [operation.hash], options)
      return answer === null ? undefined : checked((receipt) => readReceipt(receipt, operation))(answer)
    },

    async knows(operation, options) {
      const answer = await ask('eth_getUserOperationByHash', [operation.hash], options)
      if (answer === null) return false
      checked((found) => assertSame(found, operation))(answer)
      return true
    },
  }
}

interface AskOptions extends BundlerOptions {
  readonly retries?: boolean
}

async function askService(
  node: ChainNode,
  method: string,
  params: readonly unknown[],
  signal: AbortSignal | undefined,
  retries = true,
): Promise<unknown> {
  try {
    return await node.ask(method, params, { signal, retries })
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof NodeError) throw bundlerRefusal(cause)
    if (cause instanceof Unreachable) throw operationError('bundler_unavailable', { cause })
    throw cause
  }
}

export const invalidAnswer = (details: string, data?: unknown) =>
  operationError('bundler_answer_invalid', { details, data })

/** Readers of answers throw a `NodeError`, as if the bundler had refused: here it is one of the bundler's answers. */
const checked =
  <T>(read: (answer: unknown) => T) =>
  (answer: unknown): T => {
    try {
      return read(answer)
    } catch (cause) {
      if (!(cause instanceof NodeError)) throw cause
      throw operationError('bundler_answer_invalid', { cause, details: cause.message })
    }
  }

function readGas(answer: unknown, mostGas: bigint): OperationGas {
  const what = 'an estimate of gas'
  const fields = readFields(answer, what)
  const gas = (name: string) => quantity(what, mostGas)(fields.get(name))
  const optional = (name: string) => ((fields.get(name) ?? undefined) === undefined ? undefined : gas(name))
  const estimate: OperationGas = {
    callGasLimit: gas('callGasLimit'),
    verificationGasLimit: gas('verificationGasLimit'),
    preVerificationGas: quantity(
      what,
      smartAccountLimits.preVerificationGas,
    )(fields.get('preVerificationGas')),
    paymasterVerificationGasLimit: optional('paymasterVerificationGasLimit'),
    paymasterPostOpGasLimit: optional('paymasterPostOpGasLimit'),
  }
  // No account can be asked for its signature without gas, and a bundler never works for nothing.
  if (estimate.verificationGasLimit === 0n || estimate.preVerificationGas === 0n)
    throw new NodeError(0, `The node did not return ${what}`)
  return estimate
}

/** The transaction of a receipt, which must be that of the operation. Whether it succeeded is asked of the chain's own node. */
function readReceipt(answer: unknown, operation: SentOperation): Hex {
  const what = 'a receipt'
  const fields = readFields(answer, what)
  const named = bytes(what, 32)(fields.get('userOpHash'))
  if (named !== operation.hash.toLowerCase()) throw invalidAnswer('it is the receipt of another operation')
  assertParty(fields.get('sender'), operation.sender, 'of another sender')
  const entryPoint = fields.get('entryPoint') ?? undefined
  // Some bundlers leave it out.
  if (entryPoint !== undefined) assertParty(entryPoint, operation.entryPoint, 'of another EntryPoint')
  if (parseInteger(fields.get('nonce')) !== operation.nonce) throw invalidAnswer('it has another nonce')
  return bytes(what, 32)(readFields(fields.get('receipt'), what).get('transactionHash'))
}

function assertSame(answer: unknown, operation: SentOperation): void {
  const what = 'an operation'
  const fields = readFields(answer, what)
  const found = readFields(fields.get('userOperation'), what)
  assertParty(found.get('sender'), operation.sender, 'of another sender')
  if (parseInteger(found.get('nonce')) !== operation.nonce) throw invalidAnswer('it has another nonce')
  const entryPoint = fields.get('entryPoint') ?? undefined
  if (entryPoint !== undefined) assertParty(entryPoint, operation.entryPoint, 'of another EntryPoint')
}

function assertParty(named: unknown, expected: Address, otherwise: string): void {
  if (!isSame(address('an address')(named), expected)) throw invalidAnswer(`it is ${otherwise}`)
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
