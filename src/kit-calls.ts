import type { HeadlessCalls } from './auth/headless-calls.ts'
import { completeHeadless } from './auth/headless-return.ts'
import type { LeftLogin } from './auth/left-login.ts'
import { lazily } from './errors/lazily.ts'
import { createHeadless } from './headless.ts'
import type { Kit, SignOptions } from './kit-api.ts'
import type { KitApp } from './kit-app.ts'
import type { KitFlows } from './kit-flows.ts'
import type { Services } from './services.ts'

const loadSign = lazily(() => import('./kit-sign.ts'))

/** What a kit does beside its dialog: loaded with the first call, for a page that only logs people in makes none. */
export interface KitCalls
  extends Pick<
    Kit,
    'logout' | 'getAccessToken' | 'getIdentityToken' | 'createWallet' | 'acceptTerms' | 'signMessage'
  > {
  readonly headless: HeadlessCalls
  /** Goes on with a login that has left the page, without a dialog. */
  complete(left: LeftLogin): Promise<void>
}

export function createKitCalls(cx: { app: KitApp; flows: KitFlows; services: Services }): KitCalls {
  const { app, flows, services } = cx
  const { session, wallets, auth } = services

  async function logout(): Promise<void> {
    const left = session.user.get()
    await session.logout()
    if (left) wallets.embedded.forget(left.id)
  }

  function signMessage(message: string, ui?: SignOptions['uiOptions'], address?: string): Promise<string>
  function signMessage(input: { message: string }, options?: SignOptions): Promise<{ signature: string }>
  async function signMessage(input: unknown, second: object = {}, address?: string) {
    const { sign } = await loadSign()
    if (typeof input === 'object' && input !== null && 'message' in input)
      return { signature: await flows.sign(sign, input.message, second) }
    return flows.sign(sign, input, { uiOptions: second, ...(address !== undefined && { address }) })
  }

  return {
    logout,
    signMessage,
    headless: createHeadless(auth, flows.welcome, {
      wallets,
      config: app.known,
      user: session.user.get,
      logout,
    }),
    async getAccessToken() {
      await app.start().catch(() => {})
      const known = session.user.get()
      if (known && !app.admitted(known)) return null
      return (await session.accessToken()) ?? null
    },
    async getIdentityToken() {
      await app.whenReady()
      return app.state.get().user ? (session.identityToken() ?? null) : null
    },
    async createWallet() {
      await app.whenReady()
      const { address } = await wallets.embedded.create()
      return { address }
    },
    async acceptTerms() {
      await app.whenReady()
      await session.acceptTerms()
    },
    async complete(left) {
      await app.whenReady()
      const login = await completeHeadless(auth, left)
      if (login) flows.welcome(login)
    },
  }
}
