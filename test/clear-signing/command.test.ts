/** The commands that run the fixtures of a registry, and that pack one for the server. */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { serializeTransaction } from 'viem'
import { afterAll, describe, expect, test } from 'vitest'
import { limit } from '../support/limit.ts'
import { alice, contract, descriptorOf, encode } from './support.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-registry-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
const write = (file: string, value: unknown) => {
  fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
  fs.writeFileSync(path.join(folder, file), JSON.stringify(value))
}

const key = 'send(address to,uint256 amount)'
const field = (path: string) => ({ path, label: path, format: 'raw' })
write('ercs/calldata-base.json', {
  display: { formats: { [key]: { intent: 'Send', fields: [field('to')] } } },
})
write('registry/harbor/calldata-harbor.json', {
  ...descriptorOf(key, { fields: [field('amount')] }),
  includes: 'https://raw.githubusercontent.com/harbor/registry/master/ercs/calldata-base.json',
})
const rawTx = serializeTransaction({
  chainId: 1,
  type: 'eip1559',
  to: contract,
  data: encode(key, [alice, 5n]),
})
const fixture = (amount: string) => ({
  descriptor: '../calldata-harbor.json',
  tests: [
    {
      description: 'Send five',
      rawTx,
      expected: {
        intent: 'Do',
        owner: 'Harbor',
        fields: [
          { label: 'to', value: alice },
          { label: 'amount', value: amount },
        ],
      },
    },
  ],
})
write('registry/harbor/testsv2/right.tests.json', fixture('5'))
write(
  'registry/port/calldata-harbor.json',
  descriptorOf(key, { metadata: { contractName: 'Port' }, fields: [field('to'), field('amount')] }),
)
write('registry/port/testsv2/wrong.tests.json', fixture('6'))

const run = (program: string, ...words: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', `tools/clear-signing/${program}.ts`, ...words],
    { cwd: root, encoding: 'utf8' },
  )
  return { status, stdout, stderr }
}
const timeout = { timeout: limit(30_000) }

describe('npm run clear-signing', () => {
  test('prints what differs, counts, and exits 1', timeout, () => {
    const { status, stdout } = run('run', folder)
    expect(stdout).toContain(
      'registry/port/testsv2/wrong.tests.json: Send five\n  - amount: 6\n  + amount: 5\n',
    )
    expect(stdout).toMatch(/\n1 of 2 pass\n$/)
    expect(status).toBe(1)
    expect(stdout.replace(/ +/g, ' ')).toContain('\n format: raw 1 of 2\n')
    expect(stdout.replace(/ +/g, ' ')).toContain('\n includes 1 of 1\n')
    expect(stdout.replace(/ +/g, ' ')).toContain('\n format: unit no case\n')
  })
  test('of a folder within the registry runs its fixtures alone, and exits 0 if all pass', timeout, () => {
    const { status, stdout } = run('run', path.join(folder, 'registry/harbor'))
    expect(stdout).toMatch(/\n1 of 1 pass\n$/)
    expect(status).toBe(0)
  })
  test('says if the folder is no registry', timeout, () => {
    const { status, stderr } = run('run', os.tmpdir())
    expect([status, stderr]).toEqual([2, `There is no folder registry/ in ${os.tmpdir()}, nor above it\n`])
  })
})

test('npm run descriptors: packs the registry, includes merged, by contract and hash', timeout, () => {
  const file = path.join(folder, 'packed/registry.json.gz')
  const { status, stdout } = run('pack', folder, file)
  const packed = JSON.parse(gunzipSync(fs.readFileSync(file)).toString())
  expect(status).toBe(0)
  expect(stdout).toMatch(/^2 descriptors for 1 contracts/)
  expect(packed.calls[`eip155:1:${contract}`]).toHaveLength(2)
  const harbor = Object.values(
    packed.descriptors as Record<
      string,
      {
        path: string
        descriptor: { display: { formats: Record<string, { intent: string; fields: unknown[] }> } }
      }
    >,
  ).find((each) => each.path.includes('harbor/'))
  expect(harbor?.descriptor.display.formats[key]).toEqual({
    intent: 'Do',
    fields: [field('to'), field('amount')],
  })
})
