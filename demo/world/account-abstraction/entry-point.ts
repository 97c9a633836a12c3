import {
  type Abi,
  type Address,
  concatHex,
  decodeErrorResult,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { entryPoint06Abi, entryPoint07Abi, entryPoint08Abi } from 'viem/account-abstraction'
import { artifact, type EntryPointVersion, entryPointAddresses } from './contracts.ts'
import { FailedOperation } from './errors.ts'
import { type Node, NodeError, type StateOverride } from './node.ts'
import { gasOf, type Operation, paymasterOf, toContractForm } from './user-operation.ts'

const abis = { '0.6': entryPoint06Abi, '0.7': entryPoint07Abi, '0.8': entryPoint08Abi } as const
/** Simulation left the EntryPoint with version 0.7: for one call its code is replaced by one that has it. */
const simulationAbis = {
  '0.6': entryPoint06Abi,
  get '0.7'() {
    return artifact('0.7', 'EntryPointSimulations').abi
  },
  get '0.8'() {
    return artifact('0.8', 'EntryPointSimulations').abi
  },
}
const reverted = parseAbi(['error Error(string)', 'error Panic(uint256)'])

/** A call within a transaction, as the node's tracer has it. */
interface Frame {
  readonly from: Address
  readonly to?: Address
  readonly input: Hex
  readonly output?: Hex
  readonly gasUsed: Hex
  readonly error?: string
  readonly calls?: readonly Frame[]
}
const selectors = {
  createSender: toFunctionSelector('function createSender(bytes)'),
  innerHandleOp: {
    '0.6': selectorOf('0.6', 'innerHandleOp'),
    '0.7': selectorOf('0.7', 'innerHandleOp'),
    '0.8': selectorOf('0.8', 'innerHandleOp'),
  },
}
function selectorOf(version: EntryPointVersion, name: string): Hex {
  const found = (abis[version] as Abi).find((each) => each.type === 'function' && each.name === name)
  if (found?.type !== 'function') throw new Error(`EntryPoint ${version} has no ${name}`)
  return toFunctionSelector(found)
}

/** Gas of each part of an operation, measured. */
export interface MeasuredGas {
  readonly creation: bigint
  readonly validation: bigint
  readonly paymaster: bigint
  readonly postOp: bigint
  readonly execution: bigint
}
/** Seconds in which an operation holds; 0 stands for no end. */
export interface TimeRange {
  readonly validAfter: number
  readonly validUntil: number
}

/** One of the EntryPoints on a chain. @param executor the sender of bundles */
export function createEntryPoint(node: Node, version: EntryPointVersion, executor: Address) {
  const address = entryPointAddresses[version]
  const abi: Abi = abis[version]
  const simulationAbi = () => simulationAbis[version] as Abi

  const encodeHandleOps = (operations: readonly Operation[]) =>
    encodeFunctionData({ abi, functionName: 'handleOps', args: [operations.map(toContractForm), executor] })
  /** Accounts have their code already, as they will within the bundle's transaction (EIP-7702). */
  const delegated = (operations: readonly Operation[]): StateOverride =>
    Object.fromEntries(
      operations.flatMap(({ authorization, fields }) =>
        authorization ? [[fields.sender, { code: concatHex(['0xef0100', authorization.address]) }]] : [],
      ),
    )
  function merge(...all: readonly StateOverride[]): StateOverride {
    const merged: Record<Address, StateOverride[Address]> = {}
    for (const each of all)
      for (const [at, change] of Object.entries(each) as [Address, StateOverride[Address]][])
        merged[at] = { ...merged[at], ...change }
    return merged
  }
  const simulations = (): StateOverride =>
    version === '0.6'
      ? {}
      : { [address]: { code: artifact(version, 'EntryPointSimulations').deployedBytecode } }

  function failureOf(cause: unknown): unknown {
    if (!(cause instanceof NodeError) || !cause.data) return cause
    return failedOperation(cause.data) ?? cause
  }
  function failedOperation(data: Hex): FailedOperation | undefined {
    try {
      const { errorName, args = [] } = decodeErrorResult({ abi, data })
      if (errorName === 'FailedOp' || errorName === 'FailedOpWithRevert') {
        const [index, reason, inner] = args as [bigint, string, Hex | undefined]
        return new FailedOperation(Number(index), inner ? withReason(reason, inner) : reason, inner)
      }
    } catch {
      return undefined
    }
    return undefined
  }

  return {
    address,
    version,
    abi,
    encodeHandleOps,

    /** The operation's hash as its EntryPoint computes it. */
    async hash(operation: Operation): Promise<Hex> {
      const data = encodeFunctionData({
        abi,
        functionName: 'getUserOpHash',
        args: [toContractForm(operation)],
      })
      return node.call({ to: address, data }, delegated([operation]))
    },

    /** Tries a bundle on the latest block. @throws FailedOperation */
    async check(operations: readonly Operation[]): Promise<void> {
      const gas = bundleGas(operations)
      const data = encodeHandleOps(operations)
      await node.call({ from: executor, to: address, data, gas }, delegated(operations)).catch((cause) => {
        throw failureOf(cause)
      })
    },

    /** When account and paymaster let the operation hold. */
    async timeRange(operation: Operation): Promise<TimeRange> {
      const data = encodeFunctionData({
        abi: simulationAbi(),
        functionName: 'simulateValidation',
        args: [toContractForm(operation)],
      })
      const override = merge(delegated([operation]), simulations())
      const call = node.call({ from: executor, to: address, data }, override)
      if (version === '0.6') {
        // This one reports its result as an error.
        const cause = await call.then(
          () => new Error('The EntryPoint has not simulated the operation'),
          (error: unknown) => error,
        )
        if (!(cause instanceof NodeError) || !cause.data) throw cause
        const { errorName, args } = decodeErrorResult({ abi: entryPoint06Abi, data: cause.data })
        if (errorName !== 'ValidationResult') throw failureOf(cause)
        const { validAfter, validUntil } = args[0]
        return { validAfter, validUntil }
      }
      const result = await call.catch((cause) => {
        throw failureOf(cause)
      })
      const { returnInfo } = decodeFunctionResult({
        abi: simulationAbi(),
        functionName: 'simulateValidation',
        data: result,
      }) as { returnInfo: { accountValidationData: bigint; paymasterValidationData: bigint } }
      return intersect(
        unpackTimeRange(returnInfo.accountValidationData),
        unpackTimeRange(returnInfo.paymasterValidationData),
      )
    },

    /**
     * Executes an operation whose signature need not be right, and measures what each part takes.
     * @throws FailedOperation, or `ExecutionReverted` where its calls fail
     */
    async measure(operation: Operation, override: StateOverride): Promise<MeasuredGas> {
      const data = encodeFunctionData({
        abi: simulationAbi(),
        functionName: 'simulateHandleOp',
        args: [toContractForm(operation), '0x0000000000000000000000000000000000000000', '0x'],
      })
      const stateOverrides = merge(delegated([operation]), simulations(), override)
      const trace = await node.ask<Frame>('debug_traceCall', [
        { from: executor, to: address, data },
        'latest',
        { tracer: 'callTracer', stateOverrides },
      ])
      const { fields } = operation
      const paymaster = paymasterOf(operation)
      const inner = trace.calls?.find(
        ({ from, to, input }) =>
          to && isAddressEqual(from, to) && input.startsWith(selectors.innerHandleOp[version]),
      )
      if (!inner) {
        const failed = trace.output && failedOperation(trace.output)
        throw failed || new Error(`EntryPoint ${version} has not executed the operation: ${trace.error}`)
      }
      const gas = (frames: readonly Frame[] = [], isIt: (frame: Frame) => boolean) =>
        frames.filter(isIt).reduce((sum, { gasUsed }) => sum + BigInt(gasUsed), 0n)
      const goesTo = (target: Address | undefined) => (frame: Frame) =>
        target !== undefined && frame.to !== undefined && isAddressEqual(frame.to, target)
      const before = trace.calls?.slice(0, trace.calls.indexOf(inner)) ?? []
      const executed = inner.calls?.find(goesTo(fields.sender))
      if (executed?.error) throw new ExecutionReverted(executed.output ?? '0x')
      return {
        creation: gas(before, ({ input }) => input.startsWith(selectors.createSender)),
        validation: gas(before, goesTo(fields.sender)),
        paymaster: gas(before, goesTo(paymaster)),
        postOp: gas(inner.calls, goesTo(paymaster)),
        execution: BigInt(executed?.gasUsed ?? 0),
      }
    },
  }
}
export type EntryPoint = ReturnType<typeof createEntryPoint>

/** The calls of an operation failed when it was tried. */
export class ExecutionReverted extends Error {
  readonly data: Hex
  constructor(data: Hex) {
    super(withReason('execution reverted', data))
    this.data = data
  }
}

/** Gas that a bundle's transaction may need: the EntryPoint refuses to begin with less than the operations may use. */
export const bundleGas = (operations: readonly Operation[]): bigint =>
  (operations.reduce((sum, each) => sum + gasOf(each) + spareGas(each), 100_000n) * 65n) / 63n
/** The oldest EntryPoint wants the gas of a validation once more before it executes anything. */
const spareGas = ({ version, fields }: Operation) =>
  100_000n + (version === '0.6' ? fields.verificationGasLimit : 0n)

function withReason(text: string, data: Hex): string {
  try {
    const { args } = decodeErrorResult({ abi: reverted, data })
    return `${text}: ${args[0]}`
  } catch {
    return text
  }
}
const unpackTimeRange = (data: bigint): TimeRange => ({
  validUntil: Number((data >> 160n) & 0xffffffffffffn),
  validAfter: Number(data >> 208n),
})
function intersect(one: TimeRange, other: TimeRange): TimeRange {
  const ends = [one.validUntil, other.validUntil].filter((end) => end !== 0)
  return {
    validAfter: Math.max(one.validAfter, other.validAfter),
    validUntil: ends.length > 0 ? Math.min(...ends) : 0,
  }
}
