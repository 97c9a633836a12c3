import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const migrations = resolve(import.meta.dirname, '../../../demo/backend/store/migrations')

/** A database as it was after so many migrations, and what puts rows into it. */
export async function oldDatabase(
  place: { folder: string } | { url: string },
  count: number,
  fill: (query: (text: string, values: unknown[]) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const migrationsFolder = await mkdtemp(join(tmpdir(), 'latchkey-migrations-'))
  await cp(migrations, migrationsFolder, { recursive: true })
  const journal = join(migrationsFolder, 'meta/_journal.json')
  const { entries, ...rest } = JSON.parse(await readFile(journal, 'utf8'))
  await writeFile(journal, JSON.stringify({ ...rest, entries: entries.slice(0, count) }))
  if ('folder' in place) {
    const [{ PGlite }, { drizzle }, { migrate }] = await Promise.all([
      import('@electric-sql/pglite'),
      import('drizzle-orm/pglite'),
      import('drizzle-orm/pglite/migrator'),
    ])
    const client = await PGlite.create(place.folder)
    await migrate(drizzle(client), { migrationsFolder })
    await fill((text, values) => client.query(text, values))
    await client.close()
  } else {
    const [{ default: pg }, { drizzle }, { migrate }] = await Promise.all([
      import('pg'),
      import('drizzle-orm/node-postgres'),
      import('drizzle-orm/node-postgres/migrator'),
    ])
    const client = new pg.Client({ connectionString: place.url })
    await client.connect()
    await migrate(drizzle(client), { migrationsFolder })
    await fill((text, values) => client.query(text, values))
    await client.end()
  }
  await rm(migrationsFolder, { recursive: true })
}
