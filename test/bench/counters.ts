/**
 * How many sends the two counters that all of them share let through, whatever else a send costs: four processes on a PostgreSQL that is
 * some milliseconds away. `BENCH_BEFORE` names the folder of other sources, with their own `node_modules`, that are measured in turns
 * with these; `BENCH_SECONDS` says how long each turn counts.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { startPostgres } from '../support/postgres.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { type Figure, median, printFigures } from './figures.ts'

/** Milliseconds. */
const roundTrips = [1, 5, 20, 50]
const processes = 4
const seconds = Number(process.env.BENCH_SECONDS ?? 5)
/** What the sources with shards have to reach, where the others are given. */
const leastGain = 10
const here = resolve(import.meta.dirname, '../..')

interface Counted {
  counted: number
  seconds: number
  /** Milliseconds of one process. */
  cpu: number
}

export async function counterFigures(): Promise<Figure[]> {
  const before = process.env.BENCH_BEFORE
  const sources = { ...(before && { before: resolve(before) }), now: here }
  const postgres = await startPostgres()
  if ('skipped' in postgres) {
    console.log(`Nothing is measured: ${postgres.skipped}`)
    return []
  }
  const figures: Figure[] = []
  const add = (figure: Figure) => {
    // One by one: a run that is cut off has told what it knows.
    printFigures([figure])
    figures.push(figure)
  }
  try {
    const databases: Record<string, URL> = {}
    for (const [name, root] of Object.entries(sources)) {
      const url = new URL(postgres.url)
      url.pathname = `/counters_${name}`
      await withClient(postgres.url, (client) => client.query(`create database counters_${name}`))
      // Makes the tables before the processes come.
      await runProcess(root, url.href, 1)
      databases[name] = url
    }
    for (const roundTrip of roundTrips) {
      const proxy = await startTcpProxy(Number(new URL(postgres.url).port || 5432), {
        delay: 0,
        delayBack: roundTrip,
      })
      try {
        const rates: Record<string, number> = {}
        for (const [name, root] of Object.entries(sources)) {
          const url = new URL(databases[name] ?? '')
          url.host = `127.0.0.1:${proxy.port}`
          const measured = await measureRoundTrip(url.href)
          const runs = await Promise.all(
            Array.from({ length: processes }, () => runProcess(root, url.href, seconds * 1_000)),
          )
          const rate = runs.reduce((sum, run) => sum + run.counted / run.seconds, 0)
          const counted = runs.reduce((sum, run) => sum + run.counted, 0)
          const cpu = runs.reduce((sum, run) => sum + run.cpu, 0) / counted
          rates[name] = rate
          add({
            what: `round trip ${roundTrip} ms, ${processes} processes, ${name}`,
            ...{ value: rate, unit: '/s' },
            note: `round trip measured ${measured.toFixed(1)} ms, CPU of Node ${cpu.toFixed(1)} ms each`,
          })
        }
        if (rates.before && rates.now)
          add({
            what: `round trip ${roundTrip} ms, gain`,
            ...{ value: rates.now / rates.before, unit: '×', least: leastGain },
          })
      } finally {
        await proxy.stop()
      }
    }
  } finally {
    await postgres.stop()
  }
  return figures
}

async function runProcess(root: string, databaseUrl: string, milliseconds: number): Promise<Counted> {
  const worker = join(here, 'test/bench/counters-worker.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', worker, root, String(milliseconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATABASE_URL: databaseUrl },
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error(`A process of ${root} ended with code ${code}`)
  return JSON.parse(output)
}

/** The median of some, so that a busy machine is seen in the figures. */
const measureRoundTrip = (url: string) =>
  withClient(url, async (client) => {
    const times: number[] = []
    for (let turn = 0; turn < 11; turn++) {
      const began = performance.now()
      await client.query('select 1')
      times.push(performance.now() - began)
    }
    return median(times)
  })

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
