import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareReleases, walletSets, wallets } from '../../demo/backend/store/schema.ts'
import { Client } from './client.ts'
import {
  apiUrl,
  hours,
  newAddress,
  openApp,
  site,
  startWorld,
  stores,
  vaultOrigin,
  type World,
} from './world.ts'

describe.each(stores)('shares of embedded wallets on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store)
  })
  afterAll(() => world?.stop())

  /** The vault of somebody who is logged in. */
  async function vaultOf(origin = vaultOrigin) {
    const { body } = await new Client(world).login(newAddress())
    const vault = new Client(world, { origin })
    vault.token = body.token
    return { vault, userId: body.user.id as string, refreshToken: body.refresh_token as string }
  }
  async function newWallet(userId: string, key = generatePrivateKey()) {
    const account = privateKeyToAccount(key)
    const walletId = randomUUID()
    const proof = await account.signMessage({
      message: `Latchkey embedded wallet\napp: ${openApp}\nuser: ${userId}\naddress: ${account.address}\nwallet: ${walletId}`,
    })
    return {
      wallet_id: walletId,
      chain_type: 'ethereum',
      address: account.address,
      wallet_index: 0,
      set_id: randomUUID(),
      auth_share: `auth share of ${walletId}`,
      recovery_package: `package of ${walletId}`,
      recovery_method: 'privy',
      recovery_key: `recovery key of ${walletId}`,
      proof,
    }
  }

  test('are stored, shown in the account, and given back', async () => {
    const { vault, userId, refreshToken } = await vaultOf()
    const wallet = await newWallet(userId)
    const created = await vault.post('embedded_wallets', wallet)
    expect([created.status, created.body]).toEqual([
      200,
      { address: wallet.address, wallet_id: wallet.wallet_id, created: true },
    ])
    const now = Math.floor(world.clock.now / 1_000)
    const me = await vault.get('users/me')
    expect(me.body.user.linked_accounts[1]).toEqual({
      type: 'wallet',
      id: wallet.wallet_id,
      address: wallet.address,
      imported: false,
      delegated: false,
      wallet_index: 0,
      chain_id: 'eip155:1',
      chain_type: 'ethereum',
      wallet_client: 'privy',
      wallet_client_type: 'privy',
      connector_type: 'embedded',
      recovery_method: 'privy',
      verified_at: now,
      first_verified_at: now,
      latest_verified_at: now,
    })
    const slim = JSON.parse(String(decodeJwt(me.body.identity_token).linked_accounts))
    expect(slim[1]).toEqual({
      type: 'wallet',
      address: wallet.address,
      chain_type: 'ethereum',
      wallet_client_type: 'privy',
      lv: now,
    })

    const path = `embedded_wallets/${wallet.address.toLowerCase()}`
    const share = await vault.post(`${path}/auth_share`, { set_id: wallet.set_id })
    expect(share.body).toEqual({ wallet_id: wallet.wallet_id, auth_share: wallet.auth_share })
    expect((await vault.post(`${path}/recovery/key_material`, { chain_type: 'ethereum' })).body).toEqual({
      recovery_type: 'privy_generated_recovery_key',
      recovery_key_derivation_salt: '',
      recovery_code: '',
      recovery_key: wallet.recovery_key,
      file_id: '',
      icloud_record_name: '',
    })
    const recovery = await vault.post(`${path}/recovery/package`)
    expect(recovery.body).toEqual({ wallet_id: wallet.wallet_id, recovery_package: wallet.recovery_package })
    expect(share.headers.get('cache-control')).toBe('no-store')

    const released = await world.backend.database.select().from(shareReleases)
    const mine = released.filter((row) => row.userId === userId).map(({ what, setId }) => [what, setId])
    expect(mine.sort()).toEqual([
      ['auth-share', wallet.set_id],
      ['recovery-key', null],
      ['recovery-package', null],
    ])
    const refreshed = await new Client(world).post('sessions', { refresh_token: refreshToken })
    expect(refreshed.body.user.linked_accounts).toHaveLength(2)
  })

  test('are sealed at rest', async () => {
    const { vault, userId } = await vaultOf()
    const wallet = await newWallet(userId)
    await vault.post('embedded_wallets', wallet)
    const { database } = world.backend
    const rows = JSON.stringify([
      await database.select().from(wallets),
      await database.select().from(walletSets),
    ])
    expect(rows).toContain(wallet.wallet_id)
    for (const secret of [wallet.auth_share, wallet.recovery_package, wallet.recovery_key])
      expect(rows).not.toContain(secret)
  })

  test('are added for another device, and the same set twice changes nothing', async () => {
    const { vault, userId } = await vaultOf()
    const wallet = await newWallet(userId)
    await vault.post('embedded_wallets', wallet)
    const path = `embedded_wallets/${wallet.address}`
    const set = { set_id: randomUUID(), auth_share: 'the share of another set' }
    for (let time = 0; time < 2; time++) {
      const added = await vault.post(`${path}/devices`, set)
      expect([added.status, added.body]).toEqual([200, {}])
    }
    const share = await vault.post(`${path}/auth_share`, { set_id: set.set_id.toUpperCase() })
    expect(share.body.auth_share).toBe(set.auth_share)
    const other = await vault.post(`${path}/devices`, { ...set, auth_share: 'something else' })
    expect([other.status, other.body.code]).toEqual([400, 'resource_conflict'])
    expect((await vault.post(`${path}/auth_share`, { set_id: wallet.set_id })).body.auth_share).toBe(
      wallet.auth_share,
    )
  })

  test('of two wallets that are made at once belong to exactly one of them', async () => {
    const { vault, userId } = await vaultOf()
    const tries = await Promise.all([1, 2, 3, 4].map(() => newWallet(userId)))
    const answers = await Promise.all(tries.map((wallet) => vault.post('embedded_wallets', wallet)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(answers.filter(({ body }) => body.created)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.address)).size).toBe(1)
    const me = await vault.get('users/me')
    expect(me.body.user.linked_accounts).toHaveLength(2)
    const again = await vault.post('embedded_wallets', await newWallet(userId))
    expect(again.body).toEqual({ ...answers[0]?.body, created: false })
  })

  test('are not taken for an address that is not proved or not well written', async () => {
    const { vault, userId } = await vaultOf()
    const wallet = await newWallet(userId)
    const stranger = await newWallet(userId)
    for (const forged of [
      { ...wallet, proof: stranger.proof },
      { ...wallet, wallet_id: randomUUID() },
      { ...(await newWallet('did:privy:somebodyelse')) },
      { ...wallet, proof: `0x${'00'.repeat(65)}` },
    ]) {
      const refused = await vault.post('embedded_wallets', forged)
      expect([refused.status, refused.body.code]).toEqual([401, 'invalid_credentials'])
    }
    for (const wrong of [
      { ...wallet, address: wallet.address.toLowerCase() },
      { ...wallet, address: '0x12' },
      { ...wallet, wallet_index: 1 },
      { ...wallet, chain_type: 'solana' },
      { ...wallet, wallet_id: 'not-a-uuid' },
      { ...wallet, auth_share: 'x'.repeat(8_193) },
      { ...wallet, recovery_key: 'x'.repeat(257) },
      { ...wallet, recovery_method: 'user-passcode' },
      { ...wallet, more: 1 },
      {},
    ]) {
      const refused = await vault.post('embedded_wallets', wrong)
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid_data'])
    }
    const edge = { ...wallet, auth_share: 'x'.repeat(8_192), recovery_key: 'x'.repeat(256) }
    expect((await vault.post('embedded_wallets', edge)).body.created).toBe(true)
  })

  test('are not taken for an address or a wallet that is another’s', async () => {
    const key = generatePrivateKey()
    const first = await vaultOf()
    const wallet = await newWallet(first.userId, key)
    await first.vault.post('embedded_wallets', wallet)
    const second = await vaultOf()
    const sameAddress = await second.vault.post('embedded_wallets', await newWallet(second.userId, key))
    expect([sameAddress.status, sameAddress.body.code]).toEqual([400, 'resource_conflict'])
    const me = await second.vault.get('users/me')
    expect(me.body.user.linked_accounts).toHaveLength(1)
  })

  test('are given to nobody else', async () => {
    const owner = await vaultOf()
    const wallet = await newWallet(owner.userId)
    await owner.vault.post('embedded_wallets', wallet)
    const path = `embedded_wallets/${wallet.address}`
    const calls = [
      ['auth_share', { set_id: wallet.set_id }],
      ['recovery/key_material', {}],
      ['recovery/package', {}],
      ['devices', { set_id: randomUUID(), auth_share: 'x' }],
    ] as const
    const other = await vaultOf()
    for (const [what, body] of calls) {
      const foreign = await other.vault.post(`${path}/${what}`, body)
      expect([foreign.status, foreign.body.code]).toEqual([404, 'linked_account_not_found'])
      for (const origin of [site, 'https://evil.example', 'null', 'http://localhost:48022']) {
        const page = await owner.vault.post(`${path}/${what}`, body, { origin })
        expect([page.status, page.body.code]).toEqual([403, 'invalid_origin'])
      }
      const { origin: _, ...headers } = owner.vault.headers()
      const init = { method: 'POST', body: JSON.stringify(body), headers }
      const server = await owner.vault.request(`/api/v1/${path}/${what}`, init)
      expect([server.status, server.body.code]).toEqual([403, 'invalid_origin'])
      const { authorization: __, ...anonymous } = owner.vault.headers()
      const nobody = await owner.vault.request(`/api/v1/${path}/${what}`, { ...init, headers: anonymous })
      expect([nobody.status, nobody.body.code]).toEqual([401, 'missing_or_invalid_token'])
    }
    const unknown = await owner.vault.post(`${path}/auth_share`, { set_id: randomUUID() })
    expect([unknown.status, unknown.body.code]).toEqual([404, 'linked_account_not_found'])
    const api = await owner.vault.post(`${path}/auth_share`, { set_id: wallet.set_id }, { origin: apiUrl })
    expect(api.status).toBe(200)
  })

  test('are kept from a token whose session or time is over', async () => {
    const { vault, userId, refreshToken } = await vaultOf()
    const wallet = await newWallet(userId)
    await vault.post('embedded_wallets', wallet)
    const ask = () => vault.post(`embedded_wallets/${wallet.address}/recovery/package`)
    await new Client(world).post('sessions/logout', { refresh_token: refreshToken })
    expect((await ask()).status).toBe(401)
    const late = await vaultOf()
    world.clock.pass(hours(1))
    expect((await late.vault.post('embedded_wallets', await newWallet(late.userId))).status).toBe(401)
  })
})
