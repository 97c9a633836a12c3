/** The parts of `npm test`, in order: what each runs, and where its figures come from. */
import fs from 'node:fs'
import path from 'node:path'
import { tsImport } from 'tsx/esm/api'
import { readJson, root } from '../setup/run.mjs'
import { exitCount, plainCount, playwrightCount, sizeCount } from './counts.mjs'

const node = process.execPath
const bin = (file) => path.join(root, 'node_modules', file)
const report = (name) => path.join(root, `.cache/reports/${name}.json`)
const minutes = 60_000

const vitest = (name, projects, options = []) => ({
  name,
  limit: 25 * minutes,
  env: { LATCHKEY_REPORT: report(name) },
  steps: (filters) => [
    [
      node,
      bin('vitest/vitest.mjs'),
      'run',
      ...['-c', 'test/config/vitest.config.ts'],
      ...['--reporter=default', '--reporter=./test/config/vitest-reporter.mjs'],
      ...projects.flatMap((project) => ['--project', project]),
      ...options,
      ...filters,
    ],
  ],
  count: (codes) => plainCount(readJson(report(name)), codes),
})

/** Every part: its name, its command lines, and how its tests are counted. */
export const parts = [
  {
    name: 'check',
    group: 'first',
    steps: () => [
      [bin('.bin/biome'), 'check', '.'],
      // By its path: `.bin/tsc` is the slow one of TypeScript 6, which other packages bring.
      [
        node,
        bin('typescript/bin/tsc'),
        ...['--noEmit', '--incremental', '--tsBuildInfoFile', '.cache/check.tsbuildinfo'],
      ],
    ],
    count: exitCount,
  },
  { ...vitest('package', ['package']), group: 'first' },
  { ...vitest('hosts', ['hosts']), group: 'first' },
  {
    name: 'size',
    group: 'first',
    steps: () => [[node, 'tools/size.mjs', '--check', '--json', report('size')]],
    count: (codes) => sizeCount(readJson(report('size')), codes),
  },
  { ...vitest('unit', ['unit*']), group: 'node' },
  // A backend waits for its database, and for servers that never answer: one worker more than there are cores.
  { ...vitest('backend', ['backend', 'postgres*'], ['--maxWorkers=3']), group: 'node', around: withPostgres },
  {
    name: 'browser',
    // Beside the end of the backend, which waits for timeouts of real databases, and not beside all that Node can be kept busy with.
    ...{ group: 'node', after: 'unit' },
    env: { LATCHKEY_REPORT: report('browser') },
    steps: (filters) => [
      [
        node,
        bin('@web/test-runner/dist/bin.js'),
        ...['--config', 'test/config/web-test-runner.config.mjs'],
        ...(filters.length > 0 ? ['--files', ...filters] : []),
      ],
    ],
    count: (codes) => plainCount(readJson(report('browser')), codes),
  },
  {
    name: 'e2e',
    // Half of a journey is waiting, which leaves room for the browser's tests beside it.
    ...{ group: 'node', after: 'backend' },
    limit: 45 * minutes,
    env: { LATCHKEY_REPORT: report('e2e') },
    steps: (filters) => [
      [node, bin('@playwright/test/cli.js'), 'test', '-c', 'test/config/playwright.config.ts', ...filters],
    ],
    count: (codes) => playwrightCount(readJson(report('e2e')), codes),
  },
].map((part) => ({ env: {}, limit: 25 * minutes, around: undefined, ...part }))

/** The parts of `npm run soak`: the suites that have a long form or journeys of their own for it, and all of the backend on either database. */
export function soakParts() {
  const hasLongForm = (file) =>
    /\/(soak|fuzz)\.ts'| @soak[`']/.test(fs.readFileSync(path.join(root, file), 'utf8'))
  const repeated = fs
    .readdirSync(path.join(root, 'test'), { recursive: true })
    .map((file) => `test/${file}`)
    .filter(
      (file) => /\.(test|spec)\.tsx?$/.test(file) && !file.startsWith('test/backend/') && hasLongForm(file),
    )
  const inRoom = (room) => (file) => file.startsWith(`test/${room}/`)
  const elsewhere = (file) => !['package', 'browser', 'e2e'].some((room) => inRoom(room)(file))
  const files = {
    unit: repeated.filter(elsewhere),
    package: repeated.filter(inRoom('package')),
    hosts: ['test/hosts/', 'test/engines/'],
    backend: [],
    browser: repeated.filter(inRoom('browser')),
    e2e: repeated.filter(inRoom('e2e')),
  }
  return parts
    .filter(({ name }) => Object.hasOwn(files, name))
    .map((part) => ({
      ...part,
      limit: 120 * minutes,
      env: { ...part.env, LATCHKEY_SOAK: '1' },
      steps: (filters) => part.steps(filters.length > 0 ? filters : files[part.name]),
    }))
}

/** Runs `work` with a PostgreSQL of its own. Where there is none, the backend's tests run on PGlite, and one is skipped. */
async function withPostgres(work) {
  const { startPostgres } = await tsImport('../../test/support/postgres.ts', import.meta.url)
  const postgres = await startPostgres()
  if ('skipped' in postgres) {
    const count = await work({})
    return { ...count, skipped: count.skipped + 1, note: `nothing ran on PostgreSQL: ${postgres.skipped}` }
  }
  try {
    return await work({ LATCHKEY_POSTGRES: postgres.url })
  } finally {
    await postgres.stop()
  }
}
