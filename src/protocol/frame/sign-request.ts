/** What the vault is asked to sign, by kind. */
import * as v from 'valibot'
import { isPlainObject, type Plain, type PlainObject } from '../../lib/plain.ts'
import type { ChainType, RpcRequest } from './calls.ts'
import { frameLimits } from './limits.ts'

const text = v.pipe(v.string(), v.nonEmpty())
const whole = v.pipe(v.number(), v.integer(), v.minValue(0))

/** The wallet that signs. */
const wallet = {
  /** The root wallet by whose address the vault knows the secret. */
  root: v.object({ chainType: v.picklist(['ethereum', 'solana'] satisfies ChainType[]), address: text }),
  walletIndex: whole,
  /** The wallet that signs, as the page knows it; the vault signs with no other. */
  address: text,
}
/**
 * The server's id of another app's request, whose very content is to be signed. The vault reads that from its own server, and the name and
 * the origin of the app with it.
 */
const requester = { requester: v.optional(v.pipe(text, v.maxLength(64))) }
/** What the page says about a transaction, beside its bytes. */
const transaction = {
  action: v.picklist(['sign', 'send']),
  /** State that the page read from the chain's node. */
  state: v.optional(v.picklist(['preparing', 'underfunded', 'reverts', 'may-fail'])),
  /** The page can lead the user to funding, where the wallet has too little of the network's coin. */
  isFundable: v.optional(v.boolean()),
}

/** A smart account whose owner the wallet's key is. The vault derives its address from the key by itself. */
const account = v.object({
  /** The contract, as the protocol names it. */
  kind: text,
  /** The contract's own version. */
  version: v.optional(text),
  address: text,
  chainId: v.pipe(whole, v.minValue(1), v.safeInteger()),
})
export type FrameSmartAccount = Readonly<v.InferOutput<typeof account>>

const batch = { state: v.optional(v.picklist(['preparing', 'underfunded'])) }
const callState = v.optional(v.picklist(['reverts', 'may-fail']))
const callsOf = <T extends v.GenericSchema>(call: T) =>
  v.pipe(v.array(call), v.minLength(1), v.maxLength(frameLimits.batchCalls))

/**
 * The fields of each kind. A further kind is a row here, one in {@link toRpcRequest} and in {@link chainTypes}, and a folder of
 * `src/vault/approval/sign/`.
 */
const kinds = {
  /** `message`: as `personal_sign` takes it, so its bytes are given in 0x-hex. */
  message: v.object({
    kind: v.literal('message'),
    ...wallet,
    ...requester,
    message: text,
    /** The chain that the page's wallet is on, where its address may have code. */
    chainId: v.optional(v.pipe(whole, v.minValue(1), v.safeInteger())),
    /** The account that vouches for it (ERC-1271), in place of the wallet. */
    account: v.optional(account),
  }),
  typedData: v.object({
    kind: v.literal('typedData'),
    ...wallet,
    ...requester,
    typedData: v.custom<Plain>((value) => value !== undefined),
    /** The chain that the page's wallet is on; typed data for another one is refused. */
    chainId: v.optional(whole),
    /** The page takes a permit that the user has lowered, and so does whoever it is for. */
    isEditable: v.optional(v.boolean()),
    /** As for a message. */
    account: v.optional(account),
  }),
  evmTransaction: v.object({
    kind: v.literal('evmTransaction'),
    ...wallet,
    ...requester,
    ...transaction,
    transaction: v.custom<PlainObject>((value) => isPlainObject(value as Plain | undefined)),
    /** A token that the page can lead the user to fund, where the wallet has too little of it. */
    fundableToken: v.optional(text),
    /** What a chain takes for layer 1 besides the gas, as a 0x quantity: the transaction does not say it. */
    layerOneFee: v.optional(text),
  }),
  /** Several calls in one transaction of the wallet to itself, which the code of its address carries out (EIP-7702). */
  evmBatch: v.object({
    kind: v.literal('evmBatch'),
    ...wallet,
    transaction: v.custom<PlainObject>((value) => isPlainObject(value as Plain | undefined)),
    state: v.optional(v.picklist(['preparing', 'underfunded', 'reverts', 'may-fail'])),
    layerOneFee: v.optional(text),
  }),
  /** Code for the wallet's own address (EIP-7702), by an authorization that the app sends. */
  authorization: v.object({
    kind: v.literal('authorization'),
    ...wallet,
    authorization: v.custom<PlainObject>((value) => isPlainObject(value as Plain | undefined)),
  }),
  /** `message`: its bytes in base64. */
  solanaMessage: v.object({ kind: v.literal('solanaMessage'), ...wallet, message: v.string() }),
  /** `message`: the bytes of its message in base64, which are what is signed. */
  solanaTransaction: v.object({
    kind: v.literal('solanaTransaction'),
    ...wallet,
    ...transaction,
    message: text,
    /** The test network that the page means; the bytes don't say. */
    cluster: v.optional(v.picklist(['devnet', 'testnet'])),
    /** The page takes the transaction with another priority fee. */
    isEditable: v.optional(v.boolean()),
    /** A token that the page can lead the user to fund, where the wallet has too little of it. */
    fundableToken: v.optional(text),
  }),
  /** The hash of a message on Farcaster: 20 bytes in base64url. Its content is unknown. */
  farcasterMessage: v.object({ kind: v.literal('farcasterMessage'), ...wallet, hash: text }),
  /**
   * Several transactions that are reviewed once, and all signed or none. `state` is that of all together; of a call alone the page says at most
   * that it will likely fail.
   */
  evmTransactions: v.object({
    kind: v.literal('evmTransactions'),
    ...wallet,
    ...batch,
    transactions: callsOf(
      v.object({
        transaction: v.custom<PlainObject>((value) => isPlainObject(value as Plain | undefined)),
        layerOneFee: v.optional(text),
        state: callState,
      }),
    ),
  }),
  solanaTransactions: v.object({
    kind: v.literal('solanaTransactions'),
    ...wallet,
    ...batch,
    transactions: callsOf(v.object({ message: text, state: callState })),
    cluster: v.optional(v.picklist(['devnet', 'testnet'])),
  }),
  /** An operation of a smart account (ERC-4337), as a bundler takes it: the vault reads its calls out of these bytes, and hashes them. */
  userOperation: v.object({
    kind: v.literal('userOperation'),
    ...wallet,
    ...requester,
    ...batch,
    account,
    operation: v.custom<PlainObject>((value) => isPlainObject(value as Plain | undefined)),
  }),
} as const

export type SignKind = keyof typeof kinds
export type SignRequestOf<K extends SignKind> = Readonly<v.InferOutput<(typeof kinds)[K]>>
export type SignRequest = { [K in SignKind]: SignRequestOf<K> }[SignKind]
/** What is to be signed, without the wallet that signs it. */
export type SignContent = {
  [K in SignKind]: Readonly<Omit<v.InferOutput<(typeof kinds)[K]>, keyof typeof wallet | 'requester'>>
}[SignKind]

/** Content of one signature of a wallet's own, which is a call of the vault's frame as well. */
export type SingleContent = Exclude<SignContent, { kind: BatchKind | 'userOperation' }>
export type BatchKind = 'evmTransactions' | 'solanaTransactions'

/** The parts of a batch, each as a request of its own; `undefined` for what is one already. */
export function partsOf(content: SignContent): readonly SingleContent[] | undefined {
  switch (content.kind) {
    case 'evmTransactions':
      return content.transactions.map(({ transaction, layerOneFee, state }) => ({
        kind: 'evmTransaction',
        action: 'send',
        transaction,
        ...(layerOneFee !== undefined && { layerOneFee }),
        ...partState(content.state, state),
      }))
    case 'solanaTransactions':
      return content.transactions.map(({ message, state }) => ({
        kind: 'solanaTransaction',
        action: 'send',
        message,
        ...(content.cluster && { cluster: content.cluster }),
        ...partState(content.state, state),
      }))
    default:
      return undefined
  }
}

/** Only all together can be too dear. */
function partState(whole: 'preparing' | 'underfunded' | undefined, own: 'reverts' | 'may-fail' | undefined) {
  const state = whole === 'preparing' ? whole : own
  return state === undefined ? {} : { state }
}

export const signRequest = v.variant('kind', [
  kinds.message,
  kinds.typedData,
  kinds.evmTransaction,
  kinds.evmBatch,
  kinds.authorization,
  kinds.solanaMessage,
  kinds.solanaTransaction,
  kinds.farcasterMessage,
  kinds.evmTransactions,
  kinds.solanaTransactions,
  kinds.userOperation,
])

/** The kind of a request that this version doesn't know. */
export function unknownSignKind(request: Plain): string | undefined {
  const kind = isPlainObject(request) ? request.kind : undefined
  return typeof kind === 'string' && !Object.hasOwn(kinds, kind) ? kind : undefined
}

/** The chain of the wallet that signs a kind. */
export const chainTypes: Readonly<Record<SignKind, ChainType>> = {
  message: 'ethereum',
  typedData: 'ethereum',
  evmTransaction: 'ethereum',
  evmBatch: 'ethereum',
  authorization: 'ethereum',
  solanaMessage: 'solana',
  solanaTransaction: 'solana',
  farcasterMessage: 'ethereum',
  evmTransactions: 'ethereum',
  solanaTransactions: 'solana',
  userOperation: 'ethereum',
}

/** The same as a call of the vault's frame. The page and the vault both use this, so the same bytes are signed with and without an approval. */
export function toRpcRequest(content: SingleContent, address: string): RpcRequest {
  switch (content.kind) {
    case 'message':
      return { method: 'personal_sign', params: [content.message, address] }
    case 'typedData':
      return { method: 'eth_signTypedData_v4', params: [address, content.typedData] }
    case 'evmTransaction':
    case 'evmBatch':
      return { method: 'eth_signTransaction', params: [content.transaction] }
    case 'farcasterMessage':
      return { method: 'farcaster_sign', params: [content.hash, address] }
    case 'authorization':
      return { method: 'eth_sign7702Authorization', params: [address, content.authorization] }
    case 'solanaMessage':
    case 'solanaTransaction':
      return { method: 'signMessage', params: { message: content.message } }
  }
}
