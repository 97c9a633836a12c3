/** The frame that shows a wallet's key, and what its page says to it. Wire 8, security S2. */
import { type ChainType, framePath } from './calls.ts'
import type { FrameFailure } from './messages.ts'

/** Which wallet is shown, and how its frame looks. Nothing secret: it all stands in the address. */
export interface ExportView {
  readonly appId: string
  readonly clientId?: string | undefined
  readonly analyticsId?: string | undefined
  readonly ticket: string
  /** The root wallet of the entropy. */
  readonly rootAddress: string
  readonly rootChain: ChainType
  readonly address: string
  readonly chainType: ChainType
  readonly walletIndex: number
  readonly imported: boolean
  /** CSS colours by the names of wire 8. */
  readonly colors: Readonly<Record<ExportColor, string>>
  /** CSS text, such as `360px`. */
  readonly width: string
  readonly locale?: string | undefined
}
/** Wire 8. */
export const exportColors = [
  'background',
  'background2',
  'foreground3',
  'foregroundAccent',
  'accent',
  'accentDark',
  'success',
] as const
export type ExportColor = (typeof exportColors)[number]

/** The address of the export frame. `base` has no trailing slash. The token is not in it. */
export function exportUrl(base: string, view: ExportView): string {
  const query = new URLSearchParams({
    client_id: view.clientId ?? '',
    caid: view.analyticsId ?? '',
    ticket: view.ticket,
    primaryAddress: view.rootAddress,
    primaryChain: view.rootChain,
    address: view.address,
    chain: view.chainType,
    walletIndex: String(view.walletIndex),
    imported: String(view.imported),
    phrase_export: String(!view.imported),
    width: view.width,
    ...view.colors,
  })
  return `${base}${framePath(view.appId)}/export?${query}`
}

/**
 * The page's one window message to the frame, with one end of a MessageChannel; all else goes over that. The frame
 * takes the first that comes from its parent and an allowed origin, and no second one.
 */
export const exportHello = 'privy:export:connect'

/** From the page, over the port: once, right after {@link exportHello}. */
export interface ExportToken {
  readonly type: 'token'
  readonly accessToken: string
}
/** From the frame, over the port. Never anything of a key. */
export type ExportNews =
  /** The ticket and the token were taken, and the wallet is on this device. */
  | { readonly type: 'ready' }
  /** How high the frame wants to be, in CSS pixels. */
  | { readonly type: 'height'; readonly height: number }
  | { readonly type: 'failed'; readonly error: FrameFailure }
  /** The person has shown or copied it. */
  | { readonly type: 'exported'; readonly what: 'key' | 'phrase'; readonly how: 'shown' | 'copied' }
