/** The treasury of the sellers, and the bridge between the demo's chains: what is promised arrives on chain. */
import { Keypair, PublicKey, Transaction, TransactionInstruction } from '@solana/web3.js'
import { Hono } from 'hono'
import {
  createPublicClient,
  createWalletClient,
  type Hex,
  http,
  parseAbi,
  parseEther,
  parseUnits,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SOLANA_CHAIN } from '../../demo/world/bridge/bridge.ts'
import type { Anvil } from '../../demo/world/chains/anvil.ts'
import { solanaUsdc, usdcAddresses } from '../../demo/world/chains/usdc.ts'
import { type PaymentsWorld, startPayments } from '../support/payments-world.ts'

const erc20 = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function allowance(address, address) view returns (uint256)',
])
let world: PaymentsWorld
let app: Hono
beforeAll(async () => {
  world = await startPayments('http://localhost/bridge')
  app = new Hono().route('/bridge', world.bridge.app)
})
afterAll(() => world?.close())

const reader = (chain: Anvil) => createPublicClient({ transport: http(chain.url), pollingInterval: 20 })
const usdcOf = (chain: Anvil, owner: Hex) =>
  reader(chain).readContract({
    address: usdcAddresses[chain.chainId] as Hex,
    abi: erc20,
    functionName: 'balanceOf',
    args: [owner],
  })

describe('the treasury of the sellers', () => {
  it('pays coins and USDC on chains, where USDC is a token with name and decimals', async () => {
    const to = privateKeyToAccount(generatePrivateKey()).address
    const deliver = (symbol: string, amount: bigint) =>
      world.treasury.deliver({ chain: 'eip155:8453', symbol, address: to, amount })
    // At once, so that the numbers of the transactions have to be different.
    const hashes = await Promise.all([deliver('ETH', 7n), deliver('USDC', 5_000_000n), deliver('ETH', 8n)])
    expect(new Set(hashes).size).toBe(3)
    expect(await reader(world.base).getBalance({ address: to })).toBe(15n)
    expect(await usdcOf(world.base, to)).toBe(5_000_000n)
    const token = { address: usdcAddresses[8453] as Hex, abi: erc20 }
    expect(await reader(world.base).readContract({ ...token, functionName: 'symbol' })).toBe('USDC')
    expect(await reader(world.base).readContract({ ...token, functionName: 'decimals' })).toBe(6)
  })

  it('pays on Solana, and says what it can’t pay', async () => {
    const to = Keypair.generate().publicKey.toBase58()
    await world.treasury.deliver({ chain: 'solana:mainnet', symbol: 'SOL', address: to, amount: 9_000_000n })
    expect(await world.lamportsOf(to)).toBe(9_000_000n)
    expect(world.treasury.has('eip155:1', 'USDC')).toBe(true)
    expect(world.treasury.has('solana:mainnet', 'USDC')).toBe(true)
    expect(world.treasury.has('eip155:137', 'POL')).toBe(false)
    await world.treasury.deliver({ chain: 'solana:mainnet', symbol: 'USDC', address: to, amount: 3_000_000n })
    await world.treasury.deliver({ chain: 'solana:mainnet', symbol: 'USDC', address: to, amount: 1_000_000n })
    expect(await world.solanaUsdcOf(to)).toBe('4000000')
  })
})

// biome-ignore lint/suspicious/noExplicitAny: the original's JSON
type Answer = { status: number; body: any }
async function call(path: string, body?: object): Promise<Answer> {
  const init = body && { method: 'POST', body: JSON.stringify(body) }
  const response = await app.request(`/bridge${path}`, init)
  return { status: response.status, body: await response.json() }
}
const statusOf = async (requestId: string) => (await call(`/intents/status/v3?requestId=${requestId}`)).body

/** Somebody with money on a chain. */
async function somebody(chain: Anvil) {
  const account = privateKeyToAccount(generatePrivateKey())
  await world.treasury.deliver({
    chain: `eip155:${chain.chainId}`,
    symbol: 'ETH',
    address: account.address,
    amount: parseEther('5'),
  })
  const writer = createWalletClient({ account, transport: http(chain.url) })
  async function send({ to, data, value }: { to: Hex; data: Hex; value: string }): Promise<Hex> {
    const hash = await writer.sendTransaction({ chain: null, to, data, value: BigInt(value) })
    expect((await reader(chain).waitForTransactionReceipt({ hash })).status).toBe('success')
    return hash
  }
  /** Every item of every step, as a wallet does it. */
  async function follow(steps: { items: { data: { to: Hex; data: Hex; value: string } }[] }[]): Promise<Hex> {
    let last: Hex = '0x'
    for (const { items } of steps) for (const { data } of items) last = await send(data)
    return last
  }
  return { address: account.address, send, follow }
}

describe('the bridge', () => {
  it('delivers exactly what was asked for on another chain, and is found by request and by hash', async () => {
    const user = await somebody(world.ethereum)
    const recipient = privateKeyToAccount(generatePrivateKey()).address
    const amount = parseEther('0.25')
    const { status, body } = await call('/quote/v2', {
      user: user.address,
      recipient,
      originChainId: 1,
      destinationChainId: 8453,
      originCurrency: `0x${'0'.repeat(40)}`,
      destinationCurrency: `0x${'0'.repeat(40)}`,
      amount: String(amount),
      tradeType: 'EXACT_OUTPUT',
    })
    expect(status).toBe(200)
    expect(body.details.currencyOut.amount).toBe(String(amount))
    expect(body.details.currencyIn.amountFormatted).toBe('0.25125')
    const [{ requestId }] = body.steps
    expect((await statusOf(requestId)).status).toBe('waiting')
    const hash = await user.follow(body.steps)
    expect(await statusOf(requestId)).toMatchObject({ status: 'success', inTxHashes: [hash] })
    expect(await reader(world.base).getBalance({ address: recipient })).toBe(amount)
    // Asked again and again, it is paid once.
    await Promise.all(Array.from({ length: 5 }, () => statusOf(requestId)))
    expect(await reader(world.base).getBalance({ address: recipient })).toBe(amount)
    const byHash = await call(`/requests/v2?user=${user.address}&hash=${hash}`)
    expect(byHash.body.requests).toMatchObject([{ id: requestId, status: 'success' }])
    expect((await call('/intents/status/v3?requestId=0x1')).status).toBe(404)
  })

  it('wants an approval before a token is deposited', async () => {
    const user = await somebody(world.base)
    await world.treasury.deliver({
      chain: 'eip155:8453',
      symbol: 'USDC',
      address: user.address,
      amount: parseUnits('100', 6),
    })
    const { body } = await call('/quote/v2', {
      user: user.address,
      originChainId: 8453,
      destinationChainId: 1,
      originCurrency: usdcAddresses[8453],
      destinationCurrency: usdcAddresses[1],
      amount: '20000000',
      tradeType: 'EXACT_OUTPUT',
    })
    expect(body.steps.map(({ id }: { id: string }) => id)).toEqual(['approve', 'deposit'])
    await user.follow(body.steps)
    expect((await statusOf(body.steps[0].requestId)).status).toBe('success')
    expect(await usdcOf(world.ethereum, user.address)).toBe(20_000_000n)
    expect(await usdcOf(world.base, user.address)).toBe(79_900_000n)
    // Without the approval nothing is collected.
    const other = await call('/quote/v2', {
      user: user.address,
      originChainId: 8453,
      destinationChainId: 1,
      originCurrency: usdcAddresses[8453],
      destinationCurrency: usdcAddresses[1],
      amount: '1000000',
      tradeType: 'EXACT_OUTPUT',
    })
    await user.send(other.body.steps[1].items[0].data)
    expect((await statusOf(other.body.steps[0].requestId)).status).toBe('failure')
    expect(await usdcOf(world.base, user.address)).toBe(79_900_000n)
  })

  it('brings coins from Solana, with instructions that the wallet puts together', async () => {
    const payer = Keypair.generate()
    const user = payer.publicKey.toBase58()
    await world.treasury.deliver({
      chain: 'solana:mainnet',
      symbol: 'SOL',
      address: user,
      amount: 5_000_000_000n,
    })
    const recipient = privateKeyToAccount(generatePrivateKey()).address
    const { body } = await call('/quote/v2', {
      user,
      recipient,
      originChainId: SOLANA_CHAIN,
      destinationChainId: 8453,
      originCurrency: '11111111111111111111111111111111',
      destinationCurrency: `0x${'0'.repeat(40)}`,
      amount: String(parseEther('0.01')),
      tradeType: 'EXACT_OUTPUT',
    })
    interface Given {
      programId: string
      data: string
      keys: { pubkey: string; isSigner: boolean; isWritable: boolean }[]
    }
    const ask = async (method: string, ...params: unknown[]) => {
      const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      return (await (await fetch(world.solana.url, { method: 'POST', body: request })).json()) as {
        result: { value: { blockhash: string; lastValidBlockHeight: number } }
        error?: { message: string }
      }
    }
    const latest = (await ask('getLatestBlockhash')).result.value
    const transaction = new Transaction({ feePayer: payer.publicKey, ...latest }).add(
      ...body.steps[0].items[0].data.instructions.map(
        ({ programId, data, keys }: Given) =>
          new TransactionInstruction({
            programId: new PublicKey(programId),
            data: Buffer.from(data, 'hex'),
            keys: keys.map((key) => ({ ...key, pubkey: new PublicKey(key.pubkey) })),
          }),
      ),
    )
    transaction.sign(payer)
    const text = transaction.serialize().toString('base64')
    expect((await ask('sendTransaction', text, { encoding: 'base64' })).error).toBeUndefined()
    expect((await statusOf(body.steps[0].requestId)).status).toBe('success')
    expect(await reader(world.base).getBalance({ address: recipient })).toBe(parseEther('0.01'))
  })

  it('pays out on Solana', async () => {
    const user = await somebody(world.base)
    const recipient = Keypair.generate().publicKey.toBase58()
    const { body } = await call('/execute/swap', {
      user: user.address,
      recipient,
      originChainId: 8453,
      destinationChainId: SOLANA_CHAIN,
      destinationCurrency: '11111111111111111111111111111111',
      amount: '30000000',
      tradeType: 'EXACT_OUTPUT',
    })
    expect(body.steps[0].items[0].data).toMatchObject({ from: user.address, chainId: 8453 })
    await user.follow(body.steps)
    expect((await statusOf(body.steps[0].requestId)).status).toBe('success')
    expect(await world.lamportsOf(recipient)).toBe(30_000_000n)
    const token = await call('/quote/v2', {
      user: user.address,
      recipient,
      originChainId: 8453,
      destinationChainId: SOLANA_CHAIN,
      destinationCurrency: solanaUsdc,
      amount: '2500000',
      tradeType: 'EXACT_OUTPUT',
    })
    await user.follow(token.body.steps)
    expect((await statusOf(token.body.steps[0].requestId)).status).toBe('success')
    expect(await world.solanaUsdcOf(recipient)).toBe('2500000')
  })

  it('sends back what it can’t deliver or what was too little, and stays stuck until somebody says otherwise', async () => {
    const user = await somebody(world.ethereum)
    const recipient = privateKeyToAccount(generatePrivateKey()).address
    const ask = async () =>
      (
        await call('/quote/v2', {
          user: user.address,
          recipient,
          refundTo: recipient,
          originChainId: 1,
          destinationChainId: 8453,
          amount: String(parseEther('0.1')),
          tradeType: 'EXACT_OUTPUT',
        })
      ).body
    world.bridge.setOutcome('refund')
    const refunded = await ask()
    await user.follow(refunded.steps)
    const [step] = refunded.steps
    expect(await statusOf(step.requestId)).toMatchObject({ status: 'refund', txHashes: [expect.any(String)] })
    expect(await reader(world.ethereum).getBalance({ address: recipient })).toBe(parseEther('0.1005'))
    expect(await reader(world.base).getBalance({ address: recipient })).toBe(0n)

    world.bridge.setOutcome('stuck')
    const stuck = await ask()
    await user.follow(stuck.steps)
    expect((await statusOf(stuck.steps[0].requestId)).status).toBe('pending')
    expect((await statusOf(stuck.steps[0].requestId)).status).toBe('pending')
    world.bridge.setOutcome('success', stuck.steps[0].requestId)
    expect((await statusOf(stuck.steps[0].requestId)).status).toBe('success')
    expect(await reader(world.base).getBalance({ address: recipient })).toBe(parseEther('0.1'))

    world.bridge.setOutcome('success')
    const little = await ask()
    const { to, data } = little.steps[0].items[0].data
    await user.send({ to, data, value: '1000' })
    expect((await statusOf(little.steps[0].requestId)).status).toBe('refund')
  })

  it('refuses addresses of the wrong chain in the original’s words, and routes that there are none of', async () => {
    const user = privateKeyToAccount(generatePrivateKey()).address
    const quote = (more: object) =>
      call('/quote/v2', { user, originChainId: 1, destinationChainId: 8453, amount: '1000', ...more })
    const wrong = await quote({ destinationChainId: SOLANA_CHAIN })
    expect(wrong).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^Invalid address/) } })
    expect((await quote({ user: 'nobody' })).body.message).toMatch(/^Invalid address/)
    expect((await quote({ destinationChainId: 137 })).body.errorCode).toBe('UNSUPPORTED_ROUTE')
    expect((await quote({ amount: '0' })).status).toBe(400)
    expect((await quote({ amount: '1.5' })).status).toBe(400)
  })
})
