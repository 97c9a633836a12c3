import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import * as v from 'valibot'
import { type Hex, keccak256, toBytes, verifyTypedData } from 'viem'
import { offered, personOf } from './people.ts'
import { askSignerPage, endPage } from './phone-page.ts'

/** An app that asks for signers, with the key of the address that owns its fid; both work only with this stand-in. */
export const signerApp = { fid: 9_152, privateKey: keccak256(toBytes('latchkey farcaster 9152')) }

const hex = (bytes: number) => v.pipe(v.string(), v.regex(new RegExp(`^0x[0-9a-f]{${2 * bytes}}$`, 'i')))
const requestBody = v.object({
  key: hex(32),
  requestFid: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  signature: hex(65),
  deadline: v.pipe(v.number(), v.safeInteger()),
  redirectUrl: v.optional(v.string()),
})
interface Asked {
  readonly token: string
  readonly deeplinkUrl: string
  readonly key: string
  readonly requestFid: number
  readonly deadline: number
  /** `approved`: the network doesn't have it yet. */
  state: 'pending' | 'approved' | 'completed' | 'declined'
  userFid?: number
  /** The state was read so often since the user has approved. */
  reads: number
}

/** How often `approved` is read before the network has it. */
const READS_TO_COMPLETE = 1

/**
 * Requests for signers, in the words of the API of Farcaster's app (`/v2/signed-key-requests`), and the page of the phone on which a user
 * decides.
 */
export function createSignerRequests({ base, now }: { base: string; now: () => number }): Hono {
  const asked = new Map<string, Asked>()
  const read = (token: string) => {
    const found = asked.get(token)
    return found && found.deadline * 1_000 > now() ? found : undefined
  }
  const shown = ({ reads: _, deadline: __, ...request }: Asked) => ({ result: { signedKeyRequest: request } })
  const wrong = (c: Context, message: string) => c.json({ errors: [{ message }] }, 400)
  const gone = (c: Context) =>
    c.html(endPage('This request is over', 'Start again where you wanted to connect your account.'), 404)

  return new Hono()
    .post('/v2/signed-key-requests', async (c) => {
      const parsed = v.safeParse(requestBody, await c.req.json().catch(() => undefined))
      if (!parsed.success) return wrong(c, parsed.issues[0].message)
      const { key, requestFid, signature, deadline } = parsed.output
      if (deadline * 1_000 <= now()) return wrong(c, 'Deadline has passed')
      const isSigned = await verifyTypedData({
        address: personOf(requestFid).key.address,
        domain: {
          name: 'Farcaster SignedKeyRequestValidator',
          version: '1',
          chainId: 10,
          verifyingContract: '0x00000000FC700472606ED4fA22623Acf62c60553',
        },
        types: {
          SignedKeyRequest: [
            { name: 'requestFid', type: 'uint256' },
            { name: 'key', type: 'bytes' },
            { name: 'deadline', type: 'uint256' },
          ],
        },
        primaryType: 'SignedKeyRequest',
        message: { requestFid: BigInt(requestFid), key: key as Hex, deadline: BigInt(deadline) },
        signature: signature as Hex,
      })
      if (!isSigned) return wrong(c, 'Invalid signature')
      const token = randomUUID()
      const deeplinkUrl = `${base}/phone/signer?${new URLSearchParams({ token })}`
      const request: Asked = { token, deeplinkUrl, key, requestFid, deadline, state: 'pending', reads: 0 }
      asked.set(token, request)
      return c.json(shown(request), 201)
    })
    .get('/v2/signed-key-request', (c) => {
      const request = read(c.req.query('token') ?? '')
      if (!request) return c.json({ errors: [{ message: 'Not found' }] }, 404)
      if (request.state === 'approved' && ++request.reads > READS_TO_COMPLETE) request.state = 'completed'
      return c.json(shown(request))
    })
    .get('/phone/signer', (c) => {
      const token = c.req.query('token') ?? ''
      const request = read(token)
      if (request?.state !== 'pending') return gone(c)
      const app = personOf(request.requestFid).displayName
      return c.html(askSignerPage({ token, app, key: request.key }, offered.map(personOf)))
    })
    .post('/phone/signer/approve', async (c) => {
      const { token, fid } = await c.req.parseBody()
      const request = read(String(token))
      const userFid = Number(fid)
      if (request?.state !== 'pending' || !Number.isSafeInteger(userFid) || userFid < 1) return gone(c)
      request.state = 'approved'
      request.userFid = userFid
      return c.html(endPage('The app may post for you', 'Go back to where you came from.'))
    })
    .post('/phone/signer/decline', async (c) => {
      const { token } = await c.req.parseBody()
      const request = read(String(token))
      if (request?.state !== 'pending') return gone(c)
      request.state = 'declined'
      return c.html(endPage('Request declined', 'The app can’t post for you. You can close this page.'))
    })
}
