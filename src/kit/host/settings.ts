import { link, resumeLink } from '../../account/link/flow.ts'
import { managePasskeys } from '../../account/passkeys/flow.ts'
import { manageAccount } from '../../account/settings/flow.ts'
import type { SettingsCalls } from '../../account/settings/open-settings.ts'
import { update } from '../../account/update/flow.ts'
import { replacedBy } from '../../account/update/old-address.ts'
import { Closed, type Stage } from '../../dialog/stage.ts'
import type { Surface } from '../../dialog/surface.ts'
import { KitError, toKitError } from '../../errors/kit-error.ts'
import type { Login, LoginContext } from '../../login/context.ts'
import { fetchAppNames } from '../../login/cross-app/app-names.ts'
import type { ReturnedLogin } from '../../login/redirect/returned-login.ts'
import { disconnectApp, listConnectedApps } from '../../protocol/connected-apps.ts'
import { listPermissions, revokePermission } from '../../protocol/grants.ts'
import type { PasskeyAccount, User } from '../../protocol/user.ts'
import type { ManageOptions } from '../api.ts'
import type { KitContext } from '../context.ts'
import { provingContext, unlinkOnStage } from './account.ts'
import { addProofOnStage, approveOnStage, managePasskeysOnStage, removeOnStage } from './devices.ts'
import { exportOnStage, recoveryOnStage } from './embedded-methods.ts'
import { enrollOnStage } from './mfa.ts'
import { revokeOnStage } from './permissions.ts'
import { personOf } from './person.ts'

/** Displays the activity on a stage of the settings; loaded when the user turns to it. */
export type ShowActivity = (stage: Stage) => Promise<unknown>

/** Opens the settings of the person's account. Resolves with them as they are when they close it. */
export async function openSettings(
  cx: KitContext,
  { surface, signal }: ManageOptions,
  showActivity: ShowActivity,
): Promise<User> {
  const { id } = personOf(cx, 'their account is shown')
  await cx.runs.run('settings', { surface, signal, outlivesRefusals: true }, async (stage, place) =>
    manageAccount(cx.flow(stage), await callsOn(cx, stage, place, showActivity)),
  )
  return stillThere(cx, id)
}

/** Opens them again where a link has left the page from there, and continues that. It is only for the person who began it. */
export async function resumeSettings(
  cx: KitContext,
  left: ReturnedLogin,
  surface: Surface | undefined,
  showActivity: ShowActivity,
): Promise<void> {
  try {
    await cx.runs.run('settings', { surface, outlivesRefusals: true }, async (stage, place) => {
      const calls = await callsOn(cx, stage, place, showActivity)
      await manageAccount(cx.flow(stage), calls, () =>
        calls.linkOn(left.method, (context) => resumeLink(context, left)),
      )
    })
  } catch (cause) {
    cx.report(toKitError(cause))
    throw cause
  }
}

/** Opens the person's passkeys. Resolves with those that they have when they close it. */
export async function openPasskeys(
  cx: KitContext,
  { surface, signal }: ManageOptions,
  showActivity: ShowActivity,
): Promise<readonly PasskeyAccount[]> {
  const { id } = personOf(cx, 'their passkeys are shown')
  await cx.runs.run('settings', { surface, signal, outlivesRefusals: true }, async (stage, place) => {
    try {
      const calls = await callsOn(cx, stage, place, showActivity)
      await managePasskeys(cx.flow(stage), calls, { canGoBack: false })
    } catch (cause) {
      // Closing is how one leaves a list.
      if (!(cause instanceof Closed)) throw cause
    }
  })
  return stillThere(cx, id).linkedAccounts.filter((account) => account.type === 'passkey')
}

/** Somebody else may have logged in meanwhile, which closes what was open for the person before. */
function stillThere(cx: KitContext, id: string): User {
  const { user } = cx.app.state.get()
  if (user?.id !== id) throw new KitError('session_changed', 'The person who is logged in has changed')
  return user
}

interface CallsOnStage extends SettingsCalls {
  /** Adds an account by a ceremony of logins, and tells the host. */
  linkOn(method: string, flow: (context: LoginContext) => Promise<Login>): Promise<User>
}

/** What the settings have done, on the stage on which they are shown. */
async function callsOn(
  cx: KitContext,
  stage: Stage,
  { name }: Surface,
  showActivity: ShowActivity,
): Promise<CallsOnStage> {
  const services = await cx.services()
  const { wallets, session } = services
  const hasWallets = personOf(cx, 'their account is shown').linkedAccounts.some(
    (account) => account.type === 'wallet' && account.embedded,
  )
  const embedded = hasWallets ? await wallets.embedded() : undefined
  const person = () => personOf(cx, 'changing an account')
  const linkOn: CallsOnStage['linkOn'] = async (method, flow) => {
    const purpose = { kind: 'link' } as const
    const place = { stage, surface: name, from: 'settings' } as const
    const context = provingContext(cx, services, { ...place, via: method, purpose })
    return cx.announceChange('linked', await flow(context))
  }
  const linkBy = (method: string) =>
    linkOn(method, (context) => link(context, person(), { method, canGoBack: true }))
  return {
    user: session.user,
    linkOn,
    link: linkBy,
    appNames: (methods) => fetchAppNames(services, methods),
    addPasskey: () => linkBy('passkey'),
    async update(via) {
      const purpose = { kind: 'update', old: replacedBy(person(), via) } as const
      const context = provingContext(cx, services, { stage, via, purpose, surface: name })
      return cx.announceChange('updated', await update(context, via, { canGoBack: true }))
    },
    unlink: (account) => unlinkOnStage(cx, stage, account),
    unlinkPasskey: (account) => unlinkOnStage(cx, stage, account),
    renamePasskey: async ({ credentialId }, newName, signal) =>
      (await services.accounts()).renamePasskey({ credentialId, name: newName }, { signal }),
    embeddedWallets: () => embedded?.list() ?? [],
    changeRecovery: (wallet) => recoveryOnStage(cx, stage, wallet),
    exportWallet: (wallet) => exportOnStage(cx, stage, wallet),
    listPermissions: (signal) => listPermissions(services.http(), { signal }),
    async stopPermission(id, signal) {
      await revokePermission(services.http(), id, { signal })
      await embedded?.refresh(signal)
    },
    listConnectedApps: (signal) => listConnectedApps(services.http(), { signal }),
    disconnectApp: (id, signal) => disconnectApp(services.http(), id, { signal }),
    revokeAll: () => revokeOnStage(cx, stage),
    showActivity: () => showActivity(stage),
    listSessions: async (signal) => (await services.sessions()).list({ signal }),
    endSession: async (id, signal) => (await services.sessions()).end(id, { signal }),
    endOtherSessions: async (signal) => (await services.sessions()).endOthers({ signal }),
    listDevices: async () => (await wallets.devices()).list(),
    removeDevice: (id) => removeOnStage(cx, stage, id),
    strict: cx.app.known().vault === 'strict',
    countRequests: async (signal) => (await wallets.devices()).countRequests({ signal }),
    approveDevice: () => approveOnStage(cx, stage),
    listProofs: async (signal) => (await wallets.devices()).proofs({ signal }),
    addProof: () => addProofOnStage(cx, stage),
    manageVaultPasskeys: () => managePasskeysOnStage(cx, stage),
    onReturn: cx.tabs.onReturn,
    offersFactors: cx.app.known().app.mfaMethods.length > 0,
    manageFactors: () => enrollOnStage(cx, stage),
  }
}
