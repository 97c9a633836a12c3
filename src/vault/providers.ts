/** The providers that the vault's window can send a user to, as people know them. */
export const providerNames = {
  google: 'Google',
  discord: 'Discord',
  twitter: 'Twitter',
  github: 'GitHub',
  spotify: 'Spotify',
  instagram: 'Instagram',
  tiktok: 'TikTok',
  linkedin: 'LinkedIn',
  apple: 'Apple',
  telegram: 'Telegram',
  farcaster: 'Farcaster',
  'google-drive': 'Google Drive',
  icloud: 'Apple iCloud',
} as const
export type VisitedProvider = keyof typeof providerNames

export const isVisitedProvider = (name: unknown): name is VisitedProvider =>
  typeof name === 'string' && Object.hasOwn(providerNames, name)
