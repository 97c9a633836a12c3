import { openidOriginals } from './openid-originals.ts'
import type { Original } from './original.ts'
import { plainOriginals } from './plain-originals.ts'

export const providerNames = [
  'google',
  'discord',
  'github',
  'linkedin',
  'twitter',
  'spotify',
  'instagram',
  'tiktok',
  'apple',
] as const
export type ProviderName = (typeof providerNames)[number]

export const originals: Record<ProviderName, Original> = { ...openidOriginals, ...plainOriginals }
