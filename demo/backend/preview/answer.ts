/** Previews in the form of the protocol: amounts are digits in smallest units. docs/protocol.md, "Previews". */

export const PREVIEW_VERSION = 1

export interface ReasonView {
  kind: string
  message?: string
}
export interface ChangeView {
  kind: string
  /** The contract, or on Solana the mint; without it, the network's own coin. */
  token?: string
  id?: string
  amount: string
  parties?: readonly string[]
}
export interface AllowanceView {
  kind: string
  token?: string
  /** The account or contract that is controlled. */
  account?: string
  spender: string
  /** Without it: all that there is. */
  amount?: string
  id?: string
  /** Unix seconds, until which somebody else holds it. */
  until?: string
  is_unlimited: boolean
}
/** Fees of one unit of gas. */
export type FeesView =
  | { gas_price: string }
  | { max_fee_per_gas: string; max_priority_fee_per_gas: string }
  | PriorityView
/** A whole priority fee of Solana. */
export interface PriorityView {
  priority_fee: string
}
export type LevelsView = Readonly<Record<'slow' | 'usual' | 'fast', FeesView>>
export interface SimulationView {
  outcome: 'simulated' | 'unavailable'
  status?: 'success' | 'failed'
  reason?: ReasonView
  out?: readonly ChangeView[]
  in?: readonly ChangeView[]
  allowances?: readonly AllowanceView[]
  is_complete?: boolean
}
export interface TokenView {
  symbol?: string
  decimals: number
  name?: string
  /** Of a token of Solana: units that people see for each that the network moves; absent where nobody can say it. */
  scale?: number
  /** The fee that its mint withholds from each transfer. */
  transfer_fee?: { basis_points: number; maximum: string }
}
export interface PriceView {
  usd: number
  /** Unix seconds. */
  at: number
}
/** A token of which the wallet has too little. */
export interface TokenShortageView {
  token: string
  missing: string
}
export type Disputed = 'fee' | 'nonce' | 'balance' | 'tokens' | 'lookups' | 'simulation'
/** Accounts of Solana's lookup tables, by table and by place in it. */
export type LookupsView = Readonly<Record<string, Readonly<Record<string, string>>>>
export interface PreviewAnswer {
  version: typeof PREVIEW_VERSION
  chain: string
  prepared?: Readonly<Record<string, string | boolean | ReasonView | LevelsView | TokenShortageView>>
  simulation?: SimulationView
  tokens: Readonly<Record<string, TokenView>>
  /** The accounts that the message takes from lookup tables; one that no node has, or that two nodes name differently, is left out. */
  lookups?: LookupsView
  names: Readonly<Record<string, { name: string; source: 'token' }>>
  /** Bytes of code by address; zero: no contract. */
  code: Readonly<Record<string, number>>
  /** The contract whose code the wallet has at its own address (EIP-7702); `null`: none. Absent where no node has said. */
  wallet_code?: string | null
  balance?: string
  /**
   * Allowances that the account of an operation has given its paymaster; absent where none was named, or no node has said them. Of a token
   * without an amount no node has said how much.
   */
  paymaster_allowances?: readonly { token: string; amount: string | null; is_unlimited: boolean }[]
  /** Figures about which two nodes differ: the worse one for the user is given. */
  disputed: readonly Disputed[]
  /** How many nodes have said them. */
  nodes: number
  prices?: { coin?: PriceView; tokens: Readonly<Record<string, PriceView>> }
  block_number?: string
  /** Unix seconds. */
  at: number
}

/** An object without the fields that are `undefined`. */
export const defined = <T extends object>(given: T) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

/** Names that tokens give themselves. */
export const namesOf = (tokens: Readonly<Record<string, TokenView>>): PreviewAnswer['names'] =>
  Object.fromEntries(
    Object.entries(tokens).flatMap(([address, { name }]) =>
      name === undefined ? [] : [[address, { name, source: 'token' as const }]],
    ),
  )
