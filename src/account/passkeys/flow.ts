import type { FlowContext } from '../../app/flow-context.ts'
import { addWords } from '../../copy/copy.ts'
import { accounts } from '../../copy/en/accounts.ts'
import { errors } from '../../copy/en/errors.ts'
import { settings } from '../../copy/en/settings.ts'
import { toKitError } from '../../errors/kit-error.ts'
import type { Readable } from '../../lib/store.ts'
import { type PasskeyAccount, passkeyName, type User } from '../../protocol/user.ts'
import { fingerprint } from '../../ui/icons/lucide.ts'
import { day } from '../dates.ts'
import { entry } from '../entry.tsx'
import { isGuarded } from '../guarded.ts'
import { accountLimits } from '../limits.ts'
import type { Shown } from '../shown.ts'
import { confirmsRemoval } from '../unlink/confirm-flow.ts'
import { errorText, orBack, untilChange } from '../while-open.ts'
import { passkeys as passkeysScreen } from './passkeys.tsx'
import { renamePasskey } from './rename-passkey.tsx'

addWords(accounts, errors, settings)

/** What the screens of passkeys have done. Everything throws what its service throws. */
export interface PasskeyCalls {
  readonly user: Readable<User | null>
  /** Lets the person make another passkey, on this stage. Throws {@link Closed} if they turn back. */
  addPasskey(): Promise<unknown>
  /** Somebody who has second factors is verified first, on this stage. Throws {@link Closed} if they turn back. */
  unlinkPasskey(account: PasskeyAccount, signal: AbortSignal): Promise<unknown>
  renamePasskey(account: PasskeyAccount, name: string, signal: AbortSignal): Promise<unknown>
}

/** Lets a user see, add, rename and remove their passkeys, until they go back. */
export async function managePasskeys(
  cx: FlowContext,
  calls: PasskeyCalls,
  { canGoBack }: { canGoBack: boolean },
): Promise<void> {
  const { stage } = cx
  for (;;) {
    const list = passkeysOf(calls.user.get())
    const asked = await stage.askDuring(
      passkeysScreen,
      { passkeys: list.map((account) => shownPasskey(cx, account)), expanded: canGoBack, canGoBack },
      (signal) => untilChange([calls.user], signal),
    )
    if ('done' in asked) continue
    const { answer } = asked
    if (answer === 'back') return
    if (answer === 'add') await orBack(cx, calls.addPasskey)
    else await showPasskey(cx, calls, answer.passkey)
  }
}

/** Shows one passkey with what can be done about it, until the person goes back or it is gone. */
export async function showPasskey(cx: FlowContext, calls: PasskeyCalls, id: string): Promise<void> {
  const { stage, t } = cx
  let error: string | undefined
  for (;;) {
    const account = passkeysOf(calls.user.get()).find(({ credentialId }) => credentialId === id)
    if (!account) return
    const { enrolledInMfa } = account
    const asked = await stage.askDuring(
      entry,
      {
        icon: fingerprint,
        title: passkeyName(account),
        text: t(enrolledInMfa ? 'settings.passkeys.enrolled' : 'settings.accounts.removeText'),
        facts: [[t('settings.passkeys.added'), day(account.firstVerifiedAt ?? account.verifiedAt)]],
        actions: enrolledInMfa ? ['rename'] : ['rename', 'remove'],
        note: !enrolledInMfa && isGuarded(cx.config, calls.user.get()) ? t('settings.approved') : undefined,
        error,
      },
      (signal) => untilChange([calls.user], signal),
    )
    error = undefined
    if ('done' in asked) continue
    if (asked.answer === 'back') return
    try {
      if (asked.answer === 'rename') await rename(cx, calls, account)
      else {
        const user = calls.user.get()
        const shown = { kind: 'passkey', account: passkeyName(account) } as const
        if (user && (await confirmsRemoval(cx, user, account, shown)))
          await calls.unlinkPasskey(account, stage.signal)
      }
    } catch (cause) {
      error = errorText(cx, cause)
    }
  }
}

async function rename(cx: FlowContext, calls: PasskeyCalls, account: PasskeyAccount): Promise<void> {
  const { stage, t } = cx
  let value = account.authenticatorName ?? ''
  let error: string | undefined
  for (;;) {
    const answer = await stage.ask(renamePasskey, { value, error })
    if (answer === 'back') return
    value = answer.name
    try {
      await calls.renamePasskey(account, value, stage.signal)
      return
    } catch (cause) {
      const words = errorText(cx, cause)
      error =
        toKitError(cause).code === 'invalid_data'
          ? t('settings.passkeys.nameInvalid', { count: accountLimits.passkeyName })
          : words
    }
  }
}

export const passkeysOf = (user: User | null): readonly PasskeyAccount[] =>
  user?.linkedAccounts.filter((account): account is PasskeyAccount => account.type === 'passkey') ?? []

/** A passkey as a list shows it. */
export const shownPasskey = ({ t }: Pick<FlowContext, 't'>, account: PasskeyAccount): Shown => ({
  key: account.credentialId,
  icon: fingerprint,
  label: passkeyName(account),
  detail: `${t('settings.passkeys.added')} ${day(account.firstVerifiedAt ?? account.verifiedAt)}`,
  mark: account.enrolledInMfa ? { text: t('settings.factors.enabled'), tone: 'success' } : undefined,
})
