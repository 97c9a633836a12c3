import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { features, sealedColumns } from '../../../demo/backend/features.ts'
import { countOld, reseal } from '../../../demo/backend/operator/reseal.ts'
import { seal, unseal } from '../../../demo/backend/secrets/sealing.ts'
import { loadSecrets, newSealingKey, saveSecrets } from '../../../demo/backend/secrets/secrets.ts'
import type { Backend } from '../../../demo/backend/server.ts'
import { oneTimeName } from '../../../demo/backend/store/one-time.ts'
import { oneTime } from '../../../demo/backend/store/tables.ts'
import { walletRoots } from '../../../demo/backend/wallets/tables.ts'
import { limit } from '../../support/limit.ts'
import { runProgram, startProgram } from '../../support/program.ts'
import { soak } from '../../support/soak.ts'
import {
  automatic,
  ethereumKey,
  everyWayApp,
  path,
  type Root,
  random,
  Vault,
} from '../support/embedded-world.ts'
import { operatorsBackend } from '../support/operators-backend.ts'
import { startWorld, stores, type World } from '../support/world.ts'

test('a rotation of the sealing key goes through every sealed column', () => {
  const sealed = features
    .flatMap(({ tables = [] }) => tables)
    .flatMap((each) => {
      const { name, columns } = getTableConfig(each)
      return columns
        .filter((column) => column.name.startsWith('sealed_'))
        .map((column) => `${name}.${column.name}`)
    })
  const known = sealedColumns.map(({ table: of, column }) => `${getTableConfig(of).name}.${column.name}`)
  expect(known.sort()).toEqual(sealed.sort())
})

/** Something in every sealed column. */
async function fill(world: Pick<World, 'backend' | 'mailbox'> & Partial<World>) {
  const vault = await Vault.open(world as World, { appId: everyWayApp.id })
  const root = await vault.create(undefined, { recovery: await vault.password() })
  const imported = await vault.create(ethereumKey(), { secret: 'key' })
  const cloud = { method: 'icloud', package: 'p', record_name: 'r' }
  const change = await vault.changeBody(imported, cloud)
  await vault.post(`${path(imported)}/recovery/changes`, change)
  await vault.post(`${path(root)}/recovery/changes`, await vault.changeBody(root, automatic()))
  const key = { 'idempotency-key': random(8) }
  const { body } = await vault.page().post(`embedded_wallets/${root.key.address}/export_ticket`, {}, key)
  const proof = random(32)
  const evaluation = async () =>
    (await vault.post(`${path(root)}/recovery/evaluate`, { proof })).body.evaluation as string
  return {
    vault,
    root,
    imported,
    change,
    key,
    ticket: body.ticket as string,
    evaluation,
    before: await evaluation(),
  }
}

/** Everything that was sealed is still there, unchanged. */
async function check(filled: Awaited<ReturnType<typeof fill>>): Promise<void> {
  const { vault, root, imported, change, key, ticket, evaluation, before } = filled
  const share = async (of: Root) => {
    const { body } = await vault.post(`${path(of)}/auth_share`, { set_ids: [of.setId] })
    return body.auth_share
  }
  expect(await share(root)).toBe(root.body.auth_share)
  expect(await share(imported)).toBe(imported.body.auth_share)
  expect(await evaluation()).toBe(before)
  const { salt } = root.body.recovery
  const material = await vault.post(`${path(root)}/recovery/key_material`)
  expect(material.body.recovery_key_derivation_salt).toBe(salt)
  const automaticKey = await vault.post(`${path(imported)}/recovery/key_material`)
  expect(automaticKey.body.recovery_key).toBe(imported.body.recovery.key)
  const again = await vault.post(`${path(imported)}/recovery/changes`, change)
  expect(again.body).toEqual({ recovery_package: 'p' })
  const repeated = await vault.page().post(`embedded_wallets/${root.key.address}/export_ticket`, {}, key)
  expect(repeated.body.ticket).toBe(ticket)
}

describe.each(stores)('the sealing key on $name', (store) => {
  let world: World
  beforeEach(async () => {
    world = await startWorld(store, { moreApps: [everyWayApp] })
  })
  afterEach(() => world?.stop())

  test('is changed under a running server, which learns of it by itself', async () => {
    const { database } = world.backend
    const filled = await fill(world)
    const mine = await loadSecrets(world.dataDir, undefined)
    const [old] = mine.sealingKeys
    mine.sealingKeys = [newSealingKey(), ...mine.sealingKeys]
    await saveSecrets(world.dataDir, mine)
    expect((await stat(join(world.dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600)
    const { done, unreadable } = await reseal(sealedColumns, database, mine)
    expect(unreadable).toEqual([])
    expect(done).toBeGreaterThanOrEqual(sealedColumns.length)
    await check(filled)
    // What the server was about to seal meanwhile is under the key that it knew then.
    await reseal(sealedColumns, database, mine)
    expect(await countOld(sealedColumns, database, mine)).toBe(0)
    // From then on it seals with the new one itself, so that the old one can go.
    await saveSecrets(world.dataDir, { ...mine, sealingKeys: mine.sealingKeys.slice(0, 1) })
    await filled.vault.create(ethereumKey(), { secret: 'key' })
    expect(await countOld(sealedColumns, database, mine)).toBe(0)
    const rows = JSON.stringify(await database.select().from(walletRoots))
    expect(rows).not.toContain(`${old?.id}.`)
    await check(filled)
  })

  test('does not get in the way of a value that changes meanwhile, nor of one that cannot be opened', async () => {
    const { database } = world.backend
    const secrets = await loadSecrets(world.dataDir, undefined)
    const stranger = { ...secrets, sealingKeys: [newSealingKey()] }
    const row = (hash: string, by: typeof secrets) => ({
      hash,
      kind: 'k',
      appId: 'a',
      expiresAt: world.clock.now + 60_000,
      sealedData: seal(by, oneTimeName(hash), `"${hash}"`),
    })
    const hashes = Array.from({ length: 500 }, (_, at) => `h${String(at).padStart(3, '0')}`)
    await database.insert(oneTime).values(hashes.map((hash, at) => row(hash, at % 5 ? secrets : stranger)))
    const rotated = { ...secrets, sealingKeys: [newSealingKey(), ...secrets.sealingKeys] }
    const result = await reseal(sealedColumns, database, rotated)
    expect(result.done).toBe(400)
    expect(result.unreadable).toHaveLength(100)
    expect(result.unreadable[0]).toBe('one_time.sealed_data of h000')
    expect(await countOld(sealedColumns, database, rotated)).toBe(100)
    const after = await database.select().from(oneTime)
    for (const { hash, sealedData } of after)
      expect(unseal(Number(hash.slice(1)) % 5 ? rotated : stranger, oneTimeName(hash), sealedData)).toBe(
        `"${hash}"`,
      )
  })
})

describe.each(stores)('the operator’s tool on $name', (store) => {
  test('changes the key, continues after a kill, and drops the old key once nothing needs it', {
    timeout: limit(240_000),
  }, async () => {
    const { database, dataDir, mailbox, env, start, cleanUp } = await operatorsBackend(store)
    const tool = 'demo/backend/operator/rotate-key.ts'
    const run = (...args: string[]) => runProgram(tool, args, env)
    const file = join(dataDir, 'secrets.json')
    const keys = async () =>
      JSON.parse(await readFile(file, 'utf8')).sealingKeys as { id: string; since?: number }[]

    /** Has the new key be of another age; how long the tool itself takes is not the test's. */
    async function putSince(since: number) {
      const text = JSON.parse(await readFile(file, 'utf8'))
      text.sealingKeys[0].since = since
      await writeFile(file, JSON.stringify(text))
    }

    let backend: Backend = await start()
    if (!database) {
      const busy = await run()
      expect([busy.code, busy.said]).toEqual([1, expect.stringContaining('already open in process')])
    }
    expect(await keys()).toHaveLength(1)
    const filled = await fill({ backend, mailbox })
    const secrets = await loadSecrets(dataDir, undefined)
    const rows = Array.from({ length: soak(600, 2_000) }, (_, at) => `hash-${at}`).map((hash) => ({
      hash,
      kind: 'k',
      appId: 'a',
      expiresAt: Date.now() + 3_600_000,
      sealedData: seal(secrets, oneTimeName(hash), '1'),
    }))
    for (let at = 0; at < rows.length; at += 1_000)
      await backend.database.insert(oneTime).values(rows.slice(at, at + 1_000))
    await backend.close()

    const killedAt = await killedAfter(await startProgram(tool, [], env), soak(100, 400))
    const [added] = await keys()
    expect(await keys()).toHaveLength(2)
    const again = await run()
    expect([again.code, again.said]).toEqual([
      0,
      expect.stringMatching(`under key ${added?.id} now: all but 0`),
    ])
    const sealedAgain = Number(/Values sealed again: (\d+)/.exec(again.said)?.[1])
    expect(sealedAgain).toBeGreaterThan(0)
    expect(sealedAgain).toBeLessThan(rows.length)
    expect(await keys()).toHaveLength(2)

    await putSince(Date.now() + 3_600_000)
    const early = await run('--drop-old')
    expect([early.code, early.said]).toEqual([1, expect.stringContaining('too new')])
    await putSince(Date.now() - 61_000)
    const dropped = await run('--drop-old')
    expect([dropped.code, dropped.said]).toEqual([0, expect.stringContaining('Dropped: k-')])
    expect((await keys()).map(({ id }) => id)).toEqual([added?.id])

    backend = await start()
    const { vault } = filled
    Object.assign(vault, { world: { backend, mailbox } })
    await check(filled)
    console.log(
      `${store.name}: tool killed after ${killedAt} of ${rows.length} values; the next run sealed ${sealedAgain}`,
    )
    await backend.close()
    await cleanUp()
  })
})

/** Lets the tool seal so many values, and kills it. */
async function killedAfter(child: ChildProcessWithoutNullStreams, count: number): Promise<number> {
  const ended = once(child, 'exit')
  let done = 0
  for await (const said of createInterface({ input: child.stdout })) {
    done = Number(/^Sealed again: (\d+)$/.exec(said)?.[1] ?? 0)
    if (done >= count) break
  }
  child.kill('SIGKILL')
  await ended
  return done
}
