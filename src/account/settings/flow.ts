import type { FlowContext } from '../../app/flow-context.ts'
import { addWords } from '../../copy/copy.ts'
import { accounts as accountWords } from '../../copy/en/accounts.ts'
import { errors } from '../../copy/en/errors.ts'
import { login } from '../../copy/en/login.ts'
import { settings } from '../../copy/en/settings.ts'
import { Closed } from '../../dialog/stage.ts'
import { toKitError } from '../../errors/kit-error.ts'
import { createStore, type Readable } from '../../lib/store.ts'
import type { Named } from '../../login/landing/flow.ts'
import type { Device } from '../../protocol/devices.ts'
import type { LinkedAccount, User } from '../../protocol/user.ts'
import type { UserSession } from '../../protocol/user-sessions.ts'
import { smartphone, wallet } from '../../ui/icons/landing.ts'
import { clock, fingerprint, logOut, monitorSmartphone } from '../../ui/icons/lucide.ts'
import { shortAddress } from '../../ui/wallet/address-text.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import { ownMethodOf } from '../../wallets/recovery/recovery-data.ts'
import { recoveryOptionsOf } from '../../wallets/recovery/recovery-options.ts'
import { day, dayAndTime } from '../dates.ts'
import { type EntryAction, type EntryProps, entry } from '../entry.tsx'
import { accountLimits } from '../limits.ts'
import { managePasskeys, type PasskeyCalls, passkeysOf, shownPasskey, showPasskey } from '../passkeys/flow.ts'
import { requireUnlinkable } from '../service.ts'
import type { Loaded, Shown } from '../shown.ts'
import { errorText, orBack, untilChange } from '../while-open.ts'
import { addAccount } from './add-account.tsx'
import { type LoadedItems, loadedItems } from './loaded-lists.ts'
import { accountSettings, type SettingsAnswer, type SettingsProps } from './settings.tsx'
import { accountsOf, addableMethods, appsToName, shownAccount, shownMethod } from './shown-accounts.ts'

addWords(accountWords, errors, login, settings)

/**
 * What the settings have done. The flows among them run on this stage, show what they fail with, and throw {@link Closed} if the
 * person turns back; the others throw what their service throws.
 */
export interface SettingsCalls extends PasskeyCalls {
  link(method: string): Promise<unknown>
  /** How other apps call themselves, by login method; those that can't be asked are missing. */
  appNames?(methods: readonly string[]): Promise<AppNames>
  update(via: 'email' | 'sms'): Promise<unknown>
  /** Takes an account off; where it is the last login, the person is asked first. */
  unlink(account: LinkedAccount): Promise<unknown>
  embeddedWallets(): readonly EmbeddedAccount[]
  changeRecovery(wallet: EmbeddedAccount): Promise<unknown>
  exportWallet(wallet: EmbeddedAccount): Promise<unknown>
  listSessions(signal: AbortSignal): Promise<readonly UserSession[]>
  endSession(id: string, signal: AbortSignal): Promise<void>
  endOtherSessions(signal: AbortSignal): Promise<void>
  listDevices(signal: AbortSignal): Promise<readonly Device[]>
  /** Takes a device off the wallets; in a strict app the vault's window asks the person. */
  removeDevice(id: string): Promise<void>
  /** Whether the app offers second factors; who has some is shown them in any case, because they are asked for them. */
  readonly offersFactors: boolean
  /** Lets the person add and remove second factors. */
  manageFactors(): Promise<unknown>
}

type AppNames = Readonly<Record<string, Named>>

/** What the settings work on while they are open. */
interface Open {
  readonly cx: FlowContext
  readonly calls: SettingsCalls
  /** The other apps whose names have arrived. */
  readonly apps: Readable<AppNames>
  readonly sessions: LoadedItems<UserSession>
  readonly devices: LoadedItems<Device>
}

/**
 * Shows a person their account, and has done what they choose there, until they close it.
 * @param resumed continues adding an account where that has left the page, and comes first
 */
export async function manageAccount(
  cx: FlowContext,
  calls: SettingsCalls,
  resumed?: () => Promise<unknown>,
): Promise<void> {
  const { stage } = cx
  const failed = (cause: unknown) => cx.report(toKitError(cause))
  const sessions = loadedItems(calls.listSessions, stage.signal, failed)
  const devices = loadedItems(calls.listDevices, stage.signal, failed)
  const apps = createStore<AppNames>({})
  const open: Open = { cx, calls, apps, sessions, devices }
  const person = calls.user.get()
  const unnamed = person ? appsToName(cx, person) : []
  // Without its own name an app is 'Another app'.
  if (unnamed.length > 0) calls.appNames?.(unnamed).then(apps.set, () => {})
  void sessions.load()
  if (calls.embeddedWallets().length > 0) void devices.load()
  let error: string | undefined
  let at: SettingsAnswer | undefined
  try {
    if (resumed) await add(open, resumed)
    for (let user = calls.user.get(); user; user = calls.user.get()) {
      const asked = await stage.askDuring(
        accountSettings,
        { ...shownSettings(open, user), at, error },
        (signal) => untilChange([calls.user, apps, sessions, devices], signal),
      )
      if ('done' in asked) continue
      error = undefined
      at = asked.answer
      try {
        await turnTo(open, user, at)
      } catch (cause) {
        error = errorText(cx, cause)
      }
    }
  } catch (cause) {
    // Closing is how one leaves settings.
    if (!(cause instanceof Closed)) throw cause
  }
}

const wordsOf = ({ cx, apps }: Open) => ({ ...cx, apps: apps.get() })

async function turnTo(open: Open, user: User, answer: SettingsAnswer): Promise<void> {
  const { cx, calls, sessions, devices } = open
  if (answer === 'add') return add(open)
  if (answer === 'passkeys') return managePasskeys(cx, calls, { canGoBack: true })
  if (answer === 'add-passkey') return orBack(cx, calls.addPasskey)
  if (answer === 'factors') return orBack(cx, calls.manageFactors)
  if (answer === 'end-others') return endOthers(open)
  if ('retry' in answer) return void (answer.retry === 'session' ? sessions : devices).load()
  if ('passkey' in answer) return showPasskey(cx, calls, answer.passkey)
  if ('account' in answer) {
    const account = accountsOf(user).find((each) => shownAccount(wordsOf(open), each).key === answer.account)
    return account && showAccount(open, account)
  }
  if ('wallet' in answer) return showWallet(open, answer.wallet)
  if ('session' in answer) return showSession(open, answer.session)
  return showDevice(open, answer.device)
}

/**
 * Offers what can be added until something is, or the person goes back.
 * @param resumed what has been chosen before, and is continued
 */
async function add(open: Open, resumed?: () => Promise<unknown>): Promise<void> {
  const { cx, calls } = open
  let linking = resumed
  for (let user = calls.user.get(); user; user = calls.user.get()) {
    linking ??= await chosen(open, user)
    if (!linking) return
    const before = accountsOf(user).length
    await orBack(cx, linking)
    if (accountsOf(calls.user.get() ?? user).length > before) return
    linking = undefined
  }
}

/** What adds the account that the person chooses; nothing if they go back. */
async function chosen(open: Open, user: User): Promise<(() => Promise<unknown>) | undefined> {
  const { cx, calls, apps } = open
  for (;;) {
    const methods = addableMethods(cx, user).map((method) => shownMethod(wordsOf(open), method))
    const asked = await cx.stage.askDuring(addAccount, { app: cx.config.appName, methods }, (signal) =>
      untilChange([apps], signal),
    )
    if ('done' in asked) continue
    const { answer } = asked
    return answer === 'back' ? undefined : () => calls.link(answer.method)
  }
}

async function showAccount(open: Open, account: LinkedAccount): Promise<void> {
  const { cx, calls } = open
  const { t } = cx
  const { key, icon, label, detail } = shownAccount(wordsOf(open), account)
  const here = () => {
    const user = calls.user.get()
    return user !== null && accountsOf(user).some((each) => shownAccount(wordsOf(open), each).key === key)
  }
  const removable = mayUnlink(account)
  await showEntry(
    cx,
    () =>
      here() && {
        ...{ icon, title: detail ?? label },
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
      remove: () => calls.unlink(account),
    },
  )
}

async function showWallet({ cx, calls }: Open, address: string): Promise<void> {
  const { t } = cx
  const find = () => calls.embeddedWallets().find((each) => each.address === address)
  const changeable = recoveryOptionsOf(cx.config).methods.length > 0
  const using = (work: (wallet: EmbeddedAccount) => Promise<unknown>) => async () => {
    const account = find()
    if (account) await orBack(cx, () => work(account))
  }
  await showEntry(
    cx,
    () => {
      const account = find()
      return (
        account && {
          ...{ icon: wallet, title: t(`settings.wallet.${account.chainType}`), address },
          facts: [[t('settings.wallet.recovery'), recoveryName(cx, account)]],
          actions: [...(changeable ? (['recovery'] as const) : []), 'export'],
        }
      )
    },
    calls.user,
    { recovery: using(calls.changeRecovery), export: using(calls.exportWallet) },
  )
}

async function showSession({ cx, calls, sessions }: Open, id: string): Promise<void> {
  const { t, stage } = cx
  await showEntry(
    cx,
    () => {
      const session = itemsOf(sessions.get()).find((each) => each.id === id)
      return (
        session && {
          ...{ icon: monitorSmartphone, title: session.name || t('settings.device') },
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

async function endOthers({ cx, calls, sessions }: Open): Promise<void> {
  const { t, stage } = cx
  const others = () => itemsOf(sessions.get()).some(({ current }) => !current)
  await showEntry(
    cx,
    () =>
      others() && {
        ...{ icon: logOut, title: t('settings.sessions.others'), text: t('settings.sessions.othersText') },
        ...{ facts: [], actions: ['end-others'] },
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

async function showDevice({ cx, calls, devices }: Open, id: string): Promise<void> {
  const { t } = cx
  await showEntry(
    cx,
    () => {
      const device = itemsOf(devices.get()).find((each) => each.id === id)
      return (
        device && {
          ...{ icon: smartphone, title: device.name },
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
async function showEntry(
  cx: FlowContext,
  read: () => Omit<EntryProps, 'error'> | false | undefined,
  source: Parameters<typeof untilChange>[0][number],
  actions: Partial<Record<EntryAction, () => Promise<unknown>>>,
): Promise<void> {
  let error: string | undefined
  for (let shown = read(); shown; shown = read()) {
    const asked = await cx.stage.askDuring(entry, { ...shown, error }, (signal) =>
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

function shownSettings(open: Open, user: User): Omit<SettingsProps, 'at' | 'error'> {
  const { cx, calls, sessions, devices } = open
  const { t } = cx
  const passkeys = passkeysOf(user)
  const factors = user.mfaMethods.flatMap((method) => shownFactor(cx, method))
  const wallets = calls.embeddedWallets()
  const here = { text: t('settings.here'), tone: 'plain' } as const
  const place = ({ id, name, place: at, lastUsedAt, current }: UserSession | Device, icon: string): Shown => {
    const used = t('settings.usedOn', { date: day(lastUsedAt) })
    return {
      ...{ key: id, icon, label: name || t('settings.device') },
      detail: at ? `${at} · ${used}` : used,
      mark: current ? here : undefined,
    }
  }
  return {
    accounts: accountsOf(user).map((account) => shownAccount(wordsOf(open), account)),
    canAdd: addableMethods(cx, user).length > 0,
    passkeys: passkeys.map((account) => shownPasskey(cx, account)),
    canAddPasskey: cx.config.methods.includes('passkey') && passkeys.length < accountLimits.passkeys,
    factors: calls.offersFactors || factors.length > 0 ? factors : undefined,
    wallets: wallets.map((account) => ({
      ...{ key: account.address, icon: wallet, label: t(`settings.wallet.${account.chainType}`) },
      detail: `${shortAddress(account.address)} · ${recoveryName(cx, account)}`,
    })),
    sessions: mapped(sessions.get(), (session) => place(session, monitorSmartphone)),
    elsewhere: itemsOf(sessions.get()).some(({ current }) => !current),
    devices: wallets.length > 0 ? mapped(devices.get(), (device) => place(device, smartphone)) : undefined,
  }
}

const itemsOf = <T>(list: Loaded<T>): readonly T[] => (list.state === 'loaded' ? list.items : [])
const mapped = <T, S>(list: Loaded<T>, to: (item: T) => S): Loaded<S> =>
  list.state === 'loaded' ? { state: 'loaded', items: list.items.map(to) } : list

function shownFactor({ t }: FlowContext, method: string): readonly Shown[] {
  if (method !== 'totp' && method !== 'sms' && method !== 'passkey') return []
  const icon = { totp: clock, sms: smartphone, passkey: fingerprint }[method]
  const mark = { text: t('settings.factors.enabled'), tone: 'success' } as const
  return [{ key: method, icon, label: t(`settings.factors.${method}`), mark }]
}

/** How a wallet is recovered, in words. */
function recoveryName({ t }: FlowContext, { recoveryMethod }: EmbeddedAccount): string {
  const method = ownMethodOf(recoveryMethod)
  return t(method ? `settings.wallet.${method}` : 'settings.wallet.unknown')
}

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
