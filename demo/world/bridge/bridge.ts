import { randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import * as v from 'valibot'
import { encodeFunctionData, formatUnits, type Hex, parseAbi } from 'viem'
import { solanaUsdc, usdcAddresses } from '../chains/usdc.ts'
import { crossOrigin } from '../cross-origin.ts'
import { usdPrices } from '../payments/desk.ts'
import { notePage, pageHeaders } from '../payments/pages.ts'
import { decimalsOf, type Treasury } from '../payments/treasury.ts'
import { depositInstructions, findSolanaDeposit, solanaVault } from './solana-deposits.ts'

/** What becomes of the bridges that are asked for from now on. `stuck`: until somebody chooses another outcome for it. */
export const outcomes = ['success', 'slow', 'stuck', 'refund', 'failure'] as const
export type Outcome = (typeof outcomes)[number]
export type BridgeStatus =
  | 'waiting'
  | 'depositing'
  | 'pending'
  | 'submitted'
  | 'success'
  | 'refund'
  | 'failure'

/** Solana, as the bridge numbers chains. */
export const SOLANA_CHAIN = 792_703_809
const SOLANA_COIN = '11111111111111111111111111111111'
const EVM_COIN = `0x${'0'.repeat(40)}`
const FEE = 0.005

const address = v.pipe(v.string(), v.regex(/^(?:0x[\da-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/))
const quoteBody = v.object({
  user: address,
  recipient: v.optional(address),
  refundTo: v.optional(address),
  originChainId: v.pipe(v.number(), v.integer()),
  destinationChainId: v.pipe(v.number(), v.integer()),
  originCurrency: v.optional(address),
  destinationCurrency: v.optional(address),
  amount: v.pipe(v.string(), v.regex(/^[1-9]\d{0,77}$/)),
  tradeType: v.optional(v.picklist(['EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT']), 'EXACT_INPUT'),
})

interface Side {
  chainId: number
  /** CAIP-2. */
  chain: string
  currency: string
  symbol: string
  decimals: number
  amount: bigint
}
interface Bridge {
  requestId: Hex
  user: string
  recipient: string
  refundTo: string
  origin: Side
  destination: Side
  status: BridgeStatus
  outcome: Outcome
  /** From which on a deposit is looked for. */
  block: bigint
  inHash: string | undefined
  outHash: string | undefined
  createdAt: number
  updatedAt: number
}

const erc20 = parseAbi(['function approve(address spender, uint256 amount) returns (bool)'])

/**
 * Relay: quotes with the steps that a wallet has to sign, and what has become of them. What is deposited on one of the demo's chains
 * is paid out on another.
 * @param options.chains nodes by chain id
 * @param options.slowness milliseconds that something slow takes
 */
export function createBridge({
  base,
  chains,
  solanaRpcUrl,
  treasury,
  slowness = 15_000,
  now = Date.now,
}: {
  base: string
  chains: Readonly<Record<string, string>>
  solanaRpcUrl?: string | undefined
  treasury: Treasury
  slowness?: number
  now?: () => number
}) {
  const bridges = new Map<string, Bridge>()
  let nextOutcome: Outcome = 'success'
  /** Deposits that count for a bridge already. */
  const used = new Set<string>()
  const following = new Map<string, Promise<void>>()

  async function rpc(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
    if (error) throw new Error(error.message)
    return result
  }
  const onChain = (chainId: number, method: string, params: readonly unknown[]) =>
    rpc(chains[String(chainId)] ?? '', method, params)
  const onSolana = (method: string, params: readonly unknown[]) => rpc(solanaRpcUrl ?? '', method, params)

  function readSide(chainId: number, currency: string | undefined): Side | undefined {
    const isSolana = chainId === SOLANA_CHAIN
    const named = currency ?? EVM_COIN
    const coin = isSolana ? SOLANA_COIN : EVM_COIN
    const usdc = isSolana ? solanaUsdc : usdcAddresses[chainId]
    const isCoin = named === coin || (currency === undefined && isSolana)
    const isUsdc =
      usdc !== undefined && (isSolana ? named === usdc : named.toLowerCase() === usdc.toLowerCase())
    const chain = isSolana ? 'solana:mainnet' : `eip155:${chainId}`
    const symbol = isUsdc ? 'USDC' : isSolana ? 'SOL' : 'ETH'
    if ((!isCoin && !isUsdc) || !treasury.has(chain, symbol)) return undefined
    const decimals = decimalsOf(chain, symbol)
    return { chainId, chain, currency: isUsdc ? usdc : coin, symbol, decimals, amount: 0n }
  }
  const fits = (side: Side, given: string) => given.startsWith('0x') === side.chain.startsWith('eip155:')
  const priceOf = ({ symbol }: Side) => usdPrices[symbol] ?? 1

  /** The other side's amount, with the fee; what is paid is rounded up, and what is got down. */
  function convert(from: Side, to: Side, factor: number, up: boolean): bigint {
    const scale = 10n ** 12n
    const rate = BigInt(Math.round((priceOf(from) / priceOf(to)) * factor * Number(scale)))
    const numerator = from.amount * rate * 10n ** BigInt(to.decimals)
    const denominator = scale * 10n ** BigInt(from.decimals)
    return up ? (numerator + denominator - 1n) / denominator : numerator / denominator
  }

  async function quote(body: v.InferOutput<typeof quoteBody>): Promise<Response> {
    const fail = (errorCode: string, message: string) =>
      Response.json({ errorCode, message }, { status: 400 })
    const origin = readSide(body.originChainId, body.originCurrency)
    const destination = readSide(body.destinationChainId, body.destinationCurrency)
    if (!origin || !destination)
      return fail('UNSUPPORTED_ROUTE', 'No routes found for this pair of currencies')
    if (origin.chain === destination.chain && origin.symbol === destination.symbol)
      return fail('UNSUPPORTED_ROUTE', 'No routes found for this pair of currencies')
    const recipient = body.recipient ?? body.user
    const refundTo = body.refundTo ?? body.user
    if (!fits(origin, body.user))
      return fail('INVALID_ADDRESS', `Invalid address ${body.user} for chain ${origin.chainId}`)
    if (!fits(destination, recipient))
      return fail('INVALID_ADDRESS', `Invalid address ${recipient} for chain ${destination.chainId}`)
    const amount = BigInt(body.amount)
    if (body.tradeType === 'EXACT_INPUT') {
      origin.amount = amount
      destination.amount = convert(origin, destination, 1 - FEE, false)
    } else {
      destination.amount = amount
      origin.amount = convert(destination, origin, 1 + FEE, true)
    }
    if (destination.amount <= 0n || origin.amount <= 0n)
      return fail('AMOUNT_TOO_LOW', 'The amount is too low')
    // Nobody can deposit tokens in an account that isn't there.
    if (origin.chain.startsWith('solana:') && origin.symbol === 'USDC') await pay(origin, solanaVault, 0n)
    const block = origin.chain.startsWith('eip155:')
      ? BigInt(String(await onChain(origin.chainId, 'eth_blockNumber', [])))
      : BigInt(Number(await onSolana('getSlot', [])))
    const at = now()
    const bridge: Bridge = {
      requestId: `0x${randomBytes(32).toString('hex')}`,
      user: body.user,
      recipient,
      refundTo,
      origin,
      destination,
      status: 'waiting',
      outcome: nextOutcome,
      block,
      inHash: undefined,
      outHash: undefined,
      createdAt: at,
      updatedAt: at,
    }
    bridges.set(bridge.requestId, bridge)
    return Response.json({ steps: await stepsOf(bridge), fees: feesOf(bridge), details: detailsOf(bridge) })
  }

  const currencyOf = ({ chainId, currency, symbol, decimals }: Side) => ({
    chainId,
    address: currency,
    symbol,
    decimals,
  })
  const amountOf = (side: Side, amount = side.amount) => ({
    currency: currencyOf(side),
    amount: String(amount),
    amountFormatted: formatUnits(amount, side.decimals),
    amountUsd: (Number(formatUnits(amount, side.decimals)) * priceOf(side)).toFixed(6),
  })
  function feesOf({ origin, destination }: Bridge) {
    const service = (origin.amount * 5n) / 1_000n
    return {
      gas: amountOf(origin, 0n),
      relayer: amountOf(origin, service),
      relayerGas: amountOf(origin, 0n),
      relayerService: amountOf(origin, service),
      app: amountOf(destination, 0n),
      subsidized: amountOf(destination, 0n),
    }
  }
  const detailsOf = ({ user, recipient, origin, destination }: Bridge) => ({
    operation: origin.symbol === destination.symbol ? 'bridge' : 'swap',
    sender: user,
    recipient,
    currencyIn: amountOf(origin),
    currencyOut: amountOf(destination),
    refundCurrency: amountOf(origin),
    rate: String(
      Number(formatUnits(destination.amount, destination.decimals)) /
        Number(formatUnits(origin.amount, origin.decimals)),
    ),
    totalImpact: { usd: '0', percent: '-0.50' },
    swapImpact: { usd: '0', percent: '0' },
    slippageTolerance: { origin: { percent: '0' }, destination: { percent: '0' } },
    timeEstimate: 2,
    isFixedRate: true,
  })
  async function stepsOf(bridge: Bridge) {
    const { requestId, origin, user } = bridge
    const check = { endpoint: `/intents/status/v3?requestId=${requestId}`, method: 'GET' }
    const step = (id: string, action: string, description: string, data: object, more = {}) => ({
      id,
      action,
      description,
      kind: 'transaction',
      requestId,
      items: [{ status: 'incomplete', data, ...more }],
    })
    const sentence = `Deposits ${formatUnits(origin.amount, origin.decimals)} ${origin.symbol}`
    if (origin.chain.startsWith('solana:')) {
      const { symbol, amount } = origin
      const instructions = await depositInstructions({ user, symbol, amount, requestId })
      const data = { instructions, addressLookupTableAddresses: [] }
      return [step('deposit', 'Confirm transaction in your wallet', sentence, data, { check })]
    }
    const call = (to: string, data: Hex, value: bigint) => ({
      from: user,
      to,
      data,
      value: String(value),
      chainId: origin.chainId,
    })
    if (origin.symbol !== 'USDC')
      return [
        step(
          'deposit',
          'Confirm transaction in your wallet',
          sentence,
          call(treasury.address, requestId, origin.amount),
          { check },
        ),
      ]
    const approval = encodeFunctionData({
      abi: erc20,
      functionName: 'approve',
      args: [treasury.address, origin.amount],
    })
    return [
      step(
        'approve',
        'Confirm transaction in your wallet',
        'Allows USDC to be deposited',
        call(origin.currency, approval, 0n),
      ),
      step('deposit', 'Confirm transaction in your wallet', sentence, call(treasury.address, requestId, 0n), {
        check,
      }),
    ]
  }

  /** A deposit that names this bridge, and how much it brought. */
  async function findDeposit(bridge: Bridge): Promise<{ hash: string; amount: bigint } | undefined> {
    const { origin, user, requestId } = bridge
    if (origin.chain.startsWith('solana:'))
      return findSolanaDeposit(onSolana, { symbol: origin.symbol, requestId }, used)
    const last = BigInt(String(await onChain(origin.chainId, 'eth_blockNumber', [])))
    for (let at = bridge.block; at <= last; at++) {
      const block = (await onChain(origin.chainId, 'eth_getBlockByNumber', [
        `0x${at.toString(16)}`,
        true,
      ])) as {
        transactions: { hash: string; from: string; to: string | null; input: string; value: string }[]
      } | null
      const found = block?.transactions.find(
        ({ hash, from, to, input }) =>
          !used.has(hash) &&
          from.toLowerCase() === user.toLowerCase() &&
          to?.toLowerCase() === treasury.address.toLowerCase() &&
          input.toLowerCase().endsWith(requestId.slice(2)),
      )
      if (found) return { hash: found.hash, amount: BigInt(found.value) }
    }
    return undefined
  }

  const change = (bridge: Bridge, status: BridgeStatus, more: Partial<Bridge> = {}) =>
    Object.assign(bridge, { status, updatedAt: Math.max(now(), bridge.updatedAt + 1), ...more })
  const pay = (side: Side, to: string, amount: bigint) =>
    treasury.deliver({ chain: side.chain, symbol: side.symbol, address: to, amount })

  async function advance(bridge: Bridge): Promise<void> {
    const { origin, destination } = bridge
    if (bridge.status === 'waiting' || bridge.status === 'depositing') {
      const deposit = await findDeposit(bridge)
      if (!deposit) return
      used.add(deposit.hash)
      let { amount } = deposit
      if (origin.symbol === 'USDC' && origin.chain.startsWith('eip155:')) {
        try {
          await treasury.collect(origin.chain, bridge.user, origin.amount)
          amount = origin.amount
        } catch {
          return void change(bridge, 'failure', { inHash: deposit.hash })
        }
      }
      change(bridge, 'pending', { inHash: deposit.hash })
      // Too little is sent back.
      if (amount < origin.amount)
        return void change(bridge, 'refund', { outHash: await pay(origin, bridge.refundTo, amount) })
    }
    if (bridge.status !== 'pending' || bridge.outcome === 'stuck') return
    if (bridge.outcome === 'slow' && now() < bridge.updatedAt + slowness) return
    if (bridge.outcome === 'failure') return void change(bridge, 'failure')
    if (bridge.outcome === 'refund')
      return void change(bridge, 'refund', { outHash: await pay(origin, bridge.refundTo, origin.amount) })
    change(bridge, 'submitted')
    const outHash = await pay(destination, bridge.recipient, destination.amount)
    change(bridge, 'success', { outHash })
  }
  /** One step at a time for each bridge, so that nothing is paid twice. */
  function follow(bridge: Bridge): Promise<void> {
    const running = following.get(bridge.requestId)
    if (running) return running
    const next = advance(bridge).finally(() => following.delete(bridge.requestId))
    following.set(bridge.requestId, next)
    return next
  }
  const isOpen = ({ status }: Bridge) => !['success', 'refund', 'failure'].includes(status)
  const watch = setInterval(() => {
    const day = now() - 86_400_000
    for (const bridge of bridges.values())
      if (isOpen(bridge) && bridge.createdAt > day) follow(bridge).catch(() => {})
  }, 1_000)
  watch.unref()

  const app = new Hono()
  app.use('*', crossOrigin({ methods: ['GET', 'POST'] }))
  const invalid = (message: string) => Response.json({ errorCode: 'INVALID_INPUT', message }, { status: 400 })
  const quoted = async (request: Request) => {
    const body = v.safeParse(quoteBody, await request.json().catch(() => undefined))
    if (body.success) return quote(body.output)
    const [issue] = body.issues
    const field = v.getDotPath(issue) ?? 'body'
    return invalid(
      /^(user|recipient|refundTo)$/.test(field) ? `Invalid address ${field}` : `Invalid ${field}`,
    )
  }
  app.post('/quote/v2', (c) => quoted(c.req.raw))
  app.post('/execute/swap', (c) => quoted(c.req.raw))
  app.get('/intents/status/v3', async (c) => {
    const bridge = bridges.get(c.req.query('requestId') ?? '')
    if (!bridge)
      return Response.json({ errorCode: 'UNKNOWN_REQUEST', message: 'Request not found' }, { status: 404 })
    if (isOpen(bridge)) await follow(bridge)
    return c.json(statusOf(bridge))
  })
  app.get('/requests/v2', async (c) => {
    const { user, hash, id } = c.req.query()
    if (!user && !hash && !id) return invalid('Invalid user')
    const open = [...bridges.values()].filter(isOpen)
    await Promise.all(
      open.filter((each) => !user || each.user.toLowerCase() === user.toLowerCase()).map(follow),
    )
    const found = [...bridges.values()].filter(
      (each) =>
        (!user || each.user.toLowerCase() === user.toLowerCase()) &&
        (!hash || each.inHash === hash || each.outHash === hash) &&
        (!id || each.requestId === id),
    )
    return c.json({ requests: found.reverse().map(requestOf), continuation: null })
  })
  // For whoever tries things out.
  app.get('/', (c) => c.html(controlPage(base, nextOutcome), 200, pageHeaders()))
  app.post('/outcome', async (c) => {
    const form = new URLSearchParams(await c.req.text())
    if (!setOutcome(form.get('outcome') ?? '', form.get('requestId') ?? undefined))
      return invalid('Invalid outcome')
    return c.html(
      notePage('Relay', 'Chosen', 'It counts for the bridges that are asked for from now on.', `${base}/`),
      200,
      pageHeaders(),
    )
  })

  function setOutcome(outcome: string, requestId?: string): boolean {
    const found = outcomes.find((each) => each === outcome)
    const bridge = requestId === undefined ? undefined : bridges.get(requestId)
    if (!found || (requestId !== undefined && !bridge)) return false
    if (bridge) bridge.outcome = found
    else nextOutcome = found
    return true
  }
  const statusOf = (bridge: Bridge) => ({
    status: bridge.status,
    requestId: bridge.requestId,
    inTxHashes: bridge.inHash ? [bridge.inHash] : [],
    txHashes: bridge.outHash ? [bridge.outHash] : [],
    updatedAt: bridge.updatedAt,
    originChainId: bridge.origin.chainId,
    destinationChainId: bridge.destination.chainId,
  })
  const requestOf = (bridge: Bridge) => ({
    id: bridge.requestId,
    status: bridge.status,
    user: bridge.user,
    recipient: bridge.recipient,
    data: {
      inTxs: bridge.inHash ? [{ hash: bridge.inHash, chainId: bridge.origin.chainId }] : [],
      outTxs: bridge.outHash
        ? [
            {
              hash: bridge.outHash,
              chainId: bridge.status === 'refund' ? bridge.origin.chainId : bridge.destination.chainId,
            },
          ]
        : [],
      metadata: { currencyIn: amountOf(bridge.origin), currencyOut: amountOf(bridge.destination) },
    },
    createdAt: new Date(bridge.createdAt).toISOString(),
    updatedAt: new Date(bridge.updatedAt).toISOString(),
  })

  return { app, setOutcome, close: () => clearInterval(watch) }
}

const controlPage = (base: string, chosen: Outcome) => {
  const buttons = outcomes.map(
    (each) =>
      `<button name="outcome" value="${each}"${each === chosen ? ' class="main"' : ''}>${each}</button>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Relay</title><link rel="icon" href="data:,"></head>
<body><main><h1>What becomes of bridges</h1><form method="post" action="${base}/outcome">${buttons.join(' ')}</form></main></body></html>`
}
