import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shareReleases } from '../../../demo/backend/wallets/tables.ts'
import { limit } from '../../support/limit.ts'
import { runProgram } from '../../support/program.ts'
import { ethereumKey, everyWayApp, Vault } from '../support/embedded-world.ts'
import { operatorsBackend } from '../support/operators-backend.ts'
import { stores } from '../support/world.ts'

test.each(stores)(
  'the operator’s tool writes a recovery file on $name',
  { timeout: limit(240_000) },
  async (store) => {
    const { dataDir, mailbox, env, start, cleanUp } = await operatorsBackend(store)
    let backend = await start()
    const vault = await Vault.open({ backend, mailbox } as never, { appId: everyWayApp.id })
    const root = await vault.create(undefined, { recovery: await vault.password() })
    const third = ethereumKey()
    await vault.add(root, 3, third)
    const imported = await vault.create(ethereumKey(), { secret: 'key' })
    const nobody = await Vault.open({ backend, mailbox } as never)
    await backend.close()

    const run = (...args: string[]) => runProgram('demo/backend/operator/export-recovery.ts', args, env)
    const out = join(dataDir, 'recovery.json')
    expect((await run('--user', vault.userId, '--out', out)).code).toBe(0)
    expect((await stat(out)).mode & 0o777).toBe(0o600)
    const written = await readFile(out, 'utf8')
    expect(JSON.parse(written)).toEqual({
      format: 'latchkey-recovery',
      version: 1,
      app: everyWayApp.id,
      user: vault.userId,
      madeAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      roots: [
        {
          walletId: root.walletId,
          wallets: [
            { chainType: 'ethereum', index: 0, address: root.key.address },
            { chainType: 'ethereum', index: 3, address: third.address },
          ],
          package: root.body.recovery.package,
          passwordSecret: expect.stringMatching(/^[\w-]{43}$/),
        },
        {
          walletId: imported.walletId,
          wallets: [{ chainType: 'ethereum', index: 0, address: imported.key.address }],
          package: imported.body.recovery.package,
          key: imported.body.recovery.key,
        },
      ],
    })
    // Never over another file, and none for an unknown user.
    const again = await run('--user', vault.userId, '--out', out)
    expect([again.code, again.said]).toEqual([1, expect.stringContaining('EEXIST')])
    expect(await readFile(out, 'utf8')).toBe(written)
    const none = join(dataDir, 'none.json')
    const refused = await run('--user', nobody.userId, '--out', none)
    expect(refused).toEqual({ code: 1, said: 'This user has no embedded wallet.\n' })
    expect(existsSync(none)).toBe(false)

    backend = await start()
    const noted = await backend.database.select().from(shareReleases)
    expect(
      noted
        .filter(({ walletId }) => walletId !== null)
        .map(({ what, sessionId, userId, address }) => [what, sessionId, userId, address])
        .sort(),
    ).toEqual(
      [root, imported].map(({ key }) => ['recovery-file', 'operator', vault.userId, key.address]).sort(),
    )
    await backend.close()
    await cleanUp()
  },
)
