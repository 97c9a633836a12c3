/**
 * What the kit loads lazily, in one table. A page carries the elements; the first use brings the kit, the first opening
 * React and the landing screen; everything below is one part each, loaded when it is first needed. What the services of a
 * person load, which a landing screen does without, is in `service-features.ts`. A part imports what it needs statically;
 * only the SDKs of vendors are loaded by the part that speaks with them.
 */
import { lazily } from '../errors/lazily.ts'
import type { LoginFeatures } from '../login/flow.ts'

export const features = {
  /** The session, and the services of a person. */
  services: lazily(() => import('./services.ts')),
  /** What follows when the person changes. */
  sessionChanges: lazily(() => import('./session-changes.ts')),
  /** The landing screen, and what leads on from it. */
  login: lazily(() => import('../login/flow.ts')),
  /** What the console says to the page's developer. */
  advice: lazily(() => import('./advice.ts')),
  /** What is said where a dialog was open for somebody who is gone. */
  sessionChanged: lazily(() => import('./session-changed.ts')),
  /** A login that left the page. */
  resume: lazily(() => import('./resume.ts')),
  /** The calls of hosts with screens of their own. */
  headless: lazily(() => import('./headless-calls.ts')),
  /** The end of such a login that left the page. */
  completeLogin: lazily(() => import('../login/redirect/complete.ts')),

  /** What a host asks about the accounts of a person. */
  account: lazily(() => import('./account.ts')),
  sessions: lazily(() => import('./sessions.ts')),
  /** The dialogs in which a person looks after their account. */
  settings: lazily(() => import('./settings.ts')),

  /** What a host asks of embedded wallets. */
  embeddedMethods: lazily(() => import('./embedded-methods.ts')),
  devices: lazily(() => import('./devices.ts')),
  /** Second factors: adding and removing them, and being verified. */
  mfa: lazily(() => import('./mfa.ts')),
  /** The providers by which the page's libraries find embedded wallets. */
  embeddedWallets: lazily(() => import('./embedded-wallets.ts')),
  externalWallets: lazily(() => import('./external-wallets.ts')),
  connect: lazily(() => import('./connect.ts')),
  walletBrowser: lazily(() => import('./wallet-browser.ts')),

  /** Signing, for hosts and for the page's libraries. */
  signing: lazily(() => import('./signing.ts')),
} as const

/** What a login loads after its first screen. */
export const loginFeatures: LoginFeatures = {
  afterLanding: lazily(() => import('../login/after-landing.ts')),
  walletRows: lazily(() => import('../login/wallet/landing-rows.ts')),
}
