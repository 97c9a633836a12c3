/** The frame that shows a wallet's key, and what its page says to it. */

import * as v from 'valibot'
import { readPlain } from '../../lib/plain.ts'
import { type ChainType, framePath } from './calls.ts'
import { frameLimits } from './limits.ts'
import { frameFailure, parseMessage } from './messages.ts'

/** How the frame looks. */
export interface ExportLook {
  /** CSS colours by the names that the frame knows. */
  readonly colors: Readonly<Record<ExportColor, string>>
  /** CSS text, such as `360px`. */
  readonly width: string
}
/** Which wallet is shown. Nothing here is secret: it all goes into the address. */
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
 * The page's one window message to the frame, with one end of a MessageChannel; everything else goes over
 * that. The frame takes the first that comes from its parent and an allowed origin, and no second one.
 */
export const exportHello = 'privy:export:connect'

const exportToken = v.object({
  type: v.literal('token'),
  accessToken: v.pipe(v.string(), v.nonEmpty()),
})
/** From the page, over the port: once, right after {@link exportHello}. */
export type ExportToken = Readonly<v.InferOutput<typeof exportToken>>

const exportMessage = v.variant('type', [
  /** The ticket and the token were taken, and the wallet is on this device. */
  v.object({ type: v.literal('ready') }),
  /** How high the frame wants to be, in CSS pixels. */
  v.object({
    type: v.literal('height'),
    height: v.pipe(
      v.number(),
      v.check((height) => height > 0),
    ),
  }),
  v.object({
    type: v.literal('failed'),
    error: v.fallback(frameFailure, { type: 'error', message: '' }),
  }),
  /** The person has shown or copied it. */
  v.object({
    type: v.literal('exported'),
    what: v.picklist(['key', 'phrase']),
    how: v.picklist(['shown', 'copied']),
  }),
])
/** From the frame, over the port. Never anything of a key. */
export type ExportMessage = Readonly<v.InferOutput<typeof exportMessage>>

/** Reads what a page sent over the port. Gives `undefined`, and never throws, for anything but a token. */
export const readExportToken = (raw: unknown): ExportToken | undefined =>
  parseMessage(exportToken, readPlain(raw, frameLimits.messageSize))

/** Reads what the frame sent over the port. Gives `undefined`, and never throws, for what this version does not know. */
export const readExportMessage = (raw: unknown): ExportMessage | undefined =>
  parseMessage(exportMessage, readPlain(raw, frameLimits.messageSize))
