/** `npm start`: backend, vault, inbox, gallery and a host page in one process, each on a port of its own. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { driveCallbackUrl } from './backend/drives/callback.ts'
import { oauthCallbackUrl } from './backend/login/cross-app/callback.ts'
import { createBackend } from './backend/server.ts'
import { readApps } from './backend/settings/app.ts'
import { readDatabaseSettings } from './backend/settings/database.ts'
import { type AppSettings, demoApps } from './backend/settings/demo-apps.ts'
import { readLimits } from './backend/settings/limits.ts'
import { type Fetch, listen, type Server } from './listen.ts'
import { logoOf } from './logos.ts'
import { galleryPages, sitePages } from './pages.ts'
import { mooringPermissions } from './site/server/mooring.ts'
import { createMailbox } from './world/mail/mailbox.ts'
import { startNetworks } from './world/networks.ts'
import { createWorld, telegramBot, telegramVaultBot } from './world/world.ts'

const port = Number(process.env.LATCHKEY_PORT ?? 4800)
const dataDir = resolve(process.env.LATCHKEY_DATA ?? '.latchkey')
if (!Number.isInteger(port) || port < 1 || port > 65_525)
  throw new Error('LATCHKEY_PORT must be a port number')

const ports = {
  site: port,
  api: port + 1,
  vault: port + 2,
  inbox: port + 3,
  gallery: port + 4,
  world: port + 5,
}
/** Chains and the relay speak for themselves; Solana takes two, for its websocket is one further. */
const networkPorts = { ethereum: port + 6, base: port + 7, solana: port + 8, relay: port + 10 }
const address = (name: keyof typeof ports) => `http://localhost:${ports[name]}`
/** Apps whose server acts with wallets of their users. */
const delegating: ReadonlySet<string> = new Set(['latchkey-demo-open-000001', 'latchkey-demo-open-compat'])
/** Apps whose users can have smart wallets, with a sponsor that pays their fees. */
const sponsored: ReadonlySet<string> = new Set([
  ...['latchkey-demo-smart-00015', 'latchkey-demo-fees-compat'],
  ...['latchkey-demo-friend-0010', 'latchkey-demo-friend-comp'],
])
const apps = readApps(demoApps).all.map(({ id, clientIds, name, vault, methods, funding }) => ({
  id,
  clientId: clientIds[0] ?? '',
  name,
  vault,
  logoUrl: logoOf(id),
  wallets: methods.some((method) => method === 'wallet' || method === 'solana-wallet'),
  funding: funding !== undefined,
  permissions: delegating.has(id),
}))
const addresses = {
  site: address('site'),
  api: address('api'),
  vault: address('vault'),
  inbox: address('inbox'),
  gallery: address('gallery'),
  world: address('world'),
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
  const mailbox = await createMailbox()
  ends.push(() => mailbox.close())
  const networks = await startNetworks({ dataDir, ports: networkPorts })
  ends.push(() => networks.close())
  const oauthReturn = oauthCallbackUrl(addresses.api)
  const driveReturn = driveCallbackUrl(addresses.api)
  const world = await createWorld({
    base: addresses.world,
    oauthReturn,
    driveReturn,
    vaultOrigin: addresses.vault,
    dataDir,
    mailbox,
    networks,
  })
  ends.push(() => world.close())
  const { captchaScriptUrl, chains, solanaRpcUrl, solanaWsUrl, relayUrl, coinbaseKeysUrl } = world
  const [site, gallery] = await Promise.all([
    sitePages({
      ...addresses,
      captchaScriptUrl,
      apps,
      wallets: { chains, solanaRpcUrl, solanaWsUrl, relayUrl, coinbaseKeysUrl },
    }),
    galleryPages(),
  ])
  const backend = await createBackend({
    dataDir,
    ...(process.env.DATABASE_URL && { databaseUrl: process.env.DATABASE_URL }),
    databaseSettings: readDatabaseSettings(process.env),
    apiUrl: addresses.api,
    vaultOrigin: addresses.vault,
    apps: demoApps.map((app) => inWorld(app, world)),
    outside: world.outside,
    smtpUrl: process.env.SMTP_URL ?? mailbox.smtp.url,
    vaultFiles: resolve(process.env.LATCHKEY_DIST ?? 'dist', 'vault'),
    // Everybody comes from one address here.
    limits: {
      sendsPerIpMinute: 10_000,
      sendsPerIpHour: 100_000,
      guessesPerIpHour: 100_000,
      startsPerIpMinute: 10_000,
      startsPerIpHour: 100_000,
      eventsPerIpMinute: 100_000,
      ...readLimits(process.env.LIMITS),
    },
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
    start('world', world.app),
  ])
  await writeFile(
    manifest,
    `${JSON.stringify({ ...addresses, apps, chains, solanaRpcUrl, relayUrl }, null, 2)}\n`,
  )
  for (const note of networks.notes) console.log(note)
  console.log(`\nLatchkey is running. Open ${addresses.site}\n`)
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause)
  await end()
  process.exit(1)
}

/** An app of the demo with what it has of those outside. */
function inWorld(app: AppSettings, world: Awaited<ReturnType<typeof createWorld>>): AppSettings {
  const on = (method: string) => app.methods?.some((each) => each === method)
  return {
    ...app,
    logoUrl: logoOf(app.id),
    iconUrl: logoOf(app.id),
    ...(on('google') && { oauth: world.oauthClients }),
    ...(delegating.has(app.id) && {
      permissions: mooringPermissions,
      // Unmodified clients of the protocol ask in their own page.
      grantsByPage: app.vault === 'compatible',
    }),
    ...(on('farcaster') && { farcasterSigner: world.farcasterSigner }),
    ...(app.embeddedWallets?.recoveryOptions?.includes('google-drive') &&
      (app.vault === 'compatible' ? world.drives : world.vaultDrives)),
    ...(on('telegram') && {
      telegram: {
        ...telegramBot,
        botName: 'latchkey_demo_bot',
        vaultBot: telegramVaultBot,
        link: true,
        seamless: true,
      },
    }),
    ...(on('custom') && { customJwt: world.customJwt }),
    ...(app.funding && {
      funding: { ...app.funding, bridge: world.bridge },
      onRamps: world.onRamps(app.id, `${addresses.api}/api/v1/funding/webhooks`),
    }),
    ...(sponsored.has(app.id) && world.smartWallets && { smartWallets: world.smartWallets }),
    ...(app.id.includes('friend') && {
      crossApp: {
        authorizeUrl: `${addresses.site}/connect?app=${app.id}`,
        transactUrl: `${addresses.site}/transact?app=${app.id}`,
        requesters: ['latchkey-demo-every-00009'],
      },
    }),
  }
}
