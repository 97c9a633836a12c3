import { appearanceOf } from '../../devices/describe.ts'
import { type Admitted, admit } from '../../devices/enrolment/admit.ts'
import { standingOf } from '../../devices/enrolment/standing.ts'
import { createProofs, type ProvedKey } from '../../devices/proofs.ts'
import { requireVault } from '../../http/origins.ts'
import type { Call } from '../../http/post.ts'
import type { ServerContext } from '../../http/services.ts'
import { hasSecondFactor } from '../../mfa/methods.ts'
import type { Bearer } from '../../sessions/tokens.ts'
import type { App } from '../../settings/app.ts'
import type { Transaction } from '../../store/database.ts'
import { createNotices } from '../../users/notices.ts'
import { lockUser } from '../../wallets/context.ts'
import type { LoginServices } from '../services.ts'
import type { CodeCaller, CodeDevice } from './code-login.ts'

/** What a login with a code has to do with browsers: one that the vault asks for enrols the vault's key there. */
export interface LoginDevices {
  /** Reads the proof of a request, if it has one; `''` for none. @throws Refusal for a bad one, or not from the vault */
  identify(c: ServerContext): Promise<string>
  /** For whom a code is sent. */
  sender(c: ServerContext): CodeCaller['device']
  /** The browser that becomes the person's with the login. */
  enrolling(call: Call<unknown>): CodeDevice | undefined
  /** Tells the person of it. */
  tell(call: Call<unknown>, bearer: Bearer): void
}

/** The key that the vault has proved with a request belongs to that request alone. */
export function createLoginDevices(services: LoginServices): LoginDevices {
  const { clock, limits, sessions } = services
  const proofs = createProofs(services)
  const notices = createNotices(services)
  const keys = new WeakMap<ServerContext, ProvedKey>()
  const admitted = new WeakMap<ServerContext, Admitted>()

  /** Whether a code alone lets a browser use a user's wallets. Where it does not, the vault asks for more next. */
  async function isEnough(
    tx: Transaction,
    user: { app: App; userId: string },
    by: { channel: 'email' | 'sms'; address: string },
  ): Promise<boolean> {
    const { addresses, frozenAt, hasWallet } = await standingOf(tx, user, limits)
    // A frozen account is freed in the vault's window, not by a login.
    if (frozenAt !== null) return false
    if (!hasWallet) return true
    if (await hasSecondFactor(tx, user.userId)) return false
    return addresses.some(({ channel, address }) => channel === by.channel && address === by.address)
  }

  return {
    async identify(c) {
      if (c.req.header('dpop') === undefined) return ''
      requireVault(c, services)
      c.header('dpop-nonce', proofs.nonce())
      const key = await proofs.check(c, undefined)
      keys.set(c, key)
      return key.thumbprint
    },
    sender(c) {
      const key = keys.get(c)
      return key && { ...appearanceOf(c, services), thumbprint: key.thumbprint }
    },
    enrolling({ c, app }) {
      const key = keys.get(c)
      if (!key) return undefined
      const { thumbprint } = key
      return {
        thumbprint,
        async opened(tx, bearer, by) {
          const shown = { enrolledBy: 'login-code', isVerified: false } as const
          const given = { ...appearanceOf(c, services), thumbprint, ...shown }
          const session = { app, ...bearer, place: given.place }
          await lockUser(tx, session)
          if (!(await isEnough(tx, session, by))) return
          const done = await admit(tx, session, given, {
            now: clock(),
            limits,
          })
          await sessions.noteDevice(tx, bearer.sessionId, done.device.id)
          admitted.set(c, done)
        },
      }
    },
    tell({ c, app }, bearer) {
      const done = admitted.get(c)
      if (!done?.isNew || done.isFirst) return
      const { name, place } = done.device
      notices.tell({ app, ...bearer }, { what: 'device-enrolled', name, place })
    },
  }
}
