import { type Context, Hono } from 'hono'
import { createSiweMessage } from 'viem/siwe'
import { createChain } from './chain.ts'
import { offered, type Person, personOf } from './people.ts'
import { askPage, endPage, phonePolicy } from './phone-page.ts'
import { type Approval, createRelay, type SignatureParams } from './relay.ts'
import { createSignerRequests } from './signers.ts'

export { contractWallets, type Person, personOf } from './people.ts'
export { signerApp } from './signers.ts'

/**
 * Farcaster: the relay of its logins (FIP-11), the Id Registry on Optimism, and the phone with the app of the people
 * who are there, as a page that the connect link opens.
 * @param options.base where it is mounted, such as `http://localhost:4805/farcaster`
 */
export async function createFarcaster({
  base,
  now = Date.now,
}: {
  base: string
  now?: () => number
}): Promise<{
  app: Hono
  relayUrl: string
  rpcUrl: string
  /** The API of the app on the phone. */
  apiUrl: string
}> {
  const relay = createRelay({ phoneUrl: `${base}/phone`, now })
  const app = new Hono()
  app.route('/', relay.app)
  app.route('/rpc', createChain())
  app.use('/phone/*', async (c, next) => {
    await next()
    c.header('content-security-policy', phonePolicy)
    c.header('cache-control', 'no-store')
    c.header('referrer-policy', 'no-referrer')
  })
  app.route('/', createSignerRequests({ base, now }))
  const gone = (c: Context) =>
    c.html(endPage('This request is over', 'Start again where you wanted to sign in.'), 404)

  app.get('/phone', (c) => {
    const channelToken = c.req.query('channelToken') ?? ''
    const asked = relay.read(channelToken)
    if (asked?.state !== 'pending') return gone(c)
    const { domain, siweUri: uri } = asked.signatureParams
    return c.html(askPage({ channelToken, domain, uri }, offered.map(personOf)))
  })
  app.post('/phone/approve', async (c) => {
    const { channelToken, fid } = await c.req.parseBody()
    const asked = relay.read(String(channelToken))
    const id = Number(fid)
    if (asked?.state !== 'pending' || !Number.isSafeInteger(id) || id < 1) return gone(c)
    const person = personOf(id)
    const approval = await approve(person, asked.signatureParams, now())
    const answer = await relay.app.request('/v1/channel/authenticate', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${channelToken}`,
        'x-farcaster-auth-relay-key': relay.authKey,
      },
      body: JSON.stringify(approval),
    })
    if (!answer.ok) return gone(c)
    return c.html(endPage('You are signed in', `As ${person.displayName}. Go back to where you came from.`))
  })
  // The relay gets no message about a refusal: the waiting side only sees a timeout.
  app.post('/phone/decline', (c) =>
    c.html(endPage('Request declined', 'Nobody was told who you are. You can close this page.')),
  )
  return { app, relayUrl: base, rpcUrl: `${base}/rpc`, apiUrl: base }
}

/** What the app of a person answers to a request: a signed message with their fid in it. */
async function approve(person: Person, asked: SignatureParams, now: number): Promise<Approval> {
  const message = createSiweMessage({
    address: person.custody,
    domain: asked.domain,
    statement: 'Farcaster Auth',
    uri: asked.siweUri,
    version: '1',
    chainId: 10,
    nonce: asked.nonce,
    issuedAt: new Date(now),
    ...(asked.expirationTime && { expirationTime: new Date(asked.expirationTime) }),
    ...(asked.notBefore && { notBefore: new Date(asked.notBefore) }),
    ...(asked.requestId && { requestId: asked.requestId }),
    resources: [`farcaster://fid/${person.fid}`],
  })
  const { fid, username, displayName, bio, pfpUrl } = person
  const signature = await person.key.signMessage({ message })
  return { message, signature, authMethod: 'custody', fid, username, displayName, bio, pfpUrl }
}
