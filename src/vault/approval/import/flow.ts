import { Closed, type Stage } from '../../../dialog/stage.ts'
import { VaultError } from '../../errors.ts'
import { importWallet, isKeyOf } from '../../wallets/import-wallet.ts'
import type { ApprovalContext, PurposeFlow } from '../purpose.ts'
import { type ImportKeyProps, importKey as screen } from './import-key.tsx'

/** Takes a private key in that the person types into the vault's own window; the page never has it. */
export const importKey: PurposeFlow<'import'> = (cx) =>
  cx.approving('high', (stage) => importOn(cx, stage), {
    purpose: 'import',
    stake: chainNames[cx.asked.get().chainType],
  })

const chainNames = { ethereum: 'Ethereum', solana: 'Solana' } as const

async function importOn(cx: ApprovalContext<'import'>, stage: Stage): ReturnType<typeof importKey> {
  const { chainType } = cx.asked.get()
  const { appName } = cx.vault.settings
  let error: ImportKeyProps['error']
  for (;;) {
    const answer = await stage.ask(screen, { chainType, appName, error })
    if (answer === 'cancel') throw new Closed('The person cancelled')
    if (!isKeyOf(chainType, answer.privateKey)) {
      error = 'invalid'
      continue
    }
    try {
      const { privateKey } = answer
      const address = await cx.commit(
        async () => importWallet(cx.vault, await cx.token(), chainType, privateKey),
        (imported) => ({ address: imported }),
      )
      return { address }
    } catch (cause) {
      stage.signal.throwIfAborted()
      // The person has to be known on this device first, which the page sees to.
      if (cause instanceof VaultError && cause.type === 'enrolment_required') throw cause
      cx.shown(cause)
      error = 'failed'
    }
  }
}
