/** WalletConnect changed its licence: later versions bind their users to the vendor's gateway . */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { rollup } from 'rollup'
import { describe, expect, it } from 'vitest'
import { noteThirdParty } from '../../tools/build/third-party.mjs'

const lock = fileURLToPath(new URL('../../package-lock.json', import.meta.url))
const { packages } = JSON.parse(fs.readFileSync(lock, 'utf8')) as {
  packages: Record<string, { version?: string; license?: string }>
}
interface Locked {
  readonly name: string
  readonly version: string
  readonly licence: string
}
const locked: readonly Locked[] = Object.entries(packages).flatMap(([place, { version, license }]) => {
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
  return place && version ? [{ name, version, licence: license ?? 'none' }] : []
})

/** The last release of each under Apache-2.0. */
const last: Readonly<Record<string, string>> = {
  '@walletconnect/core': '2.21.8',
  '@walletconnect/sign-client': '2.21.8',
  '@walletconnect/ethereum-provider': '2.21.8',
  '@walletconnect/universal-provider': '2.21.8',
  '@walletconnect/utils': '2.21.8',
  '@walletconnect/types': '2.21.8',
  '@reown/walletkit': '1.2.10',
}
const fine = ['Apache-2.0', 'MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD']

const parts = (version: string) => version.split('.').map(Number)
/** Whether a version comes after another. */
function isLater(one: string, other: string): boolean {
  const [left, right] = [parts(one), parts(other)]
  const at = left.findIndex((part, index) => part !== right[index])
  return at >= 0 && !((left[at] ?? 0) < (right[at] ?? 0))
}
const refused = (all: readonly Locked[]) =>
  all.filter(({ name, version }) => last[name] !== undefined && isLater(version, last[name]))

describe('the packages of WalletConnect and Coinbase', () => {
  it('are none that came after the change of licence', () => {
    expect(refused(locked)).toEqual([])
    expect(locked.filter(({ name }) => name in last).length).toBeGreaterThanOrEqual(6)
  })
  it('would be refused if they were', () => {
    const names = (version: string) =>
      refused([{ name: '@walletconnect/core', version, licence: 'Apache-2.0' }]).length
    expect(['2.21.7', '2.21.8', '2.21.9', '2.22.0', '3.0.0', '2.21.10'].map(names)).toEqual([
      0, 0, 1, 1, 1, 1,
    ])
  })
  it('state licences that let them be shipped', () => {
    const ours = locked.filter(({ name }) => /^@(walletconnect|reown|coinbase)\//.test(name))
    expect(ours.length).toBeGreaterThan(20)
    expect(ours.filter(({ licence }) => !fine.includes(licence))).toEqual([])
  })
})

describe('the build', () => {
  /** Bundles a package of somebody's that states `license`. */
  async function bundle(license: string | undefined): Promise<string> {
    const root = fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-licence-'))
    const folder = path.join(root, 'node_modules/theirs')
    const entry = path.join(folder, 'index.js')
    try {
      fs.mkdirSync(folder, { recursive: true })
      fs.writeFileSync(path.join(root, 'package.json'), '{ "name": "ours", "version": "1.0.0" }')
      fs.writeFileSync(
        path.join(folder, 'package.json'),
        JSON.stringify({ name: 'theirs', version: '1.0.0', license }),
      )
      fs.writeFileSync(entry, 'export const theirs = 1')
      const built = await rollup({ input: entry, plugins: [noteThirdParty(root)] })
      await built.generate({ format: 'es' })
      return 'built'
    } catch (cause) {
      return String(cause)
    } finally {
      fs.rmSync(root, { recursive: true, force: true })
    }
  }

  it.each(['MIT', 'CC0-1.0', '(Apache-2.0 AND MIT)', '(GPL-3.0 OR ISC)'])(
    'ships a package under %s',
    async (license) => {
      expect(await bundle(license)).toBe('built')
    },
  )
  it.each(['GPL-3.0', '(MIT AND GPL-3.0)', 'WalletConnect Community License', undefined])(
    'refuses a package under %s by its name',
    async (license) => {
      expect(await bundle(license)).toContain('theirs')
    },
  )
})
