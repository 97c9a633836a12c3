/** Writes how many browser tests passed, failed and were skipped, for the summary of `npm test`. */
import fs from 'node:fs'
import path from 'node:path'

/** A Web Test Runner reporter; without a file it does nothing. */
export function jsonReporter(file) {
  return {
    stop({ sessions }) {
      if (!file) return
      const count = { passed: 0, failed: 0, skipped: 0 }
      for (const session of sessions) {
        const tests = testsOf(session.testResults)
        for (const { passed, skipped } of tests) count[skipped ? 'skipped' : passed ? 'passed' : 'failed']++
        // A file that broke outside its tests, or never came to an end.
        if (!session.passed && tests.every(({ passed, skipped }) => passed || skipped)) count.failed++
      }
      fs.mkdirSync(path.dirname(file), { recursive: true })
      fs.writeFileSync(file, JSON.stringify(count))
    },
  }
}

const testsOf = (suite) => (suite ? [...suite.tests, ...suite.suites.flatMap(testsOf)] : [])
