/** Batches of calls by unmodified viem on a real chain: later calls need what earlier ones have done. */
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Anvil } from '../../../demo/world/chains/anvil.ts'
import type { CallsPreview } from '../../../src/signing/calls/preview.ts'
import { tokenCode } from '../../ethereum/support/token-code.ts'
import { startChain } from '../../support/chains.ts'
import { embeddedKit, ethereumAccount } from '../../support/embedded-kit.ts'
import { answering, anvilChain, clientsOf, nodeFetch, tokenAt } from './support/on-chain.ts'

const { address } = ethereumAccount
let anvil: Anvil
beforeAll(async () => {
  anvil = await startChain(31_337)
})
afterAll(() => anvil?.close())

const newAddress = () => privateKeyToAddress(generatePrivateKey())

/** viem's own clients on the provider, and a token of its own. */
async function setUp() {
  const node = nodeFetch()
  const set = embeddedKit({
    host: { supportedChains: [anvilChain(anvil.url)] },
    fetch: node.fetch,
  })
  set.login()
  const { client, reader } = clientsOf(set.provider(), anvilChain(anvil.url))
  const token = newAddress()
  const setCode = { jsonrpc: '2.0', id: 1, method: 'anvil_setCode', params: [token, tokenCode] }
  const headers = { 'content-type': 'application/json' }
  await fetch(anvil.url, { method: 'POST', headers, body: JSON.stringify(setCode) })
  const previews: CallsPreview[] = []
  const approved = <T>(work: Promise<T>): Promise<T> =>
    answering(set, node, work, ({ screen, props, answer }) => {
      if (screen.id !== 'approve-calls') return
      const { preview } = props as { preview?: CallsPreview }
      if (preview) previews.push(preview)
      answer('approve')
    })
  const waitFor = (id: string) =>
    approved(client.waitForCallsStatus({ id, pollingInterval: 20, timeout: 30_000 }))
  return { ...set, ...tokenAt(token, reader), client, reader, previews, approved, waitFor }
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
