import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openKept } from '../../demo/world/kept.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-kept-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('what outlives a restart', () => {
  it('is there again, the last change included, for nobody else to read', async () => {
    const file = join(folder, 'one.json')
    const kept = await openKept<number>(file)
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => {
        kept.all.set(`${at}`, at)
        return kept.save()
      }),
    )
    expect([...(await openKept<number>(file)).all.values()]).toEqual(
      Array.from({ length: 20 }, (_, at) => at),
    )
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await readdir(folder)).filter((name) => name.endsWith('.new'))).toEqual([])
  })

  it('is not thrown away when it can’t be read', async () => {
    const file = join(folder, 'two.json')
    await writeFile(file, '[["a"')
    await expect(openKept(file)).rejects.toThrow(`${file} is damaged`)
  })

  it('is kept in memory where no file is named', async () => {
    const kept = await openKept<number>(undefined)
    kept.all.set('a', 1)
    await kept.save()
    expect((await openKept<number>(undefined)).all.size).toBe(0)
  })
})
