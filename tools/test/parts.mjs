/** The parts of `npm test`, in order: what each runs, which folders must hold its tests, where its figures come from. */
import fs from 'node:fs'
import path from 'node:path'
import { tsImport } from 'tsx/esm/api'
import { readJson, root } from '../setup/run.mjs'
import { exitCount, plainCount, playwrightCount, sizeCount, vitestCount } from './counts.mjs'

const node = process.execPath
const bin = (file) => path.join(root, 'node_modules', file)
const report = (name) => path.join(root, `.cache/reports/${name}.json`)
const minutes = 60_000

const vitest = (name, folders, files = () => folders) => ({
  name,
  tests: folders.map((folder) => [folder, /\.test\.tsx?$/]),
  steps: (filters) => [
    [
      node,
      bin('vitest/vitest.mjs'),
      'run',
      ...['-c', 'test/config/vitest.config.ts', '--reporter=default', '--reporter=json'],
      `--outputFile.json=${report(name)}`,
      ...(filters.length > 0 ? filters : files()),
    ],
  ],
  count: (codes) => vitestCount(readJson(report(name)), codes),
})

/** The suites of the backend that are about what is stored: these run on PostgreSQL as well. */
const stored = () =>
  fs
    .readdirSync(path.join(root, 'test/backend'))
    .map((name) => `test/backend/${name}`)
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => /\bstores\b|TEST_DATABASE_URL/.test(fs.readFileSync(path.join(root, file), 'utf8')))

/** Every part: name, folders with the pattern of their tests, command lines, and how its tests are counted. */
export const parts = [
  {
    name: 'check',
    steps: () => [
      [bin('.bin/biome'), 'check', '.'],
      [bin('.bin/tsc'), '--noEmit'],
    ],
    count: exitCount,
  },
  { ...vitest('unit', ['test/unit', 'test/flows', 'test/vault', 'test/vectors']), limit: 12 * minutes },
  { ...vitest('backend', ['test/backend']), limit: 12 * minutes },
  {
    ...vitest('postgres', ['test/backend'], stored),
    ...{ group: 'backend', around: withPostgres, limit: 12 * minutes },
  },
  {
    name: 'browser',
    tests: [
      ['test/browser', /\.test\.tsx?$/],
      ['test/vectors', /\.browser\.ts$/],
    ],
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
    limit: 20 * minutes,
    tests: [['test/e2e', /\.(spec|test)\.tsx?$/]],
    env: { LATCHKEY_REPORT: report('e2e') },
    steps: (filters) => [
      [node, bin('@playwright/test/cli.js'), 'test', '-c', 'test/config/playwright.config.ts', ...filters],
    ],
    count: (codes) => playwrightCount(readJson(report('e2e')), codes),
  },
  {
    name: 'size',
    steps: () => [[node, 'tools/size.mjs', '--check', '--json', report('size')]],
    count: (codes) => sizeCount(readJson(report('size')), codes),
  },
].map((part) => ({ group: part.name, tests: [], env: {}, limit: 8 * minutes, around: undefined, ...part }))

/** The planned folders of a part in which there is no test. */
export function emptyFolders({ tests }) {
  return tests
    .filter(([folder, pattern]) => !hasTests(path.join(root, folder), pattern))
    .map(([folder]) => folder)
}

function hasTests(folder, pattern) {
  return (
    fs.existsSync(folder) && fs.readdirSync(folder, { recursive: true }).some((file) => pattern.test(file))
  )
}

/** Runs `work` with a PostgreSQL of its own; says why it can't where there is none. */
async function withPostgres(work) {
  const { startPostgres } = await tsImport('../../test/support/postgres.ts', import.meta.url)
  const postgres = await startPostgres()
  if ('skipped' in postgres) return { skipped: postgres.skipped }
  try {
    return await work({ TEST_DATABASE_URL: postgres.url })
  } finally {
    await postgres.stop()
  }
}
