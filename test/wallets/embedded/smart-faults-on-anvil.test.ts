/** Bundlers and sponsors that lie, keep silent or forget, on a real chain: what the user reads, the page gets, and the activity knows. */
import { describe, expect, it } from 'vitest'
import { ethereumAccount } from '../../support/embedded-kit.ts'
import { limit } from '../../support/limit.ts'
import { newAddress } from '../../world/account-abstraction/support/stand-ins.ts'
import { smartWorld } from './support/smart-wallet.ts'

const { address } = ethereumAccount
const smart = smartWorld()
const { setUp } = smart

type SmartWallet = Awaited<ReturnType<typeof setUp>>
const balance = (of: `0x${string}`) => smart.world.client.getBalance({ address: of })
/** Waits until the activity has decided about the newest operation. */
const untilDecided = ({ following, activity }: SmartWallet, status: string) => {
  const decided = async () => {
    await expect.poll(() => activity.get()[0]?.status, { timeout: limit(30_000), interval: 20 }).toBe(status)
  }
  return following(decided())
}
const untilDone = ({ client, following }: SmartWallet, id: string) =>
  following(client.waitForCallsStatus({ id, pollingInterval: 20, timeout: limit(60_000) }))

describe('an operation of a smart wallet', () => {
  it('whose hash the bundler names wrongly is an error, and found in the chain all the same', async () => {
    const wallet = await setUp()
    const { client, following, seen, sending, activity } = wallet
    smart.world.bundler.behave('wrong-hash')
    const to = newAddress()
    const work = client.sendCalls({ calls: [{ to, value: 1n }], id: 'lied' })
    await expect(following(work, { 'transaction-failed': 'close' })).rejects.toThrow()
    expect(seen).toContain('transaction-failed')
    expect(seen).not.toContain('calls-detail')
    expect((await sending.batches()).find('lied', [address])).toBeUndefined()
    // A signed operation may be included: nobody may believe that nothing was sent.
    await untilDecided(wallet, 'confirmed')
    expect(activity.get()[0]?.transactionHash).toMatch(/^0x[\da-f]{64}$/)
    expect(await balance(to)).toBe(1n)
  })

  it.each(['wrong-transaction', 'wrong-outcome'] as const)(
    'has the outcome that the chain knows, whatever the bundler says of its receipt: %s',
    async (lie) => {
      const wallet = await setUp()
      const { client, following, activity } = wallet
      smart.world.bundler.behave(lie)
      const to = newAddress()
      const { id } = await following(client.sendCalls({ calls: [{ to, value: 1n }] }))
      const { statusCode, receipts = [] } = await untilDone(wallet, id)
      expect(statusCode).toBe(200)
      const [receipt] = receipts
      const { hash = '' } = activity.get()[0] ?? {}
      const { logs } = await smart.world.client.getTransactionReceipt({
        hash: receipt?.transactionHash as `0x${string}`,
      })
      expect(logs.some(({ topics }) => topics[1] === hash)).toBe(true)
      expect(await balance(to)).toBe(1n)
    },
  )

  it('that the bundler forgets is not sent, and its nonce is free for the next one', async () => {
    const wallet = await setUp()
    const { client, following } = wallet
    smart.world.bundler.behave('drop')
    const { id } = await following(client.sendCalls({ calls: [{ to: newAddress(), value: 1n }] }))
    expect((await untilDone(wallet, id)).statusCode).toBe(400)
    smart.world.bundler.behave('normal')
    // The next request is reviewed once the user has closed the dialog of the first.
    const work = client.sendCalls({ calls: [{ to: newAddress(), value: 1n }] })
    const next = await following(work, { 'calls-detail': 'close' })
    expect((await untilDone(wallet, next.id)).statusCode).toBe(200)
  })

  it('that a silent bundler has not taken is sent by a page that was loaded anew', async () => {
    const first = await setUp()
    const to = newAddress()
    const work = first.client.sendCalls({ calls: [{ to, value: 1n }], id: 'silence' })
    work.catch(() => {})
    const untilStored = async () => {
      await expect.poll(() => first.activity.get().length, { timeout: limit(30_000), interval: 20 }).toBe(1)
    }
    await first.following(untilStored(), {}, (screen) => {
      if (screen !== 'approve-calls') return undefined
      smart.world.bundler.behave('silent')
      return 'approve'
    })
    first.close()
    smart.world.bundler.behave('normal')
    const next = await setUp({ storage: first.storage })
    expect((await untilDone(next, 'silence')).statusCode).toBe(200)
    expect(await balance(to)).toBe(1n)
  })

  it('that the user declines once the sponsor has agreed is sent nowhere', async () => {
    const { client, following, activity, seen } = await setUp({ isSponsored: true })
    const to = newAddress()
    const work = client.sendCalls({ calls: [{ to, value: 1n }] })
    await expect(following(work, { 'approve-calls': 'cancel' })).rejects.toThrow()
    expect(seen).toEqual(['approve-calls'])
    expect(activity.get()).toEqual([])
    expect(await balance(to)).toBe(0n)
  })

  it('for which the sponsor’s time is over is told so, and goes on with one that pays', async () => {
    const wallet = await setUp({ isSponsored: true })
    const { client, following, seen } = wallet
    smart.world.paymaster.behave('expired')
    const to = newAddress()
    const work = client.sendCalls({ calls: [{ to, value: 1n }], id: 'expired' })
    await following(work, {}, (screen) => {
      if (screen !== 'transaction-failed') return undefined
      smart.world.paymaster.behave('normal')
      return 'retry'
    })
    expect(seen.slice(0, 3)).toEqual(['approve-calls', 'transaction-failed', 'approve-calls'])
    expect((await untilDone(wallet, 'expired')).statusCode).toBe(200)
    expect(await balance(to)).toBe(1n)
  })
})
