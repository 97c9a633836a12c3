/** What a user can send, and the chain that takes it. */
import type { ActivityEntry } from '../../activity/entry.ts'
import type { Settled } from '../../activity/tracker.ts'
import type { Price } from '../../lib/price.ts'
import type { Recipient, RecipientContext, RecipientError } from '../../lib/recipient.ts'
import type { TokenRefusal } from '../../solana/token-rules.ts'
import type { SolanaInspection } from '../../solana/transfer.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import type { Asset } from '../preview.ts'
import type { TransactionFunding } from '../transaction/funding.ts'

export interface SendWallet {
  readonly address: string
  readonly chainType: 'ethereum' | 'solana'
  /** The name of an external wallet; `undefined` for an embedded one. */
  readonly name?: string | undefined
}

/** A coin or token of one wallet on one network. */
export interface SendAsset extends Asset {
  /** CAIP-2: `eip155:1`, `solana:mainnet`. */
  readonly chain: string
  /** The network's name. */
  readonly network: string
  readonly wallet: SendWallet
  /** The token's contract or mint; `undefined` for the network's own coin. */
  readonly token?: string | undefined
  readonly name?: string | undefined
  /** In the smallest units that people see. `undefined` while it is unknown. */
  readonly balance?: bigint | undefined
  /** The issuer has frozen the wallet's account of it. */
  readonly isFrozen?: boolean | undefined
  /** Why the token can't be sent to anybody. */
  readonly refusal?: TokenRefusal | undefined
  readonly price?: Price | undefined
}

/** Names an asset. */
export const keyOf = ({ chain, wallet, token }: Pick<SendAsset, 'chain' | 'wallet' | 'token'>): string =>
  `${wallet.address} ${chain} ${token ?? ''}`

/** Reasons why nothing can be sent to what was typed. */
export type RecipientProblem =
  | RecipientError
  | 'same-wallet'
  | Extract<SolanaInspection, { problem: string }>['problem']
  | 'invalid-name'
  | 'unknown-name'
  | 'no-address'
  | 'elsewhere'
/** Reasons to look twice. */
export type RecipientCaution =
  | 'looks-like'
  | 'contract'
  | 'name-elsewhere'
  | 'off-curve'
  | 'program-account'
  | 'token-account'

/** Addresses that are known: wallets of the user's, those that they have sent to, and the app's tokens. */
export type KnownAddresses = Required<RecipientContext>
export type Resolved =
  | {
      readonly address: string
      /** As the name service writes it. */
      readonly name: string
      /** The name's owner has named an address for this very network. */
      readonly isForChain: boolean
    }
  | { readonly problem: RecipientProblem }
export type Inspection =
  | { readonly problem: RecipientProblem }
  | {
      readonly problem?: undefined
      readonly caution?: RecipientCaution | undefined
      /** Rent that the wallet pays for the recipient's account, in the network's coin. */
      readonly rent: bigint
      /** The least that can be sent there. */
      readonly least: bigint
      /** The least of the network's coin that may stay in the wallet, unless nothing does. */
      readonly remainder: bigint
    }

/** How much can be sent, and the costs with which it was reckoned. */
export interface Quote {
  readonly amount: bigint
  /** Sends that amount at those costs. */
  send(cx: WalletFlow): Promise<Settled | undefined>
}

/** One wallet on one network. Whatever asks the network throws what its node throws. */
export interface SendChain {
  /** Reads a recipient, without asking anybody. */
  read(text: string, known: KnownAddresses): Recipient
  /** An address that a name stands for, as if it had been typed. */
  resolve(name: string, signal: AbortSignal): Promise<Resolved>
  inspect(to: string, signal: AbortSignal): Promise<Inspection>
  /** Asks how much can be sent at most. */
  maximum(to: string, signal: AbortSignal): Promise<Quote>
  /** Leads to funding where the wallet has too little; `undefined` where the app has none for it. */
  readonly funding?: TransactionFunding | undefined
  /** Has the user review the transfer, and sends it. */
  send(cx: WalletFlow, to: string, amount: bigint): Promise<Settled | undefined>
}

/** Called with the outcome of each broadcast, which continues even if the dialog is closed. */
export type OnBroadcast = (outcome: Promise<ActivityEntry>) => void
