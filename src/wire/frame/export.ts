/** The frame that shows a wallet's key, and what its page says to it. Wire 8, security S2. */
import { limits } from '../../core/limits.ts'
import { type ChainType, framePath } from './calls.ts'
import { type FrameFailure, toFrameErrorType } from './messages.ts'
import { isPlainObject, type PlainObject, readPlain } from './plain.ts'

/** How the frame looks. */
export interface ExportLook {
  /** CSS colours by the names of wire 8. */
  readonly colors: Readonly<Record<ExportColor, string>>
  /** CSS text, such as `360px`. */
  readonly width: string
}
/** Which wallet is shown. Nothing secret: it all stands in the address. */
export interface ExportView extends ExportLook {
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

function readMessage(raw: unknown): PlainObject | undefined {
  const message = readPlain(raw, limits.vaultMessageSize)
  return isPlainObject(message) ? message : undefined
}

/** Reads what a page sent over the port. Gives `undefined`, and never throws, for anything but a token. */
export function readExportToken(raw: unknown): ExportToken | undefined {
  const { type, accessToken } = readMessage(raw) ?? {}
  return type === 'token' && typeof accessToken === 'string' && accessToken !== ''
    ? { type, accessToken }
    : undefined
}

/** Reads what the frame sent over the port. Gives `undefined`, and never throws, for what this version does not know. */
export function readExportNews(raw: unknown): ExportNews | undefined {
  const { type, height, error, what, how } = readMessage(raw) ?? {}
  switch (type) {
    case 'ready':
      return { type }
    case 'height':
      return typeof height === 'number' && height > 0 ? { type, height } : undefined
    case 'failed': {
      const { type: kind, message } = isPlainObject(error) ? error : {}
      const text = typeof message === 'string' ? message.slice(0, limits.serverTextLength) : ''
      return { type, error: { type: toFrameErrorType(kind), message: text } }
    }
    case 'exported':
      return (what === 'key' || what === 'phrase') && (how === 'shown' || how === 'copied')
        ? { type, what, how }
        : undefined
    default:
      return undefined
  }
}
