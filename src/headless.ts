import type { Auth } from './auth/auth.ts'
import type { HeadlessCalls } from './auth/headless-calls.ts'
import type { Login } from './auth/login.ts'
import type { Config } from './config.ts'
import { onceMore } from './core/single-flight.ts'
import type { Services } from './services.ts'
import { walletQuietly } from './wallets/quietly.ts'
import type { User } from './wire/user.ts'

/** What some of them need of the kit. */
interface KitParts {
  readonly wallets: Services['wallets']
  readonly config: () => Config
  readonly user: () => User | null
  readonly logout: () => Promise<void>
}

/** What a host can do with the ways to log in without any of our screens. A new method is a row here. */
export function createHeadless(auth: Auth, welcome: (login: Login) => User, kit: KitParts): HeadlessCalls {
  /** For logins that have no dialog, in which the wallet would be made. */
  const withWallet = async (login: Login): Promise<User> => {
    await walletQuietly(kit.wallets.embedded, kit.config(), login.user)
    return welcome({ ...login, user: kit.user() ?? login.user })
  }
  const follow = onceMore(async () => {
    const login = await (await auth.custom()).follow(kit.logout)
    return login ? withWallet(login) : kit.user()
  })
  return {
    captcha: {
      token: async (options) => (await auth.captcha()).token(options),
    },
    crossApp: {
      prepare: async () => void (await auth.crossApp()),
      login: async (input) => welcome(await (await auth.crossApp()).login(input)),
    },
    customAuth: { sync: follow },
    email: {
      sendCode: async ({ email, ...more }) => (await auth.email()).sendCode({ to: email, ...more }),
      loginWithCode: async (input) => welcome(await (await auth.email()).loginWithCode(input)),
    },
    farcaster: {
      async connect({ signal, ...input } = {}) {
        const { uri, done } = await (await auth.farcaster()).connect(input, { signal })
        const person = done.then(welcome)
        // A host may show the address only and hear of the rest by the events.
        person.catch(() => {})
        return { uri, done: person }
      },
      initLoginToFrame: async () => (await auth.farcaster()).initLoginToFrame(),
      loginToFrame: async (input) => welcome(await (await auth.farcaster()).loginToFrame(input)),
    },
    guest: {
      create: async () => withWallet(await (await auth.guest()).create()),
    },
    oauth: {
      async initOAuth(input) {
        const login = await (await auth.oauth()).init(input)
        if (login) welcome(login)
      },
    },
    passkey: {
      login: async (input) => welcome(await (await auth.passkey()).login(input)),
      signup: async (input) => welcome(await (await auth.passkey()).signup(input)),
    },
    siwe: {
      generateMessage: async (input) => (await auth.siwe()).generateMessage(input),
      login: async (input) => welcome(await (await auth.siwe()).login(input)),
      link: async (input) => (await auth.siwe()).link(input),
    },
    siws: {
      generateMessage: async (input) => (await auth.siws()).generateMessage(input),
      login: async (input) => welcome(await (await auth.siws()).login(input)),
      link: async (input) => (await auth.siws()).link(input),
    },
    telegram: {
      prepare: async () => (await auth.telegram()).prepare(),
      login: async (input) => welcome(await (await auth.telegram()).login(input)),
    },
    sms: {
      sendCode: async ({ phoneNumber, ...more }) => (await auth.sms()).sendCode({ to: phoneNumber, ...more }),
      loginWithCode: async (input) => welcome(await (await auth.sms()).loginWithCode(input)),
    },
  }
}
