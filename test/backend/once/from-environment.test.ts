import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseJson, readAppsFile } from '../../../demo/backend/settings/from-environment.ts'
import { readLimits } from '../../../demo/backend/settings/limits.ts'
import { scratch } from '../../support/scratch.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(scratch, 'latchkey-settings-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function file(text: string): Promise<string> {
  const path = join(folder, 'apps.json')
  await writeFile(path, text)
  return path
}

test('an operator whose file of apps cannot be used reads which file it is, and what it should be', async () => {
  expect(() => readAppsFile(join(folder, 'missing.json'))).toThrow(/^APPS_FILE \(.*missing\.json\) cannot/)
  const broken = await file('[{')
  expect(() => readAppsFile(broken)).toThrow(`APPS_FILE (${broken}) cannot be read`)
  for (const text of ['{}', '"apps"', 'null', '[null]', '["app"]']) {
    const wrong = await file(text)
    expect(() => readAppsFile(wrong), text).toThrow('must be a list of apps')
  }
  expect(readAppsFile(await file('[{"id":"x","name":"X"}]'))).toMatchObject([{ id: 'x', name: 'X' }])
})

test('apps of a file changed when the file did, unless they say otherwise', async () => {
  const path = await file('[{"id":"x","name":"X"},{"id":"y","name":"Y","updatedAt":5000}]')
  await utimes(path, 1_900_000_000, 1_900_000_000)
  const [first, second] = readAppsFile(path)
  expect(first?.updatedAt).toBe(1_900_000_000_000)
  expect(second?.updatedAt).toBe(5_000)
})

test('an operator whose variable is not JSON reads which one it is', () => {
  expect(() => parseJson('OUTSIDE', () => '{')).toThrow('OUTSIDE cannot be read')
  expect(() => readLimits('{')).toThrow('LIMITS must be an object of numbers')
  expect(() => readLimits('{"codeTries":"3"}')).toThrow('LIMITS must be an object of numbers')
  expect(() => readLimits('{"codeTrys":3,"toString":1}')).toThrow('no limit has: codeTrys, toString')
  expect(readLimits('{"codeTries":3}')).toEqual({ codeTries: 3 })
  expect(readLimits()).toEqual({})
})
