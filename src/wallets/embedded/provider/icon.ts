import type { WalletIcon } from '@wallet-standard/base'
import { walletsLimits } from '../../limits.ts'

/** A wallet's icon if it has none of its own. Grey, because its background is unknown. */
const purse =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="96" height="96" fill="none" stroke="gray" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"><path d="M19 7V4a1 1 0 0 0-1-1H5a2 2 0 0 0 0 4h15a1 1 0 0 1 1 1v4h-3a2 2 0 0 0 0 4h3a1 1 0 0 0 1-1v-2a1 1 0 0 0-1-1"/><path d="M3 5v14a2 2 0 0 0 2 2h15a1 1 0 0 0 1-1v-4"/></svg>'

/** The app's logo if it is a data URL, which announcements require (EIP-6963); otherwise ours. */
export function announcedIcon(logoUrl: string | undefined): WalletIcon {
  const [, type, coding, content = ''] =
    /^data:image\/(svg\+xml|png|webp|gif)[^,]*?(;base64)?,(.*)$/s.exec(logoUrl ?? '') ?? []
  if (!logoUrl || !type || logoUrl.length > walletsLimits.walletIconSize) return inBase64('svg+xml', purse)
  if (coding) return `data:image/${type as 'png'};base64,${content}`
  try {
    return inBase64(type, decodeURIComponent(content))
  } catch {
    return inBase64('svg+xml', purse)
  }
}

const inBase64 = (type: string, text: string): WalletIcon =>
  `data:image/${type as 'svg+xml'};base64,${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}`
