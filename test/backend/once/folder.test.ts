/** What a server keeps in its folder, whatever database it has. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { seal, unseal } from '../../../demo/backend/secrets/sealing.ts'
import { loadSecrets } from '../../../demo/backend/secrets/secrets.ts'
import { createBackend } from '../../../demo/backend/server.ts'
import { lockFolder } from '../../../demo/backend/store/folder-lock.ts'
import { runProgram } from '../../support/program.ts'
import { ownFolder, settingsIn } from '../support/on-disk.ts'
import { copyFolder } from '../support/world.ts'

const folder = ownFolder()

describe('a database folder', () => {
  test('an embedded database: no other user of the machine can read or write a file, new or opened again', async () => {
    const dataDir = join(folder.path, 'private')
    for (const time of ['new', 'again']) {
      const backend = await createBackend(settingsIn(dataDir))
      const entries = await readdir(join(dataDir, 'database'), { recursive: true, withFileTypes: true })
      const open = []
      for (const entry of entries) {
        const { mode } = await stat(join(entry.parentPath, entry.name))
        if ((mode & 0o077) !== 0) open.push(`${entry.name} ${(mode & 0o777).toString(8)}`)
      }
      expect(open, time).toEqual([])
      expect(entries.length).toBeGreaterThan(100)
      await backend.close()
    }
  })

  test('is opened by one process, and by that one only once', async () => {
    const dataDir = join(folder.path, 'locked')
    await copyFolder(join(dataDir, 'database'))
    const first = await createBackend(settingsIn(dataDir))
    await expect(createBackend(settingsIn(dataDir))).rejects.toThrow('already open in this process')
    const other = await runProgram('demo/backend/main.ts', [], {
      DATABASE_URL: '',
      DEMO: '1',
      LATCHKEY_DATA: dataDir,
      PORT: '0',
      SMTP_URL: 'smtp://127.0.0.1:1',
    })
    expect(other).toEqual({
      code: 1,
      said: expect.stringContaining(
        `already open in process ${process.pid}. Stop it, or use another folder.`,
      ),
    })
    await first.close()
    const again = await createBackend(settingsIn(dataDir))
    await again.close()
    await expect(stat(join(dataDir, 'database.pid'))).rejects.toThrow('ENOENT')
  })

  test('is taken over from a process that died', async () => {
    const locked = join(folder.path, 'stale')
    const dead = spawn(process.execPath, ['-e', ''])
    await once(dead, 'exit')
    for (const left of [
      JSON.stringify({ pid: dead.pid, started: 'x/1' }),
      JSON.stringify({ pid: process.pid, started: 'an earlier process of this number' }),
      '',
      'nonsense',
    ]) {
      await writeFile(`${locked}.pid`, left)
      const unlock = await lockFolder(locked)
      expect(JSON.parse(await readFile(`${locked}.pid`, 'utf8')).pid).toBe(process.pid)
      await unlock()
    }
  })
})

describe('secrets', () => {
  test('are made once, for the owner’s eyes only', async () => {
    const dataDir = join(folder.path, 'secrets')
    const made = await Promise.all([1, 2, 3].map(() => loadSecrets(dataDir, undefined)))
    expect(made[1]).toEqual(made[0])
    expect(made[2]).toEqual(made[0])
    const file = join(dataDir, 'secrets.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await chmod(file, 0o644)
    expect(await loadSecrets(dataDir, undefined)).toEqual(made[0])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await loadSecrets(join(folder.path, 'unused'), await readFile(file, 'utf8'))).toEqual(made[0])
  })

  test('that cannot be used are refused without being shown', async () => {
    await expect(loadSecrets(folder.path, '{"pepper":"c2hvcnQ="}')).rejects.toThrow(
      'The secrets in LATCHKEY_SECRETS cannot be used: pepper, sealingKeys',
    )
    await expect(loadSecrets(folder.path, 'secret')).rejects.toThrow('cannot be used: not JSON')
  })

  test('seal so that every change, and a value in another’s place, is noticed', async () => {
    const secrets = await loadSecrets(join(folder.path, 'sealing'), undefined)
    const sealed = seal(secrets, 'wallet 1', 'a share')
    expect(unseal(secrets, 'wallet 1', sealed)).toBe('a share')
    expect(() => unseal(secrets, 'wallet 2', sealed)).toThrow()
    expect(seal(secrets, 'wallet 1', 'a share')).not.toBe(sealed)
    const [id, iv = '', text = ''] = sealed.split('.')
    for (const [part, other] of [
      [iv, [id, iv.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')), text]],
      [text, [id, iv, text.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))]],
      ['', ['k-other', iv, text]],
    ] as const)
      expect(() => unseal(secrets, 'wallet 1', other.join('.')), part).toThrow()
  })

  test('may get a newer sealing key, and the older one still opens', async () => {
    const dataDir = join(folder.path, 'rotation')
    const old = await loadSecrets(dataDir, undefined)
    const sealed = seal(old, 'x', 'a share')
    const key = { id: 'k-new', key: Buffer.alloc(32, 7) }
    const next = { ...old, sealingKeys: [key, ...old.sealingKeys] }
    expect(unseal(next, 'x', sealed)).toBe('a share')
    expect(seal(next, 'x', 'a share')).toMatch(/^k-new\./)
  })
})
