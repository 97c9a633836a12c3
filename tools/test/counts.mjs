/**
 * How many tests passed, failed and were skipped, and which passed only when they were tried again: read from what each
 * runner reports. Each returns `{ passed, failed, skipped, retried }`, the last one a list of titles.
 */

const nothing = { passed: 0, failed: 0, skipped: 0, retried: [] }

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
  return atLeastOneFailure(
    {
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken.length,
      skipped: report.numPendingTests + report.numTodoTests,
    },
    codes,
  )
}

export function playwrightCount(report, codes) {
  if (!report) return atLeastOneFailure(nothing, codes)
  const { expected, unexpected, flaky, skipped } = report.stats
  const retried = specsOf(report)
    .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
    .map(({ file, title }) => `${file}: ${title}`)
  return atLeastOneFailure({ passed: expected + flaky, failed: unexpected, skipped, retried }, codes)
}
const specsOf = ({ suites = [], specs = [] }) => [...specs, ...suites.flatMap(specsOf)]

export function sizeCount(report, codes) {
  if (!report) return atLeastOneFailure(nothing, codes)
  return atLeastOneFailure({ passed: report.lines.length - report.over, failed: report.over, skipped: 0 }, [])
}
