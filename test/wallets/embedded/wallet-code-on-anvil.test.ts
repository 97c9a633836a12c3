/** Code for a wallet's own address on a real chain, by the kit's own calls and by unmodified viem: on, an atomic batch, and off. */
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { recoverAuthorizationAddress } from 'viem/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Anvil } from '../../../demo/world/chains/anvil.ts'
import { anvilKeys } from '../../../demo/world/wallet/accounts.ts'
import { NO_CODE, simple7702Account } from '../../../src/ethereum/wallet-code.ts'
import { sendCallsForHost } from '../../../src/kit/host/send-calls.ts'
import {
  downgradeWalletForHost,
  signAuthorizationForHost,
  upgradeWalletForHost,
} from '../../../src/kit/host/wallet-code.ts'
import type { CallsPreview } from '../../../src/signing/calls/preview.ts'
import { hexToBytes } from '../../../src/vault/bytes.ts'
import { parseEthereumRequest } from '../../../src/vault/signing/ethereum.ts'
import { deploySimple7702Account } from '../../ethereum/support/simple-7702.ts'
import { tokenCode } from '../../ethereum/support/token-code.ts'
import { startChain } from '../../support/chains.ts'
import { settled } from '../../support/clock.ts'
import { embeddedKit, ethereumAccount } from '../../support/embedded-kit.ts'
import { answering, anvilChain, clientsOf, nodeFetch, tokenAt } from './support/on-chain.ts'

const { address } = ethereumAccount
const chainId = 31_337
let anvil: Anvil
beforeAll(async () => {
  anvil = await startChain(chainId)
  await deploySimple7702Account(anvil.url)
})
afterAll(() => anvil?.close())

const newAddress = () => privateKeyToAddress(generatePrivateKey())
const askNode = async (method: string, params: readonly unknown[]) => {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return (await (await fetch(anvil.url, { method: 'POST', headers, body })).json()).result
}

type Answer = 'approve' | 'sign' | 'cancel'
const reviews: readonly string[] = [
  'approve-calls',
  'approve-transaction',
  'sign-authorization',
  'sign-message',
  'sign-typed-data',
]

/** viem's own clients on the provider; what is signed is what the vault signs. */
async function setUp(code?: `0x${string}`) {
  await askNode('anvil_setCode', [address, code ? `0xef0100${code.slice(2)}` : '0x'])
  const node = nodeFetch()
  const set = embeddedKit({
    host: { supportedChains: [anvilChain(anvil.url)] },
    fetch: node.fetch,
    rpc: async (_, request) => {
      const read = await parseEthereumRequest(request, { rawSigning: false, delegates: [simple7702Account] })
      return read.sign({ privateKey: hexToBytes(anvilKeys[0].slice(2)), address } as never)
    },
  })
  set.login()
  const { client, reader } = clientsOf(set.provider(), anvilChain(anvil.url))
  const token = newAddress()
  await askNode('anvil_setCode', [token, tokenCode])
  const seen: { screen: string; props: Record<string, never> }[] = []
  const reviewing = <T>(
    work: Promise<T>,
    answer?: Answer,
    isRead: (props: object) => boolean = () => true,
  ): Promise<T> =>
    answering(set, node, work, (scene) => {
      const { id } = scene.screen
      if (reviews.includes(id) && isRead(scene.props)) {
        seen.push({ screen: id, props: scene.props as never })
        scene.answer(answer ?? (id === 'sign-authorization' ? 'sign' : 'approve'))
      }
      // A transaction goes on when its dialog is closed.
      if (['calls-detail', 'transaction-receipt'].includes(id)) set.person.close()
    })
  const shown = () => seen.at(-1)?.props ?? {}
  const last = () => seen.at(-1)?.props.preview as unknown as CallsPreview
  const capability = async () =>
    (await reviewing(client.getCapabilities({ account: address, chainId }))).atomic?.status
  return { ...set, ...tokenAt(token, reader), client, reader, seen, last, shown, reviewing, capability }
}

const codeOf = () => askNode('eth_getCode', [address, 'latest'])
const delegated = `0xef0100${simple7702Account.address.slice(2).toLowerCase()}`

describe('code for the own address', () => {
  test('upgradeWallet gives it, later reviews display it, and downgradeWallet takes it back', async () => {
    const { hostContext, sending, reviewing, last, seen, activity, client } = await setUp()
    const sent = await reviewing(upgradeWalletForHost(hostContext, sending, { chainId }))
    expect(sent.receipt.status).toBe('success')
    expect(await codeOf()).toBe(delegated)
    expect(seen.at(-1)?.screen).toBe('approve-transaction')
    expect(last().actions).toEqual([
      { kind: 'code', delegate: simple7702Account.address, name: 'Simple7702Account' },
    ])
    expect(last().warnings).toEqual([])
    expect(activity.get()[0]).toMatchObject({ title: 'add-code', hash: sent.transactionHash })

    await reviewing(client.sendTransaction({ to: newAddress(), value: 5n }))
    expect(last().walletCode).toEqual({ delegate: simple7702Account.address, name: 'Simple7702Account' })
    expect(last().warnings).toEqual([])

    await reviewing(downgradeWalletForHost(hostContext, sending, { chainId }))
    expect(last().actions).toEqual([{ kind: 'code' }])
    expect(await codeOf()).toBe('0x')
    expect(activity.get()[0]).toMatchObject({ title: 'remove-code' })
  })

  test('the activity offers to take code back, until that is done', async () => {
    const { hostContext, sending, reviewing, activity, openActivity, person, clock } = await setUp()
    const sent = await reviewing(upgradeWalletForHost(hostContext, sending, { chainId }))
    const key = `eip155:${chainId} ${sent.transactionHash}`
    const dialog = openActivity()
    dialog.catch(() => {})
    const actions: unknown[] = []
    const isDone = () =>
      activity.get()[0]?.title === 'remove-code' && activity.get()[0]?.status === 'confirmed'
    for (let tries = 0; tries < 400 && !(isDone() && actions.length > 1); tries++) {
      const { scene } = person
      const { preparing } = (scene?.props ?? {}) as { preparing?: boolean }
      if (scene && scene.busy === undefined && !preparing) {
        if (scene.screen.id === 'activity-list') scene.answer({ entry: key })
        if (scene.screen.id === 'activity-detail') {
          const offered = (scene.props as { actions: readonly string[] }).actions
          actions.push(offered)
          scene.answer(offered[0] ?? 'back')
        }
        if (scene.screen.id === 'approve-transaction') scene.answer('approve')
        if (scene.screen.id === 'transaction-receipt') scene.answer('close')
      }
      await settled()
      await clock.advance(100)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    person.close()
    expect(actions.slice(0, 2)).toEqual([['remove-code'], []])
    expect(await codeOf()).toBe('0x')
  })

  test('code that the app does not know is warned of in every review', async () => {
    const foreign = newAddress()
    const { client, reviewing, last, capability } = await setUp(foreign)
    await reviewing(client.sendTransaction({ to: newAddress(), value: 5n }))
    expect(last().walletCode).toEqual({ delegate: foreign })
    expect(last().warnings).toEqual([{ code: 'foreign-code', severity: 'danger', address: foreign }])
    expect(await capability()).toBe('unsupported')
  })

  test.each([
    ['signMessage', { message: 'Hello' }],
    [
      'signTypedData',
      {
        domain: { name: 'Harbor', chainId },
        types: { Berth: [{ name: 'number', type: 'uint256' }] },
        primaryType: 'Berth',
        message: { number: 7n },
      },
    ],
  ] as const)(
    '%s: the review names the code by which a contract may check the signature',
    async (method, content) => {
      for (const [delegate, walletCode] of [
        [simple7702Account.address, { delegate: simple7702Account.address, name: simple7702Account.name }],
        [undefined, undefined],
      ] as const) {
        const { client, reviewing, shown } = await setUp(delegate)
        const sign = client[method] as unknown as (content: object) => Promise<string>
        // The code is displayed when the node has answered, which nobody has to wait for.
        const isRead = (props: object) => !delegate || 'walletCode' in props
        const signature = await reviewing(sign({ account: address, ...content }), 'sign', isRead)
        expect(signature).toMatch(/^0x[\da-f]{130}$/)
        expect(shown().walletCode).toEqual(walletCode)
      }
    },
  )

  test.each([
    ['of a contract that the app does not allow', { delegate: newAddress() }],
    ['on a chain that the app does not have', { chainId: 1 }],
  ])('upgradeWallet refuses code %s, and nobody is asked', async (_, options) => {
    const { hostContext, sending, seen } = await setUp()
    const refused = upgradeWalletForHost(hostContext, sending, { chainId, ...options })
    await expect(refused).rejects.toMatchObject({
      code: 'chainId' in options ? 'unsupported_chain_id' : 'invalid_request_arguments',
    })
    expect(seen).toEqual([])
  })

  test('code that is there is not given twice, and none is taken back where there is none', async () => {
    const there = await setUp(simple7702Account.address)
    await expect(upgradeWalletForHost(there.hostContext, there.sending, { chainId })).rejects.toMatchObject({
      code: 'invalid_request_arguments',
    })
    const none = await setUp()
    await expect(downgradeWalletForHost(none.hostContext, none.sending, { chainId })).rejects.toMatchObject({
      code: 'invalid_request_arguments',
    })
  })

  test('a page’s own transaction can’t name another contract, every chain, or another account', async () => {
    const { client, seen } = await setUp()
    const foreign = await privateKeyToAccount(generatePrivateKey()).signAuthorization({
      contractAddress: simple7702Account.address,
      chainId,
      nonce: 0,
    })
    const own = { address: simple7702Account.address, chainId, nonce: 1 }
    for (const list of [[{ ...own, address: newAddress() }], [{ ...own, chainId: 0 }], [foreign], [own, own]])
      await expect(
        client.request({
          method: 'eth_sendTransaction',
          params: [{ from: address, to: address, type: '0x4', authorizationList: list } as never],
        }),
      ).rejects.toThrow(/authorization|does not allow/i)
    expect(seen).toEqual([])
  })

  test('an authorization is signed for apps that send it themselves', async () => {
    const { hostContext, sending, reviewing, seen } = await setUp()
    const authorization = await reviewing(signAuthorizationForHost(hostContext, sending, { chainId }))
    expect(authorization).toMatchObject({ address: simple7702Account.address, chainId })
    expect(await recoverAuthorizationAddress({ authorization })).toBe(address)
    expect(seen[0]).toMatchObject({ screen: 'sign-authorization', props: { network: 'Anvil' } })
    const back = await reviewing(
      signAuthorizationForHost(hostContext, sending, { chainId, delegate: NO_CODE, nonce: 70n }),
    )
    expect(back).toMatchObject({ address: NO_CODE, nonce: 70 })
  })
})

describe('atomic batches', () => {
  test('the capability is ready before, supported after, and batches are one transaction', async () => {
    const { client, reader, reviewing, call, balanceOf, capability, last } = await setUp()
    const to = newAddress()
    expect(await capability()).toBe('ready')
    const { id } = await reviewing(
      client.sendCalls({
        forceAtomic: true,
        calls: [call('mint', [500n]), call('transfer', [to, 400n]), { to, value: parseEther('0.5') }],
      }),
    )
    const status = await reviewing(client.waitForCallsStatus({ id, pollingInterval: 20, timeout: 30_000 }))
    expect(status).toMatchObject({ status: 'success', statusCode: 200, atomic: true })
    const { receipts = [] } = status
    // The logs are those of the calls: a mint and a transfer.
    expect(receipts.map(({ logs }) => logs.length)).toEqual([2])
    expect(await balanceOf(to)).toBe(400n)
    expect(await reader.getBalance({ address: to })).toBe(parseEther('0.5'))
    expect(await codeOf()).toBe(delegated)
    expect(last()).toMatchObject({ isAtomic: true, isUnderfunded: false, value: parseEther('0.5') })
    expect(last().calls.map(({ actions: [first] }) => first?.kind)).toEqual([
      'code',
      'mint',
      'token',
      'transfer',
    ])
    expect(last().balanceChanges).toMatchObject({
      out: [{ amount: parseEther('0.5') }],
      in: [{ amount: 100n }],
      isComplete: true,
    })
    expect(await capability()).toBe('supported')
  })

  test('one call that fails undoes all of them', async () => {
    const { client, reviewing, call, balanceOf, last } = await setUp(simple7702Account.address)
    const to = newAddress()
    const { id } = await reviewing(
      client.sendCalls({ forceAtomic: true, calls: [call('mint', [5n]), call('transfer', [to, 400n])] }),
    )
    const status = await reviewing(client.waitForCallsStatus({ id, pollingInterval: 20, timeout: 30_000 }))
    expect(status).toMatchObject({ status: 'failure', statusCode: 500, atomic: true })
    expect(await balanceOf(address)).toBe(0n)
    expect(last().warnings.map(({ code }) => code)).toContain('reverts')
  })

  test('a wallet with code sends one transaction also where the app does not ask for that', async () => {
    const { hostContext, sending, reviewing, call } = await setUp(simple7702Account.address)
    const status = await reviewing(
      sendCallsForHost(hostContext, sending, {
        chainId,
        calls: [call('mint', [1n]), call('mint', [2n])],
      }),
    )
    expect(status).toMatchObject({ status: 200, atomic: true })
    expect(status.receipts).toHaveLength(1)
  })

  test('without code, calls that need not be atomic stay a transaction each', async () => {
    const { hostContext, sending, reviewing, call } = await setUp()
    const status = await reviewing(
      sendCallsForHost(hostContext, sending, { chainId, calls: [call('mint', [1n]), call('mint', [2n])] }),
    )
    expect(status).toMatchObject({ status: 200, atomic: false })
    expect(status.receipts).toHaveLength(2)
    expect(await codeOf()).toBe('0x')
  })

  test('a rejection is 5750 where code would come with the calls, and 4001 where it is there', async () => {
    const before = await setUp()
    const batch = (set: Awaited<ReturnType<typeof setUp>>) =>
      set.reviewing(set.client.sendCalls({ forceAtomic: true, calls: [set.call('mint', [1n])] }), 'cancel')
    await expect(batch(before)).rejects.toMatchObject({ cause: { code: 5750 } })
    const after = await setUp(simple7702Account.address)
    await expect(batch(after)).rejects.toMatchObject({ cause: { code: 4001 } })
  })

  test('calls that can’t be atomic get 5760', async () => {
    const { client, reviewing } = await setUp(newAddress())
    const calls = [{ to: newAddress(), value: 1n }]
    await expect(reviewing(client.sendCalls({ forceAtomic: true, calls }))).rejects.toMatchObject({
      cause: { code: 5760 },
    })
  })
})
