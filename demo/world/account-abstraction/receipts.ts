import {
  type Address,
  decodeEventLog,
  decodeFunctionData,
  type Hex,
  hexToBigInt,
  parseAbi,
  type RpcLog,
  sliceHex,
  toEventSelector,
} from 'viem'
import { entryPoint06Abi, entryPoint07Abi } from 'viem/account-abstraction'
import { type EntryPointVersion, entryPointAddresses, entryPointVersions } from './contracts.ts'
import { type Node, toQuantity } from './node.ts'

/** Events of all three EntryPoints. */
const begins = parseAbi(['event BeforeExecution()'])
const ends = parseAbi([
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
])
const failures = parseAbi([
  'event UserOperationRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)',
])
const [begun, ended, failed] = [...begins, ...ends, ...failures].map((each) => toEventSelector(each))
const topicsOf = ({ topics }: RpcLog) => topics as [Hex, ...Hex[]]
const decodeEnd = (log: RpcLog) => decodeEventLog({ abi: ends, topics: topicsOf(log), data: log.data }).args
const decodeFailure = (log: RpcLog) =>
  decodeEventLog({ abi: failures, topics: topicsOf(log), data: log.data }).args

interface Receipt {
  readonly transactionHash: Hex
  readonly blockHash: Hex
  readonly blockNumber: Hex
  readonly logs: readonly RpcLog[]
}

/** An operation that is on the chain. */
export interface Included {
  readonly version: EntryPointVersion
  readonly log: RpcLog
  readonly transactionHash: Hex
}

/** Finds an included operation by the event of its EntryPoint. */
export async function findIncluded(node: Node, hash: Hex): Promise<Included | undefined> {
  const [log] = await node.ask<readonly RpcLog[]>('eth_getLogs', [
    { fromBlock: '0x0', address: Object.values(entryPointAddresses), topics: [ended, hash] },
  ])
  const version = entryPointVersions.find(
    (each) => entryPointAddresses[each].toLowerCase() === log?.address.toLowerCase(),
  )
  return log?.transactionHash && version ? { version, log, transactionHash: log.transactionHash } : undefined
}

/** The receipt of ERC-7769; its logs are those of the operation alone. */
export async function receiptOf(node: Node, hash: Hex, { version, log, transactionHash }: Included) {
  const receipt = await node.ask<Receipt>('eth_getTransactionReceipt', [transactionHash])
  const args = decodeEnd(log)
  const { logs } = receipt
  const isOf = (each: RpcLog, ...events: (Hex | undefined)[]) =>
    each.address === log.address && events.includes(each.topics[0])
  const end = logs.findIndex((each) => isOf(each, ended) && each.topics[1] === hash)
  const start = logs.findLastIndex((each, at) => at < end && isOf(each, begun, ended))
  const own = logs.slice(start + 1, end)
  const reverted = own.find((each) => isOf(each, failed))
  const isSponsored = BigInt(args.paymaster) !== 0n
  return {
    userOpHash: hash,
    entryPoint: entryPointAddresses[version],
    sender: args.sender,
    nonce: toQuantity(args.nonce),
    ...(isSponsored && { paymaster: args.paymaster }),
    actualGasCost: toQuantity(args.actualGasCost),
    actualGasUsed: toQuantity(args.actualGasUsed),
    success: args.success,
    ...(reverted && { reason: decodeFailure(reverted).revertReason }),
    logs: own,
    receipt,
  }
}

/** A transaction that has nothing to do with the operation: the last one before its block. */
export async function otherTransaction(node: Node, blockNumber: Hex): Promise<Hex | undefined> {
  for (let at = hexToBigInt(blockNumber) - 1n; at > 0n; at--) {
    const block = await node.ask<{ transactions: readonly Hex[] } | null>('eth_getBlockByNumber', [
      toQuantity(at),
      false,
    ])
    if (block?.transactions[0]) return block.transactions[0]
  }
  return undefined
}

/** The operation in the form in which clients present it, read from the bundle's transaction. */
export async function presentedIn(
  node: Node,
  { version, log, transactionHash }: Included,
): Promise<object | undefined> {
  const transaction = await node.ask<{ input: Hex } | null>('eth_getTransactionByHash', [transactionHash])
  if (!transaction) return undefined
  const end = decodeEnd(log)
  const isIt = ({ sender, nonce }: { sender: Address; nonce: bigint }) =>
    sender === end.sender && nonce === end.nonce
  if (version === '0.6') {
    const { functionName, args } = decodeFunctionData({ abi: entryPoint06Abi, data: transaction.input })
    if (functionName !== 'handleOps') return undefined
    const found = args[0].find(isIt)
    return found && inHex(found)
  }
  // The later EntryPoints take operations in the same form.
  const { functionName, args } = decodeFunctionData({ abi: entryPoint07Abi, data: transaction.input })
  const found = functionName === 'handleOps' ? args[0].find(isIt) : undefined
  if (!found) return undefined
  const { initCode, paymasterAndData, accountGasLimits, gasFees, ...rest } = found
  const half = (word: Hex, at: 0 | 16) => hexToBigInt(sliceHex(word, at, at + 16))
  return inHex({
    ...rest,
    ...(initCode !== '0x' && {
      factory: initCode.length > 42 ? sliceHex(initCode, 0, 20) : initCode,
      factoryData: initCode.length > 42 ? sliceHex(initCode, 20) : '0x',
    }),
    verificationGasLimit: half(accountGasLimits, 0),
    callGasLimit: half(accountGasLimits, 16),
    maxPriorityFeePerGas: half(gasFees, 0),
    maxFeePerGas: half(gasFees, 16),
    ...(paymasterAndData !== '0x' && {
      paymaster: sliceHex(paymasterAndData, 0, 20),
      paymasterVerificationGasLimit: hexToBigInt(sliceHex(paymasterAndData, 20, 36)),
      paymasterPostOpGasLimit: hexToBigInt(sliceHex(paymasterAndData, 36, 52)),
      paymasterData: paymasterAndData.length > 106 ? sliceHex(paymasterAndData, 52) : '0x',
    }),
  })
}

const inHex = (fields: object) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? toQuantity(value) : value,
    ]),
  )
