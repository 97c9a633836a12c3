/** Solana's requests as a person reads them. They bring the parser of its transactions, which Ethereum's messages do without. */
import './more-words.ts'
import type { ApprovalRequests } from '../../../protocol/frame/approval.ts'
import type { TransactionPreview } from '../../../signing/preview.ts'
import { toSolanaPreview } from '../../../signing/solana/preview.ts'
import { approveTransaction } from '../../../signing/transaction/approve-transaction.tsx'
import { parseSolanaMessage } from '../../../solana/transaction.ts'
import { fetchPreview, type ServerPreview } from '../../server/preview.ts'
import { parseMessageParams } from '../../signing/solana.ts'
import { type Reading, reading, type Who } from './reading-of.ts'
import { balanceChangesOf, disputeWarnings, triedWarnings } from './server-preview.ts'

const clusters = { devnet: 'Devnet', testnet: 'Testnet' } as const

/**
 * By Solana's one method messages are signed, and the messages of transactions; only the bytes say which it is. Gives the bytes of a
 * message.
 */
export function readSolana(
  { request, action, cluster }: ApprovalRequests['sign'],
  { origin, address: wallet }: Who,
): Reading | Uint8Array {
  const bytes = parseMessageParams(request)
  const transaction = parseSolanaMessage(bytes, wallet)
  if (!transaction) return bytes
  // The bytes are valid on any network, so a test network that the page claims must not pass for a fact.
  const network = cluster ? { name: clusters[cluster], isClaimed: true } : { name: 'Solana' }
  const preview = toSolanaPreview(transaction, { origin, wallet, network })
  const { to, isPayer, lamports: amount, fee, message } = transaction
  // On a test network nothing is worth anything, and the bytes are good on the main one as well.
  const isPlain = to !== undefined && isPayer && !preview.feeConcern
  const chain = `solana:${cluster ?? 'mainnet'}`
  return reading(approveTransaction, { preview, action }, 'high', {
    confirm: async (cx, token) => {
      const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
      const asked = { address: wallet, chain, request: { message: text } }
      const server = await fetchPreview(cx, token, asked)
      return (shown) => ({ ...shown, preview: confirmed(preview, server) })
    },
    transfer: isPlain
      ? { chain: 'solana:mainnet', amount, fee, signed: Uint8Array.from(message) }
      : undefined,
  })
}

/** The preview with what the server's nodes say: none of it can make the fee smaller than the bytes say. */
function confirmed(preview: TransactionPreview, server: ServerPreview): TransactionPreview {
  const { balance, prepared } = server
  const { fee, value, coin } = preview
  const most = fee !== undefined && prepared && prepared.fee > fee ? prepared.fee : fee
  const missing = prepared?.missing || undefined
  const isUnderfunded = preview.isUnderfunded || prepared?.isUnderfunded === true
  const balanceChanges = balanceChangesOf(server, coin)
  return {
    ...preview,
    ...(most !== undefined && { fee: most, total: value + most + (prepared?.rent ?? 0n) }),
    ...(balance !== undefined && { balance }),
    isUnderfunded,
    ...(missing !== undefined && { missing }),
    ...(balanceChanges && { balanceChanges }),
    warnings: [
      ...preview.warnings,
      ...(isUnderfunded ? [] : (triedWarnings(server) ?? [])),
      ...disputeWarnings(server),
      ...(isUnderfunded ? [{ code: 'insufficient-funds', severity: 'danger' } as const] : []),
    ],
  }
}
