/** The purposes of the vault's windows, so that a user knows them before, meanwhile and afterwards. */
import type { Translate } from '../../../copy/copy.ts'

/**
 * Each has its words in `copy/en/approval-window.ts`: what it is called, what happens in the window, what its stake is called, and
 * what has happened once it is done. A new one is a line here and its words there.
 */
export const windowPurposes = [
  'message',
  'typed-data',
  'transaction',
  'account-change',
  'unfreeze',
  'password',
  'recovery',
  'recover',
  'create',
  'export',
  'import',
  'permission',
  'device',
  'enrolment',
  'approve-device',
  'factors',
  'factor',
  'passkeys',
  'recovery-passkey',
  'recovery-codes',
  'verify',
] as const
export type WindowPurpose = (typeof windowPurposes)[number]

/** The purpose of a window, and what is at stake in it. */
export interface WindowReason {
  readonly purpose: WindowPurpose
  /** The amount, address, account or device in question, as the vault itself has read it; never words of a page. */
  readonly stake?: string | undefined
  /** The user comes from a list of the page, and may go back to it: `approving` then throws `TurnedBack`. */
  readonly canGoBack?: boolean | undefined
}

/** The same with what the frame adds to it. */
export interface WindowAbout extends WindowReason {
  /** The app's name for users, from the vault's own settings; may be empty. */
  readonly appName: string
  /**
   * Why it is not done in the frame: what it could do, a browser that can't tell what a user sees of a frame, or a frame that has no
   * room for it.
   */
  readonly because: 'risk' | 'browser' | 'room'
}

/** Names a window for the list of windows. */
export function windowTitle(t: Translate, { purpose, appName }: Pick<WindowAbout, 'purpose' | 'appName'>) {
  const title = t(`approval.window.${purpose}.title`)
  return appName ? t('approval.window.name', { title, app: appName }) : title
}
