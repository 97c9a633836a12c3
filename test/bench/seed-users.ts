/**
 * Fills a database with users who have logged in by e-mail, so that what a server does can be measured beside them:
 * `node --import tsx test/bench/seed-users.ts --database <url> [--users 200000] [--app <id>]`. The tables must be there: start a server on
 * the database before. A second run adds further users.
 */
import { parseArgs } from 'node:util'
import pg from 'pg'

/** Users of one transaction. */
const BATCH = 20_000
/** Every id and address of them begins so. */
export const SEEDED = 'seeded-'

/** @param options.users how many are added */
export async function seedUsers(
  databaseUrl: string,
  { users, app, log = () => {} }: { users: number; app: string; log?: (line: string) => void },
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const [known] = (await client.query(`select count(*) as count from users where id like '${SEEDED}%'`))
      .rows
    const first = Number(known.count) + 1
    const tables = await client.query("select tablename from pg_tables where schemaname = 'public'")
    const present = new Set(tables.rows.map(({ tablename }) => tablename))
    for (let from = first; from < first + users; from += BATCH) {
      const to = Math.min(from + BATCH, first + users) - 1
      await client.query('begin')
      // Sources from before a table are measured too.
      for (const { table, statement } of statements(from, to, app))
        if (present.has(table)) await client.query(statement)
      await client.query('commit')
      log(`${to - first + 1} of ${users} users`)
    }
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

/** Inserts the rows of a range of users, who came one after the other in the last 60 days. */
function statements(from: number, to: number, app: string): { table: string; statement: string }[] {
  const of = `from generate_series(${from}, ${to}) n`
  const id = `'${SEEDED}' || n`
  const address = `'${SEEDED}' || n || '@example.com'`
  const day = 86_400_000
  const present = `(extract(epoch from now()) * 1000)::bigint`
  const at = `${present} - 60 * ${day}::bigint + (60 * ${day}::bigint / ${to - from + 1}) * (n - ${from})`
  /** As long as the hash of a token. */
  const hash = (kind: string) => `encode(sha256(('${SEEDED}${kind}' || n)::bytea), 'hex')`
  const quoted = pg.escapeLiteral(app)
  const all = [
    `insert into users (id, app_id, created_at) select ${id}, ${quoted}, ${at} ${of}`,
    `insert into accounts (app_id, user_id, type, subject, linked_at, verified_at, first_verified_at, latest_verified_at)
     select ${quoted}, ${id}, 'email', ${address}, ${at}, ${at}, ${at}, ${at} ${of}`,
    `insert into devices (id, app_id, user_id, thumbprint, name, place, enrolled_by, created_at, last_used_at)
     select ${id}, ${quoted}, ${id}, ${hash('key')}, 'Chrome on Linux', '192.0.2.0/24', 'login-code', ${at}, ${at} ${of}`,
    `insert into sessions (id, app_id, user_id, created_at, name, place, last_used_at, device_id, ends_at)
     select ${id}, ${quoted}, ${id}, ${at}, 'Chrome on Linux', '192.0.2.0/24', ${at}, ${id}, ${at} + 90 * ${day}::bigint ${of}`,
    ...[0, 1, 2].map(
      (turn) => `insert into refresh_tokens (hash, session_id, issued_at, expires_at, rotated_at)
     select ${hash(`token ${turn} `)}, ${id}, ${at} + ${turn} * 3600000, ${at} + ${turn} * 3600000 + 30 * ${day}::bigint,
       ${turn === 2 ? 'null' : `${at} + ${turn + 1} * 3600000`} ${of}`,
    ),
    `insert into code_addresses (app_id, channel, address, touched_at)
     select unnest(array[${quoted}, '']), 'email', ${address}, ${at} + ${day} ${of}`,
    ...['login', 'device-enrolled'].map(
      (action) => `insert into audit (at, app_id, actor_type, actor, action, user_id, place)
     select ${at}, ${quoted}, 'user', ${id}, '${action}', ${id}, '192.0.2.0/24' ${of}`,
    ),
    `insert into rates (key, hits, keep_until) select 'send ' || ${id}, '[1]', ${at} + ${day} ${of}`,
    `insert into one_time (hash, kind, app_id, sealed_data, expires_at)
     select ${hash('once')}, 'proof', ${quoted}, '', ${at} + ${day} ${of}`,
    `insert into idempotency (app_id, path, key_hash, fingerprint, owner, lease_until, sealed_reply, expires_at)
     select ${quoted}, '/api/v1/sessions', ${hash('key')}, ${hash('request')}, ${id}, 0, ${hash('reply')}, ${at} + ${day} ${of}`,
    `insert into used_proofs (hash, expires_at) select ${hash('proof')}, ${at} ${of}`,
    `insert into fork_tokens (hash, app_id, session_id, expires_at)
     select ${hash('fork')}, ${quoted}, ${id}, ${at} ${of} where n % 10 = 0`,
    `insert into former_addresses (user_id, channel, address, linked_at, removed_at)
     select ${id}, 'email', ${address}, ${at}, ${at} ${of} where n % 10 = 0`,
    `insert into analytics_events (id, at, app_id, name, payload)
     select ${id}, ${at}, ${quoted}, 'open', '{}' ${of}`,
  ]
  return all.map((statement) => ({ table: statement.split(' ', 3)[2] ?? '', statement }))
}

if (import.meta.filename === process.argv[1]) {
  const { values } = parseArgs({
    options: {
      database: { type: 'string' },
      users: { type: 'string', default: '200000' },
      app: { type: 'string', default: 'latchkey-demo-open-000001' },
    },
  })
  const users = Number(values.users)
  if (!values.database || !Number.isInteger(users) || users < 1) {
    console.error('Usage: seed-users.ts --database <url> [--users 200000] [--app <id>]')
    process.exit(2)
  }
  await seedUsers(values.database, { users, app: values.app, log: (line) => console.log(line) })
}
