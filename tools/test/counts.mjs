/**
 * How many tests passed, failed and were skipped, and which failed: read from what each runner reports. Each returns
 * `{ passed, failed, skipped, failures }`, the last one a list of titles.
 */
import path from 'node:path'
import { root } from '../setup/run.mjs'

const nothing = { passed: 0, failed: 0, skipped: 0, failures: [] }

/** A runner that failed without naming a failed test still failed. */
const atLeastOneFailure = (count, codes) => ({
  ...nothing,
  ...count,
  failed: count.failed === 0 && codes.some((code) => code !== 0) ? 1 : count.failed,
})

/** One test for each command line. */
export const exitCount = (codes) => ({
  ...nothing,
  passed: codes.filter((code) => code === 0).length,
  failed: codes.filter((code) => code !== 0).length,
})

export const plainCount = (report, codes) => atLeastOneFailure(report ?? nothing, codes)

export function vitestCount(report, codes) {
  if (!report) return atLeastOneFailure(nothing, codes)
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  const failures = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(
        ({ fullName, failureMessages }) => `${inRepository(name)}: ${fullName}${firstLine(failureMessages)}`,
      ),
  )
  return atLeastOneFailure(
    {
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken.length,
      skipped: report.numPendingTests + report.numTodoTests,
      failures: [
        ...failures,
        ...broken.map(({ name, message }) => `${inRepository(name)}${firstLine([message])}`),
      ],
    },
    codes,
  )
}
const inRepository = (file) => path.relative(root, file)
const firstLine = ([message = '']) => (message ? `\n  ${message.trim().split('\n')[0]}` : '')

export function playwrightCount(report, codes) {
  if (!report) return atLeastOneFailure(nothing, codes)
  const { expected, unexpected, skipped } = report.stats
  const failures = specsOf(report)
    .filter(({ tests }) => tests.some(({ status }) => status === 'unexpected'))
    .map(({ file, title }) => `${file}: ${title}`)
  return atLeastOneFailure({ passed: expected, failed: unexpected, skipped, failures }, codes)
}
const specsOf = ({ suites = [], specs = [] }) => [...specs, ...suites.flatMap(specsOf)]

export function sizeCount(report, codes) {
  if (!report) return atLeastOneFailure(nothing, codes)
  const { lines, over } = report
  return atLeastOneFailure(
    { passed: lines.length - over.length, failed: over.length, skipped: 0, failures: over },
    [],
  )
}
