import { Hono } from 'hono'
import * as v from 'valibot'
import { type Hex, keccak256 } from 'viem'
import { crossOrigin } from '../cross-origin.ts'
import { notePage, pageHeaders } from '../payments/pages.ts'
import { conductPage, createConduct, neverAnswer } from './behaviour.ts'
import { type Contracts, entryPointAddresses, entryPointVersions } from './contracts.ts'
import { ExecutionReverted } from './entry-point.ts'
import { FailedOperation, isRefusalCode, type RefusalCode, refusals, toRpcError } from './errors.ts'
import { estimateGas } from './gas.ts'
import { answerRpc, RpcError, type RpcMethods, readParameter } from './json-rpc.ts'
import { createMempool, type Mempool } from './mempool.ts'
import { type StateOverride, toQuantity } from './node.ts'
import { findIncluded, otherTransaction, presentedIn, receiptOf } from './receipts.ts'
import { paymasterOf, readEntryPoint, readOperation } from './user-operation.ts'

const hashParameter = v.pipe(
  v.string(),
  v.regex(/^0x[\da-f]{64}$/i, 'must be a hash'),
  v.transform((text) => text.toLowerCase() as Hex),
)
const overrideParameter = v.optional(
  v.pipe(
    v.record(v.pipe(v.string(), v.regex(/^0x[\da-f]{40}$/i)), v.record(v.string(), v.unknown())),
    v.transform((given) => given as StateOverride),
  ),
  () => ({}),
)

export const bundlerBehaviours = {
  normal: 'Includes every operation that its EntryPoint takes',
  hold: 'Takes operations, and includes none until they are released',
  drop: 'Takes operations, and forgets them',
  refuse: 'Refuses operations and estimates, with the chosen code',
  silent: 'Answers nothing',
  down: 'Is out of order',
  'low-gas': 'Estimates a third of the gas that is needed',
  'huge-gas': 'Estimates a hundred times the gas that is needed',
  'no-prices': 'Has no method for gas prices',
  'wrong-hash': 'Takes operations under a hash that is not theirs',
  'wrong-outcome': 'Reports successes as failures, and failures as successes',
  'wrong-transaction': "Names a transaction in receipts that isn't the operation's",
} as const
export type BundlerBehaviour = keyof typeof bundlerBehaviours

/**
 * A bundler (ERC-7769) for the EntryPoints 0.6, 0.7 and 0.8 of each chain, at `{base}/{chainId}`.
 * @param options.base where it is mounted
 * @param options.delay milliseconds until operations are included
 */
export function createBundler({
  base,
  contracts,
  delay = 250,
}: {
  base: string
  contracts: Contracts
  delay?: number
}) {
  const conduct = createConduct(bundlerBehaviours)
  let code: RefusalCode = -32_500
  const mempools = new Map<number, Mempool>()
  const closing = new AbortController()
  const seen: string[] = []

  function mempoolOf(chainId: number): Mempool | undefined {
    const url = contracts.chains[chainId]
    if (url === undefined) return undefined
    const known =
      mempools.get(chainId) ??
      createMempool({ url, chainId, contracts, delay, isHeld: () => conduct.is('hold') })
    mempools.set(chainId, known)
    return known
  }

  function methodsOf(chainId: number, mempool: Mempool): RpcMethods {
    const { node } = mempool
    const refuse = () => {
      if (conduct.is('refuse')) throw new RpcError(code, refusals[code])
    }
    return {
      eth_chainId: () => toQuantity(BigInt(chainId)),
      eth_supportedEntryPoints: () => entryPointVersions.map((version) => entryPointAddresses[version]),

      async eth_sendUserOperation([given, entryPoint]) {
        const operation = readOperation(given, readEntryPoint(entryPoint), { complete: true })
        refuse()
        // It is checked all the same, so that nothing is lost that would have been refused.
        if (conduct.is('drop')) return mempool.check(operation)
        const hash = await mempool.add(operation)
        return conduct.is('wrong-hash') ? keccak256(hash) : hash
      },

      async eth_estimateUserOperationGas([given, entryPoint, override]) {
        const operation = readOperation(given, readEntryPoint(entryPoint), { complete: false })
        const stateOverride = readParameter(overrideParameter, override ?? undefined)
        refuse()
        await mempool.ready
        try {
          const gas = await estimateGas(node, mempool.entryPoint(operation.version), operation, stateOverride)
          const bent = (value: bigint) =>
            conduct.is('low-gas') ? value / 3n : conduct.is('huge-gas') ? value * 100n : value
          return Object.fromEntries(
            Object.entries(gas).map(([name, value]) => [name, toQuantity(bent(value))]),
          )
        } catch (cause) {
          if (cause instanceof FailedOperation) throw toRpcError(cause, paymasterOf(operation))
          if (cause instanceof ExecutionReverted) throw new RpcError(-32_521, cause.message, cause.data)
          throw cause
        }
      },

      async eth_getUserOperationByHash([given]) {
        const hash = readParameter(hashParameter, given)
        const included = await findIncluded(node, hash)
        const presented = included && (await presentedIn(node, included))
        if (!presented) {
          const waiting = mempool.find(hash)
          return waiting
            ? {
                userOperation: waiting.presented,
                entryPoint: entryPointAddresses[waiting.version],
                blockNumber: null,
                blockHash: null,
                transactionHash: null,
              }
            : null
        }
        const { blockNumber, blockHash } = included.log
        return {
          userOperation: presented,
          entryPoint: entryPointAddresses[included.version],
          blockNumber,
          blockHash,
          transactionHash: included.transactionHash,
        }
      },

      async eth_getUserOperationReceipt([given]) {
        const hash = readParameter(hashParameter, given)
        const included = await findIncluded(node, hash)
        if (!included) return null
        const receipt = await receiptOf(node, hash, included)
        if (conduct.is('wrong-outcome')) return { ...receipt, success: !receipt.success }
        if (!conduct.is('wrong-transaction')) return receipt
        const other = await otherTransaction(node, receipt.receipt.blockNumber)
        return { ...receipt, receipt: { ...receipt.receipt, transactionHash: other } }
      },

      ...(!conduct.is('no-prices') && {
        async pimlico_getUserOperationGasPrice() {
          const block = await node.ask<{ baseFeePerGas?: Hex }>('eth_getBlockByNumber', ['latest', false])
          const baseFee = BigInt(block.baseFeePerGas ?? 0)
          const price = (tip: bigint) => ({
            maxFeePerGas: toQuantity((baseFee * 3n) / 2n + tip),
            maxPriorityFeePerGas: toQuantity(tip),
          })
          return { slow: price(10n ** 9n), standard: price(12n * 10n ** 8n), fast: price(15n * 10n ** 8n) }
        },
      }),
    }
  }

  const app = new Hono()
  app.use('*', crossOrigin({ methods: ['GET', 'POST'] }))
  app.get('/', (c) => {
    const page = conductPage('The bundler', {
      action: `${base}/behaviour`,
      chosen: conduct.now,
      choices: bundlerBehaviours,
      fields: codeField(code),
    })
    return c.html(page, 200, pageHeaders())
  })
  app.post('/behaviour', async (c) => {
    const form = new URLSearchParams(await c.req.text())
    const chosen = form.get('code')
    if (!behave(form.get('behaviour') ?? '', chosen === null ? undefined : Number(chosen)))
      return c.json({ error: 'There is no such behaviour or code' }, 400)
    const note = 'It counts for all requests from now on.'
    return c.html(notePage('the bundler', 'Chosen', note, base), 200, pageHeaders())
  })
  app.post('/:chainId', async (c) => {
    const chainId = Number(c.req.param('chainId'))
    const mempool = mempoolOf(chainId)
    if (!mempool) return c.json({ error: 'There is no such chain' }, 404)
    const request = c.req.raw.clone()
    seen.push(...methodNames(await c.req.json().catch(() => undefined)))
    if (conduct.is('silent')) return neverAnswer(c.req.raw.signal, closing.signal)
    if (conduct.is('down')) return c.json({ error: 'The bundler is out of order' }, 502)
    return answerRpc(request, methodsOf(chainId, mempool))
  })

  function behave(behaviour: string, refusal: number = code): boolean {
    if (!isRefusalCode(refusal) || !conduct.set(behaviour)) return false
    code = refusal
    for (const mempool of mempools.values()) mempool.include()
    return true
  }

  return {
    app,
    url: (chainId: number) => `${base}/${chainId}`,
    /** Begins to put the contracts onto all chains. Resolves when they are there. */
    async prepare() {
      try {
        await Promise.all(Object.keys(contracts.chains).map((chainId) => mempoolOf(Number(chainId))?.ready))
      } catch (cause) {
        // Chains that end meanwhile are no failure.
        if (!closing.signal.aborted) throw cause
      }
    },
    control: {
      /** Operations that were held are included unless they still are. */
      behave: (behaviour: BundlerBehaviour, refusal?: RefusalCode) => behave(behaviour, refusal),
      /** Hashes of the operations that wait. */
      waiting: (chainId: number) => mempools.get(chainId)?.waiting() ?? [],
      /** Methods of all requests since the start. */
      seen: (): readonly string[] => seen,
    },
    close() {
      closing.abort()
      for (const mempool of mempools.values()) mempool.close()
    },
  }
}

/** The codes of refusals, to choose from in a form. */
const codeField = (chosen: number) =>
  `<label>Code of refusals <select name="code">${Object.entries(refusals)
    .map(
      ([code, text]) =>
        `<option value="${code}"${Number(code) === chosen ? ' selected' : ''}>${code} ${text}</option>`,
    )
    .join('')}</select></label>`

const methodNames = (body: unknown): string[] =>
  [body].flat().flatMap((each) => {
    const { method } = (each ?? {}) as { method?: unknown }
    return typeof method === 'string' ? [method] : []
  })
