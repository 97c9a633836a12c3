import { createWalletClient, custom, hashTypedData, recoverMessageAddress, verifyTypedData } from 'viem'
import { describe, expect, test } from 'vitest'
import { memoryStorage } from '../../../src/lib/storage.ts'
import type { EthereumProvider } from '../../../src/wallets/external/connector.ts'
import { fakeNode } from '../../support/chain-node.ts'
import { settled } from '../../support/clock.ts'
import {
  embeddedKit,
  ethereumAccount,
  exampleChain,
  secondAccount,
  walletAccount,
} from '../../support/embedded-kit.ts'

const { address } = ethereumAccount
const host = { supportedChains: [exampleChain(), exampleChain(8453, 'Base')] }

function setUp(more: Parameters<typeof embeddedKit>[0] = {}) {
  const node = fakeNode()
  const set = embeddedKit({ host, fetch: node.fetch, ...more })
  set.login()
  const provider = set.provider()
  const ask = (method: string, params?: unknown) => provider.request({ method, params })
  const heard: unknown[] = []
  for (const event of ['connect', 'disconnect', 'accountsChanged', 'chainChanged'])
    provider.on(event, (detail: unknown) =>
      heard.push([event, detail instanceof Error ? (detail as Error & { code: number }).code : detail]),
    )
  return { ...set, provider, ask, heard, node }
}
type SetUp = ReturnType<typeof setUp>

/** A request whose screens a person answers. */
async function answered<T>(
  { person }: SetUp,
  work: Promise<T>,
  script: Parameters<SetUp['person']['follow']>[0],
) {
  const done = work.then(
    (value) => ({ value, error: undefined }),
    (error: { code: number; message: string; data?: unknown }) => ({ value: undefined, error }),
  )
  await person.follow([...script, { wait: 2_000 }])
  return done
}
const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it was done'),
    ({ code, message }: { code: number; message: string }) => ({ code, message }),
  )

describe('what a library can ask without anybody', () => {
  test('the accounts and the chain', async () => {
    const { ask } = setUp()
    expect(await ask('eth_accounts')).toEqual([address])
    expect(await ask('eth_requestAccounts')).toEqual([address])
    expect(await ask('eth_coinbase')).toBe(address)
    expect(await ask('eth_chainId')).toBe('0x1')
    expect(await ask('net_version')).toBe('1')
  })

  test('the accounts’ permission (EIP-2255), which it can give up and have again', async () => {
    const { ask, heard } = setUp()
    const permission = {
      invoker: 'https://host.example',
      parentCapability: 'eth_accounts',
      caveats: [{ type: 'restrictReturnedAccounts', value: [address] }],
    }
    expect(await ask('wallet_getPermissions')).toEqual([permission])
    expect(await ask('wallet_revokePermissions', [{ eth_accounts: {} }])).toBeNull()
    expect([await ask('eth_accounts'), await ask('wallet_getPermissions')]).toEqual([[], []])
    expect((await failure(ask('personal_sign', ['Hello', address]))).code).toBe(4100)
    expect(await ask('wallet_requestPermissions', [{ eth_accounts: {} }])).toEqual([permission])
    expect(await ask('eth_accounts')).toEqual([address])
    await ask('wallet_revokePermissions', [{ eth_accounts: {} }])
    expect(await ask('eth_requestAccounts')).toEqual([address])
    expect(heard).toEqual([[], [address], [], [address]].map((list) => ['accountsChanged', list]))
  })

  test('that nobody is there, after a logout', async () => {
    const { ask, logout } = setUp()
    logout()
    expect([await ask('eth_accounts'), await ask('wallet_getPermissions')]).toEqual([[], []])
    expect((await failure(ask('eth_requestAccounts'))).code).toBe(4900)
  })

  test('the chain’s node, for all that only reads', async () => {
    const { ask, node } = setUp()
    expect(await ask('eth_getBalance', [address, 'latest'])).toBe('0x8ac7230489e80000')
    expect(node.asked.map(({ url }) => url)).toEqual(['https://node.example/1'])
  })

  test('the host’s own node takes precedence over the chain’s', async () => {
    const { ask, node, configure } = setUp()
    configure({ ...host, rpcConfig: { rpcUrls: { 1: 'https://own.example/' } } })
    await ask('eth_getBalance', [address, 'latest'])
    expect(node.asked.map(({ url }) => url)).toEqual(['https://own.example/'])
  })

  test.each([
    ...[
      'eth_signTransaction_',
      'eth_sign_',
      'eth_sign',
      'secp256k1_sign',
      'personal_unlockAccount',
      'personal_sendTransaction',
      'eth_resend',
    ],
    ...[
      'eth_signTypedData',
      'eth_signTypedData_v3',
      'eth_decrypt',
      'eth_getEncryptionPublicKey',
      'eth_submitWork',
    ],
    ...['eth_notAMethod', 'foo_bar', 'debug_traceTransaction', 'eth_getWork'],
    ...[
      'wallet_sendTransaction',
      'wallet_grantPermissions',
      'account_signTransaction',
      'parity_postSign',
      'eth_subscribe',
    ],
    ...[
      'anvil_impersonateAccount',
      'admin_addPeer',
      'miner_start',
      'quorum_sendTransactionAsync',
      'ETH_SIGN',
    ],
    ...['toString', '__proto__', 'eth_', '_x', 'eth_call\n', 'constructor'],
  ])('%s is for nobody: 4200, and no node hears of it', async (method) => {
    const { ask, node, asked } = setUp()
    expect((await failure(ask(method, [{}]))).code).toBe(4200)
    expect([node.asked, asked]).toEqual([[], []])
  })

  test('nothing without a method', async () => {
    const { provider } = setUp()
    for (const input of [undefined, null, {}, { method: '' }, { method: 7 }])
      expect(await failure(provider.request(input as never))).toMatchObject({ code: -32600 })
  })

  test('a node that is gone is 4901: the wallet is there, its chain is not', async () => {
    const { ask, clock } = setUp({ fetch: async () => Promise.reject(new TypeError('Failed to fetch')) })
    const work = failure(ask('eth_blockNumber'))
    for (let waits = 0; waits < 4; waits++) await clock.advance(5_000)
    expect(await work).toEqual({ code: 4901, message: 'Chain disconnected' })
  })
})

describe('the chain', () => {
  const move = (chainId: unknown) => ['wallet_switchEthereumChain', [{ chainId }]] as const

  test('is changed when the app has it, which libraries hear, and is remembered', async () => {
    const { ask, heard, storage, provider } = setUp()
    expect(await ask(...move('0x2105'))).toBeNull()
    expect(await ask(...move('0x2105'))).toBeNull()
    expect(heard).toEqual([['chainChanged', '0x2105']])
    expect(await ask('eth_chainId')).toBe('0x2105')
    const again = embeddedKit({ host, storage })
    again.login()
    expect(await again.provider().request({ method: 'eth_chainId' })).toBe('0x2105')
    expect(provider).not.toBe(again.provider())
  })

  test('is each tab’s own: what one switches to, only new tabs begin with', async () => {
    const storage = memoryStorage()
    const chainIn = async (tab: ReturnType<typeof embeddedKit>) =>
      tab.provider().request({ method: 'eth_chainId' })
    const tabOf = (tabStorage = memoryStorage()) => {
      const tab = embeddedKit({ host, storage, tabStorage })
      tab.login()
      return tab
    }
    const kept = memoryStorage()
    const [one, two] = [tabOf(), tabOf(kept)]
    await one.provider().request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x2105' }] })
    expect(await chainIn(one)).toBe('0x2105')
    expect(await chainIn(two)).toBe('0x1')
    expect(await chainIn(tabOf(kept))).toBe('0x1')
    expect(await chainIn(tabOf())).toBe('0x2105')
  })

  test('is moved to by adding one that the app has', async () => {
    const { ask, heard } = setUp()
    expect(await ask('wallet_addEthereumChain', [{ chainId: '0x2105', chainName: 'Base' }])).toBeNull()
    expect(heard).toEqual([['chainChanged', '0x2105']])
  })

  test.each([
    ['wallet_switchEthereumChain', [{ chainId: '0xa' }], 4902, /^Chain ID 10 is not supported/],
    ['wallet_addEthereumChain', [{ chainId: '0xa' }], 4200, /^Chain ID 10 can't be added/],
    ['wallet_switchEthereumChain', [{ chainId: 'Base' }], -32602, /^Invalid params for/],
    ['wallet_switchEthereumChain', [{ chainId: '8453' }], -32602, /^Invalid params for/],
    ['wallet_switchEthereumChain', [{ chainId: '0x02105' }], -32602, /^Invalid params for/],
    ['wallet_addEthereumChain', [{ chainId: '8453' }], -32602, /^Invalid params for/],
    ['wallet_addEthereumChain', [{}], -32602, /^Invalid params for/],
    ['wallet_requestPermissions', [{}], -32602, /^Invalid params for/],
    ['wallet_requestPermissions', [{ wallet_snap: {} }], 4200, /wallet_snap/],
    ['wallet_revokePermissions', [7], -32602, /^Invalid params for/],
    ['wallet_switchEthereumChain', [{}], -32602, /^Invalid params for/],
    ['wallet_switchEthereumChain', [null], -32602, /^Invalid params for/],
    ['wallet_addEthereumChain', [{ chainId: {} }], -32602, /^Invalid params for/],
    ['wallet_addEthereumChain', undefined, 4200, /^Invalid params for/],
    ['personal_sign', undefined, 4200, /^Invalid params for personal_sign$/],
    ['personal_sign', [], -32602, /^Invalid params for personal_sign$/],
    ['personal_sign', ['Hello'], -32602, /^Invalid params for personal_sign$/],
    ['personal_sign', [undefined, address], -32602, /non-empty string/],
    ['personal_sign', [7, address], -32602, /non-empty string/],
    ['personal_sign', ['Hello', {}], -32602, /^Invalid params for personal_sign$/],
    ['eth_signTypedData_v4', undefined, 4200, /^Invalid params for/],
    ['eth_signTypedData_v4', [null, '{}'], -32602, /^Invalid params for/],
    ['eth_signTypedData_v4', [address], -32602, /./],
    ['eth_signTypedData_v4', [address, 7], -32602, /./],
    ['eth_signTransaction', [], -32602, /^Invalid params for/],
    ['eth_sendTransaction', [null], -32602, /./],
    ['eth_sendTransaction', ['0x'], -32602, /./],
    ['eth_sendTransaction', 'x', 4200, /^Invalid params for/],
    [
      'wallet_switchEthereumChain',
      { chainId: '0x1' },
      4200,
      /^Invalid params for wallet_switchEthereumChain$/,
    ],
    ['wallet_switchEthereumChain', [], -32602, /^Invalid params for/],
    ['wallet_requestPermissions', { eth_accounts: {} }, 4200, /^Invalid params for/],
    ['wallet_sendCalls', { version: '2.0.0' }, 4200, /^Invalid params for wallet_sendCalls$/],
    ['wallet_getCallsStatus', '0x1', 4200, /^Invalid params for wallet_getCallsStatus$/],
    ['wallet_getCapabilities', null, 4200, /^Invalid params for wallet_getCapabilities$/],
    ['personal_sign', 'Hello', 4200, /^Invalid params for personal_sign$/],
    ['eth_sendTransaction', undefined, 4200, /^Invalid params for eth_sendTransaction$/],
  ])('%s %o: %i', async (method, params, code, words) => {
    const { ask, heard } = setUp()
    expect(await failure(ask(method, params))).toMatchObject({ code, message: expect.stringMatching(words) })
    expect(heard).toEqual([])
  })

  test('that the app no longer has is left for its default', async () => {
    const { ask, configure } = setUp()
    await ask(...move('0x2105'))
    configure({ supportedChains: [exampleChain()] })
    expect(await ask('eth_chainId')).toBe('0x1')
  })

  test('is forgotten at logout', async () => {
    const { ask, logout, login } = setUp()
    await ask(...move('0x2105'))
    logout()
    login()
    expect(await ask('eth_chainId')).toBe('0x1')
  })
})

describe('a message', () => {
  test('is shown as text with who asks, and signed by EIP-191', async () => {
    const set = setUp()
    const seen: unknown[] = []
    const { value } = await answered(set, set.ask('personal_sign', ['0x48656c6c6f', address]), [
      { on: 'sign-message', expect: (props) => seen.push(props), answer: 'sign' },
    ])
    expect(await recoverMessageAddress({ message: 'Hello', signature: value as `0x${string}` })).toBe(address)
    expect(seen).toMatchObject([{ message: 'Hello', origin: 'https://host.example', address }])
    expect(set.tracked).toEqual([
      'embedded_wallet_sign_message_started',
      'embedded_wallet_sign_message_completed',
    ])
  })

  test.each([
    ['text as it is', 'personal_sign', ['Hello', address]],
    ['parameters the wrong way round', 'personal_sign', [address, 'Hello']],
    ['an address in small letters', 'personal_sign', ['Hello', address.toLowerCase()]],
  ])('%s', async (_, method, params) => {
    const set = setUp()
    const { value } = await answered(set, set.ask(method, params), [['sign-message', 'sign']])
    expect(await recoverMessageAddress({ message: 'Hello', signature: value as `0x${string}` })).toBe(address)
  })

  test('that is no text is shown as hex, and the dialog says so', async () => {
    const set = setUp()
    const bytes = `0x${'c3'.repeat(32)}`
    const seen: Record<string, unknown>[] = []
    await answered(set, set.ask('personal_sign', [bytes, address]), [
      { on: 'sign-message', expect: (props) => seen.push(props), answer: 'sign' },
    ])
    expect(seen[0]).toMatchObject({ message: bytes, description: expect.stringContaining('not text') })
  })

  test.each([
    ['nothing', ['', address], -32602],
    ['no bytes', ['0x', address], -32602],
    ['half a byte', ['0xabc', address], -32602],
    ['half a surrogate', ['\ud800', address], -32602],
    ['more than the vault takes', ['x'.repeat(200_000), address], -32602],
    ['a number', [7, address], -32602],
    ['another account', ['Hello', secondAccount.address], 4100],
    ['nobody', ['Hello'], -32602],
    [
      'a sign-in at another site (ERC-4361)',
      [`evil.example wants you to sign in with your Ethereum account:\n${address}`, address],
      -32602,
    ],
  ])('%s is refused, without a dialog', async (_, params, code) => {
    const { ask, person, asked } = setUp()
    expect((await failure(ask('personal_sign', params))).code).toBe(code)
    expect([person.trace(), asked]).toEqual([[], []])
  })

  test('to sign in at this page is none of those', async () => {
    const set = setUp()
    const text = `host.example wants you to sign in with your Ethereum account:\n${address}`
    expect(
      (await answered(set, set.ask('personal_sign', [text, address]), [['sign-message', 'sign']])).value,
    ).toMatch(/^0x/)
  })

  test.each([
    ['cancelled', ['sign-message', 'cancel'] as const],
    ['closed', { on: 'sign-message', close: true } as const],
  ])('that is %s: 4001', async (_, step) => {
    const set = setUp()
    const { error } = await answered(set, set.ask('personal_sign', ['Hello', address]), [step as never])
    expect(error).toMatchObject({ code: 4001, message: 'User rejected the request.' })
    expect(set.asked).toEqual([])
  })

  test('that fails is tried again', async () => {
    let tries = 0
    const set = setUp({
      rpc: async () => {
        if (tries++ === 0) throw new Error('broken')
        return '0x1234'
      },
    })
    const { value } = await answered(set, set.ask('personal_sign', ['Hello', address]), [
      ['sign-message', 'sign'],
      {
        on: 'sign-message',
        expect: (props) => expect(props.error).toBe('An error has occurred, please try again.'),
        answer: 'sign',
      },
    ])
    expect(value).toBe('0x1234')
    expect(set.told).toHaveLength(1)
  })
})

describe('typed data', () => {
  const typed = {
    types: {
      Permit: [
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
      ],
    },
    primaryType: 'Permit' as const,
    domain: { name: 'USD Coin', version: '2', chainId: 1 },
    message: { spender: secondAccount.address, value: 7n },
  }

  test('is shown field by field with its chain, and signed as viem verifies it', async () => {
    const set = setUp()
    const client = createWalletClient({ transport: custom(set.provider as never), account: address })
    const seen: unknown[] = []
    const { value } = await answered(set, client.signTypedData(typed), [
      { on: 'sign-typed-data', expect: (props) => seen.push(props), answer: 'sign' },
    ])
    expect(await verifyTypedData({ ...typed, address, signature: value as `0x${string}` })).toBe(true)
    expect(hashTypedData(typed)).toMatch(/^0x/)
    expect(seen).toMatchObject([
      {
        primaryType: 'Permit',
        origin: 'https://host.example',
        address,
        domain: { name: 'USD Coin', version: '2', chain: 'Ethereum' },
        fields: [
          { name: 'spender', type: 'address', value: secondAccount.address },
          { name: 'value', type: 'uint256', value: '7' },
        ],
      },
    ])
    expect(set.tracked).toEqual([
      'embedded_wallet_sign_typed_data_started',
      'embedded_wallet_sign_typed_data_completed',
    ])
  })

  const on = (chainId: unknown) =>
    JSON.stringify({
      ...typed,
      message: { ...typed.message, value: '7' },
      domain: { ...typed.domain, chainId },
    })
  test.each(['10', '0x2105', 8453, '0', -1, 1.5, '9007199254740993', '01', 'Base', null])(
    'for chain %o: nothing is signed for another chain than the active one',
    async (chainId) => {
      const { ask, person, asked } = setUp()
      expect((await failure(ask('eth_signTypedData_v4', [address, on(chainId)]))).code).toBe(-32602)
      expect([person.trace(), asked]).toEqual([[], []])
    },
  )
  test.each(['1', '0x1', 1])('for chain %o, which is the active one', async (chainId) => {
    const set = setUp()
    const work = set.ask('eth_signTypedData_v4', [address, on(chainId)])
    expect((await answered(set, work, [['sign-typed-data', 'sign']])).value).toMatch(/^0x/)
  })

  test('of an account that is not open', async () => {
    expect((await failure(setUp().ask('eth_signTypedData_v4', [secondAccount.address, typed]))).code).toBe(
      4100,
    )
  })
})

describe('several at once', () => {
  test('are shown one after the other', async () => {
    const set = setUp()
    const all = Promise.all(['one', 'two', 'three'].map((text) => set.ask('personal_sign', [text, address])))
    const seen: unknown[] = []
    const step = {
      on: 'sign-message',
      expect: (props: object) => seen.push((props as { message: string }).message),
      answer: 'sign',
    }
    await set.person.follow([step, { wait: 2_000 }, step, { wait: 2_000 }, step, { wait: 2_000 }])
    expect(await all).toHaveLength(3)
    expect(seen).toEqual(['one', 'two', 'three'])
  })

  test('wait until a dialog of the host’s has closed', async () => {
    const set = setUp()
    let close = () => {}
    const other = set.runs.run('login', {}, () => new Promise<void>((resolve) => (close = resolve)))
    const work = set.ask('personal_sign', ['Hello', address])
    await settled()
    expect(set.person.scene).toBeUndefined()
    close()
    await other
    expect((await answered(set, work, [['sign-message', 'sign']])).value).toMatch(/^0x/)
  })

  test('beyond twenty are refused', async () => {
    const set = setUp()
    const all = Array.from({ length: 21 }, () =>
      set.ask('personal_sign', ['Hello', address]).catch(({ code }) => code),
    )
    expect(await all[20]).toBe(-32005)
    set.logout()
    expect(await Promise.all(all.slice(0, 20))).toEqual(Array(20).fill(4900))
  })
})

describe('at logout', () => {
  test('the provider says so, refuses, and comes to life with the next login', async () => {
    const { provider, heard, logout, login, ask } = setUp()
    logout()
    expect(heard).toEqual([
      ['accountsChanged', []],
      ['disconnect', 4900],
    ])
    expect(await ask('eth_accounts')).toEqual([])
    for (const method of ['eth_requestAccounts', 'eth_chainId', 'personal_sign', 'eth_blockNumber'])
      expect(await failure(ask(method, ['Hello', address]))).toEqual({ code: 4900, message: 'Disconnected' })
    heard.length = 0
    login()
    expect(heard).toEqual([
      ['connect', { chainId: '0x1' }],
      ['accountsChanged', [address]],
    ])
    expect(await ask('eth_accounts')).toEqual([address])
    expect((provider as EthereumProvider & { isConnected(): boolean }).isConnected()).toBe(true)
  })

  test('what is open and what waits is refused', async () => {
    const set = setUp()
    const work = [set.ask('personal_sign', ['one', address]), set.ask('personal_sign', ['two', address])]
    const codes = Promise.all(work.map((each) => each.catch(({ code }) => code)))
    await set.person.follow([{ on: 'sign-message' }])
    set.logout()
    await set.clock.advance(1_000)
    expect(await codes).toEqual([4900, 4900])
    expect(set.asked).toEqual([])
  })

  test('a request of the last person is not shown to the next', async () => {
    const set = setUp()
    const work = failure(set.ask('personal_sign', ['Hello', address]))
    await set.person.follow([{ on: 'sign-message' }])
    set.login([walletAccount({ address: secondAccount.address })], 'u2')
    await set.clock.advance(1_000)
    await work
    expect(set.asked).toEqual([])
  })
})

test('a listener is heard once, and no longer once it is taken away', async () => {
  const { provider, ask } = setUp()
  let calls = 0
  const listener = () => void calls++
  provider.on('chainChanged', listener)
  provider.on('chainChanged', listener)
  await ask('wallet_switchEthereumChain', [{ chainId: '0x2105' }])
  provider.removeListener('chainChanged', listener)
  await ask('wallet_switchEthereumChain', [{ chainId: '0x1' }])
  expect(calls).toBe(1)
})

test('nobody can put another method into the provider', () => {
  const { provider } = setUp()
  expect(Object.isFrozen(provider)).toBe(true)
})
