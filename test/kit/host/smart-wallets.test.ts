/** Smart wallets for a host: which one a user gets, how it is linked, and what keeps it from being made. */
import { decodeAbiParameters, hashTypedData, parseErc6492Signature, recoverAddress } from 'viem'
import { mainnet } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import {
  answerAppBySmartWallet,
  createSmartWallet,
  sendTransactionFromSmartWallet,
  signMessageWithSmartWallet,
} from '../../../src/kit/host/smart-wallets.ts'
import { loadSmartAccountCodec } from '../../../src/wallets/smart/accounts/features.ts'
import { embeddedKit, ethereumAccount, onSolana, smartAccount } from '../../support/embedded-kit.ts'

const owner = ethereumAccount.address
const enabled = (over: object = {}) => ({
  enabled: true,
  smart_wallet_type: 'coinbase_smart_wallet',
  configured_networks: [{ chain_id: 'eip155:1', bundler_url: 'https://bundler.example/1' }],
  ...over,
})

/** A chain on which nothing is deployed. */
const emptyChain = async (_: unknown, init?: RequestInit) => {
  const { id, method } = JSON.parse(String(init?.body))
  const result = method === 'eth_getCode' ? '0x' : method === 'eth_chainId' ? '0x1' : null
  return Response.json({ jsonrpc: '2.0', id, result })
}

function setUp(over: Parameters<typeof embeddedKit>[0] = {}) {
  const set = embeddedKit({
    host: { supportedChains: [mainnet] },
    fetch: emptyChain,
    smart: enabled(),
    ...over,
  })
  set.login()
  return set
}

describe('a smart wallet that is created', () => {
  test('has the address that follows from its owner, and is linked by a message that the account vouches for before it has code', async () => {
    const set = setUp()
    const codec = await loadSmartAccountCodec('coinbase_smart_wallet')
    const creating = createSmartWallet(set.hostContext, set.sending)
    await set.person.follow([['sign-message', 'sign']])
    await set.clock.advance(5_000)
    const address = await creating
    expect(address).toBe(codec.getAddress(owner))
    expect(set.posted.map(({ path }) => path)).toEqual([
      '/api/v1/siwe/init',
      '/api/v1/siwe/link_smart_wallet',
    ])
    const {
      message,
      signature,
      smart_wallet_type: type,
    } = (set.posted[1]?.body ?? {}) as Record<string, `0x${string}`>
    expect(type).toBe('coinbase_smart_wallet')
    expect(message).toContain(`Ethereum account:\n${address}\n`)
    const { address: factory, data, signature: inner } = parseErc6492Signature(signature as `0x${string}`)
    expect({ factory: factory?.toLowerCase(), factoryData: data }).toEqual({
      factory: codec.getFactoryArgs(owner)?.factory.toLowerCase(),
      factoryData: codec.getFactoryArgs(owner)?.factoryData,
    })
    // The owner's key has signed the account's own form of the message, and not the message.
    const raw = `0x${Buffer.from(message ?? '').toString('hex')}` as const
    const place = { address: address as `0x${string}`, chainId: 1 }
    const payload = codec.toContentPayload({ type: 'message', raw }, place)
    const [request] = set.asked
    expect([request?.method, payload.type]).toEqual(['eth_signTypedData_v4', 'typedData'])
    const { typedData } = payload as unknown as { typedData: Parameters<typeof hashTypedData>[0] }
    const [, own] = decodeAbiParameters(
      [{ type: 'tuple', components: [{ type: 'uint8' }, { type: 'bytes' }] }],
      inner,
    )[0] as unknown as [number, `0x${string}`]
    expect(await recoverAddress({ hash: hashTypedData(typedData), signature: own })).toBe(owner)
  })

  test('is the one that the user has already', async () => {
    const linked = smartAccount({ address: owner })
    const set = setUp({ smartWallets: [linked] })
    expect(await createSmartWallet(set.hostContext, set.sending)).toBe(owner)
    expect(set.posted).toEqual([])
  })

  test.each([
    ['in an app without smart wallets', { smart: { enabled: false } }, 'feature_not_enabled'],
    [
      'of a type that this version doesn’t know',
      { smart: enabled({ smart_wallet_type: 'safer' }) },
      'feature_not_enabled',
    ],
    ['without a network', { smart: enabled({ configured_networks: [] }) }, 'feature_not_enabled'],
    ['for a user without an embedded Ethereum wallet', { wallets: [onSolana] }, 'embedded_wallet_not_found'],
  ])('is refused %s, before the user is asked', async (_, over, code) => {
    const set = setUp(over)
    await expect(createSmartWallet(set.hostContext, set.sending)).rejects.toMatchObject({ code })
    expect(set.posted).toEqual([])
  })
})

describe('a linked smart wallet', () => {
  test('of another owner signs nothing', async () => {
    const set = setUp()
    const other = smartAccount({ address: `0x${'ab'.repeat(20)}`, smartWalletType: 'coinbase_smart_wallet' })
    const signing = signMessageWithSmartWallet(set.hostContext, set.sending, other, 'Hello', {})
    await expect(signing).rejects.toMatchObject({ code: 'embedded_wallet_not_found' })
    expect(set.asked).toEqual([])
  })

  test('keeps its type when the app’s setting changes', async () => {
    const codec = await loadSmartAccountCodec('light_account')
    const linked = smartAccount({ address: codec.getAddress(owner), smartWalletType: 'light_account' })
    const set = setUp({ smartWallets: [linked] })
    const own = await (await set.sending.smartAccounts()).find(linked)
    expect([own.codec.kind, own.owner.address]).toEqual(['light_account', owner])
  })

  test('answers another app: the review is in that app’s name, and the account vouches for the message', async () => {
    const codec = await loadSmartAccountCodec('light_account')
    const address = codec.getAddress(owner)
    const linked = smartAccount({ address, smartWalletType: 'light_account' })
    const set = setUp({ smartWallets: [linked] })
    const requester = { requestId: 'r', name: 'Harbor', origin: 'https://harbor.example' }
    const answering = answerAppBySmartWallet(
      set.hostContext,
      set.sending,
      linked,
      { bytes: new TextEncoder().encode('Hello') },
      { enqueue: (work) => work({ requester }), isHidden: false, requester },
    )
    await set.person.follow([
      {
        on: 'sign-message',
        expect: (props) =>
          expect(props).toMatchObject({ message: 'Hello', app: 'Harbor', origin: requester.origin, address }),
        answer: 'sign',
      },
    ])
    await set.clock.advance(5_000)
    const { address: factory } = parseErc6492Signature((await answering) as `0x${string}`)
    expect(factory?.toLowerCase()).toBe(codec.getFactoryArgs(owner)?.factory.toLowerCase())
  })

  test('answers another app: a chain that the app doesn’t have is refused before the user is asked', async () => {
    const linked = smartAccount({ address: owner })
    const set = setUp({ smartWallets: [linked] })
    const requester = { requestId: 'r', name: 'Harbor', origin: 'https://harbor.example' }
    const to: `0x${string}` = `0x${'ab'.repeat(20)}`
    const transaction = { chainId: 987_654_321, from: owner, to, value: 1n, data: '0x' as const }
    const answering = answerAppBySmartWallet(
      set.hostContext,
      set.sending,
      linked,
      { transaction },
      { enqueue: (work) => work({ requester }), isHidden: false, requester },
    )
    await expect(answering).rejects.toMatchObject({ code: 'unsupported_chain_id' })
    expect(set.asked).toEqual([])
  })

  test('sends nothing on a chain on which the app has no smart wallets', async () => {
    const set = setUp({
      smartWallets: [smartAccount({})],
      smart: enabled({
        configured_networks: [{ chain_id: 'eip155:8453', bundler_url: 'https://bundler.example' }],
      }),
    })
    const to = `0x${'ab'.repeat(20)}`
    const sending = sendTransactionFromSmartWallet(set.hostContext, set.sending, smartAccount({}), {
      to,
      chainId: 1,
    })
    await expect(sending).rejects.toMatchObject({ code: 'unsupported_chain_id', cause: { code: 5710 } })
  })
})
