/** Everything that a wallet is asked to sign, by kind. A further kind is a folder and a line here. */
import type { Translate } from '../../../copy/copy.ts'
import type { SignKind, SignRequest } from '../../../protocol/frame/sign-request.ts'
import { readMessage } from './message/read.ts'
import type {
  AppRules,
  ReadKind,
  ReadKindLater,
  RequestedFrom,
  ReviewKnowledge,
  SignReview,
} from './review.ts'

/** Messages come with the flow; the others bring their parsers when they are asked for. */
const kinds: { readonly [K in SignKind]: () => Promise<ReadKind<K> | ReadKindLater<K>> } = {
  message: async () => readMessage,
  typedData: async () => (await import('./typed-data/read.ts')).readTypedData,
  evmTransaction: async () => (await import('./evm-transaction/read.ts')).readTransaction,
  evmBatch: async () => (await import('./batch/read.ts')).readBatch,
  authorization: async () => (await import('./authorization/read.ts')).readAuthorization,
  solanaMessage: async () => (await import('./solana-message/read.ts')).readSolanaMessage,
  solanaTransaction: async () => (await import('./solana-transaction/read.ts')).readSolanaTransaction,
  farcasterMessage: async () => (await import('./farcaster-message/read.ts')).readFarcasterMessage,
  evmTransactions: async () => (await import('./calls/read.ts')).readTransactions,
  solanaTransactions: async () => (await import('./calls/read.ts')).readSolanaTransactions,
  userOperation: async () => (await import('./user-operation/read.ts')).readOperation,
}

/**
 * Reads a request completely.
 * @param from the page that asks
 * @param knowledge adds words to what its bytes say, and takes nothing away
 * @param rules the app's settings, as the vault's own server has them
 * @throws InvalidRequest for bytes that can't be read, or that are of another kind
 */
export async function readSignRequest(
  asked: SignRequest,
  from: RequestedFrom,
  t: Translate,
  knowledge: ReviewKnowledge = {},
  { delegates = [], sponsors = [] }: Partial<AppRules> = {},
): Promise<SignReview> {
  const read = (await kinds[asked.kind]()) as ReadKind<SignKind>
  const account = 'account' in asked ? asked.account : undefined
  // The address that is displayed belongs to the key that signs.
  if (account) await (await import('./user-operation/account.ts')).loadOwnAccount(account, asked.address)
  const { address } = account ?? asked
  const review = await read(asked, { requester: { ...from, address }, t, knowledge, delegates, sponsors })
  // The frame approves transfers for the app's own pages alone.
  return from.app === undefined ? review : { ...review, transfer: undefined }
}
