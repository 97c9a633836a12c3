// Loaded beforehand, so that no test waits for the loading of what the kit loads lazily.
import '../../src/kit/host/account.ts'
import '../../src/account/service.ts'
import '../../src/login/code/sms-flow.ts'
import '../../src/login/code/sms-service.ts'
import type { KitError } from '../../src/errors/kit-error.ts'
import type { KitEvents } from '../../src/kit/api.ts'
import type { User } from '../../src/protocol/user.ts'
import { type Call, type Reply, sessionBody, wireUser } from './api.ts'
import { testClock } from './clock.ts'
import { type KitSetUp, kitWithPerson, passUntil, paths } from './kit.ts'

export const emailAccount = (address = 'ada@example.com') => ({
  type: 'email',
  address,
  verified_at: 1_700_000_000,
})
export const phoneAccount = (phoneNumber = '+12025550123') => ({
  type: 'phone',
  phoneNumber,
  verified_at: 1_700_000_000,
})

/** What an endpoint answers that changes a person's accounts: a refusal, or nothing, and then the person as they are then. */
type Change = (call: Call, linked: object[]) => Reply | undefined

/** A kit of somebody who is logged in, and a server that keeps their accounts. */
export async function kitOfSomebody({
  accounts = [emailAccount()],
  changes = {},
  clock = testClock(),
  stays = false,
  isVaultSilent = false,
  factors = [],
  ...more
}: KitSetUp & {
  accounts?: object[]
  changes?: Record<string, Change>
  /** The browser has the session of an earlier page. */
  stays?: boolean
  /** The login waits for a wallet that no vault makes. */
  isVaultSilent?: boolean
  /** The second factors that the person has. */
  factors?: string[]
} = {}) {
  let linked = [...accounts]
  const methods = factors.map((type) => ({ type, verified_at: 1_700_000_000 }))
  const user = () => wireUser('did:privy:u1', { linked_accounts: linked, mfa_methods: methods })
  const session = await sessionBody(clock)
  const signedIn = () => ({ body: { ...session, user: user() } })
  const routes = Object.entries(changes).map(([path, change]) => [
    path,
    (call: Call) => change(call, linked) ?? { body: user() },
  ])
  const set = await kitWithPerson({
    ...more,
    clock,
    app: { sms_auth: true, google_oauth: true, ...more.app },
    routes: {
      [paths.authenticate]: signedIn,
      '/api/v1/sessions': signedIn,
      [paths.me]: () => ({ body: { user: user(), identity_token: session.identity_token } }),
      '/api/v1/passwordless_sms/init': { body: { success: true } },
      '/api/v1/mfa': { body: { methods, recovery_codes_left: 0 } },
      ...Object.fromEntries(routes),
      ...more.routes,
    },
  })
  const { kit } = set
  if (!stays) {
    await kit.email.sendCode({ email: 'ada@example.com' })
    const login = kit.email.loginWithCode({ code: '123456' })
    await (isVaultSilent ? passUntil(clock, login) : login)
  }
  const told: [string, KitEvents['linked']][] = []
  for (const event of ['linked', 'unlinked', 'updated'] as const)
    kit.on(event, (detail) => told.push([event, detail]))
  const outcomeOf = (work: Promise<User>) =>
    work.then(
      (person) => ({ person, error: undefined }),
      (error: KitError) => ({ person: undefined, error }),
    )
  return {
    ...set,
    told,
    outcomeOf,
    /** Another tab, or the server's operator, has changed the accounts. */
    setAccounts(next: object[]) {
      linked = next
    },
  }
}

export const refusal = (code: string, error = 'no', status = 400, data?: object): Reply => ({
  status,
  body: { error, code, ...(data && { data }) },
})
/** What the server says of an account that somebody else has. */
export const taken = (account: Record<string, unknown> = {}, other: Record<string, unknown> = {}): Reply =>
  refusal('account_transfer_required', 'taken', 400, { nonce: 'nonce-1', account, otherUser: other })
