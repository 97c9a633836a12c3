import type { Proof, Prove } from '../../accounts/accounts.ts'
import type { CodeAddress, Codes, SendCaps } from '../../codes/codes.ts'
import type { Appearance } from '../../devices/describe.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { App } from '../../settings/app.ts'
import type { Limits } from '../../settings/limits.ts'
import { sendAllowance } from '../captcha/captcha.ts'

/** Who asks for a code, and from where. */
export interface CodeCaller {
  /** A network address as a key for limits. */
  ip: string | undefined
  /** The page's, if a page asks. */
  origin?: string | undefined
  /** The browser that the code lets in, and no other, where the vault asks. */
  device?: (Appearance & { thumbprint: string }) | undefined
}
/** The browser that a code must have been sent for, and what is done with it when the code has let somebody in. */
export interface CodeDevice {
  thumbprint: string
  /** @param by the address that the code went to */
  opened(
    ...input: [...Parameters<NonNullable<Proof['opened']>>, by: { channel: 'email' | 'sms'; address: string }]
  ): Promise<void>
}
/** Login with a code that is sent. Nothing tells whether an address is known. */
export interface CodeLogin<Address> {
  /** Sends a code; the same for known and unknown addresses. @throws Refusal, Unavailable when it could not leave */
  sendCode(app: App, to: Address, caller: CodeCaller): Promise<void>
  /** What judges a code, for the transaction that lets its owner in. @throws Refusal for what is no code at all */
  prove(
    app: App,
    given: { to: Address; code: string; device?: CodeDevice | undefined },
    ip: string | undefined,
  ): Prove
}
/** What tells one kind of code from another. */
export interface CodeChannel<Address> {
  channel: CodeAddress['channel']
  /** The form in which an address is stored and compared. */
  key(to: Address): string
  /** Where several addresses end; without it, each is counted for itself. */
  mailbox?(key: string): string
  /** How many codes may be sent in one hour. */
  caps(app: App): SendCaps
  proof(key: string): Proof
  /** What the app's settings say about an address, for any owner. @throws Refusal */
  check(app: App, to: Address): void
  send(app: App, key: string, code: string, caller: CodeCaller): Promise<void>
  /** Tells the owner that too many guesses were made. A failure is the channel's to log. */
  notifyLocked(app: App, key: string, until: Date): Promise<void>
}

/** Login with codes over one channel: issues, sends and checks them. */
export function createCodeLogin<Address>(
  channel: CodeChannel<Address>,
  { codes, limits }: { codes: Codes; limits: Limits },
): CodeLogin<Address> {
  const addressOf = (app: App, address: string, boundTo: string | undefined): CodeAddress => ({
    appId: app.id,
    channel: channel.channel,
    address,
    boundTo,
    mailbox: channel.mailbox?.(address),
  })
  return {
    async sendCode(app, to, caller) {
      channel.check(app, to)
      const key = channel.key(to)
      const allowance = sendAllowance(app, limits)
      const at = addressOf(app, key, caller.device?.thumbprint)
      const issued = await codes.issue(at, caller.ip, channel.caps(app), allowance)
      try {
        await channel.send(app, key, issued.code, caller)
      } catch (cause) {
        await issued.undo()
        throw cause
      }
    },
    prove(app, { to, code, device }, ip) {
      channel.check(app, to)
      const key = channel.key(to)
      const wrongCode = (reason: string) =>
        new Refusal('invalid_credentials', 'This code is not valid.', { reason })
      if (!/^\d{6}$/.test(code)) throw wrongCode('not-a-code')
      return async (tx) => {
        const checked = await codes.check(tx, addressOf(app, key, device?.thumbprint), code, ip)
        const by = { channel: channel.channel, address: key }
        const opened: Proof['opened'] = device && ((tx, bearer) => device.opened(tx, bearer, by))
        if (checked.right) return { ...channel.proof(key), ...(opened && { opened }) }
        // Not waited for: the answer must not tell that this guess was the last one.
        if (checked.lockedUntil) channel.notifyLocked(app, key, new Date(checked.lockedUntil)).catch(() => {})
        return { refused: wrongCode(checked.reason) }
      }
    },
  }
}
