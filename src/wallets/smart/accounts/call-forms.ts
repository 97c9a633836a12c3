/** How accounts write calls into an operation, and how that is read back. */
import { type Abi, type Address, type Hex, parseAbi } from 'viem'
import {
  concatHex,
  decodeAbiParameters,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
} from 'viem/utils'
import { parseEthereumAddress } from '../../../ethereum/address.ts'
import { isHexBytes } from '../../../ethereum/hex.ts'
import { InvalidRequest } from '../../../lib/invalid-request.ts'
import type { SmartAccountCodec, SmartCall } from '../account-codec.ts'

/** One way of writing calls. */
export interface CallForm {
  encode(calls: readonly SmartCall[]): Hex
  /** Throws, or gives anything, for what {@link encode} didn't write: the caller checks the result. */
  decode(callData: Hex): readonly SmartCall[]
}

type Calls = Pick<SmartAccountCodec, 'encodeCalls' | 'decodeCalls'>

/** A single call is written in one form, several in the other. */
export function createCallCodec({ single, batch }: { single: CallForm; batch: CallForm }): Calls {
  const encodeCalls = (given: readonly SmartCall[]): Hex => {
    const calls = given.map(checkCall)
    if (calls.length === 0) throw new InvalidRequest('The operation has no calls')
    return (calls.length === 1 ? single : batch).encode(calls).toLowerCase() as Hex
  }
  return {
    encodeCalls,
    decodeCalls(callData) {
      for (const form of [single, batch]) {
        const calls = readExactly(callData, form, encodeCalls)
        if (calls) return calls
      }
      throw new InvalidRequest("The operation's call data is not a list of calls of this account")
    },
  }
}

/**
 * Calls that give the very same bytes when they are written again. Dirty upper bytes, odd offsets, trailing bytes and other modes don't:
 * the account would carry out something else than is displayed.
 */
function readExactly(callData: Hex, form: CallForm, encode: Calls['encodeCalls']) {
  if (!isHexBytes(callData)) return undefined
  try {
    const calls = form.decode(callData.toLowerCase() as Hex).map(checkCall)
    return encode(calls) === callData.toLowerCase() ? calls : undefined
  } catch {
    return undefined
  }
}

function checkCall({ to, value, data }: SmartCall): SmartCall {
  const address = parseEthereumAddress(to)
  if (!address) throw new InvalidRequest('A call of the operation has no valid recipient')
  if (typeof value !== 'bigint' || value < 0n || value >= 1n << 256n)
    throw new InvalidRequest('A call of the operation has no valid value')
  if (!isHexBytes(data)) throw new InvalidRequest('A call of the operation has no valid data')
  return { to: address as Address, value, data: data.toLowerCase() as Hex }
}

/** `name(address,uint256,bytes)`. */
export function singleCall(name: string): CallForm {
  const { encode, decode } = functionOf(`function ${name}(address to, uint256 value, bytes data)`)
  return {
    encode: ([call]) => encode(call ? [call.to, call.value, call.data] : []),
    decode(callData) {
      const [to, value, data] = decode(callData) as [Address, bigint, Hex]
      return [{ to, value, data }]
    },
  }
}

/** `name(address[],uint256[],bytes[])`. */
export function callsInArrays(name: string): CallForm {
  const { encode, decode } = functionOf(`function ${name}(address[] to, uint256[] value, bytes[] data)`)
  return {
    encode: (calls) =>
      encode([calls.map(({ to }) => to), calls.map(({ value }) => value), calls.map(({ data }) => data)]),
    decode(callData) {
      const [to, values, data] = decode(callData) as [Address[], bigint[], Hex[]]
      // Lists of different lengths give other bytes when they are written again.
      return to.map((address, at) => ({ to: address, value: values[at] ?? 0n, data: data[at] ?? '0x' }))
    },
  }
}

/** `name((address,uint256,bytes)[])`. */
export function callsInTuples(name: string): CallForm {
  const { encode, decode } = functionOf(`function ${name}((address to, uint256 value, bytes data)[] calls)`)
  return {
    encode: (calls) => encode([calls]),
    decode: (callData) => (decode(callData) as [SmartCall[]])[0],
  }
}

/** The function of ERC-7579; its first argument says how the second is read. */
const execute = functionOf('function execute(bytes32 mode, bytes execution)')
const batchOfExecutions = [
  {
    type: 'tuple[]',
    components: [
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'data', type: 'bytes' },
    ],
  },
] as const

/** ERC-7579 call type in the first byte, then what happens when a call fails: zero reverts all of them. */
const SINGLE_MODE = `0x${'00'.repeat(32)}` as const
const BATCH_MODE = `0x01${'00'.repeat(31)}` as const

/** ERC-7579. A delegate call is another mode, so it is never read. */
export const executions: { readonly single: CallForm; readonly batch: CallForm } = {
  single: {
    encode: ([call]) => execute.encode(call ? [SINGLE_MODE, packExecution(call)] : []),
    decode(callData) {
      const [, packed] = execute.decode(callData) as [Hex, Hex]
      if (packed.length < 2 + 52 * 2) throw new InvalidRequest('The call is cut off')
      const value = BigInt(`0x${packed.slice(42, 106)}`)
      return [{ to: `0x${packed.slice(2, 42)}`, value, data: `0x${packed.slice(106)}` }]
    },
  },
  batch: {
    encode: (calls) => execute.encode([BATCH_MODE, encodeAbiParameters(batchOfExecutions, [calls])]),
    decode(callData) {
      const [, encoded] = execute.decode(callData) as [Hex, Hex]
      return decodeAbiParameters(batchOfExecutions, encoded)[0]
    },
  },
}

const packExecution = ({ to, value, data }: SmartCall): Hex =>
  concatHex([to, `0x${value.toString(16).padStart(64, '0')}`, data])

/** One function: its arguments as call data, and back. */
export function functionOf(signature: string) {
  const abi = parseAbi([signature] as readonly string[]) as Abi
  return {
    encode: (args: readonly unknown[]): Hex => encodeFunctionData({ abi, args }).toLowerCase() as Hex,
    decode: (data: Hex): readonly unknown[] => decodeFunctionData({ abi, data }).args ?? [],
  }
}
