import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { countRun } from '../config/vitest-reporter.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const file = path.join(root, 'test/lib/some.test.ts')
const stack = `Error: x\n    at run (node:internal/timers:5:1)\n    at file://${root}node_modules/a.js:1:1\n    at ask (${root}src/lib/poll.ts:12:3)`

function module({ states = ['passed'], suiteErrors = [], errors = [] }: Partial<Record<string, unknown[]>>) {
  const made = { moduleId: file, errors: () => errors }
  const tests = states.map((state, index) => ({
    module: made,
    fullName: `group > test ${index}`,
    result: () => ({ state, errors: state === 'failed' ? [{ message: 'expected\n1', stack }] : [] }),
  }))
  const suites = [{ fullName: 'group', errors: () => suiteErrors }]
  return { ...made, children: { allTests: () => tests, allSuites: () => suites } }
}

describe('summary of a Vitest run', () => {
  it('counts tests by their results', () => {
    expect(countRun([module({ states: ['passed', 'passed', 'skipped', 'failed'] })], [], 'failed')).toEqual({
      passed: 2,
      failed: 1,
      skipped: 1,
      failures: ['test/lib/some.test.ts: group > test 3\n  expected (at ask (src/lib/poll.ts:12:3))'],
    })
  })

  it.each([
    ['a hook', { suiteErrors: [{ message: 'closed', stack }] }, 'test/lib/some.test.ts: group\n  closed'],
    ['a file', { states: [], errors: [{ message: 'syntax' }] }, 'test/lib/some.test.ts: outside its tests'],
  ])('names %s that failed without a failed test', (_, parts, title) => {
    const { failed, failures } = countRun([module(parts)], [], 'failed')
    expect(failed).toBe(1)
    expect(failures[0]).toContain(title)
  })

  it('names an error that nothing caught, with its cause and the test that ran', () => {
    const error = {
      name: 'TypeError',
      message: 'lost',
      stack,
      cause: { message: 'refused' },
      VITEST_TEST_PATH: file,
      VITEST_TEST_NAME: 'test 0',
    }
    expect(countRun([module({})], [error], 'failed')).toMatchObject({
      passed: 1,
      failed: 1,
      failures: [
        'outside its tests: TypeError: lost (at ask (src/lib/poll.ts:12:3)), caused by refused\n  while test/lib/some.test.ts: test 0 ran',
      ],
    })
  })

  it.each([
    ['tests that never ended', ['pending'], 'failed', '1 tests never ended'],
    ['an interruption', ['passed'], 'interrupted', 'the run was interrupted'],
  ])('fails for %s', (_, states, reason, failure) => {
    expect(countRun([module({ states })], [], reason)).toMatchObject({ failed: 1, failures: [failure] })
  })
})
