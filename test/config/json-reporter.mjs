/**
 * Writes how many browser tests passed, failed and were skipped, and which failed, for the summary of `npm test`; and the seconds that
 * each file took, for those who make it quicker.
 */
import fs from 'node:fs'
import path from 'node:path'

/** A Web Test Runner reporter; without a file it does nothing. */
export function jsonReporter(file) {
  return {
    stop({ sessions }) {
      if (!file) return
      const count = { passed: 0, failed: 0, skipped: 0, failures: [], files: [] }
      const fail = (title) => {
        count.failed++
        count.failures.push(title)
      }
      for (const { testFile, testResults, passed: isWhole } of sessions) {
        const file = path.relative(process.cwd(), testFile)
        const tests = testsOf(testResults)
        const seconds = tests.reduce((sum, { duration = 0 }) => sum + duration / 1000, 0)
        count.files.push({ file, tests: Number(seconds.toFixed(2)) })
        for (const { name, passed, skipped } of tests) {
          if (skipped) count.skipped++
          else if (passed) count.passed++
          else fail(`${file}: ${name}`)
        }
        if (!isWhole && tests.every(({ passed, skipped }) => passed || skipped))
          fail(`${file}: it broke outside its tests, or never came to an end`)
      }
      count.files.sort((one, other) => other.tests - one.tests)
      fs.mkdirSync(path.dirname(file), { recursive: true })
      fs.writeFileSync(file, JSON.stringify(count))
    },
  }
}

const testsOf = (suite) => (suite ? [...suite.tests, ...suite.suites.flatMap(testsOf)] : [])
