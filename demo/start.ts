/** `npm start`: backend, vault, inbox, gallery and a host page in one process, each on a port of its own. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { demoApps } from './backend/apps.ts'
import { createBackend } from './backend/server.ts'
import { type Fetch, listen, type Server } from './listen.ts'
import { galleryPages, sitePages } from './pages.ts'
import { createMailbox } from './world/mail/mailbox.ts'

const port = Number(process.env.LATCHKEY_PORT ?? 4800)
const dataDir = resolve(process.env.LATCHKEY_DATA ?? '.latchkey')
if (!Number.isInteger(port) || port < 1 || port > 65_530)
  throw new Error('LATCHKEY_PORT must be a port number')

const ports = { site: port, api: port + 1, vault: port + 2, inbox: port + 3, gallery: port + 4 }
const address = (name: keyof typeof ports) => `http://localhost:${ports[name]}`
const apps = demoApps.map(({ id, clientIds = [], name }) => ({ id, clientId: clientIds[0] ?? '', name }))
const addresses = {
  site: address('site'),
  api: address('api'),
  vault: address('vault'),
  inbox: address('inbox'),
  gallery: address('gallery'),
}

await mkdir(dataDir, { recursive: true })
const manifest = join(dataDir, 'demo.json')
await rm(manifest, { force: true })

const ends: (() => unknown)[] = []
let ending: Promise<void> | undefined
const end = () => {
  ending ??= (async () => {
    await rm(manifest, { force: true })
    for (const each of ends.reverse()) await each()
  })()
  return ending
}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.on(signal, () => void end().finally(() => process.exit(0)))

try {
  const [mailbox, site, gallery] = await Promise.all([
    createMailbox(),
    sitePages({ ...addresses, apps }),
    galleryPages(),
  ])
  ends.push(() => mailbox.close())
  const backend = await createBackend({
    dataDir,
    ...(process.env.DATABASE_URL && { databaseUrl: process.env.DATABASE_URL }),
    apiUrl: addresses.api,
    vaultOrigin: addresses.vault,
    apps: demoApps,
    smtpUrl: process.env.SMTP_URL ?? mailbox.smtp.url,
    vaultFiles: resolve('dist/vault'),
    // Everybody comes from one address here.
    limits: { sendsPerIpMinute: 10_000, sendsPerIpHour: 100_000, guessesPerIpHour: 100_000 },
  })
  ends.push(() => backend.close())

  const start = async (name: keyof typeof ports, app: { fetch: Fetch }): Promise<Server> => {
    const server = await listen(ports[name], app, name)
    ends.push(() => server.close())
    return server
  }
  await Promise.all([
    start('site', site),
    start('api', backend.api),
    start('vault', backend.vault),
    start('inbox', mailbox.app),
    start('gallery', gallery),
  ])
  await writeFile(manifest, `${JSON.stringify({ ...addresses, apps }, null, 2)}\n`)
  console.log(`\nLatchkey is running. Open ${addresses.site}\n`)
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause)
  await end()
  process.exit(1)
}
