import { and, eq } from 'drizzle-orm'
import type { Hono } from 'hono'
import * as v from 'valibot'
import { parseTransaction, type WalletTransaction, withSender } from '../../../src/ethereum/transaction.ts'
import type { Delegate } from '../../../src/ethereum/wallet-code.ts'
import { InvalidRequest } from '../../../src/lib/invalid-request.ts'
import { NodeError, Unreachable } from '../../../src/lib/node-errors.ts'
import { readWalletAddress, type WalletAddress } from '../chains/address.ts'
import type { Feature } from '../http/definition.ts'
import { notKept } from '../http/post.ts'
import type { ServerContext, ServerEnv } from '../http/services.ts'
import { Refusal, Unavailable } from '../lib/refusal.ts'
import { postAsUser } from '../sessions/post-as-user.ts'
import type { SessionServices } from '../sessions/services.ts'
import type { App } from '../settings/app.ts'
import type { Queries } from '../store/database.ts'
import { countEvent, tallySharded } from '../store/rate-limits.ts'
import { accounts } from '../users/tables.ts'
import { address } from '../wallets/bodies.ts'
import { deviceSessionOf, sessionOf } from '../wallets/calls.ts'
import { noSuchWallet, ownWalletRow, type UserSession } from '../wallets/context.ts'
import type { PreviewAnswer, PriceView } from './answer.ts'
import { askTwo } from './compare.ts'
import { previewEthereum, simulateOn } from './ethereum.ts'
import { createPreviewNodes, type PreviewNode } from './nodes.ts'
import { coinOf, createPrices, type Priced } from './prices.ts'
import { scanAnswer, scanFailed } from './scan.ts'

const minute = 60_000
/** A transaction of Solana has at most 1,232 bytes. */
const SOLANA_MESSAGE = 2_048

/** A batch has 20 transactions. */
const MOST_BEFORE = 19

const previewBody = v.strictObject({
  version: v.literal(1),
  address,
  chain: v.pipe(v.string(), v.maxLength(64), v.regex(/^(eip155:[1-9]\d{0,15}|solana:[a-z-]{1,32})$/)),
  request: v.union([
    v.strictObject({
      transaction: v.record(v.string(), v.unknown()),
      /** Transactions of the same batch that are sent before it. */
      after: v.optional(v.pipe(v.array(v.record(v.string(), v.unknown())), v.maxLength(MOST_BEFORE)), []),
      /** Of an operation: who may charge its account. */
      paymaster: v.optional(v.pipe(v.string(), v.regex(/^0x[\da-fA-F]{40}$/))),
    }),
    v.strictObject({ message: v.pipe(v.string(), v.maxLength(SOLANA_MESSAGE), v.base64()) }),
  ]),
})
const scanBody = v.object({
  chain_id: v.pipe(v.string(), v.maxLength(41)),
  metadata: v.optional(v.object({ domain: v.optional(v.string()) })),
  request: v.object({ method: v.pipe(v.string(), v.maxLength(64)), params: v.array(v.unknown()) }),
})
const chainId = v.pipe(v.string(), v.regex(/^\d{1,16}$/), v.transform(Number))
const priceQuery = v.union([
  /** The token itself: a symbol alone is anybody's. */
  v.object({
    chainId,
    contract: v.pipe(v.string(), v.regex(/^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/)),
    decimals: v.pipe(v.string(), v.regex(/^\d{1,2}$/), v.transform(Number)),
  }),
  v.object({
    chainId,
    tokenSymbol: v.pipe(v.string(), v.regex(/^[\w.-]{1,16}$/)),
    contract: v.optional(v.undefined()),
  }),
])
const tokenQuery = v.object({
  mint_address: v.pipe(v.string(), v.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)),
  cluster: v.optional(v.pipe(v.string(), v.regex(/^[a-z-]{1,32}$/)), 'mainnet-beta'),
})

/** Previews of transactions by the app's own nodes, with prices and names of tokens. */
export const previewFeature: Feature<SessionServices> = {
  start: (services) => ({ routes: (api) => previewRoutes(api, services) }),
}

function previewRoutes(api: Hono<ServerEnv>, services: SessionServices): void {
  const { database, limits, clock, outside, clientIp } = services
  const nodes = createPreviewNodes({ outside, limits })
  const prices = createPrices({ source: outside.prices, limits, clock })
  const context = { limits, now: clock }

  api.post(
    '/api/v1/embedded_wallets/preview',
    postAsUser(services, {
      fromVault: true,
      actor: notKept,
      body: previewBody,
      async handle(call) {
        const session = deviceSessionOf(call)
        const { address: text, chain, request } = call.body
        const wallet = await senderOf(database, session, text)
        const [namespace = '', reference = ''] = chain.split(':')
        if (wallet.chainType !== (namespace === 'solana' ? 'solana' : 'ethereum')) throw noSuchWallet()
        const known = namespace === 'solana' ? nodes.solana(reference) : nodes.ethereum(Number(reference))
        requireKnown(known)
        const window = { most: limits.previewsPerMinute, span: minute }
        const device = `preview ${session.app.id} ${session.device.thumbprint}`
        await countEvent(database, device, clock(), minute, [window])
        const perApp = { key: `previews ${session.app.id}`, most: limits.previewsPerAppHour }
        await database.transaction((tx) => tallySharded(tx, [perApp], clock()))
        const { delegates } = session.app
        const readOwn = (given: unknown) => readTransaction(given, wallet, Number(reference), delegates)
        const body = await catchNodeError(() =>
          'message' in request
            ? onSolana(known, reference, wallet, request.message)
            : previewEthereum(known, readOwn(request.transaction), {
                ...context,
                after: request.after.map(readOwn),
                paymaster: request.paymaster,
              }),
        )
        return { body: await withPrices(body, session.app) }
      },
    }),
  )

  async function onSolana(
    known: readonly PreviewNode[],
    cluster: string,
    wallet: { chainType: string; address: string },
    text: string,
  ) {
    if (wallet.chainType !== 'solana') throw new InvalidRequest('This wallet signs transactions of Ethereum')
    const { previewSolana } = await import('./solana.ts')
    const message = new Uint8Array(Buffer.from(text, 'base64'))
    return previewSolana(known, { cluster, wallet: wallet.address, message }, context)
  }

  async function withPrices(
    body: Omit<PreviewAnswer, 'prices'>,
    { nativeTokenPrices }: App,
  ): Promise<PreviewAnswer> {
    if (!outside.prices) return body
    const [namespace, reference = ''] = body.chain.split(':')
    const chainId = namespace === 'eip155' ? Number(reference) : reference === 'mainnet' ? 0 : undefined
    const coin = chainId === undefined || !nativeTokenPrices ? undefined : coinOf(chainId)
    const priced: [string, Priced][] = Object.entries(body.tokens).flatMap(([contract, { decimals }]) =>
      chainId !== undefined ? [[contract, { chainId, contract, decimals }] as [string, Priced]] : [],
    )
    const [coinPrice, ...others] = await Promise.all([
      coin === undefined ? undefined : prices.of({ coin }),
      ...priced.map(([, each]) => prices.of(each)),
    ])
    const tokens: Record<string, PriceView> = {}
    for (const [at, found] of others.entries()) if (found) tokens[priced[at]?.[0] ?? ''] = found
    return { ...body, prices: { ...(coinPrice && { coin: coinPrice }), tokens } }
  }

  api.post(
    '/api/v1/scan/transaction',
    postAsUser(services, {
      actor: notKept,
      body: scanBody,
      async handle(call) {
        const { userId } = sessionOf(call)
        const { chain_id: chain, request } = call.body
        const chainId = Number(chain.replace(/^eip155:/, ''))
        const [given] = request.params
        if (!['eth_sendTransaction', 'eth_signTransaction'].includes(request.method))
          return { body: scanFailed('This server simulates transactions alone.') }
        const known = Number.isSafeInteger(chainId) ? nodes.ethereum(chainId) : []
        if (known.length === 0) return { body: scanFailed('This network is not known here.') }
        const window = { most: limits.scansPerMinute, span: minute }
        await countEvent(database, `scan ${userId}`, clock(), minute, [window])
        const transaction = readScanned(given, chainId)
        if (!transaction) return { body: scanFailed("The transaction can't be read.") }
        const { simulation } = await simulateOn(known, transaction, context)
        return { body: scanAnswer(transaction, simulation) }
      },
    }),
  )

  async function countLookup(c: ServerContext): Promise<void> {
    const ip = clientIp(c)
    const window = { most: limits.lookupsPerIpMinute, span: minute }
    if (ip !== undefined) await countEvent(database, `lookup ${ip}`, clock(), minute, [window])
  }

  api.get('/api/v1/token_price', async (c) => {
    const query = readQuery(priceQuery, c)
    // A missing price is no error: browsers print each refusal in the console of the host page.
    if (!outside.prices) return c.json({})
    await countLookup(c)
    const priced = pricedOf(query)
    const price = priced && (await prices.of(priced))
    if (!price) return c.json({})
    return c.json({
      usd: price.usd,
      at: price.at,
      ...(query.contract !== undefined && { contract: query.contract }),
    })
  })

  api.get('/api/v1/spl_token_info', async (c) => {
    const { mint_address: mint, cluster } = readQuery(tokenQuery, c)
    const known = nodes.solana(cluster === 'mainnet-beta' ? 'mainnet' : cluster)
    requireKnown(known)
    await countLookup(c)
    const { readSolanaTokens } = await import('../../../src/solana/token-metadata.ts')
    const found = await catchNodeError(() => askTwo(known, (node) => readSolanaTokens(node, [mint]), 0))
    const token = found[0][mint]
    if (!token) throw new Refusal('not_supported', 'There is no token at this address.')
    const { name = '', symbol = '', decimals } = token
    return c.json({ name: name || symbol, symbol: symbol || name, decimals })
  })
}

/** An embedded wallet of the user, or a smart wallet that is linked to them. @throws Refusal `linked_account_not_found` */
async function senderOf(db: Queries, session: UserSession, text: string): Promise<WalletAddress> {
  const address = readWalletAddress(text)
  const isSmart =
    address?.chainType === 'ethereum' &&
    (await db.$count(
      accounts,
      and(
        eq(accounts.appId, session.app.id),
        eq(accounts.userId, session.userId),
        eq(accounts.type, 'smart-wallet'),
        eq(accounts.subject, address.address),
      ),
    )) > 0
  return isSmart ? address : ownWalletRow(db, session, text)
}

function pricedOf(query: v.InferOutput<typeof priceQuery>): Priced | undefined {
  if (query.contract !== undefined) return query
  const coin = coinOf(query.chainId, query.tokenSymbol)
  return coin === undefined ? undefined : { coin }
}

function requireKnown(known: readonly PreviewNode[]): void {
  if (known.length === 0) throw new Refusal('not_supported', 'This network is not known here.')
}

function readQuery<T>(schema: v.GenericSchema<unknown, T>, c: ServerContext): T {
  const result = v.safeParse(schema, c.req.query())
  if (result.success) return result.output
  const [issue] = result.issues
  throw new Refusal('invalid_data', `Invalid or missing: ${v.getDotPath(issue) ?? 'query'}`)
}

/** Reads the transaction of a wallet on a chain. @throws InvalidRequest */
function readTransaction(
  given: unknown,
  wallet: { chainType: string; address: string },
  chainId: number,
  delegates: readonly Delegate[],
): WalletTransaction {
  if (wallet.chainType !== 'ethereum') throw new InvalidRequest('This wallet signs transactions of Solana')
  const request = parseTransaction(given, { chainId, delegates })
  if (request.chainId !== chainId) throw new InvalidRequest('The transaction is for another chain')
  if (request.from !== undefined && request.from !== wallet.address)
    throw new InvalidRequest('The transaction is of another wallet')
  return withSender(request, wallet.address)
}

/** The same of a client that names the sender alone; `undefined` for one that can't be read. */
function readScanned(given: unknown, chainId: number): WalletTransaction | undefined {
  try {
    const request = parseTransaction(given, { chainId })
    return request.from === undefined || request.chainId !== chainId
      ? undefined
      : withSender(request, request.from)
  } catch (cause) {
    if (cause instanceof InvalidRequest) return undefined
    throw cause
  }
}

/** Turns a thrown error into the one that a client reads. */
async function catchNodeError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof InvalidRequest) throw new Refusal('invalid_data', 'Invalid or missing: request')
    if (cause instanceof NodeError || cause instanceof Unreachable)
      throw new Unavailable('The network could not be asked. Please try again.', { cause })
    throw cause
  }
}
