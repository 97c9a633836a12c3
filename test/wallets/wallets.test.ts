import { afterEach, describe, expect, test, vi } from 'vitest'
import type { KitError } from '../../src/errors/kit-error.ts'
import { frameEvents } from '../../src/protocol/frame/calls.ts'
import { createVaultProxy } from '../../src/wallets/embedded/proxy.ts'
import { testClock } from '../support/clock.ts'
import { fakeVault } from '../support/vault.ts'

const data = { accessToken: 't', recoveryMethod: undefined }

function setUp(vault = fakeVault({ createWallet: () => ({ address: '0x1' }) })) {
  const clock = testClock()
  const proxy = createVaultProxy({ url: () => 'https://vault.example/apps/a', open: vault.open, clock })
  const ask = (signal?: AbortSignal) =>
    proxy.ask(frameEvents.createWallet, data, { ready: 30_000, answer: 20_000, signal })
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (cause: KitError) => cause,
    )
  return { clock, proxy, vault, ask, failure }
}

test('a request waits for the handshake and gets its answer', async () => {
  const { ask, clock, vault } = setUp()
  const answer = ask()
  await clock.advance(200)
  expect(await answer).toEqual({ address: '0x1' })
  expect(vault.asked).toEqual([{ event: 'privy:wallet:create', data }])
})

test('the vault’s error comes with its type as the code', async () => {
  const error = { type: 'wallet_not_on_device', message: 'no share here' }
  const { ask, clock, failure } = setUp(fakeVault({ createWallet: () => ({ error }) }))
  const failed = failure(ask())
  await clock.advance(200)
  expect(await failed).toMatchObject({ code: 'wallet_not_on_device', details: 'no share here' })
})

test('a browser that the wallet service does not know yet is told from a wallet that is not here', async () => {
  const error = { type: 'enrolment_required', message: 'unknown' }
  const { ask, clock, failure } = setUp(fakeVault({ createWallet: () => ({ error }) }))
  const failed = failure(ask())
  await clock.advance(200)
  expect(await failed).toMatchObject({ code: 'wallet_enrolment_required' })
})

test('an answer of another shape is malformed', async () => {
  const { ask, clock, failure } = setUp(fakeVault({ createWallet: () => ({ address: 7 }) }))
  const failed = failure(ask())
  await clock.advance(200)
  expect((await failed)?.code).toBe('malformed_response')
})

describe('a frame that', () => {
  test('never answers ends within the wait, and the next try loads another', async () => {
    const { ask, clock, vault, failure } = setUp(fakeVault({ ready: () => undefined }))
    const failed = failure(ask())
    await clock.advance(30_000)
    expect(await failed).toMatchObject({ code: 'vault_timeout', retryable: true })
    expect(vault.frames[0]?.open).toBe(false)
    const again = failure(ask())
    expect(vault.frames).toHaveLength(2)
    await clock.advance(30_000)
    await again
    expect(clock.sleeping).toBe(0)
  })

  test('is blocked by the page’s policy says so at once', async () => {
    const { ask, clock, vault, failure } = setUp(fakeVault({ ready: () => undefined }))
    const failed = failure(ask())
    await clock.advance(100)
    vault.frames[0]?.events.blocked('frame-src')
    expect(await failed).toMatchObject({
      code: 'vault_unavailable',
      details: expect.stringContaining('frame-src'),
    })
  })

  test('is silent to one request times out, and lives on', async () => {
    let silent = true
    const { ask, clock, vault, failure } = setUp(
      fakeVault({ createWallet: () => (silent ? undefined : { address: '0x1' }) }),
    )
    const failed = failure(ask())
    await clock.advance(25_000)
    expect(await failed).toMatchObject({ code: 'vault_timeout', details: 'did not send a response' })
    silent = false
    const answer = ask()
    await clock.advance(200)
    expect(await answer).toEqual({ address: '0x1' })
    expect(vault.frames).toHaveLength(1)
  })

  test('reloads in the middle of a request is asked once more', async () => {
    let tries = 0
    const vault = fakeVault({ createWallet: () => (++tries > 1 ? { address: '0x1' } : undefined) })
    const { ask, clock } = setUp(vault)
    const answer = ask()
    await clock.advance(500)
    vault.frames[0]?.events.loaded()
    await clock.advance(500)
    expect(await answer).toEqual({ address: '0x1' })
    expect(vault.frames).toHaveLength(2)
  })

  test('keeps crashing ends in a named error', async () => {
    const { ask, clock, vault, failure } = setUp(fakeVault({ createWallet: () => undefined }))
    const failed = failure(ask())
    for (const at of [0, 1]) {
      await clock.advance(500)
      vault.frames[at]?.events.removed()
    }
    expect(await failed).toMatchObject({ code: 'vault_crashed', retryable: true })
  })

  test('dies without a word is noticed by its silence', async () => {
    const vault = fakeVault({ createWallet: () => undefined })
    const { ask, clock, failure } = setUp(vault)
    const failed = failure(ask())
    await clock.advance(500)
    vault.crash()
    await clock.advance(45_000)
    expect(await failed).toMatchObject({ code: expect.stringMatching(/^vault_/), retryable: true })
  })
})

describe('without a network', () => {
  const online = (onLine: boolean) => vi.stubGlobal('navigator', { onLine })
  afterEach(() => vi.unstubAllGlobals())
  const lost = { code: 'network_unavailable', details: 'offline', retryable: true }

  test('no frame is loaded, which is said at once, and the next try loads one', async () => {
    const { ask, clock, vault, proxy, failure } = setUp()
    online(false)
    proxy.prepare()
    expect(await failure(ask())).toMatchObject(lost)
    expect(vault.frames).toHaveLength(0)
    online(true)
    const answer = ask()
    await clock.advance(200)
    expect(await answer).toEqual({ address: '0x1' })
  })

  test('a frame that was on its way is given up at once, and the next try loads another', async () => {
    const { ask, clock, vault, proxy, failure } = setUp()
    vault.crash()
    proxy.prepare()
    const failed = failure(ask())
    await clock.advance(200)
    vault.frames[0]?.events.offline()
    expect(await failed).toMatchObject(lost)
    expect(vault.frames.map(({ open }) => open)).toEqual([false])
    vault.revive()
    const answer = ask()
    await clock.advance(200)
    expect(await answer).toEqual({ address: '0x1' })
    expect(vault.frames).toHaveLength(2)
  })

  test('a frame that is ready stays, with what it has been asked', async () => {
    const { ask, clock, vault } = setUp()
    const answer = ask()
    await clock.advance(200)
    await answer
    vault.frames[0]?.events.offline()
    online(false)
    expect(await ask()).toEqual({ address: '0x1' })
    expect(vault.frames).toHaveLength(1)
  })
})

test('closing ends the wait, and the vault continues on its own', async () => {
  const { ask, clock, failure } = setUp(fakeVault({ createWallet: () => undefined }))
  const stop = new AbortController()
  const failed = failure(ask(stop.signal))
  await clock.advance(500)
  stop.abort(new Error('closed'))
  expect((await failed)?.message).toBe('closed')
})

test('answers with ids that nobody waits for have no effect', async () => {
  const { ask, clock, vault } = setUp()
  const answer = ask()
  await clock.advance(200)
  await answer
  for (const odd of [
    null,
    1,
    'text',
    {},
    { id: 'id-0', event: 'privy:wallet:create', data: {} },
    { id: 'x' },
  ])
    expect(() => vault.frames[0]?.events.message(odd)).not.toThrow()
})
