/**
 * What the kit loads lazily, in one table. A page carries the elements; the first use brings the kit, the first opening
 * React and the landing screen. What the calls of a host load is in `host/features.ts`, and what the services of a person load in
 * `services/features.ts`: a landing screen does without both. A part imports what it needs statically; only the SDKs of vendors are
 * loaded by the part that speaks with them.
 */
import { lazily } from '../errors/lazily.ts'
import type { LoginFeatures } from '../login/flow.ts'

export const features = {
  /** The session, and the services of a person. */
  services: lazily(() => import('./services/services.ts')),
  /** What follows when the person changes. */
  sessionChanges: lazily(() => import('./session/follow-session.ts')),
  /** What is said where a dialog was open for somebody who is gone. */
  sessionChanged: lazily(() => import('./session/session-changed.ts')),
  /** What a host asks beyond logging in. */
  hostCalls: lazily(() => import('./host/calls.ts')),
  /** External wallets, as a host sees them: a list of wallets needs no more of what hosts ask. */
  externalWallets: lazily(() => import('./wallets/external.ts')),
  /** The landing screen, and what leads on from it. */
  login: lazily(() => import('../login/flow.ts')),
} as const

/** What a login loads after its first screen. */
export const loginFeatures: LoginFeatures = {
  afterLanding: lazily(() => import('../login/after-landing.ts')),
  walletRows: lazily(() => import('../login/wallet/landing-rows.ts')),
}
