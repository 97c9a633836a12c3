/** An operation of a smart account, from its calls to its result. */
import type { Address, Hex } from 'viem'
import type { UserOperation } from 'viem/account-abstraction'
import { concatHex } from 'viem/utils'
import { KitError } from '../../errors/kit-error.ts'
import { quantity, readFields, unusable } from '../../ethereum/answers.ts'
import { isHexBytes } from '../../ethereum/hex.ts'
import { assertChainId } from '../../ethereum/prepare-transaction.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { mostCostOf, paymasterOf } from '../../ethereum/user-operation.ts'
import type { Clock } from '../../lib/clock.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import type { OwnerPayload, SmartAccountCodec, SmartCall } from './account-codec.ts'
import { functionOf } from './accounts/call-forms.ts'
import { hashOperation } from './accounts/signatures.ts'
import type { Bundler, OperationGas } from './bundler.ts'
import { isOfSponsor, operationError } from './errors.ts'
import { type LatestBlock, type OperationFees, operationFees } from './fees.ts'
import { smartAccountLimits } from './limits.ts'
import {
  type Paymaster,
  type PaymasterFields,
  readValidity,
  type Sponsor,
  type Validity,
} from './paymaster.ts'

/** The account, and the services of its chain. */
export interface OperationContext {
  readonly codec: SmartAccountCodec
  readonly owner: Address
  /** A stored account's address. Without one it is that which the codec computes. */
  readonly address?: Address | undefined
  readonly chainId: number
  readonly node: ChainNode
  readonly bundler: Bundler
  /** Without one the account pays. */
  readonly paymaster?: Paymaster | undefined
  readonly clock: Pick<Clock, 'now' | 'sleep'>
}

export interface PrepareOperationOptions {
  readonly signal?: AbortSignal | undefined
}

/** An operation with everything that its signature covers. */
export interface PreparedOperation {
  readonly outcome: 'prepared'
  /** Frozen: a paymaster vouches for exactly these fields. Its signature is a stub. */
  readonly operation: Readonly<UserOperation>
  /** Its hash at the EntryPoint, by which it is found. */
  readonly hash: Hex
  /** The owner signs this. */
  readonly payload: OwnerPayload
  readonly calls: readonly SmartCall[]
  readonly chainId: number
  /** Whether the account is deployed with it. */
  readonly deploysAccount: boolean
  /** Set where a paymaster pays. */
  readonly sponsor: Sponsor | undefined
  /** When the paymaster pays, as far as its data says so. */
  readonly validity: Validity | undefined
  /** The most that the operation may cost, beside the value of its calls. */
  readonly fee: bigint
  /** Wei of the account itself, and what it has deposited at the EntryPoint. */
  readonly balance: bigint
  readonly deposit: bigint
  /** Whether the account has too little for the calls' value, and for the fee where it pays. */
  readonly isUnderfunded: boolean
  /** Block at which it was prepared: no earlier one can hold it. */
  readonly blockNumber: bigint
}

/** The app's sponsor doesn't pay. The user can pay, or stop: nothing falls back by itself. */
export interface SponsorDeclined {
  readonly outcome: 'sponsorDeclined'
  /** The sponsor's or the bundler's own words. */
  readonly reason: string
  readonly sponsor: Sponsor | undefined
  readonly error: KitError
}

type Ask = (method: string, params?: readonly unknown[]) => Promise<unknown>

const entryPointCalls = {
  getNonce: functionOf('function getNonce(address sender, uint192 key) view returns (uint256)'),
  balanceOf: functionOf('function balanceOf(address account) view returns (uint256)'),
}

/**
 * Fills in all that an operation needs: nonce, deployment, fees, gas, and the paymaster's data last.
 * @throws KitError as its table in `errors.ts` has it; a NodeError or Unreachable of the chain's own node
 */
export async function prepareOperation(
  cx: OperationContext,
  calls: readonly SmartCall[],
  options: PrepareOperationOptions = {},
): Promise<PreparedOperation | SponsorDeclined> {
  const callData = cx.codec.encodeCalls(calls)
  let knowsCode = false
  for (let attempt = 1; ; attempt++) {
    try {
      return await prepareOnce(cx, calls, callData, { ...options, knowsCode })
    } catch (cause) {
      const change = cause instanceof KitError ? changeOf(cause) : undefined
      const isLast = attempt >= smartAccountLimits.prepareAttempts
      if (!change || isLast) throw cause
      // The chain's own node may learn of the deployment later than the bundler.
      knowsCode ||= change === 'deployed'
      if (change === 'nonce') await cx.clock.sleep(smartAccountLimits.prepareDelay, options.signal)
    }
  }
}

interface AttemptOptions extends PrepareOperationOptions {
  /** The bundler says that the account is deployed. */
  readonly knowsCode: boolean
}

async function prepareOnce(
  cx: OperationContext,
  calls: readonly SmartCall[],
  callData: Hex,
  { knowsCode, signal }: AttemptOptions,
): Promise<PreparedOperation | SponsorDeclined> {
  const { codec, owner, chainId, node, bundler } = cx
  const { entryPoint } = codec
  const ask: Ask = (method, params = []) => node.ask(method, params, { signal })
  const sender = cx.address ?? codec.getAddress(owner)
  const [block, deployment, nonce, balance, deposit] = await Promise.all([
    ask('eth_getBlockByNumber', ['latest', false]).then(readBlock),
    knowsCode ? {} : findDeployment(cx, sender, ask),
    readNonce(ask, codec, sender),
    ask('eth_getBalance', [sender, 'latest']).then(quantity('a balance')),
    readUint(ask, entryPoint.address, entryPointCalls.balanceOf.encode([sender])),
    assertChainId(node, chainId, signal),
    bundler.assertServes(entryPoint, chainId, { signal }),
  ])
  const fees = await operationFees({ bundler, node, chainId }, block, { signal })
  const draft = draftOf({ codec, sender, nonce, callData, deployment, fees })
  const completed = await complete(cx, draft, block, signal)
  if ('outcome' in completed) return completed
  const { operation, sponsor } = completed
  const fee = mostCostOf(operation)
  const value = calls.reduce((sum, call) => sum + call.value, 0n)
  const own = sponsor ? 0n : fee > deposit ? fee - deposit : 0n
  return {
    outcome: 'prepared',
    operation: Object.freeze(operation),
    hash: hashOperation(codec, operation, chainId),
    payload: codec.toOperationPayload(operation, chainId),
    calls,
    chainId,
    deploysAccount: Object.keys(deployment).length > 0,
    sponsor,
    validity: sponsor && readValidity(paymasterDataOf(operation), cx.clock.now()),
    fee,
    balance,
    deposit,
    isUnderfunded: balance < value + own,
    blockNumber: block.number,
  }
}

interface Completed {
  readonly operation: UserOperation
  readonly sponsor: Sponsor | undefined
}

/** Adds gas, and what the paymaster gives: first a stub, with which gas is estimated, and its final data last of all. */
async function complete(
  { codec, chainId, bundler, paymaster }: OperationContext,
  draft: UserOperation,
  { gasLimit: mostGas }: LatestBlock,
  signal: AbortSignal | undefined,
): Promise<Completed | SponsorDeclined> {
  const { entryPoint } = codec
  if (!paymaster) {
    const gas = await bundler.estimateGas(draft, entryPoint, { mostGas, signal })
    return { operation: withGas(draft, gas), sponsor: undefined }
  }
  const options = { mostGas, signal }
  let sponsor: Sponsor | undefined
  try {
    const stub = await paymaster.getStubData(draft, entryPoint, chainId, options)
    sponsor = stub.sponsor
    const stubbed = withPaymaster(draft, stub.fields)
    const gas = await bundler.estimateGas(stubbed, entryPoint, options)
    const sized = withGas(stubbed, gas)
    if (stub.isFinal) return { operation: sized, sponsor }
    const fields = await paymaster.getData(sized, entryPoint, chainId, options)
    const operation = withPaymaster(sized, fields)
    // Gas was estimated with the contract of the stub.
    if (paymasterOf(operation) !== paymasterOf(sized))
      throw operationError('sponsor_answer_invalid', { details: 'The final paymaster is another one' })
    return { operation, sponsor }
  } catch (cause) {
    if (cause instanceof KitError && isOfSponsor(cause)) return toSponsorDeclined(cause, sponsor)
    throw cause
  }
}

function toSponsorDeclined(error: KitError, sponsor: Sponsor | undefined): SponsorDeclined {
  const { reason } = (error.data ?? {}) as { readonly reason?: string }
  return { outcome: 'sponsorDeclined', reason: reason ?? error.shortMessage, sponsor, error }
}

/** How the account has changed since its operation was prepared. */
function changeOf({ code }: KitError): 'deployed' | 'nonce' | undefined {
  if (code === 'user_operation_already_deployed') return 'deployed'
  return code === 'user_operation_nonce_used' ? 'nonce' : undefined
}

/** How an account gets its code with its first operation, in the fields of its EntryPoint's version. */
type Deployment = Partial<Pick<UserOperation, 'initCode' | 'factory' | 'factoryData'>>

/** Code of an address that has delegated (EIP-7702), before the address of what it delegates to. */
const DELEGATED = '0xef0100'

async function findDeployment(
  { codec, owner }: OperationContext,
  sender: Address,
  ask: Ask,
): Promise<Deployment> {
  const code = await readCode(ask, sender)
  const usual = codec.getFactoryArgs(owner)
  if (!usual) return assertDelegated(codec, code)
  if (code !== '0x') return {}
  if (sender.toLowerCase() !== codec.getAddress(owner).toLowerCase())
    throw new InvalidRequest("The smart account is not deployed, and its address is not that of the owner's")
  for (const args of [usual, codec.getDirectFactoryArgs?.(owner)]) {
    if (!args || (await readCode(ask, args.factory)) === '0x') continue
    const { factory, factoryData } = args
    return codec.entryPoint.version === '0.6'
      ? { initCode: concatHex([factory, factoryData]) }
      : { factory, factoryData }
  }
  throw operationError('smart_account_unavailable', { details: `No factory of ${codec.kind} on this chain` })
}

/** A key's own address has its code already (EIP-7702). With other code it would carry out something else than its user reviews. */
function assertDelegated({ implementation }: SmartAccountCodec, code: Hex): Deployment {
  const isDelegated =
    implementation !== undefined && code === `${DELEGATED}${implementation.slice(2).toLowerCase()}`
  if (!isDelegated) throw operationError('smart_account_not_delegated')
  return {}
}

async function readCode(ask: Ask, address: Address): Promise<Hex> {
  const code = await ask('eth_getCode', [address, 'latest'])
  if (!isHexBytes(code)) throw unusable('the code of a contract')
  return code.toLowerCase() as Hex
}

const readNonce = (ask: Ask, codec: SmartAccountCodec, sender: Address): Promise<bigint> =>
  readUint(ask, codec.entryPoint.address, entryPointCalls.getNonce.encode([sender, codec.nonceKey]))

async function readUint(ask: Ask, to: Address, data: Hex): Promise<bigint> {
  const answer = await ask('eth_call', [{ to, data }, 'latest'])
  // A chain without this EntryPoint answers with no bytes at all.
  if (answer === '0x') throw operationError('smart_account_unavailable', { details: 'No EntryPoint' })
  if (!isHexBytes(answer) || answer.length !== 66) throw unusable('a number of the EntryPoint')
  return BigInt(answer)
}

function readBlock(answer: unknown): LatestBlock {
  const what = 'a block'
  const block = readFields(answer, what)
  const gasLimit = quantity(what)(block.get('gasLimit'))
  if (gasLimit === 0n) throw unusable(what)
  const baseFee = block.get('baseFeePerGas') ?? undefined
  return {
    number: quantity(what)(block.get('number')),
    gasLimit,
    baseFee: baseFee === undefined ? 0n : quantity(what)(baseFee),
  }
}

interface Draft {
  readonly codec: SmartAccountCodec
  readonly sender: Address
  readonly nonce: bigint
  readonly callData: Hex
  readonly deployment: Deployment
  readonly fees: OperationFees
}

function draftOf({ codec, sender, nonce, callData, deployment, fees }: Draft): UserOperation {
  const packed = codec.entryPoint.version === '0.6' && { initCode: '0x', paymasterAndData: '0x' }
  return {
    sender,
    nonce,
    ...packed,
    ...deployment,
    callData,
    callGasLimit: 0n,
    verificationGasLimit: 0n,
    preVerificationGas: 0n,
    ...fees,
    signature: codec.stubSignature,
  } as UserOperation
}

/** A paymaster's own limits stay; the estimate fills in those that it leaves out. */
const withGas = (operation: UserOperation, gas: OperationGas): UserOperation => {
  const { paymasterVerificationGasLimit, paymasterPostOpGasLimit, ...limits } = gas
  const isPaid = operation.paymaster !== undefined
  return {
    ...operation,
    ...limits,
    ...(isPaid && {
      paymasterVerificationGasLimit:
        operation.paymasterVerificationGasLimit ?? paymasterVerificationGasLimit ?? 0n,
      paymasterPostOpGasLimit: operation.paymasterPostOpGasLimit ?? paymasterPostOpGasLimit ?? 0n,
    }),
  } as UserOperation
}

const withPaymaster = (operation: UserOperation, fields: PaymasterFields): UserOperation =>
  ({ ...operation, ...fields }) as UserOperation

/** A paymaster's data behind its address. */
const paymasterDataOf = ({ paymasterData, paymasterAndData }: UserOperation): Hex =>
  paymasterData ?? `0x${paymasterAndData?.slice(42) ?? ''}`
