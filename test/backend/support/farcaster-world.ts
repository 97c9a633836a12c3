import { createSiweMessage, type SiweMessage } from 'viem/siwe'
import type { AppSettings } from '../../../demo/backend/settings/demo-apps.ts'
import { createFarcaster, type Person, personOf, signerApp } from '../../../demo/world/farcaster/farcaster.ts'
import { failWith, type Outage, outageNames } from '../../support/faults/http.ts'
import { serveOn } from '../../support/serve.ts'
import { Client } from './client.ts'
import { type Store, site, startWorld, type World } from './world.ts'

export const farcasterApp = 'latchkey-test-farcaster-1'
export const app: AppSettings = {
  id: farcasterApp,
  name: 'On Farcaster',
  allowedDomains: ['http://localhost:*', 'https://app.example'],
  allowedNativeAppUrlSchemes: ['harbor'],
  methods: ['farcaster', 'email'],
  farcasterSigner: signerApp,
}

export const emailApp: AppSettings = {
  ...app,
  id: 'latchkey-test-by-email-01',
  name: 'By Email',
  methods: ['email'],
}

/** Reasons why Farcaster's relay, or the registry's node, is of no use. */
export type Fault = Outage | 'fields of another type'
export const faults: readonly Fault[] = [...outageNames, 'fields of another type']

/** A backend whose Farcaster is a stand-in that is reached over HTTP and can be made to fail. */
export async function startFarcasterWorld(store: Store) {
  const fault: { relay?: Fault | undefined; rpc?: Fault | undefined } = {}
  let world: World | undefined
  const served = await serveOn(async (origin) => {
    const farcaster = await createFarcaster({ base: origin, now: () => world?.clock.now ?? 0 })
    return {
      farcaster,
      fetch(request: Request) {
        const kind = new URL(request.url).pathname.startsWith('/rpc') ? fault.rpc : fault.relay
        return kind ? failing(kind) : farcaster.app.fetch(request)
      },
    }
  })
  const { farcaster } = served.app
  world = await startWorld(store, {
    moreApps: [app, emailApp],
    outside: {
      farcasterRelayUrl: farcaster.relayUrl,
      optimismRpcUrl: farcaster.rpcUrl,
      farcasterApiUrl: farcaster.apiUrl,
    },
    limits: { outsideTimeout: 1_500 },
  })
  const running = world
  return {
    ...running,
    fault,
    relayUrl: farcaster.relayUrl,
    /** The phone of a person: opens a connect link and approves. */
    async approve(connectUri: string, fid: number): Promise<void> {
      const channelToken = new URL(connectUri).searchParams.get('channelToken') ?? ''
      const answer = await fetch(`${served.origin}/phone/approve`, {
        method: 'POST',
        body: new URLSearchParams({ channelToken, fid: String(fid) }),
      })
      if (!answer.ok) throw new Error(`The phone could not approve: ${answer.status}`)
    },
    /** The same for a request of a signer, or declines it. */
    async decideSigner(approvalUrl: string, fid: number | 'decline'): Promise<void> {
      const token = new URL(approvalUrl).searchParams.get('token') ?? ''
      const path = fid === 'decline' ? 'decline' : 'approve'
      const answer = await fetch(`${served.origin}/phone/signer/${path}`, {
        method: 'POST',
        body: new URLSearchParams({ token, fid: String(fid) }),
      })
      if (!answer.ok) throw new Error(`The phone could not ${path}: ${answer.status}`)
    },
    async stop() {
      await running.stop()
      await served.stop()
    },
  }
}
export type FarcasterWorld = Awaited<ReturnType<typeof startFarcasterWorld>>

const failing = (fault: Fault) =>
  fault === 'fields of another type'
    ? Response.json({ state: 'completed', fid: 'all of them', result: 7 })
    : failWith(fault)

/** What the page of a test may send along. */
type Signed = { message: string; signature: string; fid: number }

/** A browser on a page of the app, on its way in with Farcaster. */
export class FarcasterClient extends Client {
  constructor(world: FarcasterWorld, options: ConstructorParameters<typeof Client>[1] = {}) {
    super(world, { appId: farcasterApp, ...options })
  }

  async open(body: object = {}) {
    const answer = await this.post('farcaster/init', body)
    if (answer.status !== 200) throw new Error(`No channel: ${answer.status} ${answer.text}`)
    const { channel_token: token, connect_uri: uri } = answer.body as Record<string, string>
    return { token: token ?? '', uri: uri ?? '' }
  }
  status(token: string) {
    return this.get('farcaster/status', { 'farcaster-channel-token': token })
  }
  authenticate(token: string, { message, signature, fid }: Signed, more: object = {}) {
    return this.post('farcaster/authenticate', { channel_token: token, message, signature, fid, ...more })
  }
  /** Everything up to the session. */
  async enter(world: FarcasterWorld, fid: number) {
    const { token, uri } = await this.open()
    await world.approve(uri, fid)
    const answer = await this.authenticate(token, (await this.status(token)).body)
    if (answer.status === 200) this.token = answer.body.token
    return answer
  }
}

/** What a message says when all is well. */
export const fields = (world: FarcasterWorld, person: Person, nonce: string): SiweMessage => ({
  address: person.custody,
  domain: new URL(site).host,
  statement: 'Farcaster Auth',
  uri: site,
  version: '1',
  chainId: 10,
  nonce,
  issuedAt: new Date(world.clock.now),
  expirationTime: new Date(world.clock.now + 300_000),
  resources: [`farcaster://fid/${person.fid}`],
})

/** A message as somebody would make it who wants in, and its signature. */
export async function forge(
  world: FarcasterWorld,
  nonce: string,
  {
    fid = 1_001,
    signer = fid,
    change = (message) => message,
    edit = (text) => text,
    claim = fid,
  }: {
    fid?: number
    signer?: number
    change?: (message: SiweMessage) => SiweMessage
    edit?: (text: string) => string
    claim?: number
  } = {},
): Promise<Signed> {
  const message = edit(createSiweMessage(change(fields(world, personOf(fid), nonce))))
  return { message, signature: await personOf(signer).key.signMessage({ message }), fid: claim }
}
