import { ed25519 } from '@noble/curves/ed25519.js'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import { createPublicClient, http, toHex, verifyMessage, verifyTypedData } from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Anvil } from '../../demo/world/chains/anvil.ts'
import { anvilKeys, demoSeeds } from '../../demo/world/wallet/accounts.ts'
import { createEthereumWallet, type EthereumWalletSettings } from '../../demo/world/wallet/ethereum.ts'
import type { Fault, Question } from '../../demo/world/wallet/script.ts'
import { createSolanaWallet, type SolanaWalletSettings } from '../../demo/world/wallet/solana.ts'
import { startChain } from '../support/chains.ts'

let chain: Anvil
beforeAll(async () => {
  chain = await startChain(1)
})
afterAll(() => chain.close())

function memory() {
  let kept: string | null = null
  const write = (text: string) => {
    kept = text
  }
  return { read: () => kept, write }
}

describe('a wallet for Ethereum', () => {
  const settings = (more: Partial<EthereumWalletSettings> = {}): EthereumWalletSettings => ({
    privateKey: anvilKeys[0],
    chains: { 1: chain.url, 8453: 'http://localhost:1' },
    name: 'MetaMask',
    rdns: 'io.metamask',
    ...more,
  })
  function newWallet(more: Partial<EthereumWalletSettings> = {}) {
    const wallet = createEthereumWallet(settings(more))
    const events: unknown[] = []
    const { provider } = wallet
    if (!more.without)
      for (const name of ['connect', 'disconnect', 'accountsChanged', 'chainChanged'])
        provider.on(name, (detail: unknown) => events.push([name, detail]))
    const ask = (method: string, ...params: unknown[]) => provider.request({ method, params })
    return { ...wallet, events, ask, address: wallet.address }
  }
  const open = async (more: Partial<EthereumWalletSettings> = {}) => {
    const wallet = newWallet(more)
    await wallet.ask('eth_requestAccounts')
    return wallet
  }

  it('opens its accounts when it is asked, and not before', async () => {
    const { ask, address, events } = newWallet({ privateKey: [anvilKeys[0], anvilKeys[1]] })
    expect(await ask('eth_accounts')).toEqual([])
    await expect(ask('personal_sign', '0x6869', address)).rejects.toMatchObject({ code: 4100 })
    const accounts = await ask('eth_requestAccounts')
    expect(accounts).toEqual([address, expect.stringMatching(/^0x7099/)])
    expect(await ask('eth_accounts')).toEqual(accounts)
    expect(events).toEqual([
      ['connect', { chainId: '0x1' }],
      ['accountsChanged', accounts],
    ])
  })

  it('signs text and typed data, for its own accounts only', async () => {
    const { ask, address } = await open()
    const signature = (await ask('personal_sign', toHex('Hello'), address)) as `0x${string}`
    expect(await verifyMessage({ address, message: 'Hello', signature })).toBe(true)
    // Old pages have it the other way round, and plain.
    expect(await ask('personal_sign', address, toHex('Hello'))).toBe(signature)
    expect(await ask('personal_sign', 'Hello', address)).toBe(signature)
    const data = {
      domain: { name: 'Mail', chainId: 1 },
      types: { EIP712Domain: [{ name: 'name', type: 'string' }], Mail: [{ name: 'text', type: 'string' }] },
      primaryType: 'Mail',
      message: { text: 'Hello' },
    } as const
    const typed = (await ask('eth_signTypedData_v4', address, JSON.stringify(data))) as `0x${string}`
    expect(await verifyTypedData({ ...data, address, signature: typed })).toBe(true)
    const elsewhere = { ...data, domain: { chainId: 5 } }
    await expect(ask('eth_signTypedData_v4', address, elsewhere)).rejects.toThrow(/active chainId/)
    const stranger = `0x${'1'.repeat(40)}`
    await expect(ask('personal_sign', '0x6869', stranger)).rejects.toMatchObject({ code: 4100 })
  })

  it('goes to another chain, learns one, and says 4902 of the others', async () => {
    const { ask, events } = await open()
    expect(await ask('wallet_switchEthereumChain', { chainId: '0x2105' })).toBeNull()
    expect(await ask('eth_chainId')).toBe('0x2105')
    expect(events.at(-1)).toEqual(['chainChanged', '0x2105'])
    const unknown = ask('wallet_switchEthereumChain', { chainId: '0x89' })
    await expect(unknown).rejects.toMatchObject({
      code: 4902,
      message: expect.stringMatching(/Unrecognized chain ID/),
    })
    const nativeCurrency = { name: 'POL', symbol: 'POL', decimals: 18 }
    await expect(ask('wallet_addEthereumChain', { chainId: '0x89' })).rejects.toMatchObject({ code: -32602 })
    await ask('wallet_addEthereumChain', {
      chainId: '0x89',
      chainName: 'Polygon',
      rpcUrls: ['http://localhost:2'],
      nativeCurrency,
    })
    expect(await ask('eth_chainId')).toBe('0x89')
  })

  it('sends, and hands what is not its business to the node', async () => {
    const { ask, address } = await open()
    const to = `0x${'0'.repeat(36)}dEaD` as const
    const hash = (await ask('eth_sendTransaction', { from: address, to, value: '0x10' })) as `0x${string}`
    const reader = createPublicClient({ transport: http(chain.url), pollingInterval: 20 })
    expect((await reader.waitForTransactionReceipt({ hash })).status).toBe('success')
    expect(await ask('eth_blockNumber')).toMatch(/^0x/)
    await expect(ask('wallet_noSuchThing')).rejects.toMatchObject({ code: -32601 })
    await ask('wallet_switchEthereumChain', { chainId: '0x2105' })
    await expect(ask('eth_blockNumber')).rejects.toMatchObject({ code: -32603 })
  })

  it('closes again', async () => {
    const { ask, events } = await open()
    expect(await ask('wallet_getPermissions')).toHaveLength(1)
    await ask('wallet_revokePermissions', { eth_accounts: {} })
    expect(await ask('eth_accounts')).toEqual([])
    expect(events.at(-1)).toEqual(['accountsChanged', []])
  })

  it('asks its person, who may say no', async () => {
    const questions: Question[] = []
    const approve = (question: Question) => questions.push(question) < 2
    const { ask, address } = await open({ approve })
    await expect(ask('personal_sign', toHex('Hello'), address)).rejects.toMatchObject({ code: 4001 })
    expect(questions).toMatchObject([
      { kind: 'connect', wallet: 'MetaMask' },
      { kind: 'sign', text: 'Hello' },
    ])
  })

  it('is still open on the next page, and on the same chain', async () => {
    const kept = memory()
    const { ask, address } = await open({ memory: kept })
    await ask('wallet_switchEthereumChain', { chainId: '0x2105' })
    const next = newWallet({ memory: kept })
    expect(await next.ask('eth_accounts')).toEqual([address])
    expect(await next.ask('eth_chainId')).toBe('0x2105')
  })

  it.each<[Fault, object]>([
    ['reject', { code: 4001 }],
    ['pending', { code: -32002 }],
    ['internal', { code: -32603 }],
    ['disconnected', { code: 4900 }],
    ['unauthorized', { code: 4100 }],
    [
      { error: Object.assign(new Error('4902'), { data: { originalError: { code: 4902 } } }) },
      { message: '4902' },
    ],
  ])('has the fault %j once', async (fault, error) => {
    const { ask, control } = newWallet()
    control.next(fault)
    await expect(ask('eth_requestAccounts')).rejects.toMatchObject(error)
    expect(await ask('eth_requestAccounts')).toHaveLength(1)
  })

  it('throws instead of promising, opens nothing, hangs, answers nonsense', async () => {
    const { ask, control } = newWallet()
    control.next('throw')
    expect(() => void ask('eth_requestAccounts')).toThrow(TypeError)
    control.next('nothing', 'eth_requestAccounts')
    expect(await ask('eth_accounts')).toEqual([])
    expect(await ask('eth_requestAccounts')).toEqual([])
    control.next({ answer: 'no list' })
    expect(await ask('eth_requestAccounts')).toBe('no list')
    control.always('hang', 'eth_chainId')
    let heard: unknown = 'nothing'
    void ask('eth_chainId').then((answer) => {
      heard = answer
    })
    await ask('eth_accounts')
    expect(heard).toBe('nothing')
    control.always(undefined, 'eth_chainId')
    expect(await ask('eth_chainId')).toBe('0x1')
    expect(control.calls.map(({ method }) => method)).toContain('eth_chainId')
  })

  it('signs with a key of somebody else’s', async () => {
    const { ask, address, control } = await open()
    control.next('other-key')
    const signature = (await ask('personal_sign', toHex('Hello'), address)) as `0x${string}`
    expect(await verifyMessage({ address, message: 'Hello', signature })).toBe(false)
  })

  it('changes its account and its chain while it signs', async () => {
    const { ask, address, control, events } = await open()
    control.during('personal_sign', () => {
      control.pickAccount(anvilKeys[1])
      control.pickChain(8453)
    })
    const signature = (await ask('personal_sign', toHex('Hello'), address)) as `0x${string}`
    expect(await verifyMessage({ address, message: 'Hello', signature })).toBe(true)
    expect(events.slice(-2)).toMatchObject(
      [
        ['accountsChanged', [/^0x7099/, address]],
        ['chainChanged', '0x2105'],
      ].map(([name, detail]) => [
        name,
        Array.isArray(detail) ? [expect.stringMatching(detail[0] as RegExp), address] : detail,
      ]),
    )
  })

  it('announces itself, once or twice, late, and no more when it is gone', async () => {
    vi.useFakeTimers()
    const page = new EventTarget() as EventTarget & { ethereum?: unknown }
    const found: string[] = []
    page.addEventListener('eip6963:announceProvider', (event) =>
      found.push((event as CustomEvent).detail.info.name),
    )
    const wallet = newWallet()
    wallet.announce(page)
    page.dispatchEvent(new Event('eip6963:requestProvider'))
    newWallet({ name: 'Twice' }).announce(page, { times: 2 })
    newWallet({ name: 'Late' }).announce(page, { after: 3_000 })
    expect(found).toEqual(['MetaMask', 'MetaMask', 'Twice', 'Twice'])
    vi.advanceTimersByTime(3_000)
    expect(found.at(-1)).toBe('Late')
    const old = newWallet({ name: 'Old', flags: { isMetaMask: true } })
    old.announce(page, { legacy: 'only' })
    expect(found).toHaveLength(5)
    expect(page.ethereum).toMatchObject({ isMetaMask: true })
    vi.useRealTimers()
    wallet.control.disappear()
    old.control.disappear()
    page.dispatchEvent(new Event('eip6963:requestProvider'))
    expect(found.slice(5)).toEqual(['Twice', 'Late'])
    expect(page.ethereum).toBeUndefined()
    expect(wallet.events.at(-1)).toMatchObject(['disconnect', { code: 4900 }])
    await expect(wallet.ask('eth_chainId')).rejects.toMatchObject({ code: 4900 })
  })

  it('may be frozen, or without events', async () => {
    const { provider } = createEthereumWallet(settings({ frozen: true, without: ['on', 'removeListener'] }))
    expect(Object.isFrozen(provider)).toBe(true)
    expect(provider.on).toBeUndefined()
    expect(await provider.request({ method: 'eth_requestAccounts' })).toHaveLength(1)
  })
})

describe('a wallet for Solana', () => {
  const message = new TextEncoder().encode('Hello')
  type Accounts = { accounts: readonly WalletAccount[] }
  type Signed = { signedMessage: Uint8Array; signature: Uint8Array; account?: WalletAccount }
  interface Features {
    'standard:connect': { connect(input?: { silent?: boolean }): Promise<Accounts> }
    'standard:disconnect': { disconnect(): Promise<void> }
    'standard:events': { on(event: 'change', listener: (change: Accounts) => void): () => void }
    'solana:signMessage': { signMessage(...inputs: object[]): Promise<readonly Signed[]> }
    'solana:signIn': { signIn(...inputs: object[]): Promise<readonly Signed[]> }
  }
  function newWallet(more: Partial<SolanaWalletSettings> = {}) {
    const made = createSolanaWallet({ secretKey: demoSeeds[0], name: 'Phantom', ...more })
    const features = made.wallet.features as unknown as Features
    const changes: string[][] = []
    const stop = features['standard:events'].on('change', ({ accounts }) =>
      changes.push(accounts.map(({ address }) => address)),
    )
    const { connect } = features['standard:connect']
    const { signMessage } = features['solana:signMessage'] ?? {}
    return { ...made, features, changes, stop, connect, signMessage }
  }
  const good = ({ signature, signedMessage }: Signed, account: WalletAccount) =>
    ed25519.verify(signature, signedMessage, Uint8Array.from(account.publicKey))

  it('opens its account when it is asked, and silently only where it was', async () => {
    const kept = memory()
    const { connect, address, wallet, changes } = newWallet({ memory: kept })
    expect(await connect({ silent: true })).toEqual({ accounts: [] })
    expect((await connect()).accounts).toMatchObject([{ address }])
    expect(wallet.accounts).toHaveLength(1)
    expect(changes).toEqual([[address]])
    const next = newWallet({ memory: kept })
    expect((await next.connect({ silent: true })).accounts).toHaveLength(1)
    await next.features['standard:disconnect'].disconnect()
    expect(next.wallet.accounts).toEqual([])
    expect((await newWallet({ memory: kept }).connect({ silent: true })).accounts).toEqual([])
  })

  it('signs messages, and a text to sign in with', async () => {
    const { connect, signMessage, features, address } = newWallet()
    const { accounts } = await connect()
    const [account] = accounts as [WalletAccount]
    const all = await signMessage({ account, message }, { account, message })
    expect(all.map((each) => good(each, account))).toEqual([true, true])
    const [signed] = await features['solana:signIn'].signIn({
      domain: 'solana.com',
      statement: 'S',
      uri: 'https://solana.com',
    })
    expect(new TextDecoder().decode(signed?.signedMessage)).toBe(
      `solana.com wants you to sign in with your Solana account:\n${address}\n\nS\n\nURI: https://solana.com`,
    )
    expect(good(signed!, account)).toBe(true)
  })

  it('has faults, and does not sign for others', async () => {
    const { connect, signMessage, control, wallet } = newWallet()
    control.next('reject')
    await expect(connect()).rejects.toMatchObject({ code: 4001 })
    control.next('nothing')
    expect(await connect()).toEqual({ accounts: [] })
    control.next('throw')
    expect(() => void connect()).toThrow(TypeError)
    const { accounts } = await connect()
    const [account] = accounts as [WalletAccount]
    control.next('other-key')
    const [bad] = await signMessage({ account, message })
    expect(good(bad!, account)).toBe(false)
    await expect(signMessage({ account: { ...account, address: 'x' }, message })).rejects.toMatchObject({
      code: 4100,
    })
    control.during('solana:signMessage', () => control.pickAccount(demoSeeds[1]))
    await expect(signMessage({ account, message })).rejects.toMatchObject({ code: 4100 })
    expect(wallet.accounts).toHaveLength(1)
    control.revoke()
    expect(wallet.accounts).toEqual([])
  })

  it('may lack what others have, as a Ledger does', () => {
    const { wallet } = newWallet({ features: ['solana:signTransaction'] })
    expect(Object.keys(wallet.features)).not.toContain('solana:signMessage')
    expect(Object.keys(wallet.features)).toContain('standard:connect')
  })

  it('makes itself known to pages that come before and after it, and goes', () => {
    const page = new EventTarget()
    const list = new Set<Wallet>()
    const register = (wallet: Wallet) => {
      list.add(wallet)
      return () => list.delete(wallet)
    }
    page.addEventListener('wallet-standard:register-wallet', (event) =>
      (event as CustomEvent<(api: object) => void>).detail({ register }),
    )
    const { announce, control, stop } = newWallet()
    announce(page)
    expect(list.size).toBe(1)
    list.clear()
    page.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: { register } }))
    expect(list.size).toBe(1)
    control.disappear()
    expect(list.size).toBe(0)
    stop()
    expect(control.listeners()).toBe(0)
  })
})
