import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { idempotency } from '../../../demo/backend/http/tables.ts'
import {
  recoveryChanges,
  recoverySecrets,
  shareReleases,
  walletRoots,
  walletSets,
  wallets,
} from '../../../demo/backend/wallets/tables.ts'
import { crowd } from '../../support/soak.ts'
import { Client } from '../support/client.ts'
import {
  automatic,
  ethereumKey,
  ethereumKeyOf,
  everyWayApp,
  ownWayApp,
  pageKeyApp,
  passwordApp,
  path,
  type Root,
  random,
  solanaKey,
  Vault,
  verdict,
} from '../support/embedded-world.ts'
import { newSolanaAccount, WalletClient } from '../support/wallet-world.ts'
import { apiUrl, hours, site, startWorld, stores, type World } from '../support/world.ts'

const bad = [400, 'invalid_data']
const forged = [401, 'invalid_credentials']
const missing = [404, 'linked_account_not_found']

describe.each(stores)('shares of embedded wallets on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store, {
      moreApps: [everyWayApp, pageKeyApp, ownWayApp, passwordApp],
      limits: { importedWallets: 4, walletsPerRoot: 8 },
    })
  })
  afterAll(() => world?.stop())

  const shareOf = (vault: Vault, root: Root, ...sets: string[]) =>
    vault.post(`${path(root)}/auth_share`, { set_ids: sets })
  async function accountsOf(vault: Vault) {
    return (await vault.get('users/me')).body.user.linked_accounts
  }

  test('are stored, shown in the account, and given back', async () => {
    const vault = await Vault.open(world)
    const root = await vault.newRoot()
    const { address } = root.key
    const created = await vault.post('embedded_wallets', root.body)
    expect([created.status, created.body]).toEqual([
      200,
      { address, wallet_id: root.walletId, created: true },
    ])
    const now = Math.floor(world.clock.now / 1_000)
    const me = await vault.get('users/me')
    expect(me.body.user.linked_accounts[1]).toEqual({
      type: 'wallet',
      id: root.walletId,
      address,
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
      address,
      chain_type: 'ethereum',
      wallet_client_type: 'privy',
      lv: now,
    })

    const share = await vault.post(`embedded_wallets/${address.toLowerCase()}/auth_share`, {
      set_ids: [randomUUID(), root.setId],
    })
    const { auth_share, recovery } = root.body
    expect(share.body).toEqual({ wallet_id: root.walletId, set_id: root.setId, auth_share })
    expect(
      (await vault.post(`${path(root)}/recovery/key_material`, { chain_type: 'ethereum' })).body,
    ).toEqual({
      recovery_type: 'privy_generated_recovery_key',
      recovery_key_derivation_salt: '',
      recovery_code: '',
      recovery_key: recovery.key,
      file_id: '',
      icloud_record_name: '',
    })
    const sealed = await vault.post(`${path(root)}/recovery/package`)
    expect(sealed.body).toEqual({
      wallet_id: root.walletId,
      recovery_method: 'privy',
      recovery_package: recovery.package,
    })
    expect(share.headers.get('cache-control')).toBe('no-store')
    const refreshed = await new Client(world).post('sessions', { refresh_token: vault.refreshToken })
    expect(refreshed.body.user.linked_accounts).toHaveLength(2)
  })

  test('are given out in the person’s sight: every release can be looked up', async () => {
    const vault = await Vault.open(world, { appId: everyWayApp.id })
    const root = await vault.create(undefined, { recovery: await vault.password() })
    const at = () => Math.floor(world.clock.now / 1_000)
    const page = vault.page()
    expect(await page.releases()).toEqual([])
    const expected: object[] = []
    for (const [call, body, what] of [
      ['auth_share', { set_ids: [root.setId] }, 'auth-share'],
      ['recovery/package', {}, 'recovery-package'],
      ['recovery/key_material', {}, 'recovery-hint'],
      ['recovery/evaluate', { proof: random(32) }, 'recovery-evaluation'],
    ] as const) {
      world.clock.pass(1_000)
      expect((await vault.post(`${path(root)}/${call}`, body)).status).toBe(200)
      expected.unshift({ at: at(), what, address: root.key.address })
    }
    expect(await page.releases()).toEqual(expected)
    await vault.change(root, automatic())
    world.clock.pass(1_000)
    await vault.post(`${path(root)}/recovery/key_material`)
    const releases = await page.releases()
    expect(releases[0]).toEqual({ at: at(), what: 'recovery-key', address: root.key.address })
    const other = await Vault.open(world, { appId: everyWayApp.id })
    expect(await other.releases()).toEqual([])
    expect(verdict(await new Client(world).get('embedded_wallets/releases'))).toEqual([
      401,
      'missing_or_invalid_token',
    ])
  })

  test('are not given out where that could not be noted', async () => {
    const vault = await Vault.open(world)
    const root = await vault.create()
    const { database } = world.backend
    await database.execute('alter table share_releases rename to gone')
    const answers = [
      await shareOf(vault, root, root.setId),
      await vault.post(`${path(root)}/recovery/package`),
      await vault.post(`${path(root)}/recovery/key_material`),
    ]
    await database.execute('alter table gone rename to share_releases')
    for (const { status, text } of answers) {
      expect(status).toBe(500)
      expect(text).not.toMatch(/share of|package|key/)
    }
    expect((await shareOf(vault, root, root.setId)).status).toBe(200)
  })

  test('are not kept with the answers of earlier requests', async () => {
    const vault = await Vault.open(world)
    const root = await vault.create()
    const { database } = world.backend
    const before = await database.$count(idempotency)
    for (const [call, body] of [
      ['auth_share', { set_ids: [root.setId] }],
      ['recovery/package', {}],
      ['recovery/key_material', {}],
    ] as const)
      for (let time = 0; time < 2; time++)
        expect((await vault.post(`${path(root)}/${call}`, body, { 'idempotency-key': call })).status).toBe(
          200,
        )
    expect(await database.$count(idempotency)).toBe(before)
    expect(await vault.releases()).toHaveLength(6)
  })

  test('are sealed at rest', async () => {
    const vault = await Vault.open(world, { appId: everyWayApp.id })
    const password = await vault.password()
    const root = await vault.create(undefined, { recovery: password })
    const imported = await vault.create(ethereumKey(), { secret: 'key' })
    const drive = {
      method: 'google-drive',
      package: `package ${randomUUID()}`,
      file_id: `file-${randomUUID()}`,
    }
    const change = await vault.changeBody(imported, drive)
    await vault.post(`${path(imported)}/recovery/changes`, change)
    const { database } = world.backend
    const rows = JSON.stringify(
      await Promise.all(
        [walletRoots, wallets, walletSets, recoverySecrets, recoveryChanges].map((t) =>
          database.select().from(t),
        ),
      ),
    )
    expect(rows).toContain(root.walletId)
    for (const secret of [
      root.body.auth_share,
      ...[password.package, password.salt, drive.package, drive.file_id],
      ...Object.values(imported.body.recovery).slice(1),
    ])
      expect(rows).not.toContain(secret)
  })

  test('are added for another device by the wallet’s own key, and the same set twice changes nothing', async () => {
    const vault = await Vault.open(world)
    const root = await vault.create()
    const set = await vault.deviceBody(root)
    for (let time = 0; time < 2; time++) {
      const added = await vault.post(`${path(root)}/devices`, set)
      expect([added.status, added.body]).toEqual([200, {}])
    }
    const share = await shareOf(vault, root, set.set_id.toUpperCase(), root.setId)
    expect(share.body).toMatchObject({ set_id: set.set_id, auth_share: set.auth_share })
    const other = await vault.post(`${path(root)}/devices`, { ...set, auth_share: 'something else' })
    expect(verdict(other)).toEqual([400, 'resource_conflict'])
    expect((await shareOf(vault, root, root.setId)).body.auth_share).toBe(root.body.auth_share)
    const stranger = await vault.deviceBody(root, randomUUID(), ethereumKey())
    const later = { ...set, set_id: randomUUID() }
    for (const wrong of [stranger, later])
      expect(verdict(await vault.post(`${path(root)}/devices`, wrong))).toEqual(forged)
  })

  test(`of ${crowd} wallets that are made at once belong to exactly one of them`, async () => {
    const vault = await Vault.open(world)
    const tries = await Promise.all(Array.from({ length: crowd }, () => vault.newRoot()))
    const answers = await Promise.all(tries.map(({ body }) => vault.post('embedded_wallets', body)))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    expect(answers.filter(({ body }) => body.created)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.address)).size).toBe(1)
    expect(await accountsOf(vault)).toHaveLength(2)
    const again = await vault.post('embedded_wallets', (await vault.newRoot()).body)
    expect(again.body).toEqual({ ...answers[0]?.body, created: false })
    const [winner] = tries.filter((_, at) => answers[at]?.body.created)
    const repeated = await vault.post('embedded_wallets', winner?.body)
    expect(repeated.body).toEqual({ ...answers[0]?.body, created: false })
    console.log(`${store.name}: ${crowd} parallel creations: 1 wallet`)
  })

  test('are not taken for an address that is not proved or not well written', async () => {
    const vault = await Vault.open(world)
    const { body } = await vault.newRoot()
    const stranger = await vault.newRoot()
    const elsewhere = await Vault.open(world, { appId: everyWayApp.id })
    for (const wrong of [
      { ...body, proof: stranger.body.proof },
      { ...body, wallet_id: randomUUID() },
      (await (await Vault.open(world)).newRoot()).body,
      (await elsewhere.newRoot()).body,
      { ...body, proof: `0x${'00'.repeat(65)}` },
      { ...body, proof: random(64) },
      { ...body, proof: turnedOver(String(body.proof)) },
    ])
      expect(verdict(await vault.post('embedded_wallets', wrong))).toEqual(forged)
    const solana = await vault.newRoot(solanaKey())
    const bent = Buffer.from(String(solana.body.proof), 'base64url')
    bent[40] = (bent[40] ?? 0) ^ 1
    expect(
      verdict(await vault.post('embedded_wallets', { ...solana.body, proof: bent.toString('base64url') })),
    ).toEqual(forged)
    const { recovery } = body
    for (const wrong of [
      { ...body, address: String(body.address).toLowerCase() },
      { ...body, address: '0x12' },
      { ...body, chain_type: 'solana' },
      { ...solana.body, chain_type: 'ethereum' },
      { ...body, chain_type: 'bitcoin' },
      { ...body, secret: 'phrase' },
      { ...body, wallet_id: 'not-a-uuid' },
      { ...body, auth_share: 'x'.repeat(8_193) },
      { ...body, auth_share: '' },
      { ...body, recovery: { ...recovery, key: random(31) } },
      { ...body, recovery: { ...recovery, key: `${recovery.key}=` } },
      { ...body, recovery: { ...recovery, file_id: 'x' } },
      { ...body, recovery: { method: 'privy', package: 'x' } },
      { ...body, recovery: { ...recovery, method: 'magic' } },
      { ...body, recovery: undefined },
      { ...body, proof: 'x' },
      { ...body, more: 1 },
      {},
    ])
      expect(verdict(await vault.post('embedded_wallets', wrong))).toEqual(bad)
    expect(await accountsOf(vault)).toHaveLength(1)
    const edge = { ...body, auth_share: 'x'.repeat(8_192) }
    expect((await vault.post('embedded_wallets', edge)).body.created).toBe(true)
  })

  test('are not taken for an address or a wallet that is another’s', async () => {
    const first = await Vault.open(world)
    const root = await first.create()
    const second = await Vault.open(world)
    for (const secret of ['entropy', 'key']) {
      const same = await second.newRoot(root.key, { secret })
      expect(verdict(await second.post('embedded_wallets', same.body))).toEqual([400, 'resource_conflict'])
    }
    expect(await accountsOf(second)).toHaveLength(1)
  })

  test('are given to nobody else', async () => {
    const owner = await Vault.open(world)
    const root = await owner.create()
    const calls = [
      ['wallets', await owner.walletBody(root, 1, ethereumKey())],
      ['auth_share', { set_ids: [root.setId] }],
      ['devices', await owner.deviceBody(root)],
      ['recovery/key_material', {}],
      ['recovery/package', {}],
      ['recovery/evaluate', { proof: random(32) }],
      ['recovery/changes', await owner.changeBody(root, automatic())],
      [`recovery/changes/${randomUUID()}/confirm`, owner.confirmBody(root, randomUUID())],
    ] as const
    const other = await Vault.open(world)
    const sameUserElsewhere = await Vault.open(world, { appId: everyWayApp.id })
    for (const [what, body] of calls) {
      for (const foreign of [other, sameUserElsewhere])
        expect(verdict(await foreign.post(`${path(root)}/${what}`, body)), what).toEqual(missing)
      for (const origin of [site, 'https://evil.example', 'null', 'http://localhost:48022']) {
        const page = await owner.post(`${path(root)}/${what}`, body, { origin })
        expect(verdict(page)).toEqual([403, 'invalid_origin'])
      }
      const { origin: _, ...headers } = owner.headers()
      const init = { method: 'POST', body: JSON.stringify(body), headers }
      const server = await owner.request(`/api/v1/${path(root)}/${what}`, init)
      expect(verdict(server)).toEqual([403, 'invalid_origin'])
      const { authorization: __, ...anonymous } = owner.headers()
      const nobody = await owner.request(`/api/v1/${path(root)}/${what}`, { ...init, headers: anonymous })
      expect(verdict(nobody)).toEqual([401, 'missing_or_invalid_token'])
    }
    for (const [call, body] of [
      ['embedded_wallets', root.body],
      ['embedded_wallets/recovery/secrets', { proof: random(32) }],
      ['embedded_wallets/transactions/populate', {}],
      ['embedded_wallets/export/redeem', {}],
    ] as const)
      expect(verdict(await owner.post(call, body, { origin: site }))).toEqual([403, 'invalid_origin'])
    expect(verdict(await shareOf(owner, root, randomUUID()))).toEqual(missing)
    for (const odd of ['0x12', 'constructor', `0x${'g'.repeat(40)}`, '11111111111111111111111111111111'])
      expect(verdict(await owner.post(`embedded_wallets/${odd}/recovery/package`))).toEqual(missing)
    for (const sets of [[], Array.from({ length: 33 }, () => randomUUID()), ['x']])
      expect(verdict(await shareOf(owner, root, ...sets))).toEqual(bad)
    const api = await owner.post(`${path(root)}/auth_share`, { set_ids: [root.setId] }, { origin: apiUrl })
    expect(api.status).toBe(200)
    const released = await world.backend.database.select().from(shareReleases)
    const ofOther = released.filter(({ userId, walletId }) => userId === other.userId && walletId !== null)
    expect(ofOther).toEqual([])
  })

  test('are kept from a token whose session or time is over', async () => {
    const vault = await Vault.open(world)
    const root = await vault.create()
    await new Client(world).post('sessions/logout', { refresh_token: vault.refreshToken })
    expect((await vault.post(`${path(root)}/recovery/package`)).status).toBe(401)
    const late = await Vault.open(world)
    world.clock.pass(hours(1))
    expect((await late.post('embedded_wallets', (await late.newRoot()).body)).status).toBe(401)
  })

  describe('from one root', () => {
    test('come wallets of both chains and of any index, which have its recovery', async () => {
      const vault = await Vault.open(world)
      const root = await vault.create(solanaKey())
      expect(verdict(await vault.add(root, 3))).toEqual([400, 'invalid_state'])
      const first = ethereumKey()
      const asked = await vault.post('embedded_wallets', (await vault.newRoot(first)).body)
      expect(asked.body).toEqual({ address: '', wallet_id: root.walletId, created: false })
      expect((await vault.add(root, 0, first)).body).toEqual({ address: first.address, created: true })
      const again = await vault.post('embedded_wallets', (await vault.newRoot()).body)
      expect(again.body).toEqual({ address: first.address, wallet_id: root.walletId, created: false })
      const third = ethereumKey()
      for (const created of [true, false])
        expect((await vault.add(root, 3, third)).body).toEqual({ address: third.address, created })
      const second = solanaKey()
      expect((await vault.add(root, 2_147_483_647, second)).body.created).toBe(true)

      const shown = (await accountsOf(vault)).slice(1)
      expect(shown).toMatchObject([
        {
          address: root.key.address,
          wallet_index: 0,
          chain_type: 'solana',
          imported: false,
          public_key: root.key.address,
          chain_id: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
        },
        { address: first.address, wallet_index: 0, chain_type: 'ethereum', chain_id: 'eip155:1' },
        { address: third.address, wallet_index: 3, chain_type: 'ethereum' },
        { address: second.address, wallet_index: 2_147_483_647, chain_type: 'solana' },
      ])
      expect(shown[1]).not.toHaveProperty('public_key')
      expect(new Set(shown.map(({ id }: { id: string }) => id)).size).toBe(4)
      for (const name of [root.key, first])
        expect((await shareOf(vault, { ...root, key: name }, root.setId)).body.wallet_id).toBe(root.walletId)
      for (const name of [third, second])
        expect(verdict(await shareOf(vault, { ...root, key: name }, root.setId))).toEqual(missing)
      // By whichever of its names it is called, its key speaks for it.
      const named = { ...root, key: first }
      expect((await vault.post(`${path(named)}/devices`, await vault.deviceBody(named))).status).toBe(200)
      const mixed = await vault.deviceBody(named)
      expect(verdict(await vault.post(`${path(root)}/devices`, mixed))).toEqual(forged)
    })

    test('comes no address that both keys did not sign for', async () => {
      const vault = await Vault.open(world)
      const root = await vault.create()
      const good = await vault.walletBody(root, 1, ethereumKey())
      const thief = await vault.walletBody({ ...root, key: ethereumKey() }, 1, ethereumKey())
      for (const wrong of [
        thief,
        { ...good, proof: good.root_proof },
        { ...good, root_proof: good.proof },
        { ...good, wallet_index: 2 },
        { ...good, address: ethereumKey().address },
      ])
        expect(verdict(await vault.post(`${path(root)}/wallets`, wrong))).toEqual(forged)
      const { root_proof: _, ...alone } = good
      for (const wrong of [
        alone,
        { ...good, wallet_index: -1 },
        { ...good, wallet_index: 2 ** 31 },
        { ...good, wallet_index: 1.5 },
        { ...good, chain_type: 'solana' },
        { ...good, address: good.address.toLowerCase() },
      ])
        expect(verdict(await vault.post(`${path(root)}/wallets`, wrong))).toEqual(bad)
      expect((await vault.add(root, 1)).body.created).toBe(true)
      expect(verdict(await vault.add(root, 1))).toEqual([400, 'resource_conflict'])
      expect(await accountsOf(vault)).toHaveLength(3)
    })

    test('comes one wallet of an index, however many ask at once', async () => {
      const vault = await Vault.open(world)
      const root = await vault.create()
      const key = solanaKey()
      const answers = await Promise.all(Array.from({ length: 20 }, () => vault.add(root, 0, key)))
      expect(answers.filter(({ body }) => body.created)).toHaveLength(1)
      expect(new Set(answers.map(({ body }) => body.address))).toEqual(new Set([key.address]))
      expect(await accountsOf(vault)).toHaveLength(3)
    })

    test('come no more than so many', async () => {
      const vault = await Vault.open(world)
      const root = await vault.create()
      const answers = []
      for (let index = 1; index <= 8; index++) answers.push(await vault.add(root, index))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(7)
      expect(verdict(answers[7] as (typeof answers)[0])).toEqual([400, 'cannot_link_more_of_type'])
    })
  })

  describe('of imported keys', () => {
    const imported = { secret: 'key' }

    test('are roots of their own, and the same key again is the same wallet', async () => {
      const vault = await Vault.open(world)
      const own = await vault.create()
      const keys = [ethereumKey(), solanaKey()]
      const roots: Root[] = []
      for (const key of keys) roots.push(await vault.create(key, imported))
      const [first] = roots as [Root]
      const again = await vault.post('embedded_wallets', (await vault.newRoot(first.key, imported)).body)
      expect(again.body).toEqual({ address: first.key.address, wallet_id: first.walletId, created: false })
      const derived = await vault.post('embedded_wallets', (await vault.newRoot(own.key, imported)).body)
      expect(derived.body).toEqual({ address: own.key.address, wallet_id: own.walletId, created: false })
      expect((await accountsOf(vault)).slice(2)).toMatchObject(
        keys.map(({ address }) => ({ address, imported: true, wallet_index: 0 })),
      )
      expect(verdict(await vault.add(first, 1))).toEqual([400, 'invalid_state'])
      expect((await shareOf(vault, first, first.setId)).body.auth_share).toBe(first.body.auth_share)
      // The person's own root is not touched by them.
      expect((await shareOf(vault, own, own.setId)).body.wallet_id).toBe(own.walletId)
    })

    test('are no more than so many', async () => {
      const vault = await Vault.open(world)
      for (let count = 0; count < 4; count++) await vault.create(solanaKey(), imported)
      const more = await vault.post('embedded_wallets', (await vault.newRoot(ethereumKey(), imported)).body)
      expect(verdict(more)).toEqual([400, 'cannot_link_more_of_type'])
      await vault.create()
    })
  })

  test('are not taken for an address with which somebody logs in', async () => {
    const vault = await Vault.open(world)
    const ethereum = privateKeyToAccount(generatePrivateKey())
    const solana = newSolanaAccount()
    const person = new WalletClient(world, { appId: vault.appId })
    await person.enter('siwe', await person.signed(ethereum))
    await new WalletClient(world, { appId: vault.appId }).enter(
      'siws',
      await person.solana(solana, { signer: solana }),
    )
    const keys = [
      ethereumKeyOf(ethereum),
      {
        chainType: 'solana' as const,
        address: solana.address,
        prove: async (text: string) => Buffer.from(solana.sign(text), 'base64').toString('base64url'),
      },
    ]
    for (const key of keys)
      for (const secret of ['key', 'entropy']) {
        const refused = await vault.post('embedded_wallets', (await vault.newRoot(key, { secret })).body)
        expect(verdict(refused)).toEqual([400, 'resource_conflict'])
      }
    // And the other way round.
    const account = privateKeyToAccount(generatePrivateKey())
    await vault.create(ethereumKeyOf(account), { secret: 'key' })
    const login = await person.enter('siwe', await person.signed(account))
    expect(verdict(login)).toEqual([403, 'disallowed_login_method'])
  })

  describe('are made with a recovery method', () => {
    test('that the app offers', async () => {
      const drive = { method: 'google-drive', package: 'p', file_id: 'a-file' }
      const cloud = { method: 'icloud', package: 'p', record_name: 'a-record' }
      const own = { method: 'recovery-encryption-key', package: 'p' }
      for (const recovery of [drive, cloud, own]) {
        const vault = await Vault.open(world, { appId: recovery === own ? pageKeyApp.id : everyWayApp.id })
        const root = await vault.create(undefined, { recovery })
        expect((await accountsOf(vault))[1].recovery_method).toBe(recovery.method)
        const { body } = await vault.post(`${path(root)}/recovery/key_material`)
        expect([body.file_id, body.icloud_record_name, body.recovery_key]).toEqual([
          recovery === drive ? drive.file_id : '',
          recovery === cloud ? cloud.record_name : '',
          '',
        ])
        const plain = await Vault.open(world)
        const refused = await plain.post(
          'embedded_wallets',
          (await plain.newRoot(undefined, { recovery })).body,
        )
        expect(verdict(refused)).toEqual([400, 'disallowed_recovery_method'])
      }
    })

    test('that is no key of the page’s own where the vault takes none, although the app offers it', async () => {
      const vault = await Vault.open(world, { appId: everyWayApp.id })
      const own = { method: 'recovery-encryption-key', package: 'p' }
      const { body } = await vault.newRoot(undefined, { recovery: own })
      expect(verdict(await vault.post('embedded_wallets', body))).toEqual([400, 'disallowed_recovery_method'])
      const root = await vault.create()
      expect(verdict(await vault.change(root, own))).toEqual([400, 'disallowed_recovery_method'])
    })

    test.each([
      ["of the person's own", ownWayApp],
      ['a password', passwordApp],
    ])(
      'that is %s where the app requires it, later too; an import has to do without at first',
      async (_, app) => {
        const vault = await Vault.open(world, { appId: app.id })
        const plain = await vault.post('embedded_wallets', (await vault.newRoot()).body)
        expect(verdict(plain)).toEqual([400, 'disallowed_recovery_method'])
        const root = await vault.create(undefined, { recovery: await vault.password() })
        expect(verdict(await vault.change(root, automatic()))).toEqual([400, 'disallowed_recovery_method'])
        await vault.create(ethereumKey(), { secret: 'key' })
      },
    )
  })
})

/** The other signature that fits, with the high s. */
function turnedOver(signature: string): string {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = order - BigInt(`0x${signature.slice(66, 130)}`)
  const v = signature.endsWith('1b') ? '1c' : '1b'
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}`
}
