/**
 * `npm test`: runs every part of the tests, and ends with a table, what failed, and one line of totals. The parts of a
 * group, which leave a core idle each, run at the same time, or after the one of the group that they name; everything else runs one after
 * the other.
 * `npm test -- unit` runs one part, `npm test -- unit,backend` two; words after them go to their runners:
 * `npm test -- unit architecture`.
 * `npm run soak` runs the long form of what is random: `--soak`. What is missing is brought first.
 */
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { ensureDist } from './setup/dist.mjs'
import { root } from './setup/run.mjs'

const words = process.argv.slice(2)
const isSoak = words[0] === '--soak'
const [only, ...filters] = isSoak ? words.slice(1) : words

const setUp = ['tools/setup.mjs', isSoak ? 'soak' : 'test', ...(only ? [only] : [])]
const { status } = spawnSync(process.execPath, setUp, { cwd: root, stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

// Needs packages, which a fresh clone has only now.
const { parts, soakParts } = await import('./test/parts.mjs')
const all = isSoak ? soakParts() : parts
const names = only?.split(',') ?? all.map(({ name }) => name)
for (const name of names.filter((wanted) => all.every((part) => part.name !== wanted))) {
  console.error(`There is no part "${name}". Parts: ${all.map((part) => part.name).join(', ')}.`)
  process.exit(2)
}
const chosen = all.filter(({ name }) => names.includes(name))
fs.rmSync(path.join(root, '.cache/reports'), { recursive: true, force: true })
fs.mkdirSync(path.join(root, '.cache/reports'), { recursive: true })

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))

const begun = performance.now()
let building
const rows = []
for (const group of groupsOf(chosen)) {
  if (group.length > 1) console.log(`\n${group.map(({ name }) => name).join(', ')}: at the same time …`)
  rows.push(...(await runGroup(group)))
}
printSummary(rows)
process.exitCode = rows.some(({ failed }) => failed > 0) ? 1 : 0

function groupsOf(parts) {
  const groups = []
  for (const part of parts) {
    const last = groups.at(-1)
    if (part.group && last?.[0].group === part.group) last.push(part)
    else groups.push([part])
  }
  return groups
}

function runGroup(group) {
  const runs = new Map()
  for (const part of group) {
    const before = runs.get(part.after) ?? Promise.resolve()
    runs.set(
      part.name,
      before.then(() => runPart(part, group.length > 1)),
    )
  }
  return Promise.all(runs.values())
}

/** Runs a part. One that runs beside others keeps what it prints until its end. */
async function runPart(part, beside) {
  const kept = []
  const heading = `\n──── ${part.name} ────\n`
  if (!beside) console.log(heading)
  const started = performance.now()
  const result = await attempt(part, beside ? (chunk) => kept.push(chunk) : undefined)
  const seconds = (performance.now() - started) / 1000
  if (beside) {
    console.log(heading)
    process.stdout.write(Buffer.concat(kept))
  }
  return { name: part.name, note: '', failures: [], ...result, seconds }
}

/** Runs a part. A part that can't run has one failure, with the reason as its note. */
async function attempt(part, keep) {
  try {
    await dist()
    const work = (env) => runSteps(part, { ...process.env, ...part.env, ...env }, keep)
    return await (part.around ? part.around(work) : work({}))
  } catch (error) {
    console.error(error.message)
    return { passed: 0, failed: 1, skipped: 0, note: error.message.split('\n')[0] }
  }
}

/** Parts that begin at the same moment wait for one build. */
function dist() {
  building ??= ensureDist().finally(() => {
    building = undefined
  })
  return building
}

async function runSteps(part, env, keep) {
  const codes = []
  for (const [program, ...args] of part.steps(filters))
    codes.push(await runStep(program, args, env, part.limit, keep))
  return part.count(codes)
}

/** Runs a program to its end in a process group of its own, so that nothing it started outlives it or us. */
function runStep(program, args, env, limit, keep) {
  return new Promise((resolve, reject) => {
    const stdio = keep ? ['ignore', 'pipe', 'pipe'] : 'inherit'
    const child = spawn(program, args, { cwd: root, env, stdio, detached: true })
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    const end = (signal) => {
      try {
        process.kill(-child.pid, signal)
      } catch {
        // It has ended by itself.
      }
    }
    const timer = setTimeout(() => {
      console.error(
        `\nStopped after ${limit / 60_000} minutes: ${path.basename(args[0] ?? program)} did not end.`,
      )
      end('SIGKILL')
    }, limit)
    const atExit = () => end('SIGTERM')
    process.once('exit', atExit)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      process.off('exit', atExit)
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
  for (const { name, failures } of rows)
    for (const title of failures) console.log(`\nFailed (${name}): ${title}`)
  const total = (key) => rows.reduce((sum, row) => sum + row[key], 0)
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1)
  console.log(
    `\n${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped, in ${minutes} minutes`,
  )
}
