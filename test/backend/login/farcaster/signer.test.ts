import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eachOf, soak } from '../../../support/soak.ts'
import { Vault } from '../../support/embedded-world.ts'
import {
  FarcasterClient,
  type FarcasterWorld,
  farcasterApp,
  faults,
  startFarcasterWorld,
} from '../../support/farcaster-world.ts'
import { minutes, seconds, stores, vaultOrigin } from '../../support/world.ts'

let fids = 8_000
const newFid = () => ++fids
const newKey = () => `0x${randomBytes(32).toString('hex')}`

describe.each(stores)('signers on Farcaster on $name', (store) => {
  let world: FarcasterWorld
  beforeAll(async () => {
    world = await startFarcasterWorld(store)
  })
  afterAll(() => world?.stop())
  afterEach(() => {
    world.fault.relay = undefined
  })

  /** A user with a Farcaster account, at their page and with their vault. */
  async function user() {
    const fid = newFid()
    const vault = await Vault.open(world, { appId: farcasterApp })
    const page = new FarcasterClient(world)
    page.token = vault.token
    const { token, uri } = await page.open()
    await world.approve(uri, fid)
    const { message, signature } = (await page.status(token)).body
    const linked = await page.post('farcaster/link', { channel_token: token, message, signature, fid })
    expect(linked.status).toBe(200)
    const init = (key: string, more = {}) =>
      vault.post('farcaster/signer/init', { ed25519_public_key: key, ...more })
    const status = (key: string) => page.post('farcaster/signer/status', { ed25519_public_key: key })
    const signerOf = async () => {
      const { body } = await page.get('users/me')
      return body.user.linked_accounts.find(({ type }: { type: string }) => type === 'farcaster')
        .signer_public_key
    }
    return { fid, page, vault, init, status, signerOf }
  }

  test('a user approves the key of their vault on their phone, and their account has it from then on', async () => {
    const { fid, page, init, status, signerOf } = await user()
    const key = newKey()
    const asked = await init(key)
    expect(asked.status).toBe(200)
    expect(asked.body).toEqual({
      public_key: key,
      status: 'pending_approval',
      signer_approval_url: expect.stringContaining('/phone/signer?token='),
    })
    expect((await status(key)).body).toEqual({ public_key: key, status: 'pending_approval' })
    expect((await init(key)).body.signer_approval_url).toBe(asked.body.signer_approval_url)
    await world.decideSigner(asked.body.signer_approval_url, fid)
    // The network takes a while.
    expect((await status(key)).body.status).toBe('pending_approval')
    const approved = { public_key: key, status: 'approved', fid }
    expect((await status(key)).body).toEqual(approved)
    expect(await signerOf()).toBe(key)
    expect((await status(key)).body).toEqual(approved)
    expect((await init(key)).body).toEqual(approved)
    await page.enter(world, fid)
    expect(await signerOf()).toBe(key)
  })

  /** A user whose account has the key as its signer. */
  async function userWithSigner() {
    const set = await user()
    const key = newKey()
    const { signer_approval_url: url } = (await set.init(key)).body
    await world.decideSigner(url, set.fid)
    await set.status(key)
    expect((await set.status(key)).body.status).toBe('approved')
    return { ...set, key }
  }
  async function link(page: FarcasterClient, fid: number) {
    const { token, uri } = await page.open()
    await world.approve(uri, fid)
    const { message, signature } = (await page.status(token)).body
    return page.post('farcaster/link', { channel_token: token, message, signature, fid })
  }

  test('signer: an unlinked account has none, and the same user who links it again gets the key back', async () => {
    const { fid, page, init, status, signerOf, key } = await userWithSigner()
    expect((await page.post('farcaster/unlink', { fid })).status).toBe(200)
    expect(await init(key)).toMatchObject({ body: { code: 'linked_account_not_found' } })
    expect(await status(key)).toMatchObject({ body: { code: 'linked_account_not_found' } })
    expect((await link(page, fid)).status).toBe(200)
    expect(await signerOf()).toBeUndefined()
    // Farcaster takes no key twice, so nothing is asked there again.
    expect((await init(key)).body).toEqual({ public_key: key, status: 'approved', fid })
    expect(await signerOf()).toBe(key)
    expect((await init(newKey())).body.status).toBe('pending_approval')
  })

  test('signer: a key approved for one account is none of another that is linked later', async () => {
    const { fid, page, init, signerOf, key } = await userWithSigner()
    const pending = newKey()
    const { signer_approval_url: url } = (await init(pending)).body
    await page.post('farcaster/unlink', { fid })
    const other = newFid()
    expect((await link(page, other)).status).toBe(200)
    expect((await init(key)).body.status).toBe('pending_approval')
    await world.decideSigner(url, fid)
    await init(pending)
    expect((await init(pending)).body).toEqual({ public_key: pending, status: 'revoked', fid })
    expect(await signerOf()).toBeUndefined()
  })

  test('signer: an account that is transferred to another user goes without the key of the vault before', async () => {
    const { fid, key } = await userWithSigner()
    const heir = await user()
    await heir.page.post('farcaster/unlink', { fid: heir.fid })
    const refused = await link(heir.page, fid)
    expect(refused.body.code).toBe('account_transfer_required')
    const { nonce } = refused.body.data
    const transfer = { nonce, farcaster_id: String(fid) }
    expect((await heir.page.post('farcaster/transfer', transfer)).status).toBe(200)
    expect(await heir.signerOf()).toBeUndefined()
    expect((await heir.init(key)).body.status).toBe('pending_approval')
    await heir.page.enter(world, fid)
    expect(await heir.signerOf()).toBeUndefined()
  })

  test('a user declines: the key is revoked, and can be asked for again', async () => {
    const { init, status, signerOf } = await user()
    const key = newKey()
    const { signer_approval_url: url } = (await init(key)).body
    await world.decideSigner(url, 'decline')
    expect((await status(key)).body).toMatchObject({ status: 'revoked' })
    expect(await signerOf()).toBeUndefined()
    expect(await status(key)).toMatchObject({ status: 400, body: { code: 'invalid_state' } })
    expect((await init(key)).body.signer_approval_url).not.toBe(url)
  })

  test('a key that somebody else has approved signs for nobody here', async () => {
    const { init, status, signerOf } = await user()
    const key = newKey()
    const { signer_approval_url: url } = (await init(key)).body
    const other = newFid()
    await world.decideSigner(url, other)
    await status(key)
    expect((await status(key)).body).toEqual({ public_key: key, status: 'revoked', fid: other })
    expect(await signerOf()).toBeUndefined()
  })

  test('a request of one user is unknown to another', async () => {
    const { init } = await user()
    const other = await user()
    const key = newKey()
    await init(key)
    expect(await other.status(key)).toMatchObject({ status: 400, body: { code: 'invalid_state' } })
  })

  test('a request ends with its deadline', async () => {
    const { init, status } = await user()
    const key = newKey()
    const deadline = Math.floor(world.clock.now / 1_000) + 60
    expect((await init(key, { deadline: String(deadline) })).status).toBe(200)
    world.clock.now += seconds(61)
    expect(await status(key)).toMatchObject({ status: 400, body: { code: 'invalid_state' } })
  })

  test('a deadline that is over, or more than a day away, is refused', async () => {
    const { init } = await user()
    const now = Math.floor(world.clock.now / 1_000)
    for (const deadline of [now, now - 1, now + 86_401, 1.5, -1])
      expect(await init(newKey(), { deadline })).toMatchObject({
        status: 400,
        body: { code: 'invalid_data' },
      })
  })

  test.each(['', '0x', '0xzz', `0x${'ab'.repeat(31)}`, `0x${'ab'.repeat(33)}`, 'ab'.repeat(32)])(
    'the key %j is none',
    async (key) => {
      const { init, status } = await user()
      expect((await init(key)).status).toBe(400)
      expect((await status(key)).status).toBe(400)
    },
  )

  test('only the vault of an enrolled browser asks for a key', async () => {
    const { page, vault } = await user()
    const body = { ed25519_public_key: newKey() }
    expect((await page.post('farcaster/signer/init', body)).status).toBe(403)
    const fresh = new Vault(world, { origin: vaultOrigin, appId: farcasterApp })
    fresh.token = vault.token
    expect((await fresh.post('farcaster/signer/init', body)).status).toBe(403)
  })

  test('a user without a Farcaster account, and an app that is none on Farcaster, can’t ask', async () => {
    const vault = await Vault.open(world, { appId: farcasterApp })
    const body = { ed25519_public_key: newKey() }
    expect(await vault.post('farcaster/signer/init', body)).toMatchObject({
      body: { code: 'linked_account_not_found' },
    })
    const elsewhere = await Vault.open(world)
    expect(await elsewhere.post('farcaster/signer/init', body)).toMatchObject({
      body: { code: 'feature_not_enabled' },
    })
  })

  test.each(eachOf(faults, soak(3, 1)))(
    'an API with %s: an error that can be tried again, and nothing is lost',
    async (fault) => {
      const { fid, init, status } = await user()
      const key = newKey()
      world.fault.relay = fault
      expect((await init(key)).status).toBeGreaterThanOrEqual(500)
      world.fault.relay = undefined
      const { signer_approval_url: url } = (await init(key)).body
      await world.decideSigner(url, fid)
      world.fault.relay = fault
      expect((await status(key)).status).toBeGreaterThanOrEqual(500)
      world.fault.relay = undefined
      await status(key)
      expect((await status(key)).body).toMatchObject({ status: 'approved', fid })
      world.clock.now += minutes(1)
    },
  )
})
