/**
 * `npm test`: runs every part of the tests, one after the other, and ends with a table and one line of totals.
 * `npm test -- unit` runs one part; words after it go to its runner: `npm test -- unit architecture`.
 * `npm run soak` runs the long form of what is random: `--soak`.
 */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { ensureDist } from './setup/dist.mjs'
import { root } from './setup/run.mjs'
import { parts, soakParts } from './test/parts.mjs'

const words = process.argv.slice(2)
const isSoak = words[0] === '--soak'
const [only, ...filters] = isSoak ? words.slice(1) : words
const all = isSoak ? soakParts() : parts
const chosen = all.filter(({ name }) => !only || name === only)
if (chosen.length === 0) {
  console.error(`There is no part "${only}". Parts: ${all.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}
fs.rmSync(path.join(root, '.cache/reports'), { recursive: true, force: true })
fs.mkdirSync(path.join(root, '.cache/reports'), { recursive: true })

const rows = []
for (const part of chosen) rows.push(await runPart(part))
printSummary(rows)
process.exitCode = rows.some(({ failed }) => failed > 0) ? 1 : 0

async function runPart(part) {
  console.log(`\n──── ${part.name} ────\n`)
  const started = performance.now()
  const result = await attempt(part)
  return { name: part.name, note: '', retried: [], ...result, seconds: (performance.now() - started) / 1000 }
}

/** Runs a part. A part that can't run has one failure, with the reason as its note. */
async function attempt(part) {
  try {
    await ensureDist()
    const work = (env) => runSteps(part, { ...process.env, ...part.env, ...env })
    return await (part.around ? part.around(work) : work({}))
  } catch (error) {
    console.error(error.message)
    return { passed: 0, failed: 1, skipped: 0, note: error.message.split('\n')[0] }
  }
}

async function runSteps(part, env) {
  const codes = []
  for (const [program, ...args] of part.steps(filters))
    codes.push(await runStep(program, args, env, part.limit))
  return part.count(codes)
}

/** Runs a program to its end in a process group of its own, so that nothing it started outlives it. */
function runStep(program, args, env, limit) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, env, stdio: 'inherit', detached: true })
    const end = (signal) => {
      try {
        process.kill(-child.pid, signal)
      } catch {
        // It has ended by itself.
      }
    }
    const interrupted = () => {
      end('SIGTERM')
      process.exit(130)
    }
    const timer = setTimeout(() => {
      console.error(
        `\nStopped after ${limit / 60_000} minutes: ${path.basename(args[0] ?? program)} did not end.`,
      )
      end('SIGKILL')
    }, limit)
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, interrupted)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupted)
      resolve(code ?? 1)
    })
  })
}

function printSummary(rows) {
  const cells = (row) => row.map((cell, index) => (index === 0 ? cell.padEnd(10) : cell.padStart(9))).join('')
  console.log(`\n${cells(['Part', 'passed', 'failed', 'skipped', 'seconds'])}`)
  for (const { name, passed, failed, skipped, seconds, note } of rows) {
    console.log(
      `${cells([name, ...[passed, failed, skipped].map(String), seconds.toFixed(1)])}${note && `  ${note}`}`,
    )
  }
  for (const { name, retried } of rows)
    for (const title of retried) console.log(`\nRetried, and passed only then (${name}): ${title}`)
  const total = (key) => rows.reduce((sum, row) => sum + row[key], 0)
  console.log(`\n${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`)
}
