import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { limit } from '../support/limit.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

test('a process that listens to other tabs and has nothing else to do ends', async () => {
  const script = `
    import { createTabs } from '${root}src/session/tabs.ts'
    const tabs = createTabs('latchkey-unit-test-app-01')
    tabs.onMessage(() => {})
    tabs.onReturn(() => {})
    console.log('ran')`
  const input = ['--import', 'tsx', '--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)(process.execPath, input, { cwd: root, timeout: limit(15_000) })
  expect(stdout).toBe('ran\n')
})
