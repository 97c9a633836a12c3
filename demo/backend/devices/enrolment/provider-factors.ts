import type { App } from '../../settings/app.ts'
import { isOAuthProvider } from '../../settings/names.ts'
import type { Standing } from './standing.ts'

/** An account at a provider, with which the user can log in afresh in the vault's own window. */
export interface ProviderFactor {
  id: string
  provider: string
  /** A name by which its owner recognises it; empty where none is known. */
  hint: string
}

/** The countable accounts at providers that the app still has. Their proof is a kind of `services.proofKinds`. */
export function providerFactors(app: App, { accounts }: Standing): ProviderFactor[] {
  const offered: readonly string[] = app.methods
  return accounts
    .filter(({ type }) => isOAuthProvider(type) || type === 'farcaster' || type === 'telegram')
    .filter(({ type }) => offered.includes(type))
    .map(({ id, type, details }) => ({ id: String(id), provider: type, hint: hintOf(details) }))
}

function hintOf({ email, username, displayName, name, firstName }: Record<string, unknown>): string {
  if (typeof email === 'string') return `${email.slice(0, 1)}•••${email.slice(email.lastIndexOf('@'))}`
  const known = [username, displayName, name, firstName].find(
    (each) => typeof each === 'string' && each !== '',
  )
  return typeof known === 'string' ? known.slice(0, 64) : ''
}
