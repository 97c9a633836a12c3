/** Tests that need nothing but Node: logic, flows, the vault, the backend, public vectors. `npx vitest -c test/config/vitest.config.ts`. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('../../', import.meta.url)),
  test: {
    environment: 'node',
    include: ['test/{unit,flows,vault,backend}/**/*.test.{ts,tsx}', 'test/vectors/**/*.test.ts'],
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    unstubGlobals: true,
  },
})
