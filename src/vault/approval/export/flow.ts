import { addWords } from '../../../copy/copy.ts'
import { errors } from '../../../copy/en/errors.ts'
import { Closed, type Stage } from '../../../dialog/stage.ts'
import type { ApprovalRequests } from '../../../protocol/frame/approval.ts'
import { notOnDevice, VaultError } from '../../errors.ts'
import { checkWallet, pathText, secretText, type What } from '../../export/secret.ts'
import { parseRootName } from '../../keys/address.ts'
import { vaultLimits } from '../../limits.ts'
import type { RootName, WalletPath } from '../../model.ts'
import { noteExport } from '../../server/export.ts'
import { withDeviceRoot } from '../../shares/device-root.ts'
import type { ApprovalContext, PurposeFlow } from '../purpose.ts'
import { isProofRequired, provePresentOn } from '../recover/prove-flow.ts'
import { type Secret, type ShowKeyProps, showKey } from './show-key.tsx'

addWords(errors)

interface Exported {
  readonly root: RootName
  readonly path: WalletPath
  readonly address: string
}

/** Shows a person their wallet's key in the vault's own window. The key reaches that window and nothing else. */
export const exportKey: PurposeFlow<'export'> = async (cx) => {
  const asked = cx.asked.get()
  const wallet = await readWallet(asked)
  // Where the wallet is not on this device it has to be recovered first, and no window is needed to say so.
  const kind = await withDeviceRoot(
    cx.vault,
    await cx.token(),
    wallet.root,
    async (open) => {
      await checkWallet(open, wallet)
      return open.kind
    },
    { fresh: true },
  )
  const phrase = kind === 'entropy'
  const known = { address: wallet.address, phrase, path: phrase ? pathText(wallet.path) : undefined }
  return cx.approving(
    'high',
    async (stage) => {
      await begin(cx, stage, wallet, known)
      let exported = false
      try {
        await show(cx, stage, wallet, known, () => {
          exported = true
          cx.settle({ exported })
        })
      } catch (cause) {
        // Somebody who closes the window has what they wanted.
        if (!(cause instanceof Closed && exported)) throw cause
      }
      return { exported }
    },
    { purpose: 'export', stake: wallet.address },
  )
}

async function readWallet({
  root,
  chainType,
  walletIndex,
  address,
}: ApprovalRequests['export']): Promise<Exported> {
  const name = await parseRootName(root.chainType, root.address)
  if (!name) throw new VaultError('invalid_request_arguments', 'The root is not an address')
  return { root: name, path: { chainType, index: walletIndex }, address }
}

type Known = Pick<ShowKeyProps, 'address' | 'phrase' | 'path'>

/** Has the server note the export, for which the person may have to prove their recovery method first. */
async function begin(
  cx: ApprovalContext<'export'>,
  stage: Stage,
  { root, address }: Exported,
  known: Known,
): Promise<void> {
  const note = () =>
    stage.during(showKey, { ...known, state: 'loading' }, async () =>
      noteExport(cx.vault, await cx.token(), address),
    )
  try {
    await note()
  } catch (cause) {
    if (!isProofRequired(cause)) throw cause
    await provePresentOn(cx, stage, root, { address })
    await note()
  }
}

/** Shows, hides and copies as the person likes, until they are done. Calls `exported` when they have anything of it. */
async function show(
  cx: ApprovalContext<'export'>,
  stage: Stage,
  wallet: Exported,
  known: Known,
  exported: () => void,
): Promise<void> {
  const { clock } = cx.vault
  const read = async (what: What): Promise<Secret> => ({
    what,
    text: await withDeviceRoot(cx.vault, await cx.token(), wallet.root, (open) =>
      secretText(open, wallet, what),
    ),
  })
  let view: Pick<ShowKeyProps, 'shown' | 'copied' | 'hidden' | 'error'> = {}
  let until = 0
  for (;;) {
    const props = { ...known, ...view, state: 'ready' } as const
    const came = view.shown
      ? await stage.askDuring(showKey, props, (signal) =>
          clock.sleep(Math.max(0, until - clock.now()), signal),
        )
      : { answer: await stage.ask(showKey, props) }
    if ('done' in came || came.answer === 'hide') {
      view = { hidden: true }
      continue
    }
    const { answer } = came
    if (answer === 'close') return
    const { shown } = view
    if (answer === 'taken') {
      exported()
      view = shown ? { shown } : {}
      continue
    }
    try {
      if ('show' in answer) {
        view = { shown: await read(answer.show) }
        until = clock.now() + vaultLimits.exportShown
        exported()
      } else view = { ...(shown && { shown }), copied: await read(answer.copy) }
    } catch (cause) {
      stage.signal.throwIfAborted()
      if (cause instanceof VaultError && cause.type === notOnDevice().type) throw cause
      cx.shown(cause)
      view = { error: true }
    }
  }
}
