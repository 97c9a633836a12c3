/** Tests that need nothing but Node: logic, flows, the vault, the backend, public vectors. `npx vitest -c test/config/vitest.config.ts`. */
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import './speed.mjs'
import { limit } from '../support/limit.ts'
import { soaking } from '../support/soak.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const backend = 'test/backend/**/*.test.ts'
/** What a host's bundler makes of the packed package. */
const packed = 'test/package/**/*.test.ts'
/** Apps made with the frameworks that people use, and the engines of other browsers; in short runs what the set-up has built. */
const hosts = soaking ? 'test/{hosts,engines}/!(prepared).test.ts' : 'test/hosts/{react,prepared}.test.ts'
/** A PostgreSQL that `npm test` has started; without one all of the backend runs on PGlite. */
const postgres = process.env.LATCHKEY_POSTGRES

/** Suites of the backend that run once, whatever the database is. */
const once = 'test/backend/once/*.test.ts'
/** Those that run on both databases, however short the run: tables, migrations, and one answer for one call. */
const onBoth = ['test/backend/store/*.test.ts', 'test/backend/**/{idempotency,migration}.test.ts']
const notUnit = [...configDefaults.exclude, backend, packed, 'test/{browser,e2e,engines,hosts}/**']
/**
 * Suites that change what all of a process has, such as its window or its fetch, read all of its memory, or use an SDK whose
 * timers outlive a test by minutes. Each has a process of its own; all others share theirs, for importing took longer than
 * testing.
 */
const alone = 'test/**/alone/*.test.{ts,tsx}'
/** Suites that stretch passwords by fewer rounds (test/vault/support/quick-stretching.ts). They share processes. */
const quick = 'test/**/quick/*.test.ts'
/**
 * One process loads the backend once for all its suites: that took longer than many of them. They share nothing else,
 * for each has a backend and a database of its own. A database is started for each, on machines that have other work to do.
 */
const together = { isolate: false, testTimeout: limit(60_000), hookTimeout: limit(120_000) }

export default defineConfig({
  root,
  test: {
    environment: 'node',
    maxWorkers: 2,
    testTimeout: limit(20_000),
    hookTimeout: limit(60_000),
    expect: { poll: { timeout: limit(10_000) } },
    restoreMocks: true,
    unstubGlobals: true,
    // What the kit says at debug level, which tests without a source of prices or a node bring about all the time.
    onConsoleLog: (text) => !text.startsWith('Unable to fetch '),
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...notUnit, alone, quick],
        },
      },
      { extends: true, test: { name: 'unit-quick', isolate: false, include: [quick], exclude: notUnit } },
      { extends: true, test: { name: 'unit-alone', include: [alone], exclude: notUnit } },
      { extends: true, test: { name: 'package', include: [packed] } },
      { extends: true, test: { name: 'hosts', include: [hosts], fileParallelism: false } },
      {
        extends: true,
        test: {
          name: 'backend',
          ...together,
          // With a PostgreSQL a short run leaves the others to it.
          include: postgres && !soaking ? [once, ...onBoth] : [backend],
        },
      },
      ...(postgres
        ? [
            {
              extends: true as const,
              test: {
                name: 'postgres',
                ...together,
                include: [backend],
                exclude: [...configDefaults.exclude, once],
                env: { TEST_DATABASE_URL: postgres },
              },
            },
          ]
        : []),
    ],
  },
})
