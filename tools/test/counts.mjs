/** How many tests passed, failed and were skipped, read from what each runner reports. */

/** A runner that failed without naming a failed test failed all the same. */
const atLeastOneFailure = ({ passed, failed, skipped }, codes) => ({
  passed,
  failed: failed === 0 && codes.some((code) => code !== 0) ? 1 : failed,
  skipped,
})
const nothing = { passed: 0, failed: 0, skipped: 0 }

/** One test for each command line. */
export const exitCount = (codes) => ({
  passed: codes.filter((code) => code === 0).length,
  failed: codes.filter((code) => code !== 0).length,
  skipped: 0,
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
  const count = atLeastOneFailure({ passed: expected + flaky, failed: unexpected, skipped }, codes)
  return flaky > 0 ? { ...count, note: `${flaky} passed only at the second try` } : count
}

export function sizeCount(report, codes) {
  if (!report) return atLeastOneFailure(nothing, codes)
  return { passed: report.lines.length - report.over, failed: report.over, skipped: 0 }
}
