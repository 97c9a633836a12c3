/** The frame in which a person approves what the vault does, the window that it may open, and what the page says to the frame. */

import * as v from 'valibot'
import { isPlainObject, type Plain, type PlainObject, readPlain } from '../../lib/plain.ts'
import { type ChainType, clientQuery, type FramingApp, framePath, mfaPurposes } from './calls.ts'
import { frameLimits } from './limits.ts'
import { frameFailure, parseMessage } from './messages.ts'
import { signRequest } from './sign-request.ts'

/** The address of the frame. `base` has no trailing slash. */
export const approvalUrl = (base: string, app: FramingApp): string =>
  `${base}${framePath(app.appId)}/approval?${clientQuery(app)}`

/** The page's one window message to the frame, with one end of a MessageChannel; everything else goes over that. */
export const approvalHello = 'privy:approval:connect'

const between = (least: number, most = Number.POSITIVE_INFINITY) =>
  v.pipe(
    v.number(),
    v.check((given) => given >= least && given <= most, `expected a number from ${least} to ${most}`),
  )
const count = v.pipe(
  between(0),
  v.check((given) => Number.isInteger(given), 'expected a whole number'),
)
const hexColour = v.pipe(v.string(), v.regex(/^#[\da-f]{6}$/i))
/** How the frame looks and where it stands. There are no words in it: a page's words are never drawn in an approval. */
const look = v.object({
  theme: v.picklist(['light', 'dark']),
  accent: v.optional(hexColour),
  /** The colours that apply in the page, by the names of its theme. */
  colours: v.optional(v.record(v.string(), hexColour)),
  /** The families of the page's font, in its order. */
  fonts: v.optional(v.array(v.string())),
  dir: v.picklist(['ltr', 'rtl']),
  textScale: between(0.5, 4),
  /** The factor of all radii. */
  radius: between(0, 4),
  /** The dialog is a drawer at the lower edge of the page. */
  drawer: v.boolean(),
  /** Whether there is a dialog that can be closed. */
  closable: v.boolean(),
  /** Where the request stands among those that wait in the page. */
  position: v.optional(v.object({ position: count, count })),
})
export type ApprovalLook = Readonly<v.InferOutput<typeof look>>

const text = v.pipe(v.string(), v.nonEmpty())
const chainType = v.picklist(['ethereum', 'solana'] satisfies ChainType[])

/** What the server has answered, as it came, or why it has not; the refresh token is taken out. */
const reply = v.union([
  v.object({ status: count, text: v.string() }),
  v.object({ silent: v.picklist(['network', 'timeout', 'too-large']) }),
])
export type ServerReply = Readonly<v.InferOutput<typeof reply>>

const mfaMethod = v.picklist(['totp', 'sms', 'passkey'])

/** What is asked, by purpose. A new purpose is a row here and one in {@link answers}. */
const requests = {
  recover: v.object({
    root: v.object({ chainType, address: text }),
    /** The wallet that the person wants to use. */
    address: text,
  }),
  'set-recovery': v.object({
    root: v.object({ chainType, address: text }),
    address: text,
    /** What the person wants in place of the present method. */
    method: v.picklist(['automatic', 'password', 'google-drive', 'icloud']),
    /** The person comes from a choice, and may go back to it. */
    canGoBack: v.boolean(),
  }),
  sign: signRequest,
  'login-code': v.object({
    via: v.picklist(['email', 'sms']),
    /** As the server takes it. */
    to: text,
    /** As the person reads it. */
    shown: text,
    mode: v.picklist(['login-or-sign-up', 'no-signup']),
    /** Have a code sent, and show nothing. Otherwise the person is asked for the code. */
    send: v.optional(v.object({ captchaToken: v.optional(text) })),
    /** Milliseconds until the person may ask for another code. */
    resendIn: between(0),
    /** What the vault answered last has failed: the person is told so in the vault's own words. */
    failed: v.optional(v.boolean()),
  }),
  create: v.object({
    chainType,
    /** Part of a login, which can't be left. */
    automatic: v.boolean(),
    /** The person comes from a choice, and may go back to it. */
    canGoBack: v.boolean(),
    /** The drive that keeps its backup, at which the user signs in from the vault's window; without it, a password is set. */
    drive: v.optional(v.object({ provider: v.picklist(['google-drive', 'icloud']) })),
  }),
  export: v.object({
    root: v.object({ chainType, address: text }),
    chainType,
    walletIndex: count,
    /** The wallet whose key is shown. */
    address: text,
  }),
  /** A server of the app is to act with a wallet. What it may do the vault reads from its own server. */
  grant: v.object({
    root: v.object({ chainType, address: text }),
    chainType,
    walletIndex: count,
    address: text,
    /** Which of the app's permissions; without it the app's first one. */
    permission: v.optional(text),
  }),
  /** The key itself is typed into the vault's own window. */
  import: v.object({ chainType }),
  'remove-device': v.object({
    id: text,
    /** The wallet whose recovery the user proves where the server wants that: by a password, or by their drive. */
    root: v.optional(v.object({ chainType, address: text })),
  }),
  'account-change': v.object({
    /** The server's id of the change. The vault reads the change itself from the server. */
    change: v.optional(text),
    /** In its place: the provider at which the user logs in from the vault's window, with the account that is to be linked. */
    link: v.optional(text),
    /** The wallet that the user proves first to be theirs where this browser isn't known yet. */
    root: v.optional(v.object({ chainType, address: text })),
    address: v.optional(text),
  }),
  /** A notice's link has frozen the account, until the user shows that it is theirs. */
  unfreeze: v.object({
    /** As for `recover`. */
    root: v.object({ chainType, address: text }),
    address: text,
  }),
  /** Another browser of the user waits for approval; without an id it is the one that waits longest. */
  'approve-device': v.object({ id: v.optional(text) }),
  /** The vault's own passkeys, which confirm further devices: one more, or all that there are. */
  'vault-passkeys': v.object({ action: v.picklist(['add', 'manage']) }),
  mfa: v.variant('action', [
    v.object({
      action: v.literal('enroll'),
      /** Which factor; without it the person chooses. */
      method: v.optional(mfaMethod),
      /** The person came from a larger screen of the page. */
      canGoBack: v.optional(v.boolean()),
      /** What the app offers, and what the page knows of the person. The server judges both by itself. */
      offered: v.array(mfaMethod),
      smsIsLogin: v.boolean(),
      /** Whose numbers need no calling code. */
      country: v.optional(v.string()),
    }),
    v.object({ action: v.literal('remove'), method: mfaMethod }),
    v.object({ action: v.literal('recovery-codes') }),
    v.object({ action: v.literal('verify'), purpose: v.picklist(mfaPurposes) }),
  ]),
} as const
/** The request as it was signed, where the user has lowered an allowance of it or chosen another fee. `message`: of a Solana transaction, in base64. */
const editedContent = v.union([
  v.object({
    transaction: v.custom<PlainObject>((value) => isPlainObject(value as Plain | undefined)),
  }),
  v.object({ typedData: v.custom<Plain>((value) => value !== undefined) }),
  v.object({ message: text }),
])
export type EditedContent = Readonly<v.InferOutput<typeof editedContent>>
/** What the vault answers, by purpose. */
const answers = {
  recover: v.object({ recovered: v.literal(true) }),
  'set-recovery': v.union([v.object({ set: v.literal(true) }), v.object({ wants: v.literal('back') })]),
  sign: v.union([
    v.object({
      signed: v.union([
        v.string(),
        v.object({ signature: v.string() }),
        /** Signatures of several transactions, in their order. */
        v.object({
          signatures: v.array(v.union([v.string(), v.object({ signature: v.string() })])),
        }),
      ]),
      edited: v.optional(editedContent),
    }),
    /** The person was told that the wallet has too little money, and wants it looked at again. */
    v.object({ again: v.literal(true) }),
    /** Funds are missing, and the user wants to add them, as the page has offered. Nothing was approved. */
    v.object({
      wants: v.literal('funds'),
      /** Contract of the token that is missing; the network's coin without it. */
      token: v.optional(text),
      missing: v.optional(v.pipe(v.string(), v.regex(/^\d{1,78}$/))),
    }),
  ]),
  'login-code': v.union([
    v.object({ sent: reply }),
    v.object({ login: reply }),
    v.object({ wants: v.picklist(['resend', 'back']) }),
  ]),
  create: v.union([v.object({ address: text }), v.object({ wants: v.literal('back') })]),
  /** Whether the person has seen or copied anything. */
  export: v.object({ exported: v.boolean() }),
  /** The server's name for it, and when it ends, in Unix seconds. */
  grant: v.object({ id: text, expiresAt: count }),
  import: v.object({ address: text }),
  'remove-device': v.object({ removed: v.literal(true) }),
  'account-change': v.object({ changed: v.literal(true) }),
  unfreeze: v.object({ unfrozen: v.literal(true) }),
  /** `none`: nothing was waiting any more. */
  'approve-device': v.object({ outcome: v.picklist(['approved', 'denied', 'none']) }),
  /** How many there are now. */
  'vault-passkeys': v.object({ passkeys: count }),
  mfa: v.object({ done: v.literal(true) }),
} as const satisfies Record<keyof typeof requests, v.GenericSchema>

export type ApprovalPurpose = keyof typeof requests
export type ApprovalRequests = {
  readonly [P in ApprovalPurpose]: Readonly<v.InferOutput<(typeof requests)[P]>>
}
export type ApprovalAnswers = {
  readonly [P in ApprovalPurpose]: Readonly<v.InferOutput<(typeof answers)[P]>>
}
export type ApprovalRequest = {
  readonly [P in ApprovalPurpose]: { readonly purpose: P; readonly request: ApprovalRequests[P] }
}[ApprovalPurpose]

const plain = v.custom<Plain>((value) => value !== undefined)
const toFrame = v.variant('type', [
  v.object({
    type: v.literal('open'),
    purpose: v.picklist(Object.keys(requests) as ApprovalPurpose[]),
    request: plain,
    look,
  }),
  /** The same request, further along, or what follows an answer that was not the last; of the same purpose. */
  v.object({ type: v.literal('update'), request: plain }),
  v.object({ type: v.literal('look'), look }),
  v.object({ type: v.literal('token'), accessToken: v.optional(text) }),
  /** What a passkey has answered, or why there is no answer. */
  v.object({
    type: v.literal('passkey'),
    answer: v.optional(plain),
    refused: v.optional(v.picklist(['declined', 'other'])),
  }),
  v.object({ type: v.literal('ping') }),
])
/** From the page, over the port. The first is `open`; it counts once. */
export type ApprovalToFrame = Readonly<v.InferOutput<typeof toFrame>>

const fromFrame = v.variant('type', [
  /** The first screen is drawn. */
  v.object({ type: v.literal('ready') }),
  /** How high the panel wants to be, in CSS pixels. */
  v.object({ type: v.literal('height'), height: between(1, 4_000) }),
  /** Asks for an access token that is good now. */
  v.object({ type: v.literal('token') }),
  /**
   * Asks for one of the person's passkeys, or for a new one to be linked to their account: passkeys belong to the page's origin, and
   * the server judges their answers.
   */
  v.object({ type: v.literal('passkey'), want: v.picklist(['verify', 'add']) }),
  /** Whether the person is being asked to verify that they are who they are. */
  v.object({ type: v.literal('verifying'), on: v.boolean() }),
  /** The person was shown this failure and may try again. */
  v.object({ type: v.literal('shown'), error: frameFailure }),
  /** An answer that is not the last: the page follows it with an `update`, or closes the frame. */
  v.object({ type: v.literal('turn'), answer: plain }),
  /**
   * The request has taken effect: this result is final, whoever closes what afterwards. The user may still be reading about it, or go
   * on; `done` follows once they have finished, unless the frame ends first. A later one replaces it.
   */
  v.object({ type: v.literal('settled'), answer: plain }),
  /** Whether the vault is doing what can't be called off; `settled` follows if that succeeds. The page doesn't close meanwhile. */
  v.object({ type: v.literal('finishing'), on: v.boolean() }),
  v.object({ type: v.literal('done'), answer: plain }),
  /** It can't be done here. Nothing follows. */
  v.object({ type: v.literal('failed'), error: v.fallback(frameFailure, { type: 'error', message: '' }) }),
  /** The person said no, and nothing has happened. Nothing follows. */
  v.object({ type: v.literal('rejected') }),
  /** The person wants the dialog closed, in the way that a dialog knows. */
  v.object({ type: v.literal('close'), by: v.picklist(['button', 'escape']) }),
  v.object({ type: v.literal('pong') }),
])
/** From the frame, over the port. */
export type ApprovalFromFrame = Readonly<v.InferOutput<typeof fromFrame>>

/** Reads what a page sent over the port. Gives `undefined`, and never throws, for what this version does not know. */
export const readApprovalToFrame = (raw: unknown): ApprovalToFrame | undefined =>
  parseMessage(toFrame, readPlain(raw, frameLimits.messageSize))

/** Reads what the frame sent over the port. Gives `undefined`, and never throws, for what this version does not know. */
export const readApprovalFromFrame = (raw: unknown): ApprovalFromFrame | undefined =>
  parseMessage(fromFrame, readPlain(raw, frameLimits.messageSize))

/** Reads the request of a purpose. Gives `undefined`, and never throws, for anything else. */
export const readApprovalRequest = <P extends ApprovalPurpose>(
  purpose: P,
  request: Plain,
): ApprovalRequests[P] | undefined =>
  parseMessage(requests[purpose] as unknown as v.GenericSchema<unknown, ApprovalRequests[P]>, request)

/** Reads the answer of a purpose. Gives `undefined`, and never throws, for anything else. */
export const readApprovalAnswer = <P extends ApprovalPurpose>(
  purpose: P,
  answer: Plain,
): ApprovalAnswers[P] | undefined =>
  parseMessage(answers[purpose] as unknown as v.GenericSchema<unknown, ApprovalAnswers[P]>, answer)
