import type { App } from '../settings/app.ts'
import { isOAuthProvider } from '../settings/names.ts'

/**
 * The app as a client of Telegram with the bot of the vault, whose domain is the vault's host. What the login's own bot signs could
 * come from any page of the app.
 */
export function withVaultBot(app: App): App | undefined {
  const { telegram } = app
  return telegram?.vaultBot && { ...app, telegram: { ...telegram, ...telegram.vaultBot } }
}

/** Whether the vault's window can have users log in at a provider. */
export function canVisit(app: App, provider: string): boolean {
  if (isOAuthProvider(provider)) return app.oauth[provider] !== undefined
  if (provider === 'telegram') return withVaultBot(app) !== undefined
  return provider === 'farcaster' && app.methods.includes('farcaster')
}
