import { requireRoom } from '../../account/link/may-link.ts'
import { replacedBy } from '../../account/update/old-address.ts'
import { coalesced } from '../../lib/coalesced.ts'
import type { HeadlessCalls } from '../../login/headless-calls.ts'
import type { Login } from '../../login/login-result.ts'
import { requirePerson } from '../../login/login-result.ts'
import type { Auth } from '../../login/services.ts'
import { crossAppMethod } from '../../protocol/cross-app.ts'
import type { User } from '../../protocol/user.ts'
import type { KitApp } from '../app.ts'
import type { KitContext } from '../context.ts'
import type { Services } from '../services/services.ts'

/** What some of them need from the kit. */
interface KitParts {
  readonly user: () => User | null
  readonly logout: () => Promise<void>
  readonly authFor: Services['authFor']
  readonly announceChange: KitContext['announceChange']
  readonly loggingIn: KitApp['loggingIn']
}

/** The login methods that a host can use without our screens. A new method is a row here. */
export function createHeadless(
  auth: Auth,
  announceLogin: (login: Login) => Promise<User>,
  kit: KitParts,
): HeadlessCalls {
  const person = () => requirePerson(kit.user())
  const link = kit.authFor({ kind: 'link' })
  /** What links an account of that method, if the person may have another one. */
  const linking = (method: string): Auth => {
    requireRoom(person(), method)
    return link
  }
  const logIn = (work: () => Promise<Login>) => kit.loggingIn(async () => announceLogin(await work()))
  const announceLinked = (login: Login) => kit.announceChange('linked', login)
  const announceUpdated = (login: Login) => kit.announceChange('updated', login)
  const codes = (via: 'email' | 'sms') => ({
    linkWithCode: async (input: { code: string }) =>
      announceLinked(await (await linking(via)[via]()).loginWithCode(input)),
    async updateWithCode(input: { code: string }) {
      const updating = kit.authFor({ kind: 'update', old: replacedBy(person(), via) })
      return announceUpdated(await (await updating[via]()).loginWithCode(input))
    },
  })
  const follow = coalesced(() =>
    kit.loggingIn(async () => {
      const login = await (await auth.custom()).follow(kit.logout)
      return login ? announceLogin(login) : kit.user()
    }),
  )
  return {
    captcha: {
      token: async (options) => (await auth.captcha()).token(options),
    },
    crossApp: {
      prepare: async () => void (await auth.crossApp()),
      login: async (input) => logIn(async () => (await auth.crossApp()).login(input)),
      link: async ({ appId }) =>
        announceLinked(await (await linking(crossAppMethod(appId)).crossApp()).login({ appId })),
      grant: async (asked) => {
        person()
        return (await auth.crossApp()).grant(asked)
      },
    },
    customAuth: { sync: follow },
    email: {
      ...codes('email'),
      sendCode: async ({ email, ...more }) => (await auth.email()).sendCode({ to: email, ...more }),
      loginWithCode: async (input) => logIn(async () => (await auth.email()).loginWithCode(input)),
    },
    farcaster: {
      connect: async ({ signal, ...input } = {}) =>
        announced(await (await auth.farcaster()).connect(input, { signal }), announceLogin, kit.loggingIn),
      link: async ({ signal } = {}) =>
        announced(await (await linking('farcaster').farcaster()).connect({}, { signal }), announceLinked),
      initLoginToFrame: async () => (await auth.farcaster()).initLoginToFrame(),
      loginToFrame: async (input) => logIn(async () => (await auth.farcaster()).loginToFrame(input)),
    },
    guest: {
      create: async () => logIn(async () => (await auth.guest()).create()),
    },
    oauth: {
      initOAuth: (input) =>
        kit.loggingIn(async () => {
          const login = await (await auth.oauth()).init(input)
          if (login) await announceLogin(login)
        }),
      async link({ provider }) {
        const linked = await (await linking(provider).oauth()).init({ provider })
        if (linked) await announceLinked(linked)
      },
    },
    passkey: {
      login: async (input) => logIn(async () => (await auth.passkey()).login(input)),
      signup: async (input) => logIn(async () => (await auth.passkey()).signup(input)),
      link: async () => announceLinked(await (await linking('passkey').passkey()).signup()),
    },
    siwe: {
      generateMessage: async (input) => (await auth.siwe()).generateMessage(input),
      login: async (input) => logIn(async () => (await auth.siwe()).login(input)),
      link: async (input) => announceLinked(await (await auth.siwe()).link(input)),
    },
    siws: {
      generateMessage: async (input) => (await auth.siws()).generateMessage(input),
      login: async (input) => logIn(async () => (await auth.siws()).login(input)),
      link: async (input) => announceLinked(await (await auth.siws()).link(input)),
    },
    telegram: {
      prepare: async () => (await auth.telegram()).prepare(),
      login: async (input) => logIn(async () => (await auth.telegram()).login(input)),
      link: async () => announceLinked(await (await linking('telegram').telegram()).login()),
    },
    sms: {
      ...codes('sms'),
      sendCode: async ({ phoneNumber, ...more }) => (await auth.sms()).sendCode({ to: phoneNumber, ...more }),
      loginWithCode: async (input) => logIn(async () => (await auth.sms()).loginWithCode(input)),
    },
  }
}

/** A Farcaster request whose person is announced. A host may only show the address and learn the rest from the events. */
function announced(
  { uri, done }: { uri: string; done: Promise<Login> },
  announce: (login: Login) => Promise<User>,
  during: KitApp['loggingIn'] = (work) => work(),
): { uri: string; done: Promise<User> } {
  const person = during(() => done.then(announce))
  person.catch(() => {})
  return { uri, done: person }
}
