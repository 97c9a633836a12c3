import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sealedColumns } from '../../../demo/backend/features.ts'
import { countOld, reseal } from '../../../demo/backend/operator/reseal.ts'
import { loadSecrets, newSealingKey, saveSecrets } from '../../../demo/backend/secrets/secrets.ts'
import { openDatabase } from '../../../demo/backend/store/database.ts'
import { createMailbox, type Mailbox } from '../../../demo/world/mail/mailbox.ts'
import { limit } from '../../support/limit.ts'
import { crowd } from '../../support/soak.ts'
import { automatic, path, random, Vault } from '../support/embedded-world.ts'
import { totpCode } from '../support/mfa-world.ts'
import { type ServerProcesses, startServerProcesses } from '../support/server-processes.ts'
import { apiUrl, vaultOrigin, type World } from '../support/world.ts'

const server = process.env.TEST_DATABASE_URL

describe.skipIf(!server)('embedded wallets at two server processes on one PostgreSQL', () => {
  let mailbox: Mailbox
  let servers: ServerProcesses
  let world: World

  beforeAll(async () => {
    mailbox = await createMailbox()
    servers = await startServerProcesses(server ?? '', {
      env: {
        API_URL: apiUrl,
        SMTP_URL: mailbox.smtp.url,
        VAULT_ORIGIN: vaultOrigin,
        LIMITS: '{"sendsPerIpMinute":1000,"sendsPerIpHour":1000,"secretsReload":200}',
      },
    })
    let turn = 0
    const request = (to: string, init: RequestInit) => fetch(`${servers.bases[turn++ % 2]}${to}`, init)
    world = { backend: { api: { request } }, mailbox } as unknown as World
  })
  afterAll(async () => {
    await servers?.stop()
    await mailbox?.close()
  })

  const atOnce = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: crowd }, work))

  test(`make one wallet of ${crowd} creations`, async () => {
    const vault = await Vault.open(world)
    const answers = await atOnce(async () => vault.post('embedded_wallets', (await vault.newRoot()).body))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    expect(answers.filter(({ body }) => body.created)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.address)).size).toBe(1)
    console.log(`two processes: ${crowd} parallel creations: 1 wallet`)
  })

  test(`let one of ${crowd} uses of an export ticket win`, async () => {
    const vault = await Vault.open(world)
    const { key } = await vault.create()
    const { body } = await vault.page().post(`embedded_wallets/${key.address}/export_ticket`)
    const use = { ticket: body.ticket, address: key.address }
    const answers = await atOnce(() => vault.post('embedded_wallets/export/redeem', use))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    console.log(`two processes: ${crowd} parallel uses of an export ticket: 1 winner`)
  })

  test(`let one of ${crowd} verifications of one code of a second factor win`, async () => {
    const vault = await Vault.open(world)
    const { body } = await vault.post('mfa/totp/init')
    const code = (skew: number) => totpCode(body.totpSecret, Date.now() + skew)
    // The step before, so that the present one is still to be used.
    expect((await vault.post('mfa/totp/enroll', { code: code(-30_000) })).status).toBe(200)
    const present = code(0)
    const answers = await atOnce(() => vault.post('mfa/totp/verify', { code: present }))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => ![200, 422, 429].includes(status))).toEqual([])
    // No more than a prompt has are judged at all, in both processes together.
    expect(answers.filter(({ status }) => status !== 429).length).toBeLessThanOrEqual(5)
    console.log(`two processes: ${crowd} parallel verifications of one code: 1 winner`)
  })

  test('confirm one change once, in either process', async () => {
    const vault = await Vault.open(world)
    const root = await vault.create()
    const change = await vault.changeBody(root, automatic())
    const call = `${path(root)}/recovery/changes`
    await vault.post(call, change)
    const answers = await atOnce(() => vault.confirm(root, change.change_id))
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['{"recovery_method":"privy"}']))
    expect((await vault.post(`${path(root)}/recovery/package`)).body.recovery_package).toBe(
      change.recovery.package,
    )
  })

  test('go on while the sealing key is changed under them, without an answer that fails', async () => {
    const vault = await Vault.open(world)
    const root = await vault.create()
    const { dataDir, databaseUrl } = servers
    const store = await openDatabase({ dataDir, databaseUrl })
    let over = false
    const failed: number[] = []
    let asked = 0
    /** Waits until both processes have been asked often. */
    const moreTraffic = () => {
      const before = asked
      return expect.poll(() => asked - before, { timeout: limit(20_000) }).toBeGreaterThan(32)
    }
    const traffic = Array.from({ length: 4 }, async () => {
      while (!over) {
        const answers = [
          await vault.post(`${path(root)}/recovery/key_material`),
          await vault.post(`${path(root)}/devices`, await vault.deviceBody(root), {
            'idempotency-key': random(9),
          }),
        ]
        asked += answers.length
        failed.push(...answers.flatMap(({ status }) => (status === 200 ? [] : [status])))
      }
    })
    try {
      const secrets = await loadSecrets(dataDir, undefined)
      secrets.sealingKeys = [newSealingKey(), ...secrets.sealingKeys]
      await saveSecrets(dataDir, secrets)
      // Both know it after a while, and from then on nothing comes that needs the old one.
      for (let quiet = 0; quiet < 3; ) {
        await reseal(sealedColumns, store.database, secrets)
        await moreTraffic()
        quiet = (await countOld(sealedColumns, store.database, secrets)) === 0 ? quiet + 1 : 0
      }
      await saveSecrets(dataDir, { ...secrets, sealingKeys: secrets.sealingKeys.slice(0, 1) })
      await moreTraffic()
    } finally {
      over = true
      await Promise.all(traffic)
      await store.close()
    }
    expect(failed).toEqual([])
    expect(asked).toBeGreaterThan(0)
    const share = await vault.post(`${path(root)}/auth_share`, { set_ids: [root.setId] })
    expect(share.body.auth_share).toBe(root.body.auth_share)
    console.log(`two processes: ${asked} calls while the sealing key was changed: 0 failed`)
  })
})
