/** `latchkey-recover` as people start it: one file, a terminal's input and output, rights of files. */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { builtinModules } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limit } from '../../support/limit.ts'
import { fileRoot, recoveryFile } from '../support/offline.ts'
import { password, recoveryMethodOf, withRecoveryMethod } from '../support/recovery-methods.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-recover-'))
const program = path.join(folder, 'latchkey-recover.mjs')
const inFolder = (name: string) => path.join(folder, name)
let address = ''

beforeAll(async () => {
  const options = { bundle: true, format: 'esm', platform: 'node', minify: true } as const
  await build({ entryPoints: ['src/vault/offline/main.ts'], outfile: program, ...options })
  for (const [name, method] of [
    ['automatic.json', 'automatic'],
    ['password.json', 'password'],
  ] as const) {
    const person = await withRecoveryMethod(recoveryMethodOf(method))
    address = name === 'automatic.json' ? person.address : address
    fs.writeFileSync(inFolder(name), recoveryFile(fileRoot(person, person.stored)), { mode: 0o600 })
  }
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

/** Runs it without anything of ours around it. */
function start(args: readonly string[], { input = '', stdout = 'pipe' as 'pipe' | number } = {}) {
  const env = { PATH: process.env.PATH ?? '' }
  const done = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    env,
    input,
    encoding: 'utf8',
    timeout: limit(60_000),
    stdio: ['pipe', stdout, 'pipe'],
  })
  return { code: done.status, out: done.stdout ?? '', err: done.stderr }
}

describe('latchkey-recover', () => {
  test('rebuilds a wallet with nothing but Node', () => {
    const { code, out, err } = start(['automatic.json'])
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(address)
    expect(out).toContain('as recorded')
    expect(out).not.toContain('private key')
  })

  test('takes the password from its input, and never from its arguments', () => {
    const good = start(['password.json', '--reveal'], { input: `${password}\n` })
    expect([good.code, good.err]).toEqual([0, ''])
    expect(good.out).toMatch(/phrase {7}([a-z]+ ){11}[a-z]+\n/)
    expect(good.out).toMatch(/private key {2}0x[0-9a-f]{64}\n/)
    expect(start(['password.json'], { input: 'another\n' })).toMatchObject({ code: 1, out: '' })
    expect(start(['password.json'])).toMatchObject({ code: 1, out: '' })
    expect(start(['password.json', '--password', password])).toMatchObject({ code: 2, out: '' })
  })

  test('writes a new file that only its owner can read, and never over another', () => {
    const out = inFolder('keys.json')
    expect(start(['automatic.json', '--reveal', '--json', '--out', out])).toMatchObject({ code: 0, out: '' })
    expect(fs.statSync(out).mode & 0o777).toBe(0o600)
    expect(JSON.parse(fs.readFileSync(out, 'utf8')).roots[0].phrase.split(' ')).toHaveLength(12)
    fs.writeFileSync(out, 'mine')
    const again = start(['automatic.json', '--reveal', '--out', out])
    expect([again.code, fs.readFileSync(out, 'utf8')]).toEqual([1, 'mine'])
    expect(again.err).toContain('already exists')
  })

  test('refuses to put secrets where a shell has made a file for all to read', () => {
    const into = (name: string, mode: number, args: readonly string[], input = '') => {
      const file = fs.openSync(inFolder(name), 'w')
      fs.fchmodSync(file, mode)
      const done = start(args, { stdout: file, input })
      fs.closeSync(file)
      return { ...done, written: fs.readFileSync(inFolder(name), 'utf8') }
    }
    for (const mode of [0o644, 0o640, 0o604, 0o602]) {
      const { code, err, written } = into(`open-${mode}`, mode, ['automatic.json', '--reveal'])
      expect([mode, code, written]).toEqual([mode, 1, ''])
      expect(err).toContain('others can read')
    }
    expect(into('closed', 0o600, ['automatic.json', '--reveal'])).toMatchObject({ code: 0 })
    expect(into('harmless', 0o644, ['automatic.json']).written).toContain(address)
    // Refused before anybody has typed a password.
    expect(into('early', 0o644, ['password.json', '--reveal'], password).err).not.toContain('wrong')
  })

  test('says that a recovery file can be read by others', () => {
    fs.copyFileSync(inFolder('automatic.json'), inFolder('shared.json'))
    fs.chmodSync(inFolder('shared.json'), 0o644)
    const { code, err } = start(['shared.json'])
    expect([code, err]).toEqual([0, 'shared.json can be read by others on this computer.\n'])
    expect(start(['missing.json'])).toMatchObject({ code: 1, err: "missing.json can't be read\n" })
  })

  test('has no way to a network, and no package beside it', () => {
    const code = fs.readFileSync(program, 'utf8')
    const imported = [...code.matchAll(/from\s*"([^"]+)"/g)].map(([, name = '']) => name)
    expect([...new Set(imported)].sort()).toEqual(['node:fs', 'node:process', 'node:util'])
    expect(code).not.toMatch(
      /\bfetch\s*\(|XMLHttpRequest|WebSocket|\bimport\s*\(|\brequire\s*\(|child_process/,
    )
    const networks = builtinModules.filter((name) => /^(http|https|http2|net|tls|dns|dgram)$/.test(name))
    expect(networks.filter((name) => code.includes(`"${name}"`) || code.includes(`"node:${name}"`))).toEqual(
      [],
    )
  })
})
