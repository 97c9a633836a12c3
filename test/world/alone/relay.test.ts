import { EthereumProvider } from '@walletconnect/ethereum-provider'
import { toHex, verifyMessage } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { type Relay, startRelay } from '../../../demo/world/relay/relay.ts'
import { anvilKeys } from '../../../demo/world/wallet/accounts.ts'
import { createEthereumWallet } from '../../../demo/world/wallet/ethereum.ts'
import { tolerateLateEnds } from '../../../demo/world/wallet/late-ends.ts'
import { type Phone, type PhoneSettings, startPhone } from '../../../demo/world/wallet/pairing.ts'
import { freePort } from '../../support/chains.ts'

const projectId = '0'.repeat(32)
let relay: Relay
const ends: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  process.env.IS_VITEST = 'true'
  relay = await startRelay({ port: await freePort() })
})
afterEach(async () => {
  relay.control.up()
  for (const end of ends.splice(0)) await end().catch(() => {})
})
afterAll(() => relay.close())

function newWallet() {
  const chains = { 1: 'http://localhost:1', 8453: 'http://localhost:2' }
  return createEthereumWallet({ privateKey: anvilKeys[0], chains, name: 'Phone', rdns: 'org.example.phone' })
}
async function newPhone(settings: Partial<PhoneSettings> = {}) {
  const wallet = settings.wallet ?? newWallet()
  const phone: Phone = await startPhone({ relayUrl: relay.url, wallet, ...settings })
  ends.push(() => phone.close())
  return { phone, wallet }
}
/** A page that shows its code to the phone. */
async function newPage(phone: Phone) {
  const page = await EthereumProvider.init({
    projectId,
    relayUrl: relay.url,
    telemetryEnabled: false,
    disableProviderPing: true,
    showQrModal: false,
    optionalChains: [1, 8453],
    metadata: { name: 'A page', description: '', url: 'http://localhost:2', icons: [] },
    customStoragePrefix: crypto.randomUUID(),
    storageOptions: { database: ':memory:' },
  })
  tolerateLateEnds(page.signer.client.engine)
  page.on('display_uri', (uri: string) => void phone.pair(uri))
  ends.push(() => page.signer.client.core.relayer.transportClose())
  return page
}
const fetched: string[] = []
const realFetch = globalThis.fetch
globalThis.fetch = (input, init) => {
  const { href, hostname } = new URL(input instanceof Request ? input.url : input)
  if (hostname !== 'localhost') fetched.push(href)
  return realFetch(input, init)
}

describe('a phone over the relay', () => {
  it('pairs, signs, and is notified when the page ends it', async () => {
    const { phone, wallet } = await newPhone()
    const page = await newPage(phone)
    expect(await page.enable()).toEqual([wallet.address])
    expect(phone.sessions()).toMatchObject([{ name: 'A page' }])
    expect(phone.sessions()[0]?.accounts).toEqual([
      `eip155:1:${wallet.address}`,
      `eip155:8453:${wallet.address}`,
    ])

    const params = [toHex('Hello'), wallet.address]
    const signature = await page.request<`0x${string}`>({ method: 'personal_sign', params })
    expect(await verifyMessage({ address: wallet.address, message: 'Hello', signature })).toBe(true)

    await page.disconnect()
    await expect.poll(() => phone.sessions()).toEqual([])
    expect(fetched, 'Nobody else was asked').toEqual([])
  })

  it('declines a pairing and a signature', async () => {
    const { phone, wallet } = await newPhone()
    const page = await newPage(phone)
    wallet.control.next('reject')
    await expect(page.enable()).rejects.toThrow(/reject/i)
    const again = await newPage(phone)
    await again.enable()
    wallet.control.next('reject', 'personal_sign')
    const params = [toHex('Hello'), wallet.address]
    await expect(again.request({ method: 'personal_sign', params })).rejects.toMatchObject({ code: 4001 })
  })

  it('lets its person ask who wants in', async () => {
    const asked: unknown[] = []
    const approve = (peer: unknown) => {
      asked.push(peer)
      return false
    }
    const { phone } = await newPhone({ approve })
    const page = await newPage(phone)
    await expect(page.enable()).rejects.toThrow(/reject/i)
    expect(asked).toEqual([{ name: 'A page', url: 'http://localhost:2' }])
  })

  it('tells the page of another account, another chain, and of its end', async () => {
    const { phone, wallet } = await newPhone()
    const page = await newPage(phone)
    await page.enable()
    const accounts = new Promise((resolve) => page.once('accountsChanged', resolve))
    wallet.control.pickAccount(anvilKeys[1])
    expect(await accounts).toContain(wallet.address)
    const chain = new Promise((resolve) => page.once('chainChanged', resolve))
    wallet.control.pickChain(8453)
    expect(await chain).toBe('0x2105')
    const end = new Promise((resolve) => page.once('disconnect', resolve))
    await phone.disconnect()
    await end
    expect(page.accounts).toEqual([])
  })

  it('can say that it opens what it was not asked for', async () => {
    const stranger = `eip155:5:${'0x'.padEnd(42, '1')}`
    const { phone } = await newPhone({
      metadata: { name: 'x'.repeat(10_000), redirect: { native: 'javascript:alert(1)' } },
      namespaces: ({ eip155 }) => ({
        eip155: { ...eip155!, chains: ['eip155:5'], accounts: [stranger] },
      }),
    })
    const page = await newPage(phone)
    await page.connect().catch(() => {})
    expect(phone.sessions()[0]?.accounts).toEqual([stranger])
    expect(page.session?.peer.metadata.name).toHaveLength(10_000)
  })

  it('gets what came while it was away', async () => {
    const { phone, wallet } = await newPhone()
    const page = await newPage(phone)
    await page.enable()
    await phone.away()
    const params = [toHex('Still there?'), wallet.address]
    const signature = page.request({ method: 'personal_sign', params })
    await expect.poll(() => relay.control.seen().at(-1)).toBe('irn_publish')
    expect(wallet.control.calls.map(({ method }) => method)).not.toContain('personal_sign')
    await phone.back()
    expect(await signature).toMatch(/^0x/)
  })
})

describe('the relay', () => {
  const open = (query = `?projectId=${projectId}`) =>
    new Promise<WebSocket>((resolve, reject) => {
      const socket = new WebSocket(`${relay.url}/${query}`)
      socket.once('open', () => resolve(socket))
      socket.once('error', reject)
      ends.push(async () => socket.terminate())
    })
  const ask = (socket: WebSocket, text: string) =>
    new Promise<unknown>((resolve) => {
      socket.once('message', (raw) => resolve(JSON.parse(String(raw))))
      socket.send(text)
    })

  it('takes nobody without a project', async () => {
    await expect(open('')).rejects.toThrow('401')
    await expect(open('?projectId=mine')).rejects.toThrow('401')
  })

  it('takes nobody while it is down', async () => {
    const socket = await open()
    const closed = new Promise((resolve) => socket.once('close', resolve))
    relay.control.down()
    await closed
    await expect(open()).rejects.toThrow()
    relay.control.up()
    await open()
  })

  it('answers what it does not know by an error, and survives what is no request', async () => {
    const socket = await open()
    socket.send('{')
    socket.send('[]')
    socket.send('null')
    const request = (method: string, params: unknown) =>
      JSON.stringify({ id: 7, jsonrpc: '2.0', method, params })
    expect(await ask(socket, request('irn_nothing', {}))).toMatchObject({ id: 7, error: { code: -32601 } })
    expect(await ask(socket, request('irn_subscribe', { topic: 'x' }))).toMatchObject({
      error: { code: -32602 },
    })
    const topic = 'a'.repeat(64)
    expect(await ask(socket, request('irn_subscribe', { topic }))).toMatchObject({
      result: expect.any(String),
    })
  })

  it('says which port is taken', async () => {
    const port = Number(new URL(relay.url).port)
    await expect(startRelay({ port })).rejects.toThrow(`Port ${port}`)
  })
})
