import type { FlowContext } from '../../app/flow-context.ts'
import { addWords } from '../../copy/copy.ts'
import { accounts as accountWords } from '../../copy/en/accounts.ts'
import { errors } from '../../copy/en/errors.ts'
import { login } from '../../copy/en/login.ts'
import { settings } from '../../copy/en/settings.ts'
import { Closed } from '../../dialog/stage.ts'
import { toKitError } from '../../errors/kit-error.ts'
import { createStore } from '../../lib/store.ts'
import type { User } from '../../protocol/user.ts'
import { isGuarded } from '../guarded.ts'
import { accountLimits } from '../limits.ts'
import { managePasskeys, showPasskey } from '../passkeys/flow.ts'
import { errorText, orBack, untilChange } from '../while-open.ts'
import { addAccount } from './add-account.tsx'
import { showConnectedApp } from './connected-app-flow.ts'
import { endOthers, showAccount, showDevice, showSession, showWallet } from './entry-flow.ts'
import { itemsOf, loadedItems } from './loaded-lists.ts'
import { type AppNames, type OpenSettings, type SettingsCalls, wordsOf } from './open-settings.ts'
import { showPermission } from './permission-flow.ts'
import { accountSettings, type SettingsAnswer, type SettingsProps } from './settings.tsx'
import { accountsOf, addableMethods, appsToName, shownAccount, shownMethod } from './shown-accounts.ts'
import { shownSettings } from './shown-settings.ts'

addWords(accountWords, errors, login, settings)

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
  const requests = loadedItems(
    async (signal) => Array.from({ length: await calls.countRequests(signal) }, (_, at) => at),
    stage.signal,
    failed,
  )
  const proofs = loadedItems(calls.listProofs, stage.signal, failed)
  const permissions = loadedItems(calls.listPermissions, stage.signal, failed)
  const connectedApps = loadedItems(calls.listConnectedApps, stage.signal, failed)
  const apps = createStore<AppNames>({})
  const lists = { sessions, devices, requests, proofs, permissions, connectedApps }
  const open: OpenSettings = { cx, calls, apps, ...lists }
  const person = calls.user.get()
  const unnamed = person ? appsToName(cx, person) : []
  // Without its own name an app is 'Another app'.
  if (unnamed.length > 0) calls.appNames?.(unnamed).then(apps.set, () => {})
  void sessions.load()
  if (cx.config.app.letsInOtherApps) void connectedApps.load()
  if (calls.embeddedWallets().length > 0) void Promise.all([devices.load(), permissions.load()])
  const guarded = calls.strict && calls.embeddedWallets().length > 0
  const stopWatching = guarded ? watchRequests(open) : () => {}
  let error: string | undefined
  let at: SettingsAnswer | undefined
  try {
    if (resumed) await add(open, resumed)
    for (let user = calls.user.get(); user; user = calls.user.get()) {
      const asked = await stage.askDuring(
        accountSettings,
        { ...settingsOf(open, user), at, error },
        (signal) => untilChange([calls.user, apps, ...Object.values(lists)], signal),
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
  } finally {
    stopWatching()
  }
}

/** A new device asks while this one lies elsewhere: its user comes back to the settings. */
function watchRequests({ cx, calls, requests, proofs }: OpenSettings): () => void {
  let askedAt = cx.clock.now()
  void requests.load()
  void proofs.load()
  return calls.onReturn(() => {
    if (cx.clock.now() - askedAt < accountLimits.requestsAskedAgain) return
    askedAt = cx.clock.now()
    void requests.load()
  })
}

const settingsOf = (open: OpenSettings, user: User): Omit<SettingsProps, 'at' | 'error'> =>
  shownSettings(wordsOf(open), user, {
    wallets: open.calls.embeddedWallets(),
    offersFactors: open.calls.offersFactors,
    sessions: open.sessions.get(),
    devices: open.devices.get(),
    requests: itemsOf(open.requests.get()).length,
    proofs: open.proofs.get(),
    permissions: open.permissions.get(),
    connectedApps: open.connectedApps.get(),
  })

async function turnTo(open: OpenSettings, user: User, answer: SettingsAnswer): Promise<void> {
  const { cx, calls, sessions, devices } = open
  if (answer === 'add') return add(open)
  if (answer === 'passkeys') return managePasskeys(cx, calls, { canGoBack: true })
  if (answer === 'add-passkey') return orBack(cx, calls.addPasskey)
  if (answer === 'approve-device') {
    await orBack(cx, calls.approveDevice)
    return void (await Promise.all([open.requests.load(), devices.load()]))
  }
  if (answer === 'add-proof' || answer === 'vault-passkeys') {
    await orBack(cx, answer === 'add-proof' ? calls.addProof : calls.manageVaultPasskeys)
    return open.proofs.load()
  }
  if (answer === 'revoke-all') {
    await orBack(cx, calls.revokeAll)
    return open.permissions.load()
  }
  if (answer === 'activity') return orBack(cx, calls.showActivity)
  if (answer === 'factors') return orBack(cx, calls.manageFactors)
  if (answer === 'end-others') return endOthers(open)
  if ('retry' in answer)
    return void {
      session: sessions,
      device: devices,
      permission: open.permissions,
      connectedApp: open.connectedApps,
    }[answer.retry].load()
  if ('passkey' in answer) return showPasskey(cx, calls, answer.passkey)
  if ('account' in answer) {
    const account = accountsOf(user).find((each) => shownAccount(wordsOf(open), each).key === answer.account)
    return account && showAccount(open, account)
  }
  if ('wallet' in answer) return showWallet(open, answer.wallet)
  if ('permission' in answer) return showPermission(open, answer.permission)
  if ('connectedApp' in answer) return showConnectedApp(open, answer.connectedApp)
  if ('session' in answer) return showSession(open, answer.session)
  return showDevice(open, answer.device)
}

/**
 * Offers what can be added until something is, or the person goes back.
 * @param resumed what has been chosen before, and is continued
 */
async function add(open: OpenSettings, resumed?: () => Promise<unknown>): Promise<void> {
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
async function chosen(open: OpenSettings, user: User): Promise<(() => Promise<unknown>) | undefined> {
  const { cx, calls, apps } = open
  for (;;) {
    const methods = addableMethods(cx, user).map((method) => shownMethod(wordsOf(open), method))
    const note = isGuarded(cx.config, user) ? cx.t('settings.approved') : undefined
    const asked = await cx.stage.askDuring(addAccount, { app: cx.config.appName, methods, note }, (signal) =>
      untilChange([apps], signal),
    )
    if ('done' in asked) continue
    const { answer } = asked
    return answer === 'back' ? undefined : () => calls.link(answer.method)
  }
}
