import '../transaction-copy.ts'
import { decodeBatch } from '../../../../ethereum/execute-batch.ts'
import { parseTransaction } from '../../../../ethereum/transaction.ts'
import { findDelegate, newCodeOf } from '../../../../ethereum/wallet-code.ts'
import { InvalidRequest } from '../../../../lib/invalid-request.ts'
import { approveCalls } from '../../../../signing/calls/approve-calls.tsx'
import { toAtomicPreview } from '../../../../signing/calls/preview.ts'
import type { TransactionPreview, Warning } from '../../../../signing/preview.ts'
import { toPreview } from '../../../../signing/transaction/preview.ts'
import type { ServerPreview } from '../../../server/preview.ts'
import { chains } from '../chains.ts'
import { readTransaction } from '../evm-transaction/read.ts'
import { type ReadKind, toReview } from '../review.ts'

/** Several calls in one transaction of the wallet to itself: each is read out of the very bytes that are signed. */
export const readBatch: ReadKind<'evmBatch'> = (request, cx) => {
  const { origin, address: wallet } = cx.requester
  const { delegates } = cx
  const { findFacts: _, asked: __, since: ___, ...words } = cx.knowledge
  const transaction = parseTransaction(request.transaction, { delegates })
  const calls = decodeBatch(transaction, wallet)
  if (!calls) throw new InvalidRequest('The transaction is no batch of calls of the wallet itself')
  const { chainId } = transaction
  const executes = (contract: string) => findDelegate(delegates, chainId, contract)?.executesBatches === true
  const code = newCodeOf(transaction)
  if (code !== undefined && !executes(code))
    throw new InvalidRequest('The code that the wallet would get carries out no batches')
  const whole = readTransaction(
    { ...request, kind: 'evmTransaction', action: 'send' },
    { ...cx, knowledge: words },
  )
  const each = calls.map((call) => toPreview(chains, { chainId, ...call }, { origin, wallet, ...words }))
  const preparing = request.state === 'preparing'
  /** Without code that carries them out, the calls would have no effect. */
  const warningsOf = (server: ServerPreview | undefined): readonly Warning[] =>
    code !== undefined || server?.walletCode === undefined || executes(server.walletCode ?? '')
      ? []
      : [{ code: 'may-fail', severity: 'danger' }]
  const propsOf = (props: object, server?: ServerPreview) => {
    const { preview } = props as { readonly preview: TransactionPreview }
    const all = toAtomicPreview(preview, each)
    return {
      preview: { ...all, warnings: [...all.warnings, ...warningsOf(server)] },
      ...(preparing && { preparing }),
    }
  }
  const { confirm, confirmed, needed } = whole
  return toReview(approveCalls, propsOf(whole.props), 'high', {
    needed,
    ...(confirm && confirmed && { confirm, confirmed: (server) => propsOf(confirmed(server), server) }),
  })
}
