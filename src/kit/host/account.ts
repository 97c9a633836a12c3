/** What a host asks about the accounts of the person who is logged in; loaded with the first such call. The kit is ready. */
import { isGuarded } from '../../account/guarded.ts'
import {
  link as linkInDialog,
  resumeLink as resumeInDialog,
  verify as verifyInDialog,
} from '../../account/link/flow.ts'
import { requireUnlinkable } from '../../account/service.ts'
import { eventMethod, findAccount, isLastLogin } from '../../account/unlink/accounts.ts'
import { unlinkLast } from '../../account/unlink/flow.ts'
import { update } from '../../account/update/flow.ts'
import { replacedBy } from '../../account/update/old-address.ts'
import { Closed, type Stage } from '../../dialog/stage.ts'
import type { Run, Surface } from '../../dialog/surface.ts'
import { KitError, toKitError } from '../../errors/kit-error.ts'
import type { Login, LoginContext, Purpose } from '../../login/context.ts'
import type { TransferRequest } from '../../login/headless-calls.ts'
import { kindOf } from '../../login/methods.ts'
import { completeHeadless } from '../../login/redirect/complete.ts'
import type { ReturnedLogin } from '../../login/redirect/returned-login.ts'
import { transferAccount } from '../../login/transfer/request.ts'
import type { LoginMethod } from '../../protocol/login-method.ts'
import type { LinkedAccount, User } from '../../protocol/user.ts'
import type { WalletChainType } from '../../wallets/connect/list-options.ts'
import type { AccountToUnlink, LinkOptions, UnlinkOptions, UpdateOptions } from '../api.ts'
import type { KitContext } from '../context.ts'
import type { Services } from '../services/services.ts'
import { personOf } from './person.ts'
import { prompt } from './prompt.ts'

/** Adds an account, in a dialog. */
export async function link(cx: KitContext, method: LoginMethod, options: LinkOptions = {}): Promise<User> {
  if (!method) throw new KitError('invalid_configuration', 'There is no method to link an account by')
  const { prefill, ...place } = options
  const user = personOf(cx, 'linking an account')
  return linkBy(cx, method, place, (context) => linkInDialog(context, user, { method, prefill }))
}

/** Continues a link that has left the page. Call {@link requireBeginner} first: it is only for the person who began it. */
export const resumeLink = (
  cx: KitContext,
  left: ReturnedLogin,
  surface: Surface | undefined,
): Promise<User> => linkBy(cx, left.method, { surface }, (context) => resumeInDialog(context, left))

/** Continues a link without a dialog, for the person who began it and for nobody else. */
export async function completeLink(cx: KitContext, left: ReturnedLogin): Promise<void> {
  requireBeginner(cx, left)
  const services = await cx.services()
  const linked = await completeHeadless(services.authFor({ kind: 'link' }), left)
  if (linked) await cx.announceChange('linked', linked)
}

/**
 * Throws a {@link KitError}: `session_changed` if somebody else is here than when the page was left, `must_be_authenticated` if nobody
 * is.
 */
export function requireBeginner(cx: KitContext, { linkTo }: ReturnedLogin): void {
  if (personOf(cx, 'linking an account').id !== linkTo)
    throw new KitError('session_changed', 'The person who is logged in has changed')
}

/** Unlinks an account: at once, or, where it is the person's last login, once they have agreed. */
export async function unlink(
  cx: KitContext,
  meant: AccountToUnlink,
  { surface, signal }: UnlinkOptions = {},
): Promise<User> {
  const { linkedAccounts } = personOf(cx, 'unlinking an account')
  const account = findAccount(linkedAccounts, meant)
  if (!account) throw new KitError('linked_account_not_found', 'The person has no such account')
  requireUnlinkable(account)
  return removeAccount(cx, account, signal, (ask) => cx.runs.run('unlink', { surface, signal }, ask))
}

/** Unlinks an account where a dialog is open. Throws {@link Closed} if the person turns back. */
export async function unlinkOnStage(cx: KitContext, stage: Stage, account: LinkedAccount): Promise<User> {
  try {
    return await removeAccount(cx, account, stage.signal, (ask) => ask(stage))
  } catch (cause) {
    if (cause instanceof KitError && cause.code === 'mfa_canceled')
      throw new Closed('The person turned back', { cause })
    throw cause
  }
}

/**
 * Whoever has a second factor shows it before a passkey goes, even where the app no longer offers any: the server can't ask
 * for it (docs/security.md, "Second factors").
 * @param onStage lends a stage on which the person may be asked
 */
async function removeAccount(
  cx: KitContext,
  account: LinkedAccount,
  signal: AbortSignal | undefined,
  onStage: (ask: (stage: Stage) => Promise<User>) => Promise<User>,
): Promise<User> {
  const user = personOf(cx, 'unlinking an account')
  const { linkedAccounts, mfaMethods } = user
  // Where the vault's window approves the change, it asks for the second factor as well.
  if (account.type === 'passkey' && mfaMethods.length > 0 && !isGuarded(cx.app.known(), user))
    await prompt(cx, { signal }, 'factors')
  const service = await (await cx.services()).accounts()
  const asking = () =>
    onStage((stage) =>
      unlinkLast(cx.flow(stage), account, (during) =>
        service.unlink(account, { signal: during, evenIfSole: true }),
      ),
    )
  const removing = async () => {
    try {
      return await service.unlink(account, { signal })
    } catch (cause) {
      if (cause instanceof KitError && cause.code === 'cannot_unlink_sole_account') return asking()
      throw cause
    }
  }
  const isLast = isLastLogin(linkedAccounts, account, cx.app.known().app)
  const changed = await (isLast ? asking() : removing())
  return cx.announceChange('unlinked', { user: changed, method: eventMethod(account), account })
}

/** Replaces the person's e-mail address, in a dialog. */
export const updateEmail = (cx: KitContext, options: UpdateOptions = {}) => replace(cx, 'email', options)

/** Replaces their phone number. */
export const updatePhone = (cx: KitContext, options: UpdateOptions = {}) => replace(cx, 'sms', options)

async function replace(
  cx: KitContext,
  via: 'email' | 'sms',
  { surface, signal, prefill }: UpdateOptions,
): Promise<User> {
  const user = personOf(cx, 'updating an account')
  const purpose = { kind: 'update', old: replacedBy(user, via) } as const
  const updated = await running(cx, 'update', { via, purpose, surface, signal }, (context) =>
    update(context, via, { prefill }),
  )
  return cx.announceChange('updated', updated)
}

/**
 * Has the user verify an e-mail address or a phone number where a dialog is open: a first one, or the same one again.
 * @throws Closed when the user goes back
 */
export async function verifyOnStage(
  cx: KitContext,
  stage: Stage,
  surface: string | undefined,
  via: 'email' | 'sms',
): Promise<User> {
  const user = personOf(cx, 'verifying a contact')
  const services = await cx.services()
  const known = via === 'email' ? user.email?.address : user.phone?.number
  const context = provingContext(cx, services, { stage, via, purpose: { kind: 'link' }, surface })
  return cx.announceChange('linked', await verifyInDialog(context, via, known))
}

/** Takes an account over from another user, for hosts with screens of their own. */
export async function initiateTransfer(cx: KitContext, request: TransferRequest): Promise<User> {
  personOf(cx, 'transferring an account')
  const services = await cx.services()
  return cx.announceChange('linked', await transferAccount(services.authFor({ kind: 'link' }), request))
}

/** Gives a passkey a name of the person's own. */
export async function renamePasskey(cx: KitContext, credentialId: string, name: string): Promise<User> {
  personOf(cx, 'renaming a passkey')
  const service = await (await cx.services()).accounts()
  return service.renamePasskey({ credentialId, name })
}

interface Place {
  readonly surface?: Surface | undefined
  readonly signal?: AbortSignal | undefined
  readonly walletList?: readonly string[] | undefined
  readonly walletChainType?: WalletChainType | undefined
}

/** Adds an account by a ceremony that is known already, wherever dialogs appear. */
export const linkFlow = (cx: KitContext, method: string, flow: (context: LoginContext) => Promise<Login>) =>
  linkBy(cx, method, {}, flow)

async function linkBy(
  cx: KitContext,
  method: string,
  place: Place,
  flow: (context: LoginContext) => Promise<Login>,
): Promise<User> {
  const linked = await running(cx, 'link', { via: method, purpose: { kind: 'link' }, ...place }, flow)
  return cx.announceChange('linked', linked)
}

/** Runs a login's ceremony in a dialog for another purpose than a login. */
async function running(
  cx: KitContext,
  intent: 'link' | 'update',
  { via, purpose, surface, signal, walletList, walletChainType }: Place & { via: string; purpose: Purpose },
  flow: (context: LoginContext) => Promise<Login>,
): Promise<Login> {
  const services = await cx.services()
  try {
    return await cx.runs.run(intent, { surface, signal }, (stage, { name }) =>
      flow(provingContext(cx, services, { stage, via, purpose, surface: name, walletList, walletChainType })),
    )
  } catch (cause) {
    const error = hostError(intent, cause)
    if (error.code !== exits[intent]) cx.report(error)
    throw error
  }
}

/** What a login's ceremony gets that is to do something else than log in. */
export function provingContext(
  cx: KitContext,
  services: Services,
  { stage, via, purpose, surface, from, walletList, walletChainType }: Proving,
): LoginContext {
  return {
    ...cx.entry(stage, {
      walletList: kindOf(via) === 'wallet' && via !== 'wallet' ? [via] : walletList,
      walletChainType,
    }),
    ...services,
    purpose,
    auth: services.authFor(purpose),
    surface,
    from,
    mayTransfer: (offer) => mayTransfer(cx, { ...offer, method: via }),
  }
}
interface Proving {
  readonly stage: Stage
  readonly via: string
  readonly purpose: Purpose
  /** The name of the place where the stage is. */
  readonly surface: string | undefined
  readonly from?: LoginContext['from']
  readonly walletList?: readonly string[] | undefined
  readonly walletChainType?: WalletChainType | undefined
}

const exits: Readonly<Partial<Record<Run['intent'], string>>> = {
  link: 'exited_link_flow',
  update: 'exited_update_flow',
}

/** Failures that have no code of their own get that of what was being done. */
function hostError(intent: 'link' | 'update', cause: unknown): KitError {
  const error = toKitError(cause)
  if (error.code !== 'unknown_auth_error') return error
  const { shortMessage, details, retryable, status, data } = error
  return new KitError(
    intent === 'link' ? 'failed_to_link_account' : 'failed_to_update_account',
    shortMessage,
    {
      cause: error,
      retryable,
      data,
      ...(details !== undefined && { details }),
      ...(status !== undefined && { status }),
    },
  )
}

/** Asks the host, which may keep the offer from its people. */
function mayTransfer(cx: KitContext, offer: { method: string; account: string }): boolean {
  let allowed = true
  cx.events.emit('transfer-request', {
    ...offer,
    refuse() {
      allowed = false
    },
  })
  return allowed
}
