/** A backend with one compatible app, whose vault is on the API's own origin, and the chain, bundler and sponsor that it is set to. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Hono } from 'hono'
import { base } from 'viem/chains'
import { type Backend, createBackend } from '../../demo/backend/server.ts'
import { listen } from '../../demo/listen.ts'
import { createMailbox } from '../../demo/world/mail/mailbox.ts'
import { createGrantsClient } from '../../src/protocol/server/grants.ts'
import { SignerKey } from '../backend/support/grants-world.ts'
import { freePort } from '../support/free-port.ts'
import { startStandIns } from '../world/account-abstraction/support/stand-ins.ts'

export const appId = 'latchkey-unmodified-app01'
/** Another person's wallet. */
export const friend = '0x000000000000000000000000000000000000dEaD'
/** The permission that users of the app give to its server. */
export const permission = 'daily'

/** Answers 1000 to every call: without an oracle the fee for layer 1 isn't known, and no server may send. */
const oracleCode = '0x6103e860005260206000f3'

/** Unmodified clients refuse plain HTTP from any other host. */
const local = (port: number) => `http://localhost:${port}`

/** Starts everything, and ends what has started where something doesn't: it would keep the test's process alive. */
export async function startCompatibleSite() {
  const ends: (() => unknown)[] = []
  const stop = async () => {
    for (const end of ends.reverse()) await end()
  }
  try {
    return { ...(await start(ends)), stop }
  } catch (cause) {
    await stop()
    throw cause
  }
}
export type CompatibleSite = Awaited<ReturnType<typeof startCompatibleSite>>

async function start(ends: (() => unknown)[]) {
  const standIns = await startStandIns()
  ends.push(() => standIns.close())
  await standIns.tester.setCode({ address: base.contracts.gasPriceOracle.address, bytecode: oracleCode })
  const mailbox = await createMailbox()
  ends.push(() => mailbox.close())
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-compatible-'))
  ends.push(() => rm(dataDir, { recursive: true, force: true }))

  const hostPort = await freePort()
  const page =
    '<!doctype html><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,"><body><div id="place"></div>'
  const pages = await listen(
    hostPort,
    new Hono().get('*', (c) => c.html(page)),
    'host',
  )
  ends.push(() => pages.close())

  const signer = new SignerKey()
  const apiPort = await freePort()
  const apiUrl = local(apiPort)
  const network = (path: string) => `${standIns.origin}/${path}/${base.id}`
  const backend: Backend = await createBackend({
    dataDir,
    apiUrl,
    smtpUrl: mailbox.smtp.url,
    apps: [
      {
        id: appId,
        name: 'Made for another client',
        allowedDomains: [local(hostPort)],
        vault: 'compatible',
        identity: { issuer: 'privy.io', userIdPrefix: 'did:privy:' },
        methods: ['email'],
        embeddedWallets: { createOnLogin: 'users-without-wallets' },
        // These clients ask their users in the page itself.
        grantsByPage: true,
        permissions: [
          {
            id: permission,
            signer: { name: 'Night watch', publicKey: signer.pem },
            purpose: 'Pays for your mooring',
            allow: [{ chain: `eip155:${base.id}`, transfer: 'native', to: [friend] }],
            limits: [
              {
                ...{ chain: `eip155:${base.id}`, asset: 'native', symbol: 'ETH', decimals: 18 },
                ...{ perTransaction: '0.5', perWindow: '1', windowSeconds: 86_400, total: '3' },
              },
            ],
            days: 30,
          },
        ],
        smartWallets: {
          type: 'safe',
          networks: [
            {
              chainId: `eip155:${base.id}`,
              bundlerUrl: network('bundler'),
              paymasterUrl: network('paymaster'),
              rpcUrl: standIns.chain.url,
            },
          ],
        },
      },
    ],
    outside: { chainRpcUrls: { [base.id]: standIns.chain.url } },
    // All users come from one address here.
    limits: { sendsPerIpMinute: 1_000, sendsPerIpHour: 1_000 },
    vaultFiles: resolve(process.env.LATCHKEY_DIST ?? 'dist', 'vault'),
  })
  ends.push(() => backend.close())
  const api = await listen(apiPort, backend.api, 'api')
  ends.push(() => api.close())
  const grants = createGrantsClient({
    apiUrl,
    appId,
    privateKey: signer.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  })
  return {
    host: local(hostPort),
    apiUrl,
    mailbox,
    /** The app's own server. */
    grants,
    ...standIns,
  }
}
