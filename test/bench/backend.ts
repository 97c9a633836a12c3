/** What the reference backend bears: logins and refreshes per second, on PGlite and on PostgreSQL. */
import { type Demo, startDemo } from '../e2e/support/demo.ts'
import { startPostgres } from '../support/postgres.ts'
import { post, sendCodes } from './demo.ts'
import { type Figure, median, quantile } from './figures.ts'

const people = 200
const refreshesEach = 5
/** Requests under way at the same time. */
const parallel = 16

export async function backendFigures(): Promise<Figure[]> {
  const figures = await measure('PGlite', { DATABASE_URL: '' })
  const postgres = await startPostgres()
  if ('skipped' in postgres) {
    console.log(`PostgreSQL is left out: ${postgres.skipped}`)
    return figures
  }
  try {
    return [...figures, ...(await measure('PostgreSQL', { DATABASE_URL: postgres.url }))]
  } finally {
    await postgres.stop()
  }
}

async function measure(store: string, env: Record<string, string>): Promise<Figure[]> {
  const { demo, stop } = await startDemo(env)
  try {
    const addresses = Array.from({ length: people }, (_, index) => `bench-${Date.now()}-${index}@example.com`)
    const codes = await sendCodes(demo, addresses)
    const sessions: Record<string, string>[] = []
    const logins = await timed(addresses, async (email) => {
      sessions.push(await post(demo, 'passwordless/authenticate', { email, code: codes.get(email) }))
    })
    const refreshes = await timed(sessions, (session) => refreshRepeatedly(demo, session))
    return [
      ...summary(`${store}: logins (code checked, session opened)`, logins, people),
      ...summary(`${store}: refreshes (token rotated)`, refreshes, people * refreshesEach),
    ]
  } finally {
    await stop()
  }
}

/** Refreshes one session several times in a row, each time with the token of the time before. */
async function refreshRepeatedly(demo: Demo, session: Record<string, string>): Promise<number[]> {
  const times: number[] = []
  let { token, refresh_token } = session
  for (let turn = 0; turn < refreshesEach; turn++) {
    const started = performance.now()
    ;({ token, refresh_token } = await post(demo, 'sessions', { refresh_token }, token))
    times.push(performance.now() - started)
  }
  return times
}

interface Timed {
  /** Milliseconds of each request. */
  readonly times: readonly number[]
  /** Milliseconds from the first to the last. */
  readonly whole: number
}

/** Does the work for each item, several at a time. Work that makes several requests returns their times. */
// biome-ignore lint/suspicious/noConfusingVoidType: work that returns nothing is timed as a whole
async function timed<T>(items: readonly T[], work: (item: T) => Promise<number[] | void>): Promise<Timed> {
  const queue = [...items]
  const times: number[] = []
  const started = performance.now()
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      const began = performance.now()
      const own = await work(item)
      times.push(...(own ?? [performance.now() - began]))
    }
  }
  await Promise.all(Array.from({ length: parallel }, worker))
  return { times, whole: performance.now() - started }
}

function summary(what: string, { times, whole }: Timed, count: number): Figure[] {
  const middle = `median ${median(times).toFixed(0)} ms, slowest percentile ${quantile(times, 0.99).toFixed(0)} ms`
  return [
    {
      what,
      value: (count / whole) * 1000,
      unit: '/s',
      note: `${middle}, ${count} with ${parallel} at a time`,
    },
  ]
}
