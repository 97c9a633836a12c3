/** Batches of calls by unmodified viem on a real chain: later calls need what earlier ones have done. */
import {
  createPublicClient,
  createWalletClient,
  custom,
  encodeFunctionData,
  parseAbi,
  parseEther,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Anvil } from '../../../demo/world/chains/anvil.ts'
import type { CallsPreview } from '../../../src/signing/calls/preview.ts'
import { tokenCode } from '../../ethereum/support/token-code.ts'
import { startChain } from '../../support/chains.ts'
import { settled } from '../../support/clock.ts'
import { embeddedKit, ethereumAccount } from '../../support/embedded-kit.ts'

const { address } = ethereumAccount
const abi = parseAbi([
  'function mint(uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function balanceOf(address owner) view returns (uint256)',
])
let anvil: Anvil
beforeAll(async () => {
  anvil = await startChain(31_337)
})
afterAll(() => anvil?.close())

const chain = () => ({
  id: 31_337,
  name: 'Anvil',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [anvil.url] } },
})
const newAddress = () => privateKeyToAddress(generatePrivateKey())

/** viem's own clients on the provider, and a token of its own. */
async function setUp() {
  const set = embeddedKit({
    host: { supportedChains: [chain()] },
    fetch: (input, init) => fetch(input, init),
  })
  set.login()
  const transport = custom(set.provider() as never)
  const client = createWalletClient({ transport, account: address, chain: chain() })
  const reader = createPublicClient({ transport, chain: chain(), pollingInterval: 20 })
  const token = newAddress()
  const setCode = { jsonrpc: '2.0', id: 1, method: 'anvil_setCode', params: [token, tokenCode] }
  const headers = { 'content-type': 'application/json' }
  await fetch(anvil.url, { method: 'POST', headers, body: JSON.stringify(setCode) })
  const previews: CallsPreview[] = []
  /** Approves everything, and lets time pass until the work is done. */
  const approved = async <T>(work: Promise<T>): Promise<T> => {
    let isOpen = true
    const over = work.finally(() => {
      isOpen = false
    })
    over.catch(() => {})
    while (isOpen) {
      const { scene } = set.person
      const { preparing, preview } = (scene?.props ?? {}) as { preparing?: boolean; preview?: CallsPreview }
      if (scene?.screen.id === 'approve-calls' && !preparing && scene.busy === undefined) {
        if (preview) previews.push(preview)
        scene.answer('approve')
      }
      await settled()
      await set.clock.advance(100)
      // The node answers by the world's clock.
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    return over
  }
  const waitFor = (id: string) =>
    approved(client.waitForCallsStatus({ id, pollingInterval: 20, timeout: 30_000 }))
  const call = (functionName: 'mint' | 'transfer', args: readonly unknown[]) => ({
    to: token,
    data: encodeFunctionData({ abi, functionName, args: args as never }),
  })
  const balanceOf = (owner: `0x${string}`) =>
    reader.readContract({ abi, address: token, functionName: 'balanceOf', args: [owner] })
  return { ...set, client, reader, token, previews, approved, waitFor, call, balanceOf }
}

test('calls that depend on each other are previewed as they follow each other, and carried out', async () => {
  const { client, reader, approved, waitFor, call, balanceOf, previews, token } = await setUp()
  const to = newAddress()
  expect(await client.getCapabilities({ account: address, chainId: 31_337 })).toEqual({
    atomic: { status: 'unsupported' },
  })
  const { id } = await approved(
    client.sendCalls({
      calls: [call('mint', [500n]), call('transfer', [to, 400n]), { to, value: parseEther('0.5') }],
    }),
  )
  const { status, statusCode, receipts = [] } = await waitFor(id)
  expect([status, statusCode]).toEqual(['success', 200])
  expect(receipts.map((each) => each.status)).toEqual(['success', 'success', 'success'])
  // In the order of the calls, each with its own logs alone.
  expect(receipts.map(({ logs }) => logs.length)).toEqual([1, 1, 0])
  const nonces = await Promise.all(
    receipts.map(async ({ transactionHash: hash }) => (await reader.getTransaction({ hash })).nonce),
  )
  expect(nonces.map((nonce) => nonce - (nonces[0] ?? 0))).toEqual([0, 1, 2])
  expect(await balanceOf(to)).toBe(400n)
  expect(await reader.getBalance({ address: to })).toBe(parseEther('0.5'))

  const [preview] = previews
  expect(preview?.warnings).toEqual([])
  expect(preview?.isUnderfunded).toBe(false)
  expect(preview?.balanceChanges).toMatchObject({
    out: [{ amount: parseEther('0.5') }],
    in: [{ token, amount: 100n, asset: { symbol: 'TST', decimals: 6 } }],
    isComplete: true,
  })
})

test('a call that the contract refuses is warned of, and stops those after it', async () => {
  const { client, approved, waitFor, call, balanceOf, previews, reader } = await setUp()
  const to = newAddress()
  const calls = [call('mint', [5n]), call('transfer', [to, 6n]), { to, value: 1n }]
  const { id } = await approved(client.sendCalls({ calls }))
  expect(previews[0]?.calls.map(({ warnings }) => warnings.map(({ code }) => code))).toEqual([
    [],
    ['reverts'],
    [],
  ])
  const { statusCode, receipts = [] } = await waitFor(id)
  expect(statusCode).toBe(600)
  expect(receipts.map((each) => each.status)).toEqual(['success', 'reverted'])
  expect(await balanceOf(address)).toBe(5n)
  expect(await reader.getBalance({ address: to })).toBe(0n)
})
