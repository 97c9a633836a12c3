import { ed25519 } from '@noble/curves/ed25519.js'
import { base58, base64 } from '@scure/base'
import type { Wallet } from '@wallet-standard/base'
import { describe, expect, onTestFinished, test } from 'vitest'
import { demoSeeds } from '../../../demo/world/wallet/accounts.ts'
import { createSolanaWallet } from '../../../demo/world/wallet/solana.ts'
import type { HostConfig } from '../../../src/app/config.ts'
import type { SolanaProvider } from '../../../src/wallets/external/connector.ts'
import { createSolanaConnector } from '../../../src/wallets/external/solana/connector.ts'
import { settled } from '../../support/clock.ts'
import { connectorContext } from '../../support/connectors.ts'
import { failure } from '../../support/failure.ts'

const mainnet = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const meta = { id: 'phantom', name: 'Phantom', icon: undefined }

function setUp(settings: Partial<Parameters<typeof createSolanaWallet>[0]> = {}, host: HostConfig = {}) {
  const { cx, clock } = connectorContext(host)
  const wallet = createSolanaWallet({ secretKey: demoSeeds[0], name: 'Phantom', ...settings })
  const gone = new AbortController()
  const connectTo = (wallet: Wallet) => {
    const connector = createSolanaConnector({ cx, meta, wallet, gone: gone.signal })
    onTestFinished(() => connector.close())
    return connector
  }
  return {
    clock,
    gone,
    wallet,
    control: wallet.control,
    address: wallet.address,
    connectTo,
    connector: connectTo(wallet.wallet),
  }
}

/** A wallet of the standard with any given properties. */
const strange = (over: Record<string, unknown>, features: Record<string, unknown> = {}) =>
  ({
    version: '1.0.0',
    name: 'Phantom',
    chains: ['solana:mainnet'],
    accounts: [],
    ...over,
    features,
  }) as unknown as Wallet

test('connects, and signs text so that the key of the address answers for it', async () => {
  const { connector, address } = setUp()
  expect(await connector.connect()).toEqual([{ address, chainId: mainnet }])
  const signature = base64.decode(await connector.sign({ address, message: 'Grüße 😀' }))
  expect(ed25519.verify(signature, new TextEncoder().encode('Grüße 😀'), base58.decode(address))).toBe(true)
})

test('is on the app’s cluster where the wallet is as well', async () => {
  const devnet = { solanaClusters: [{ name: 'devnet', rpcUrl: 'https://node.example' }] }
  const { connector } = setUp({}, devnet)
  expect((await connector.connect())[0]?.chainId).toBe('solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1')
  const other = setUp({ chains: ['solana:mainnet'] }, devnet).connector
  expect((await other.connect())[0]?.chainId).toBe(mainnet)
})

test('learns what is open without asking anybody', async () => {
  const { connector, control, wallet } = setUp()
  await connector.initialise()
  expect(connector.accounts.get()).toEqual([])
  expect(control.calls).toMatchObject([{ method: 'standard:connect', params: { silent: true } }])
  await connector.connect()
  const { connector: next } = { connector: setUp().connectTo(wallet.wallet) }
  await next.initialise()
  expect(next.accounts.get()).toHaveLength(1)
})

test('is initialised after 1500 ms, even if the wallet never answers', async () => {
  for (const fault of ['hang', 'throw', 'internal'] as const) {
    const { connector, control, clock } = setUp()
    control.always(fault)
    const done = connector.initialise()
    await clock.advance(1_500)
    await done
    expect(connector.accounts.get()).toEqual([])
    await clock.advance(120_000)
    expect(clock.sleeping).toBe(0)
  }
})

test('follows the account that the person picks, and their leaving', async () => {
  const { connector, control, address } = setUp()
  await connector.connect()
  control.pickAccount(demoSeeds[1])
  expect(connector.accounts.get()).toHaveLength(1)
  expect(connector.accounts.get()[0]?.address).not.toBe(address)
  control.revoke()
  expect(connector.accounts.get()).toEqual([])
})

describe('a wallet that', () => {
  test.each([
    ['reject', 'wallet_rejected'],
    ['throw', 'generic_connect_wallet_error'],
    ['internal', 'generic_connect_wallet_error'],
    ['pending', 'wallet_request_pending'],
    ['disconnected', 'wallet_disconnected'],
    [{ error: 'User rejected the request.' }, 'wallet_rejected'],
    [{ error: null }, 'unknown_connect_wallet_error'],
  ] as const)('answers with %j fails with %s', async (fault, code) => {
    const { connector, control } = setUp()
    control.next(fault)
    expect((await failure(connector.connect())).code).toBe(code)
  })

  test('hangs is given up after its time', async () => {
    const { connector, control, clock } = setUp()
    control.always('hang')
    const failed = failure(connector.connect())
    await clock.advance(120_000)
    expect((await failed).code).toBe('wallet_timeout')
    expect(clock.sleeping).toBe(0)
  })

  test('opens nothing says so', async () => {
    const { connector, control, clock } = setUp()
    control.next('nothing')
    const failed = failure(connector.connect())
    await clock.advance(5_000)
    expect((await failed).code).toBe('wallet_no_accounts')
  })

  test('has left the page can’t be connected, and has nothing open', async () => {
    const { connector, gone } = setUp()
    await connector.connect()
    gone.abort()
    expect(connector.accounts.get()).toEqual([])
    expect((await failure(connector.connect())).code).toBe('wallet_not_available')
  })

  const good = createSolanaWallet({ secretKey: demoSeeds[0], name: 'x' }).address
  test.each([
    ['no list', 7],
    ['no address', [{ chains: ['solana:mainnet'] }]],
    ['an address of Ethereum', [{ address: `0x${'1'.repeat(40)}`, chains: ['solana:mainnet'] }]],
    ['an account of another chain', [{ address: good, chains: ['sui:mainnet'] }]],
    [
      'an address of another key',
      [{ address: good, chains: ['solana:mainnet'], publicKey: new Uint8Array(32) }],
    ],
    [
      'a key of another length',
      [{ address: good, chains: ['solana:mainnet'], publicKey: new Uint8Array(31) }],
    ],
    [
      'an account that throws',
      [
        {
          get address() {
            throw new Error('no')
          },
        },
      ],
    ],
  ])('gives %s opens nothing', async (_, accounts) => {
    const { connectTo, clock } = setUp()
    const connector = connectTo(
      strange({ accounts }, { 'standard:connect': { connect: async () => ({ accounts }) } }),
    )
    const failed = failure(connector.connect())
    await clock.advance(5_000)
    expect((await failed).code).toBe('wallet_no_accounts')
  })

  test('has malformed features is told apart from one that works', async () => {
    for (const features of [{}, { 'standard:connect': null }, { 'standard:connect': { connect: 7 } }]) {
      const connector = setUp().connectTo(strange({}, features))
      await connector.initialise()
      expect((await failure(connector.connect())).code).toBe('unsupported_method')
      await connector.disconnect()
    }
  })

  test('can’t be listened to still connects', async () => {
    for (const on of [
      undefined,
      7,
      () => {
        throw new Error('no')
      },
      () => 'no function',
    ]) {
      const { connectTo, wallet } = setUp()
      const features = { ...wallet.wallet.features, 'standard:events': { on } }
      const connector = connectTo(strange({}, features))
      expect(await connector.connect()).toHaveLength(1)
      connector.close()
    }
  })
})

describe('signing', () => {
  test('without the feature has a name of its own', async () => {
    const { connector, address } = setUp({ features: ['solana:signTransaction'] })
    await connector.connect()
    expect((await failure(connector.sign({ address, message: 'x' }))).code).toBe('wallet_signing_unsupported')
  })

  test('with an account that lacks it, as a Ledger’s does, as well', async () => {
    const { connectTo, wallet, address } = setUp()
    const accounts = [{ address, chains: ['solana:mainnet'], features: ['solana:signTransaction'] }]
    const features = {
      ...wallet.wallet.features,
      'standard:connect': { connect: async () => ({ accounts }) },
    }
    const connector = connectTo(strange({ accounts }, features))
    await connector.connect()
    expect((await failure(connector.sign({ address, message: 'x' }))).code).toBe('wallet_signing_unsupported')
  })

  test.each([
    [
      'a signature of 63 bytes',
      (message: Uint8Array) => [{ signedMessage: message, signature: new Uint8Array(63) }],
    ],
    [
      'a list for a signature',
      (message: Uint8Array) => [{ signedMessage: message, signature: Array(64).fill(0) }],
    ],
    ['text', () => 'signed'],
    ['nothing', () => []],
    ['other bytes', () => [{ signedMessage: new Uint8Array(3), signature: new Uint8Array(64) }]],
    ['no bytes', () => [{ signature: new Uint8Array(64) }]],
  ])('does not take %s', async (_, answer) => {
    const { connector, control, address } = setUp()
    await connector.connect()
    control.next({ answer: answer(new TextEncoder().encode('x')) }, 'solana:signMessage')
    expect((await failure(connector.sign({ address, message: 'x' }))).code).toBe(
      'generic_connect_wallet_error',
    )
  })

  test('is void when the account has changed meanwhile', async () => {
    const { connector, control, address } = setUp()
    await connector.connect()
    control.during('solana:signMessage', () => control.pickAccount(demoSeeds[1]))
    expect((await failure(connector.sign({ address, message: 'x' }))).code).toMatch(/wallet_unauthorized/)
  })

  test('needs a connection', async () => {
    const { connector, address } = setUp()
    expect((await failure(connector.sign({ address, message: 'x' }))).code).toBe('wallet_disconnected')
  })
})

test('a disconnection counts even where the wallet hangs, which is no longer listened to', async () => {
  const { connector, control, clock, wallet } = setUp()
  await connector.connect()
  control.always('hang', 'standard:disconnect')
  const done = connector.disconnect()
  expect(connector.accounts.get()).toEqual([])
  await clock.advance(1_500)
  await done
  control.pickAccount(demoSeeds[1])
  await settled()
  expect(connector.accounts.get()).toEqual([])
  expect(wallet.wallet.accounts).toHaveLength(1)
})

test('closing leaves no listener with the wallet', async () => {
  const { connector, control } = setUp()
  await connector.connect()
  expect(control.listeners()).toBe(1)
  connector.close()
  expect(control.listeners()).toBe(0)
})

test('libraries get the wallet and its own account', async () => {
  const { connector, address, wallet } = setUp()
  await connector.connect()
  const provider = connector.provider(address) as SolanaProvider
  expect(provider.wallet).toBe(wallet.wallet)
  expect(provider.account).toBe(wallet.wallet.accounts[0])
  expect(() => connector.provider('another')).toThrow('The wallet has not opened this account')
})
