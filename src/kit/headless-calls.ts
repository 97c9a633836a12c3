import type { Config } from '../app/config.ts'
import { coalesced } from '../lib/single-flight.ts'
import type { HeadlessCalls } from '../login/headless-calls.ts'
import type { Login } from '../login/login-result.ts'
import type { Auth } from '../login/services.ts'
import type { User } from '../protocol/user.ts'
import { walletQuietly } from '../wallets/embedded/create/quietly.ts'
import type { Services } from './services.ts'

/** What some of them need from the kit. */
interface KitParts {
  readonly wallets: Services['wallets']
  readonly config: () => Config
  readonly user: () => User | null
  readonly logout: () => Promise<void>
}

/** The login methods that a host can use without our screens. A new method is a row here. */
export function createHeadless(
  auth: Auth,
  announceLogin: (login: Login) => Promise<User>,
  kit: KitParts,
): HeadlessCalls {
  /** For logins that have no dialog in which the wallet would be created. */
  const withWallet = async (login: Login): Promise<User> => {
    await walletQuietly(kit.wallets.embedded, kit.config(), login.user)
    return announceLogin({ ...login, user: kit.user() ?? login.user })
  }
  const follow = coalesced(async () => {
    const login = await (await auth.custom()).follow(kit.logout)
    return login ? withWallet(login) : kit.user()
  })
  return {
    captcha: {
      token: async (options) => (await auth.captcha()).token(options),
    },
    crossApp: {
      prepare: async () => void (await auth.crossApp()),
      login: async (input) => announceLogin(await (await auth.crossApp()).login(input)),
    },
    customAuth: { sync: follow },
    email: {
      sendCode: async ({ email, ...more }) => (await auth.email()).sendCode({ to: email, ...more }),
      loginWithCode: async (input) => announceLogin(await (await auth.email()).loginWithCode(input)),
    },
    farcaster: {
      async connect({ signal, ...input } = {}) {
        const { uri, done } = await (await auth.farcaster()).connect(input, { signal })
        const person = done.then(announceLogin)
        // A host may only show the address and learn the rest from the events.
        person.catch(() => {})
        return { uri, done: person }
      },
      initLoginToFrame: async () => (await auth.farcaster()).initLoginToFrame(),
      loginToFrame: async (input) => announceLogin(await (await auth.farcaster()).loginToFrame(input)),
    },
    guest: {
      create: async () => withWallet(await (await auth.guest()).create()),
    },
    oauth: {
      async initOAuth(input) {
        const login = await (await auth.oauth()).init(input)
        if (login) await announceLogin(login)
      },
    },
    passkey: {
      login: async (input) => announceLogin(await (await auth.passkey()).login(input)),
      signup: async (input) => announceLogin(await (await auth.passkey()).signup(input)),
    },
    siwe: {
      generateMessage: async (input) => (await auth.siwe()).generateMessage(input),
      login: async (input) => announceLogin(await (await auth.siwe()).login(input)),
      link: async (input) => (await auth.siwe()).link(input),
    },
    siws: {
      generateMessage: async (input) => (await auth.siws()).generateMessage(input),
      login: async (input) => announceLogin(await (await auth.siws()).login(input)),
      link: async (input) => (await auth.siws()).link(input),
    },
    telegram: {
      prepare: async () => (await auth.telegram()).prepare(),
      login: async (input) => announceLogin(await (await auth.telegram()).login(input)),
    },
    sms: {
      sendCode: async ({ phoneNumber, ...more }) => (await auth.sms()).sendCode({ to: phoneNumber, ...more }),
      loginWithCode: async (input) => announceLogin(await (await auth.sms()).loginWithCode(input)),
    },
  }
}
