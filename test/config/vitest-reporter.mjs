/**
 * Writes how many tests of Vitest passed, failed and were skipped, and what failed, for the summary of `npm test`; and the seconds that
 * each file took, for those who make it quicker.
 * Vitest's own JSON report leaves out what fails outside of tests: hooks, and errors that nothing caught.
 */
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A Vitest reporter; without `LATCHKEY_REPORT`, the file to write, it does nothing. */
export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors, reason) {
    const file = process.env.LATCHKEY_REPORT
    if (!file) return
    fs.mkdirSync(path.dirname(file), { recursive: true })
    const count = countRun(modules, unhandledErrors, reason)
    fs.writeFileSync(file, JSON.stringify({ ...count, files: timesOf(modules) }))
  }
}

/** Seconds of each file, the slowest first: of its imports, of its tests with their hooks, and of its slowest test. */
function timesOf(modules) {
  const inSeconds = (milliseconds) => Number((milliseconds / 1000).toFixed(2))
  const times = modules.map((module) => {
    const { collectDuration, duration } = module.diagnostic()
    const tests = [...module.children.allTests()].map((test) => ({
      title: test.fullName,
      took: test.diagnostic()?.duration ?? 0,
    }))
    const [slowest] = tests.toSorted((one, other) => other.took - one.took)
    return {
      project: module.project.name,
      file: path.relative(root, module.moduleId),
      imports: inSeconds(collectDuration),
      tests: inSeconds(duration),
      ...(slowest && { slowest: slowest.title, slowestTest: inSeconds(slowest.took) }),
    }
  })
  return times.toSorted((one, other) => other.imports + other.tests - one.imports - one.tests)
}

/**
 * Counts a run.
 * @param modules What Vitest says of each file.
 * @param unhandledErrors Errors that nothing caught, in a worker or in Vitest itself.
 * @param reason How the run ended: `passed`, `failed` or `interrupted`.
 * @returns `{ passed, failed, skipped, failures }`, the last one a list of titles.
 */
export function countRun(modules, unhandledErrors, reason) {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const inState = (wanted) => tests.filter((test) => test.result().state === wanted)
  const failures = [
    ...inState('failed').map((test) => failureOf(test.module, test.fullName, test.result().errors)),
    ...modules.flatMap(failuresAroundTests),
    ...unhandledErrors.map((error) => `outside its tests: ${inShort(error)}${suspect(error)}`),
  ]
  const unended = inState('pending').length
  if (unended > 0) failures.push(`${unended} tests never ended`)
  else if (reason === 'interrupted') failures.push('the run was interrupted')
  return {
    passed: inState('passed').length,
    failed: failures.length,
    skipped: inState('skipped').length,
    failures,
  }
}

/** Errors of files that can't be loaded, and of hooks. */
function failuresAroundTests(module) {
  return [module, ...module.children.allSuites()].flatMap((suite) =>
    suite.errors().map((error) => failureOf(module, suite.fullName ?? 'outside its tests', [error])),
  )
}

function failureOf({ moduleId }, title, errors = []) {
  return `${path.relative(root, moduleId)}: ${title}${errors.slice(0, 1).map((error) => `\n  ${inShort(error)}`)}`
}

/** The test that ran when an error came which nothing caught. */
function suspect({ VITEST_TEST_PATH: file, VITEST_TEST_NAME: name }) {
  if (!file) return ''
  return `\n  while ${[path.relative(root, file), name].filter(Boolean).join(': ')} ran`
}

/** The first line of a message, the first line of its stack that is ours, and the same of its causes. */
function inShort({ name, message, stack, cause }) {
  const [line = ''] = String(message ?? '')
    .trim()
    .split('\n')
  const titled = [!name || name === 'Error' || line.startsWith(name) ? '' : name, line || 'no message']
  const ours = String(stack ?? '')
    .split('\n')
    .find((frame) => /^\s+at /.test(frame) && frame.includes(root) && !frame.includes('node_modules'))
  const said = titled.filter(Boolean).join(': ')
  const at = ours ? ` (${ours.trim().replace('file://', '').replace(root, '')})` : ''
  return `${said}${at}${cause && typeof cause === 'object' ? `, caused by ${inShort(cause)}` : ''}`
}
