/** What the vault's frame and its own window say to each other. Both are the vault's; the window only draws. */

import * as v from 'valibot'
import { type Plain, readPlain } from '../../../lib/plain.ts'
import type { ApprovalLook } from '../../../protocol/frame/approval.ts'
import { frameLimits } from '../../../protocol/frame/limits.ts'
import { parseMessage } from '../../../protocol/frame/messages.ts'
import type { WindowAbout } from './about.ts'

/** A scene as plain data: which screen, and what it shows. */
export interface SentScene {
  readonly id: string
  readonly props: object
  readonly busy: unknown
  readonly step: number
}
/**
 * Why a window has nothing more to draw: what it was opened for is done, the request was answered or given up, its page is gone, the
 * session has ended, or another window draws it.
 */
export type Over = 'done' | 'over' | 'left' | 'session' | 'moved'
/** A final outcome stays on the screen, whatever ends the display, but for a logout: a key that was displayed is gone then. */
export const endOf = (isSettled: boolean, why: Over): Over => (isSettled && why !== 'session' ? 'done' : why)
export type ToWindow =
  | { readonly type: 'look'; readonly look: ApprovalLook }
  | { readonly type: 'about'; readonly about: WindowAbout }
  | { readonly type: 'scene'; readonly scene: SentScene }
  /** The request is done, and that is final. */
  | { readonly type: 'settled' }
  | { readonly type: 'over'; readonly why: Over }
  | { readonly type: 'pong' }

const fromWindow = v.variant('type', [
  v.object({
    type: v.literal('answer'),
    step: v.number(),
    answer: v.custom<Plain>((value) => value !== undefined),
  }),
  /** News of a popup that the window has opened for a provider. */
  v.object({
    type: v.literal('visit'),
    news: v.variant('is', [
      v.object({ is: v.literal('returned'), state: v.string(), fields: v.record(v.string(), v.string()) }),
      v.object({ is: v.literal('closed'), state: v.string() }),
    ]),
  }),
  /** The user has closed it, or left its page. */
  v.object({ type: v.literal('gone') }),
  v.object({ type: v.literal('ping') }),
])
export type FromWindow = Readonly<v.InferOutput<typeof fromWindow>>

/** Gives `undefined`, and never throws, for anything else. */
export const readFromWindow = (raw: unknown): FromWindow | undefined =>
  parseMessage(fromWindow, readPlain(raw, frameLimits.messageSize))

const hello = v.object({ nonce: v.pipe(v.string(), v.nonEmpty()) })
export type WindowHello = Readonly<v.InferOutput<typeof hello>>
/** The nonce of a window's one message to its opener. */
export const readHello = (raw: unknown): string | undefined =>
  parseMessage(hello, readPlain(raw, frameLimits.messageSize))?.nonce
