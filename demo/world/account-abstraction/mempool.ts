import {
  type Address,
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  isAddressEqual,
  numberToHex,
  parseEther,
  publicActions,
  walletActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { recoverAuthorizationAddress } from 'viem/utils'
import { type Contracts, type EntryPointVersion, entryPointVersions } from './contracts.ts'
import { bundleGas, createEntryPoint, type EntryPoint } from './entry-point.ts'
import { FailedOperation, toRpcError } from './errors.ts'
import { MOST_GAS, preVerificationGas } from './gas.ts'
import { INVALID_FIELDS, RpcError } from './json-rpc.ts'
import { awaitInclusion, createNode, type Node } from './node.ts'
import { gasOf, type Operation, paymasterOf } from './user-operation.ts'

/** Sends bundles. Its key is known to everybody, like anvil's. */
const executorKey: Hex = `0x${'b4'.repeat(32)}`
/** Operations of one sender that may wait, as ERC-7562 has it for those without a stake. */
const MOST_OF_SENDER = 4
/** Per cent by which an operation has to pay more than the one that it replaces. */
const REPLACEMENT = 10n
/** Seconds that an operation must hold for longer. */
const LEAST_VALIDITY = 30

interface Waiting {
  readonly hash: Hex
  readonly operation: Operation
  isBeingSent: boolean
}

/** Operations of one chain: those that wait, and their way into a block. */
export interface Mempool {
  readonly node: Node
  readonly executor: Address
  /** Resolves when the chain has all contracts. */
  readonly ready: Promise<void>
  entryPoint(version: EntryPointVersion): EntryPoint
  /** Takes an operation that its EntryPoint takes. @throws RpcError */
  add(operation: Operation): Promise<Hex>
  find(hash: Hex): Operation | undefined
  waiting(): readonly Hex[]
  /** Checks an operation as `add` does, without taking it. @throws RpcError */
  check(operation: Operation): Promise<Hex>
  /** Begins to include waiting operations, unless they are held. */
  include(): void
  close(): void
}

/**
 * @param options.url the chain's node
 * @param options.delay milliseconds until operations are included
 * @param options.isHeld says whether none may be included for now
 */
export function createMempool({
  url,
  chainId,
  contracts,
  delay,
  isHeld,
}: {
  url: string
  chainId: number
  contracts: Contracts
  delay: number
  isHeld: () => boolean
}): Mempool {
  const node = createNode(url)
  const account = privateKeyToAccount(executorKey)
  const client = createTestClient({ mode: 'anvil', account, transport: http(url), pollingInterval: 50 })
    .extend(publicActions)
    .extend(walletActions)
  const entryPoints = Object.fromEntries(
    entryPointVersions.map((version) => [version, createEntryPoint(node, version, account.address)]),
  ) as Record<EntryPointVersion, EntryPoint>
  const ready = Promise.all([
    contracts.ready(chainId),
    client.setBalance({ address: account.address, value: parseEther('1000000') }),
  ]).then(() => {})
  ready.catch(() => {})
  const pool = new Map<Hex, Waiting>()
  let timer: NodeJS.Timeout | undefined
  let bundling = Promise.resolve()
  let isClosed = false

  /** Fields that no EntryPoint looks at, but a bundler does. @throws RpcError */
  async function checkFields(operation: Operation): Promise<void> {
    const invalid = (message: string) => new RpcError(INVALID_FIELDS, message)
    const { fields, authorization } = operation
    const needed = preVerificationGas(entryPoints[operation.version], operation)
    if (fields.preVerificationGas < needed)
      throw invalid(`preVerificationGas is too low: ${fields.preVerificationGas}, needed ${needed}`)
    if (gasOf(operation) > MOST_GAS)
      throw invalid(`The operation may use too much gas: ${gasOf(operation)}, at most ${MOST_GAS}`)
    if (fields.maxPriorityFeePerGas > fields.maxFeePerGas)
      throw invalid('maxPriorityFeePerGas is above maxFeePerGas')
    const { baseFeePerGas } = await client.getBlock()
    if (fields.maxFeePerGas < (baseFeePerGas ?? 0n))
      throw invalid(`maxFeePerGas is too low: ${fields.maxFeePerGas}, base fee ${baseFeePerGas}`)
    if (!authorization) return
    const signer = await recoverAuthorizationAddress({ authorization }).catch(() => undefined)
    if (!signer || !isAddressEqual(signer, fields.sender))
      throw invalid("eip7702Auth is not signed by the operation's sender")
    if (authorization.chainId !== 0 && authorization.chainId !== chainId)
      throw invalid('eip7702Auth is for another chain')
    const nonce = await client.getTransactionCount({ address: fields.sender })
    if (authorization.nonce !== nonce)
      throw invalid(`eip7702Auth has the nonce ${authorization.nonce} in the place of ${nonce}`)
  }

  /** @throws RpcError with the code for the EntryPoint's reason */
  async function simulate(operation: Operation): Promise<void> {
    const entryPoint = entryPoints[operation.version]
    const paymaster = paymasterOf(operation)
    const range = () => entryPoint.timeRange(operation).catch(() => undefined)
    try {
      await entryPoint.check([operation])
    } catch (cause) {
      if (!(cause instanceof FailedOperation)) throw cause
      const isLate = /^AA[23]2/.test(cause.reason)
      throw toRpcError(cause, paymaster, isLate ? await range() : undefined)
    }
    const { validUntil, validAfter } = await entryPoint.timeRange(operation)
    const { timestamp } = await client.getBlock()
    if (validUntil !== 0 && BigInt(validUntil) < timestamp + BigInt(LEAST_VALIDITY))
      throw new RpcError(-32_503, 'The operation expires too soon', { validUntil, validAfter })
  }

  async function check(operation: Operation): Promise<Hex> {
    await ready
    await checkFields(operation)
    await simulate(operation)
    return entryPoints[operation.version].hash(operation)
  }

  /** @throws RpcError unless the paymaster's deposit is enough for all that wait, too */
  async function checkDeposit(operation: Operation, replaced: Waiting | undefined): Promise<void> {
    const paymaster = paymasterOf(operation)
    if (!paymaster) return
    const cost = (each: Operation) => gasOf(each) * each.fields.maxFeePerGas
    const sponsored = [...pool.values()]
      .filter((each) => each !== replaced && each.operation.version === operation.version)
      .map((each) => each.operation)
      .filter((each) => paymasterOf(each) === paymaster)
    const needed = [...sponsored, operation].reduce((sum, each) => sum + cost(each), 0n)
    const { abi, address } = entryPoints[operation.version]
    const deposit = BigInt(
      await node.call({
        to: address,
        data: encodeFunctionData({ abi, functionName: 'balanceOf', args: [paymaster] }),
      }),
    )
    if (deposit < needed)
      throw new RpcError(-32_508, 'AA31 paymaster deposit too low for all waiting operations', { paymaster })
  }

  async function add(operation: Operation): Promise<Hex> {
    const hash = await check(operation)
    const { fields, version } = operation
    const own = [...pool.values()].filter(
      (each) => each.operation.version === version && each.operation.fields.sender === fields.sender,
    )
    const replaced = own.find((each) => each.operation.fields.nonce === fields.nonce)
    if (replaced) assertReplaces(operation, replaced)
    else if (own.length >= MOST_OF_SENDER)
      throw new RpcError(-32_505, 'The sender has too many waiting operations', { sender: fields.sender })
    await checkDeposit(operation, replaced)
    if (replaced?.isBeingSent) throw new RpcError(INVALID_FIELDS, 'The operation is being included')
    if (replaced) pool.delete(replaced.hash)
    pool.set(hash, { hash, operation, isBeingSent: false })
    include()
    return hash
  }

  function assertReplaces({ fields }: Operation, { operation }: Waiting): void {
    for (const fee of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const) {
      const least = (operation.fields[fee] * (100n + REPLACEMENT) + 99n) / 100n
      if (fields[fee] < least)
        throw new RpcError(
          INVALID_FIELDS,
          `Replacement underpriced: ${fee} has to be ${numberToHex(least)} at least`,
        )
    }
  }

  /** The first operation of each sender, as many as one transaction may hold. */
  function nextBundle(version: EntryPointVersion): Waiting[] {
    const chosen: Waiting[] = []
    const byNonce = [...pool.values()]
      .filter((each) => each.operation.version === version)
      .sort((one, other) => (one.operation.fields.nonce < other.operation.fields.nonce ? -1 : 1))
    for (const each of byNonce) {
      const isSendersFirst = !chosen.some(
        ({ operation }) => operation.fields.sender === each.operation.fields.sender,
      )
      const gas = [...chosen, each].reduce((sum, { operation }) => sum + gasOf(operation), 0n)
      if (isSendersFirst && gas <= MOST_GAS) chosen.push(each)
    }
    return chosen
  }

  /** Sends a bundle without the operations that have become invalid meanwhile. */
  async function send(version: EntryPointVersion): Promise<void> {
    const entryPoint = entryPoints[version]
    let bundle = nextBundle(version)
    while (bundle.length > 0) {
      try {
        await entryPoint.check(bundle.map(({ operation }) => operation))
        break
      } catch (cause) {
        const failed = cause instanceof FailedOperation ? bundle[cause.index] : undefined
        if (!failed) throw cause
        pool.delete(failed.hash)
        bundle = nextBundle(version)
      }
    }
    if (bundle.length === 0) return
    for (const each of bundle) each.isBeingSent = true
    const operations = bundle.map(({ operation }) => operation)
    const authorizationList = operations.flatMap(({ authorization }) => authorization ?? [])
    try {
      const transactionHash = await client.sendTransaction({
        chain: null,
        to: entryPoint.address,
        data: entryPoint.encodeHandleOps(operations),
        gas: bundleGas(operations),
        ...(authorizationList.length > 0 && { authorizationList }),
      })
      await awaitInclusion(node, transactionHash)
    } finally {
      for (const { hash } of bundle) pool.delete(hash)
    }
  }

  function include(): void {
    if (timer || isClosed || isHeld() || pool.size === 0) return
    timer = setTimeout(() => {
      timer = undefined
      bundling = bundling
        .then(async () => {
          for (const version of entryPointVersions) if (!isClosed && !isHeld()) await send(version)
        })
        .catch((cause) => {
          if (!isClosed) console.error('The bundler could not include operations:', cause)
        })
        .then(include)
    }, delay)
  }

  return {
    node,
    executor: account.address,
    ready,
    entryPoint: (version) => entryPoints[version],
    add,
    check,
    find: (hash) => pool.get(hash)?.operation,
    waiting: () => [...pool.keys()],
    include,
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
