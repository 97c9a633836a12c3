/** Smart wallets by unmodified viem on a real chain, with stand-ins of a bundler and of a sponsor. */
import { parseEther } from 'viem'
import { base } from 'viem/chains'
import { describe, expect, it } from 'vitest'
import { ethereumAccount } from '../../support/embedded-kit.ts'
import { newAddress } from '../../world/account-abstraction/support/stand-ins.ts'
import { smartWorld } from './support/smart-wallet.ts'

const { address } = ethereumAccount
const smart = smartWorld()
const { setUp } = smart

describe('calls of a smart wallet, sent by unmodified viem', () => {
  it('are one operation that the sponsor pays, with one receipt that has their logs alone', async () => {
    const { client, reader, following, call, balanceOf, previews, token } = await setUp({ isSponsored: true })
    const to = newAddress()
    expect(await client.getCapabilities({ account: address, chainId: base.id })).toEqual({
      atomic: { status: 'supported' },
      paymasterService: { supported: true },
    })
    const before = await reader.getBalance({ address })
    const { id } = await following(
      client.sendCalls({
        forceAtomic: true,
        calls: [call('mint', [500n]), call('transfer', [to, 400n]), { to, value: parseEther('0.5') }],
      }),
    )
    const {
      status,
      statusCode,
      atomic,
      receipts = [],
    } = await following(client.waitForCallsStatus({ id, pollingInterval: 20, timeout: 30_000 }))
    expect([status, statusCode, atomic]).toEqual(['success', 200, true])
    expect(receipts.map((each) => [each.status, each.logs.length])).toEqual([['success', 2]])
    expect(receipts[0]?.logs.every((log) => log.address.toLowerCase() === token.toLowerCase())).toBe(true)
    expect(await balanceOf(to)).toBe(400n)
    expect(await reader.getBalance({ address })).toBe(before - parseEther('0.5'))
    const [preview] = previews
    expect(preview).toMatchObject({
      sponsorName: 'Example',
      isAtomic: true,
      isUnderfunded: false,
      warnings: [],
    })
    expect([preview?.fee, preview?.total]).toEqual([undefined, parseEther('0.5')])
    expect(preview?.balanceChanges).toMatchObject({
      out: [{ amount: parseEther('0.5') }],
      in: [{ token, amount: 100n, asset: { symbol: 'TST', decimals: 6 } }],
    })
  })

  it('are paid by the wallet where the app has no sponsor', async () => {
    const { client, reader, following, previews } = await setUp()
    const before = await reader.getBalance({ address })
    const hash = await following(client.sendTransaction({ to: newAddress(), value: 1n }))
    const receipt = await smart.world.client.getTransactionReceipt({ hash })
    expect(receipt.status).toBe('success')
    const [preview] = previews
    expect(preview?.sponsorName).toBeUndefined()
    const spent = before - (await reader.getBalance({ address }))
    expect(spent).toBeGreaterThan(1n)
    expect(spent).toBeLessThanOrEqual(preview?.total ?? 0n)
  })

  it('are paid by the user only once they have chosen to, where the sponsor declines', async () => {
    const { client, following, previews, seen, told } = await setUp({ isSponsored: true })
    smart.world.paymaster.behave('decline')
    const hash = await following(client.sendTransaction({ to: newAddress(), value: 1n }), {
      'sponsor-declined': 'pay',
    })
    expect((await smart.world.client.getTransactionReceipt({ hash })).status).toBe('success')
    expect(seen.slice(0, 2)).toEqual(['sponsor-declined', 'approve-calls'])
    expect(previews.at(-1)?.fee).toBeGreaterThan(0n)
    expect(told.map(({ code }) => code)).toEqual(['sponsor_declined'])
  })

  it('are not sent where the sponsor declines and the user cancels', async () => {
    const { client, following, asked } = await setUp({ isSponsored: true })
    smart.world.paymaster.behave('decline')
    const sending = client.sendTransaction({ to: newAddress(), value: 1n })
    await expect(following(sending, { 'sponsor-declined': 'cancel' })).rejects.toMatchObject({
      cause: { code: 4001 },
    })
    expect(asked).toEqual([])
  })

  it.each([
    ['the app’s sponsor pays', true],
    ['the wallet pays', false],
  ])('are sent without an optional sponsor of the requester that is dead: %s', async (_, isSponsored) => {
    const { client, following, seen, previews } = await setUp({ isSponsored })
    const paymasterService = { url: 'https://127.0.0.1:1/dead', optional: true }
    const calls = [{ to: newAddress(), value: 1n }]
    const { id } = await following(client.sendCalls({ calls, capabilities: { paymasterService } }))
    const { status } = await following(
      client.waitForCallsStatus({ id, pollingInterval: 20, timeout: 30_000 }),
    )
    expect([status, seen[0]]).toEqual(['success', 'approve-calls'])
    expect(previews[0]?.sponsorName).toBe(isSponsored ? 'Example' : undefined)
    expect(previews[0]?.warnings).toEqual([])
  })

  it('end with the sponsor’s refusal where the host wants no screen', async () => {
    const { client, following, seen } = await setUp({ isSponsored: true, isHidden: true })
    smart.world.paymaster.behave('decline')
    await expect(following(client.sendTransaction({ to: newAddress(), value: 1n }))).rejects.toThrow()
    expect(seen).toEqual([])
  })

  it('that the bundler refuses are prepared and reviewed anew if the user wants that', async () => {
    const { client, following, seen, sending } = await setUp()
    let isOut = true
    smart.world.bundler.behave('down')
    const work = client.sendCalls({ calls: [{ to: newAddress(), value: 1n }], id: 'again' })
    const { id } = await following(work, {}, (id) => {
      if (id !== 'transaction-failed') return undefined
      if (isOut) smart.world.bundler.behave('normal')
      isOut = false
      return 'retry'
    })
    expect(id).toBe('again')
    expect(seen.slice(0, 2)).toEqual(['transaction-failed', 'approve-calls'])
    expect((await sending.batches()).find('again', [address])?.isAtomic).toBe(true)
  })

  it('that meet others on their way from another device are sent once those are confirmed', async () => {
    const [one, other] = [await setUp(), await setUp()]
    smart.world.bundler.behave('hold')
    await one.following(one.client.sendCalls({ calls: [{ to: newAddress(), value: 1n }] }))
    const to = newAddress()
    const work = other.client.sendCalls({ calls: [{ to, value: 1n }] })
    const { id } = await other.following(work, {}, (screen) => {
      if (screen !== 'transaction-failed') return undefined
      smart.world.bundler.behave('normal')
      return smart.world.bundler.waiting(base.id).length > 0 ? undefined : 'retry'
    })
    expect(other.told.map(({ code }) => code)).toEqual(['user_operation_pending'])
    const status = other.client.waitForCallsStatus({ id, pollingInterval: 20, timeout: 30_000 })
    expect((await other.following(status)).statusCode).toBe(200)
    expect(await other.reader.getBalance({ address: to })).toBe(1n)
  })

  it('are followed to their end by a page that was loaded anew', async () => {
    const first = await setUp()
    smart.world.bundler.behave('hold')
    const { id } = await first.following(first.client.sendCalls({ calls: [{ to: newAddress(), value: 1n }] }))
    first.close()
    smart.world.bundler.behave('normal')
    const { storage } = first
    const next = await setUp({ storage })
    const { statusCode, receipts = [] } = await next.following(
      next.client.waitForCallsStatus({ id, pollingInterval: 20, timeout: 60_000 }),
    )
    expect([statusCode, receipts.length]).toEqual([200, 1])
    expect(next.activity.get()[0]).toMatchObject({
      status: 'confirmed',
      transactionHash: receipts[0]?.transactionHash,
    })
  })
})

describe('messages and typed data of a smart wallet', () => {
  it('have signatures that the account on the chain vouches for', async () => {
    const { client, following } = await setUp()
    const message = 'Hello from the account'
    const signature = await following(client.signMessage({ message }), { 'sign-message': 'sign' })
    expect(await smart.world.client.verifyMessage({ address, message, signature })).toBe(true)
    const typed = {
      domain: { name: 'Example', chainId: base.id },
      types: { Greeting: [{ name: 'text', type: 'string' }] },
      primaryType: 'Greeting',
      message: { text: 'Hello' },
    } as const
    const signed = await following(client.signTypedData(typed), { 'sign-typed-data': 'sign' })
    expect(await smart.world.client.verifyTypedData({ address, ...typed, signature: signed })).toBe(true)
  })
})
