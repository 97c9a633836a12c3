/** What a host asks about a person's devices; loaded with the first such call. The kit is ready. */
import type { Stage } from '../../dialog/stage.ts'
import { KitError, toKitError } from '../../errors/kit-error.ts'
import type { Device } from '../../protocol/devices.ts'
import {
  addProof as addInDialog,
  approveDevice as approveInDialog,
  managePasskeys as manageInDialog,
  removeDevice as removeInDialog,
} from '../../wallets/flows.ts'
import type { RemoveDeviceOptions } from '../api.ts'
import type { KitContext } from '../context.ts'
import { personOf } from './person.ts'

async function walletsOf(cx: KitContext) {
  personOf(cx, 'their devices are known')
  return (await cx.services()).wallets
}

/** The devices that may use the person's wallets. */
export async function listDevices(cx: KitContext): Promise<readonly Device[]> {
  const wallets = await walletsOf(cx)
  return (await wallets.devices()).list()
}

/**
 * Removes one of them. In a strict app the person agrees to it in the vault's own window; in a compatible one a dialog opens only
 * where they have to show first how their wallets are recovered.
 */
export async function removeDevice(
  cx: KitContext,
  id: string,
  { surface, signal }: RemoveDeviceOptions,
): Promise<void> {
  const wallets = await walletsOf(cx)
  if (typeof id !== 'string' || id === '')
    throw new KitError('invalid_request_arguments', 'A device is removed by its id')
  if (cx.app.known().vault !== 'strict')
    try {
      return await (await wallets.embedded()).removeDevice(id, signal)
    } catch (cause) {
      if (toKitError(cause).code !== 'recovery_proof_required') throw cause
    }
  await cx.runs.run('device', { surface, signal }, (stage) => removeOnStage(cx, stage, id))
}

/** The same where a dialog is open. */
export async function removeOnStage(cx: KitContext, stage: Stage, id: string): Promise<void> {
  return removeInDialog({ ...cx.flow(stage), wallets: await walletsOf(cx) }, id)
}

/** How many new devices wait for the approval of one of the user's. */
export async function countRequests(cx: KitContext): Promise<number> {
  const wallets = await walletsOf(cx)
  return (await wallets.devices()).countRequests()
}

/** The kinds of proof with which the user could confirm a new device. */
export async function listProofs(cx: KitContext): Promise<readonly string[]> {
  const wallets = await walletsOf(cx)
  return (await wallets.devices()).proofs()
}

/** Has the user decide about a new device that waits. */
export async function approveDevice(
  cx: KitContext,
  { surface, signal }: RemoveDeviceOptions,
): Promise<'approved' | 'denied' | 'none'> {
  await walletsOf(cx)
  return cx.runs.run('device', { surface, signal }, (stage) => approveOnStage(cx, stage))
}

/** The same where a dialog is open. */
export async function approveOnStage(cx: KitContext, stage: Stage): Promise<'approved' | 'denied' | 'none'> {
  return approveInDialog({ ...cx.flow(stage), wallets: await walletsOf(cx) })
}

/** Offers a proof for another device. Resolves with whether one was added. */
export async function addProof(cx: KitContext, { surface, signal }: RemoveDeviceOptions): Promise<boolean> {
  await walletsOf(cx)
  return cx.runs.run('device', { surface, signal }, (stage) => addProofOnStage(cx, stage))
}

/** The same where a dialog is open. */
export async function addProofOnStage(cx: KitContext, stage: Stage): Promise<boolean> {
  const wallets = await walletsOf(cx)
  const wallet = (await wallets.embedded()).find()
  if (!wallet) throw new KitError('embedded_wallet_not_found', 'No embedded wallet with this address')
  return addInDialog({ ...cx.flow(stage), wallets }, wallet, { isNew: false, required: false })
}

/** Shows the vault's own passkeys in its window. */
export async function managePasskeysOnStage(cx: KitContext, stage: Stage): Promise<number> {
  return manageInDialog({ ...cx.flow(stage), wallets: await walletsOf(cx) }, 'manage')
}
