/**
 * One process of `npm run bench -- counters`: counts sends in the two counters that all of them share, as the sources of a folder do,
 * each in a transaction of its own, and prints how many it counted and what they cost. Arguments: the folder, and how long to count, in
 * milliseconds; `DATABASE_URL` is the database.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Transaction } from '../../demo/backend/store/database.ts'

/** As many at once as a process has connections. */
const parallel = 20
const WARM_UP = 1_000

const [root = '', milliseconds = ''] = process.argv.slice(2)
const store = (file: string) => import(pathToFileURL(join(root, 'demo/backend/store', file)).href)
const { openDatabase } = await store('database.ts')
const { tally, tallySharded } = await store('rate-limits.ts')

/** What neither sources ever reach in a run. */
const most = 10_000_000
const counters = ['send email bench', 'send email'].map((key) => ({ key, most }))
const count = tallySharded
  ? (tx: Transaction) => tallySharded(tx, counters, Date.now())
  : async (tx: Transaction) => {
      for (const { key } of counters) await tally(tx, key, Date.now(), most)
    }

const { database, close } = await openDatabase({ dataDir: '', databaseUrl: process.env.DATABASE_URL })
let counted = 0
async function countUntil(end: number): Promise<void> {
  counted = 0
  const work = async () => {
    while (performance.now() < end) {
      await database.transaction(count)
      counted++
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
}
await countUntil(performance.now() + WARM_UP)
const cpu = process.cpuUsage()
const began = performance.now()
await countUntil(began + Number(milliseconds))
const seconds = (performance.now() - began) / 1_000
const { user, system } = process.cpuUsage(cpu)
console.log(JSON.stringify({ counted, seconds, cpu: (user + system) / 1_000 }))
await close()
