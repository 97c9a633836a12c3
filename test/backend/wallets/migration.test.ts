import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seal } from '../../../demo/backend/secrets/sealing.ts'
import { loadSecrets } from '../../../demo/backend/secrets/secrets.ts'
import { createBackend } from '../../../demo/backend/server.ts'
import { demoApps } from '../../../demo/backend/settings/demo-apps.ts'
import { createMailbox, type Mailbox } from '../../../demo/world/mail/mailbox.ts'
import { scratch } from '../../support/scratch.ts'
import { Client } from '../support/client.ts'
import { ethereumKey, path, random, Vault, verdict } from '../support/embedded-world.ts'
import { oldDatabase } from '../support/old-database.ts'
import { apiUrl, compatibleApp, createDatabase, newAddress, stores, vaultOrigin } from '../support/world.ts'

describe.each(stores)('wallets of an older database on $name', (store) => {
  let dataDir: string
  let mailbox: Mailbox
  beforeAll(async () => {
    dataDir = await mkdtemp(join(scratch, 'latchkey-old-'))
    mailbox = await createMailbox()
  })
  afterAll(async () => {
    await mailbox?.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  test('are carried over, and recovered: a share of no device is given to nobody', async () => {
    const database = store.url ? await createDatabase(store.url) : undefined
    const secrets = await loadSecrets(dataDir, undefined)
    const people = [1, 2].map((count) => ({
      email: newAddress(),
      userId: `did:privy:old${count}`,
      walletId: randomUUID(),
      sets: [randomUUID(), randomUUID()],
      recoveryKey: random(32),
      key: ethereumKey(),
    }))
    await oldDatabase(database ?? { folder: join(dataDir, 'database') }, 2, async (query) => {
      for (const { email, userId, walletId, sets, recoveryKey, key } of people) {
        await query('insert into users (id, app_id, created_at) values ($1, $2, 1)', [userId, compatibleApp])
        const account = `insert into accounts (app_id, user_id, type, subject, verified_at) values ($1, $2, $3, $4, 1)`
        await query(account, [compatibleApp, userId, 'email', email])
        await query(account, [compatibleApp, userId, 'wallet', `ethereum:${key.address.toLowerCase()}`])
        await query(
          `insert into wallets (id, app_id, user_id, account_id, chain_type, address, wallet_index, recovery_method,
             sealed_recovery_package, sealed_recovery_key, created_at)
           select $1, $2, $3, id, 'ethereum', $4, 0, 'privy', $5, $6, 77 from accounts where user_id = $3 and type = 'wallet'`,
          [
            ...[walletId, compatibleApp, userId, key.address],
            seal(secrets, `wallet ${walletId} recovery package`, `package of ${walletId}`),
            seal(secrets, `wallet ${walletId} recovery key`, recoveryKey),
          ],
        )
        for (const setId of sets)
          await query(
            'insert into wallet_sets (wallet_id, set_id, sealed_auth_share, created_at) values ($1, $2, $3, 78)',
            [
              walletId,
              setId,
              seal(secrets, `wallet ${walletId} set ${setId} auth share`, `share of ${setId}`),
            ],
          )
        await query(
          `insert into share_releases (id, at, app_id, user_id, session_id, wallet_id, set_id, what)
           values ($1, $2, $3, $4, 's', $5, $6, 'auth-share')`,
          [randomUUID(), Date.now(), compatibleApp, userId, walletId, sets[0]],
        )
      }
    })

    const backend = await createBackend({
      dataDir,
      databaseUrl: database?.url,
      apiUrl,
      vaultOrigin,
      apps: demoApps,
      smtpUrl: mailbox.smtp.url,
      vaultFiles: dataDir,
    })
    const world = { backend, mailbox }
    for (const { email, userId, walletId, sets, recoveryKey, key } of people) {
      const { body } = await new Client(world, { appId: compatibleApp }).login(email)
      expect(body.user.id).toBe(userId)
      expect(body.user.linked_accounts[1]).toMatchObject({
        id: walletId,
        address: key.address,
        wallet_index: 0,
        imported: false,
        recovery_method: 'privy',
      })
      const vault = new Vault(world, { appId: compatibleApp, origin: vaultOrigin })
      vault.token = body.token
      vault.userId = userId
      const root = { key, walletId, setId: sets[0] ?? '', body: { recovery: {}, auth_share: '' } }
      await vault.enrol()
      expect(await vault.releases()).toMatchObject([{ what: 'auth-share', address: key.address }])
      for (const set of sets) {
        // Of no device: whoever holds its other share could be anybody.
        const share = await vault.post(`${path(root)}/auth_share`, { set_ids: [set] })
        expect(verdict(share)).toEqual([404, 'linked_account_not_found'])
      }
      expect((await vault.post(`${path(root)}/recovery/key_material`)).body.recovery_key).toBe(recoveryKey)
      expect((await vault.post(`${path(root)}/recovery/package`)).body).toEqual({
        wallet_id: walletId,
        recovery_method: 'privy',
        recovery_package: `package of ${walletId}`,
      })
      // And they go on from there as any other.
      const again = await vault.post('embedded_wallets', (await vault.newRoot()).body)
      expect(again.body).toEqual({ address: key.address, wallet_id: walletId, created: false })
      expect((await vault.add(root, 1)).body.created).toBe(true)
      const fresh = await vault.deviceBody(root)
      expect((await vault.post(`${path(root)}/devices`, fresh)).status).toBe(200)
      const { body: given } = await vault.post(`${path(root)}/auth_share`, { set_ids: [fresh.set_id] })
      expect(given).toEqual({ wallet_id: walletId, set_id: fresh.set_id, auth_share: fresh.auth_share })
    }
    await backend.close()
    await database?.drop()
  })
})
