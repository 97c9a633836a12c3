import { Closed, type Stage } from '../../../dialog/stage.ts'
import { VaultError } from '../../errors.ts'
import {
  addVaultPasskey,
  beginVaultPasskey,
  fetchVaultPasskeys,
  removeVaultPasskey as remove,
  type VaultPasskey,
} from '../../server/vault-passkeys.ts'
import type { ApprovalContext, PurposeFlow } from '../purpose.ts'
import { untilReached } from '../recover/ask.ts'
import { vaultPasskeys as list, removeVaultPasskey, vaultPasskey } from './screens.ts'
import type { VaultPasskeyProps } from './vault-passkey.tsx'

type Context = ApprovalContext<'vault-passkeys'>

/** Adds passkeys of the vault's own, with which a user confirms further devices, and removes them; in the vault's own window alone. */
export const vaultPasskeys: PurposeFlow<'vault-passkeys'> = (cx) =>
  cx.approving(
    'high',
    async (stage) => {
      if (cx.asked.get().action === 'manage') return manage(cx, stage)
      if ((await add(cx, stage)) === 'back') throw new Closed('The user turned back')
      return { passkeys: (await fetched(cx, stage)).length }
    },
    'recovery-passkey',
  )

async function manage(cx: Context, stage: Stage) {
  let failed = false
  for (;;) {
    const passkeys = await fetched(cx, stage)
    const answer = await stage.ask(list, { passkeys, failed })
    failed = false
    if (answer === 'close') return { passkeys: passkeys.length }
    if (answer === 'add') {
      await add(cx, stage)
      continue
    }
    const passkey = passkeys.find(({ id }) => id === answer.remove)
    if (passkey) await removeOn(cx, stage, passkey)
    else failed = true
  }
}

const fetched = (cx: Context, stage: Stage): Promise<readonly VaultPasskey[]> =>
  untilReached(cx, stage, async () => fetchVaultPasskeys(cx.vault, await cx.token()))

/** The challenge is there before the press, because browsers make a passkey only within one. */
async function add(cx: Context, stage: Stage): Promise<'added' | 'back'> {
  let error: VaultPasskeyProps['error']
  for (;;) {
    const options = await untilReached(cx, stage, async () => beginVaultPasskey(cx.vault, await cx.token()))
    const answer = await stage.ask(vaultPasskey, { purpose: 'create', options, error })
    if (answer === 'back') return answer
    if (answer === 'ask') throw new VaultError('error', "Passkeys are made in the vault's window alone")
    if ('refused' in answer) {
      error = answer.refused
      continue
    }
    try {
      await addVaultPasskey(cx.vault, await cx.token(), answer.passkey)
      return 'added'
    } catch (cause) {
      stage.signal.throwIfAborted()
      if (!(cause instanceof VaultError) || cause.type !== 'error') throw cause
      cx.shown(cause)
      error = 'other'
    }
  }
}

async function removeOn(cx: Context, stage: Stage, { id, name, createdAt }: VaultPasskey): Promise<void> {
  for (let failed = false; ; failed = true) {
    if ((await stage.ask(removeVaultPasskey, { name, createdAt, failed })) === 'back') return
    try {
      return await remove(cx.vault, await cx.token(), id)
    } catch (cause) {
      stage.signal.throwIfAborted()
      if (!(cause instanceof VaultError) || cause.type !== 'error') throw cause
      cx.shown(cause)
    }
  }
}
