import { type Call, type Reply, sessionBody, wireUser } from './api.ts'
import { testClock } from './clock.ts'
import { type KitSetUp, kitWithPerson } from './kit.ts'

/** A kit whose server takes whatever a wallet signs for its person's. */
export async function kitForSignIn<Method extends 'siwe' | 'siws'>(
  method: Method,
  wallet: object,
  more: KitSetUp = {},
  /** How far the server's clock is ahead of the device's, in milliseconds; without it no response says the time. */
  ahead?: number,
) {
  let nonces = 0
  const nonce = ({ body }: Call): Reply => ({
    body: { nonce: `nonce${String(++nonces).padStart(11, '0')}`, address: body?.address, expires_at: 'soon' },
    ...(ahead !== undefined && { headers: { date: new Date(testClock().now() + ahead).toUTCString() } }),
  })
  const user = wireUser('did:privy:u1', { linked_accounts: [wallet] })
  const set = await kitWithPerson({
    accounts: [wallet],
    ...more,
    routes: {
      [`/api/v1/${method}/init`]: nonce,
      [`/api/v1/${method}/authenticate`]: { body: await sessionBody(testClock(), { user }) },
      ...more.routes,
    },
  })
  const states: string[] = []
  const { state } = set.kit[method]
  state.subscribe(() => states.push(state.get().status))
  return { ...set, states }
}
