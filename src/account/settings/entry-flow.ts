import type { FlowContext } from '../../app/flow-context.ts'
import type { Device } from '../../protocol/devices.ts'
import type { LinkedAccount, User } from '../../protocol/user.ts'
import type { UserSession } from '../../protocol/user-sessions.ts'
import { smartphone, wallet } from '../../ui/icons/landing.ts'
import { logOut, monitorSmartphone } from '../../ui/icons/lucide.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import { recoveryOptionsOf } from '../../wallets/recovery/recovery-options.ts'
import { day, dayAndTime } from '../dates.ts'
import { type EntryAction, type EntryProps, entry } from '../entry.tsx'
import { isGuarded } from '../guarded.ts'
import { requireUnlinkable } from '../service.ts'
import { confirmsRemoval } from '../unlink/confirm-flow.ts'
import { errorText, orBack, untilChange } from '../while-open.ts'
import { itemsOf } from './loaded-lists.ts'
import { type OpenSettings, wordsOf } from './open-settings.ts'
import { accountsOf, shownAccount } from './shown-accounts.ts'
import { recoveryName } from './shown-settings.ts'

/** A linked account: what it is, and replacing or unlinking it. */
export async function showAccount(open: OpenSettings, account: LinkedAccount): Promise<void> {
  const { cx, calls } = open
  const { t } = cx
  const { key, icon, label, detail } = shownAccount(wordsOf(open), account)
  const here = () => {
    const user = calls.user.get()
    return user !== null && accountsOf(user).some((each) => shownAccount(wordsOf(open), each).key === key)
  }
  const removable = mayUnlink(account)
  await showEntry(
    { cx, calls },
    () =>
      here() && {
        icon,
        title: detail ?? label,
        text: removable ? t('settings.accounts.removeText') : undefined,
        address: account.type === 'wallet' ? account.address : undefined,
        facts: [[t('settings.added'), day(account.firstVerifiedAt ?? account.verifiedAt)]],
        actions: [
          ...(account.type === 'email' ? (['email'] as const) : []),
          ...(account.type === 'phone' ? (['sms'] as const) : []),
          ...(removable ? (['remove'] as const) : []),
        ],
      },
    calls.user,
    {
      email: () => orBack(cx, () => calls.update('email')),
      sms: () => orBack(cx, () => calls.update('sms')),
      async remove() {
        const user = calls.user.get()
        const shown = { kind: 'account', account: detail ?? label } as const
        if (user && (await confirmsRemoval(cx, user, account, shown))) await calls.unlink(account)
      },
    },
  )
}

/** An embedded wallet: how it is recovered, and its export. */
export async function showWallet({ cx, calls }: OpenSettings, address: string): Promise<void> {
  const { t } = cx
  const find = () => calls.embeddedWallets().find((each) => each.address === address)
  const changeable = recoveryOptionsOf(cx.config).methods.length > 0
  const using = (work: (wallet: EmbeddedAccount) => Promise<unknown>) => async () => {
    const account = find()
    if (account) await orBack(cx, () => work(account))
  }
  await showEntry(
    { cx, calls },
    () => {
      const account = find()
      return (
        account && {
          icon: wallet,
          title: t(`settings.wallet.${account.chainType}`),
          address,
          facts: [[t('settings.wallet.recovery'), recoveryName(cx, account)]],
          actions: [...(changeable ? (['recovery'] as const) : []), 'export'],
        }
      )
    },
    calls.user,
    { recovery: using(calls.changeRecovery), export: using(calls.exportWallet) },
  )
}

/** Where else, or here, the person is logged in. */
export async function showSession({ cx, calls, sessions }: OpenSettings, id: string): Promise<void> {
  const { t, stage } = cx
  await showEntry(
    { cx, calls },
    () => {
      const session = itemsOf(sessions.get()).find((each) => each.id === id)
      return (
        session && {
          icon: monitorSmartphone,
          title: session.name || t('settings.device'),
          text: t(session.current ? 'settings.here' : 'settings.sessions.endText'),
          facts: whereAndWhen(cx, session, 'settings.since'),
          actions: session.current ? [] : ['end'],
        }
      )
    },
    sessions,
    {
      async end() {
        await calls.endSession(id, stage.signal)
        await sessions.load()
      },
    },
  )
}

/** Asks before the person is logged out everywhere but here. */
export async function endOthers({ cx, calls, sessions }: OpenSettings): Promise<void> {
  const { t, stage } = cx
  const others = () => itemsOf(sessions.get()).some(({ current }) => !current)
  await showEntry(
    { cx, calls },
    () =>
      others() && {
        icon: logOut,
        title: t('settings.sessions.others'),
        text: t('settings.sessions.othersText'),
        facts: [],
        actions: ['end-others'],
      },
    sessions,
    {
      async 'end-others'() {
        await calls.endOtherSessions(stage.signal)
        await sessions.load()
      },
    },
  )
}

/** A device that may use the wallets, and taking it off them. */
export async function showDevice({ cx, calls, devices }: OpenSettings, id: string): Promise<void> {
  const { t } = cx
  await showEntry(
    { cx, calls },
    () => {
      const device = itemsOf(devices.get()).find((each) => each.id === id)
      return (
        device && {
          icon: smartphone,
          title: device.name,
          text: t(device.current ? 'settings.devices.removeOwnText' : 'settings.devices.removeText'),
          facts: whereAndWhen(cx, device, 'settings.added'),
          actions: ['remove-device'],
        }
      )
    },
    devices,
    {
      async 'remove-device'() {
        await calls.removeDevice(id)
        await devices.load()
      },
    },
  )
}

/**
 * Shows one thing until the person goes back or it is gone.
 * @param read what is shown of it now; nothing once it is gone
 * @param source tells when that has changed
 * @param actions what its buttons do; what they throw is shown above them
 */
export async function showEntry(
  { cx, calls }: Pick<OpenSettings, 'cx' | 'calls'>,
  read: () => Omit<EntryProps, 'error'> | false | undefined,
  source: Parameters<typeof untilChange>[0][number],
  actions: Partial<Record<EntryAction, () => Promise<unknown>>>,
): Promise<void> {
  let error: string | undefined
  for (let shown = read(); shown; shown = read()) {
    const note = noteOf(cx, calls.user.get(), shown.actions)
    const asked = await cx.stage.askDuring(entry, { ...shown, note, error }, (signal) =>
      untilChange([source], signal),
    )
    if ('done' in asked) continue
    error = undefined
    if (asked.answer === 'back') return
    try {
      await actions[asked.answer]?.()
    } catch (cause) {
      error = errorText(cx, cause)
    }
  }
}

/** Actions that the vault's window approves where the user has a wallet in a strict app. */
const approved: ReadonlySet<EntryAction> = new Set([
  ...(['email', 'sms', 'remove', 'end', 'end-others', 'remove-device'] as const),
])

/** Says where an action is confirmed, if that is not here. */
const noteOf = ({ config, t }: FlowContext, user: User | null, actions: readonly EntryAction[]) =>
  isGuarded(config, user) && actions.some((action) => approved.has(action))
    ? t('settings.approved')
    : undefined

const whereAndWhen = (
  { t }: FlowContext,
  { place, createdAt, lastUsedAt }: UserSession | Device,
  since: 'settings.since' | 'settings.added',
): EntryProps['facts'] => [
  ...(place ? ([[t('settings.place'), place]] as const) : []),
  [t(since), day(createdAt)],
  [t('settings.used'), dayAndTime(lastUsedAt)],
]

function mayUnlink(account: LinkedAccount): boolean {
  try {
    requireUnlinkable(account)
    return true
  } catch {
    return false
  }
}
