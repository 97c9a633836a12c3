import { generateSync } from 'otplib'
import type { AppSettings } from '../../../demo/backend/settings/demo-apps.ts'
import { createAuthenticator } from '../../support/authenticator.ts'
import type { Answer } from './client.ts'
import type { Vault } from './embedded-world.ts'
import { seconds, site } from './world.ts'

/** Every second factor, and every way to log in that a test needs. */
export const mfaApp: AppSettings = {
  id: 'latchkey-test-factors-001',
  name: 'Two Factors',
  allowedDomains: [site],
  methods: ['email', 'passkey', 'passkey-signup', 'sms', 'guest'],
  mfaMethods: ['totp', 'sms', 'passkey'],
  // Tests let hours pass.
  accessTokenLife: 86_400,
  embeddedWallets: { recoveryOptions: ['user-passcode'] },
}
/** Its twin whose page decides what is signed. */
export const compatibleMfaApp: AppSettings = {
  ...mfaApp,
  id: 'latchkey-test-factors-002',
  vault: 'compatible',
}

/** Nobody logs in with a passkey there, which is a second factor all the same. */
export const passkeyFactorApp: AppSettings = {
  ...mfaApp,
  id: 'latchkey-test-factors-003',
  methods: ['email', 'guest'],
  mfaMethods: ['passkey'],
}

/** An authenticator app. @param at Unix milliseconds */
export const totpCode = (secret: string, at: number) =>
  generateSync({ secret, epoch: Math.floor(at / 1_000) })

export const withProof = (token: string) => ({ 'latchkey-mfa': token })

/** The authenticator app of somebody who has set it up; each of its codes is a new one. */
export class App {
  constructor(
    readonly vault: Vault,
    readonly secret: string,
    private readonly clock: { now: number; pass(milliseconds: number): void },
  ) {}

  /** The code of the next step, when that has come. */
  code(): string {
    this.clock.pass(seconds(30))
    return totpCode(this.secret, this.clock.now)
  }
  verify(purpose?: string, vault = this.vault): Promise<Answer> {
    return vault.post('mfa/totp/verify', { code: this.code(), ...(purpose && { purpose }) })
  }
  /** A proof, as a header. */
  async proof(purpose?: string, vault = this.vault): Promise<{ 'latchkey-mfa': string }> {
    const { status, body, text } = await this.verify(purpose, vault)
    if (status !== 200) throw new Error(`Not verified: ${status} ${text}`)
    return withProof(body.token)
  }
}

/** Sets an authenticator app up. @param proof what somebody needs who has a factor already */
export async function enrolApp(vault: Vault, proof: Record<string, string> = {}): Promise<App> {
  const { body } = await vault.post('mfa/totp/init', {}, proof)
  const { clock } = vault.world as unknown as { clock: App['clock'] }
  const app = new App(vault, body.totpSecret, clock)
  const { status, text } = await vault.post('mfa/totp/enroll', { code: app.code() }, proof)
  if (status !== 200) throw new Error(`Not enrolled: ${status} ${text}`)
  return app
}

/** Links a passkey to the person. */
export async function linkPasskey(vault: Vault, authenticator = createAuthenticator(), proof = {}) {
  const { linked, id } = await askPasskey(vault, authenticator)
  // With a wallet, the window of the vault shows it first.
  const done = linked.body?.code === 'approval_required' ? await vault.approved(linked, proof) : linked
  if (done.status !== 200) throw new Error(`Not linked: ${done.status} ${done.text}`)
  return { authenticator, id }
}
/** The part of that which a page does. */
export async function askPasskey(vault: Vault, authenticator = createAuthenticator()) {
  const page = vault.page()
  const begun = await page.post('passkeys/link/init', { relying_party: site })
  const made = await authenticator.register(begun.body.options, site)
  const linked = await page.post('passkeys/link', { relying_party: site, authenticator_response: made })
  return { linked, id: made.id }
}
