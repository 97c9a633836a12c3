/**
 * How many tests passed, failed and were skipped, and which failed: read from what each runner reports. Each returns
 * `{ passed, failed, skipped, failures }`, the last one a list of titles.
 */
const nothing = { passed: 0, failed: 0, skipped: 0, failures: [] }

/** A runner that failed without naming a failed test still failed. */
function atLeastOneFailure(count, codes) {
  const code = codes.find((code) => code !== 0)
  if (count.failed > 0 || code === undefined) return { ...nothing, ...count }
  const failures = [`its runner ended with code ${code}, and named no failure`]
  return { ...nothing, ...count, failed: 1, failures }
}

/** One test for each command line. */
export const exitCount = (codes) => ({
  ...nothing,
  passed: codes.filter((code) => code === 0).length,
  failed: codes.filter((code) => code !== 0).length,
})

export const plainCount = (report, codes) => atLeastOneFailure(report ?? nothing, codes)

export function playwrightCount(report, codes) {
  if (!report) return atLeastOneFailure(nothing, codes)
  const { expected, unexpected, skipped } = report.stats
  const failures = specsOf(report)
    .filter(({ tests }) => tests.some(({ status }) => status === 'unexpected'))
    .map(({ file, title }) => `${file}: ${title}`)
  const outside = (report.errors ?? []).map(({ message = '' }) => `outside its tests: ${firstLine(message)}`)
  return atLeastOneFailure(
    {
      passed: expected,
      failed: unexpected + outside.length,
      skipped,
      failures: [...failures, ...outside],
    },
    codes,
  )
}
const firstLine = (message) => message.trim().split('\n')[0]
const specsOf = ({ suites = [], specs = [] }) => [...specs, ...suites.flatMap(specsOf)]

export function sizeCount(report, codes) {
  if (!report) return atLeastOneFailure(nothing, codes)
  const { lines, over } = report
  return atLeastOneFailure(
    { passed: lines.length - over.length, failed: over.length, skipped: 0, failures: over },
    [],
  )
}
