/** Transfers that a user fills in: what is known of the recipient's account, the transaction, and the most that can be sent. */
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  type Instruction,
  isOffCurveAddress,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token'
import type { Clock } from '../lib/clock.ts'
import { type Budget, budgetOf } from './budget.ts'
import { TOKEN_2022_SIZE, TOKEN_SIZE } from './fees.ts'
import { encodeTransaction } from './message.ts'
import { NO_BLOCKHASH, parseRequest, prepare, type SolanaRequest } from './prepare.ts'
import { SYSTEM_PROGRAM } from './programs/system.ts'
import { TOKEN_2022_PROGRAM } from './programs/token-2022.ts'
import { getAccounts, getBalance, getMinimumBalance } from './queries.ts'
import type { RpcOptions, SolanaRpc } from './rpc.ts'
import { associatedAccount } from './token-metadata.ts'
import { readMint, readTokenAccount } from './token-state.ts'

/** A token to be sent, as its mint describes it. */
export interface SplAsset {
  readonly mint: string
  /** The token program of the mint. */
  readonly program: string
  readonly decimals: number
}
export interface SolanaTransfer {
  /** The address of the wallet that sends and pays. */
  readonly wallet: string
  /** The address of the wallet that receives. */
  readonly to: string
  /** In lamports, or in the token's smallest units. */
  readonly amount: bigint
  /** `undefined`: SOL. */
  readonly token?: SplAsset | undefined
  /** Makes the fee the one that was quoted. */
  readonly budget?: Budget | undefined
}

/**
 * `token-account`: an account of tokens, which isn't a wallet. `off-curve`: nobody has a key for it, so that a program alone decides.
 * `program-account`: a program keeps its data there.
 */
export type SolanaCaution = 'token-account' | 'off-curve' | 'program-account'
export type SolanaInspection =
  /** `program`: it can be run, and nothing comes back from it. `token-contract`: the mint of a token. */
  | { readonly problem: 'program' | 'token-contract' | 'token-account' }
  | {
      readonly problem?: undefined
      readonly caution?: SolanaCaution | undefined
      /** The lamports that the wallet puts into an account for the recipient's tokens, which doesn't exist yet. */
      readonly rent: bigint
      /** The least lamports that can be sent to an account that doesn't exist yet. */
      readonly least: bigint
      /** The least lamports that may stay in the wallet, unless nothing does. */
      readonly remainder: bigint
    }

/** Looks at what is at a recipient's address. Throws what the node throws. */
export async function inspectRecipient(
  rpc: SolanaRpc,
  { to, token }: Pick<SolanaTransfer, 'to' | 'token'>,
  options: RpcOptions = {},
): Promise<SolanaInspection> {
  const holder = token && (await associatedAccount({ owner: to, mint: token.mint, program: token.program }))
  const [{ accounts }, minimum, size] = await Promise.all([
    getAccounts(rpc, holder === undefined ? [to] : [to, holder], options),
    getMinimumBalance(rpc, 0, options),
    token &&
      getMinimumBalance(rpc, token.program === TOKEN_2022_PROGRAM ? TOKEN_2022_SIZE : TOKEN_SIZE, options),
  ])
  const account = accounts.get(to)
  if (account?.executable) return { problem: 'program' }
  if (readMint(account)) return { problem: 'token-contract' }
  const isTokenAccount = readTokenAccount(account) !== undefined
  // Tokens for an account of tokens would be in one that nobody can use.
  if (isTokenAccount && token) return { problem: 'token-account' }
  const isData = account !== undefined && account.owner !== SYSTEM_PROGRAM
  const caution = isTokenAccount
    ? 'token-account'
    : isData
      ? 'program-account'
      : isOffCurveAddress(address(to))
        ? 'off-curve'
        : undefined
  return {
    ...(caution && { caution }),
    rent: holder !== undefined && !accounts.get(holder) ? (size ?? 0n) : 0n,
    least: account || token ? 0n : minimum,
    remainder: minimum,
  }
}

/** The transfer as an unsigned request, whose blockhash the preparation fills in. */
export async function transferRequest(transfer: SolanaTransfer): Promise<SolanaRequest> {
  const { wallet, budget } = transfer
  const instructions = [...budgetInstructions(budget), ...(await transferInstructions(transfer))]
  const message = pipe(
    createTransactionMessage({ version: 'legacy' }),
    (empty) => setTransactionMessageFeePayer(address(wallet), empty),
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: NO_BLOCKHASH as Blockhash, lastValidBlockHeight: 0n },
        paid,
      ),
    (living) => appendTransactionMessageInstructions(instructions, living),
  )
  const { messageBytes } = compileTransaction(message)
  return parseRequest(encodeTransaction(Uint8Array.from(messageBytes), [undefined]), wallet)
}

function budgetInstructions({ limit, price }: Partial<Budget> = {}): readonly Instruction[] {
  return [
    ...(limit === undefined ? [] : [getSetComputeUnitLimitInstruction({ units: Number(limit) })]),
    ...(price === undefined ? [] : [getSetComputeUnitPriceInstruction({ microLamports: price })]),
  ]
}

async function transferInstructions({
  wallet,
  to,
  amount,
  token,
}: SolanaTransfer): Promise<readonly Instruction[]> {
  const signer = createNoopSigner(address(wallet))
  if (!token) return [getTransferSolInstruction({ source: signer, destination: address(to), amount })]
  const { mint, program, decimals } = token
  const [source, destination] = await Promise.all(
    [wallet, to].map((owner) => associatedAccount({ owner, mint, program })),
  )
  const config = { programAddress: program as Address }
  return [
    // One that exists already is left as it is.
    getCreateAssociatedTokenIdempotentInstruction({
      payer: signer,
      ata: address(destination ?? ''),
      owner: address(to),
      mint: address(mint),
      tokenProgram: address(program),
    }),
    getTransferCheckedInstruction(
      {
        source: address(source ?? ''),
        mint: address(mint),
        destination: address(destination ?? ''),
        authority: signer,
        amount,
        decimals,
      },
      config,
    ),
  ]
}

/** The most SOL that can be sent, and the budget with which it costs what was quoted. */
export interface SolanaMaximum {
  readonly amount: bigint
  readonly budget: Budget
}

/** The wallet's balance less the fee of sending it. Throws what the node throws. */
export async function quoteMaximum(
  cx: { rpc: SolanaRpc; clock: Clock },
  { wallet, to }: Pick<SolanaTransfer, 'wallet' | 'to'>,
  options: RpcOptions = {},
): Promise<SolanaMaximum> {
  const balance = await getBalance(cx.rpc, wallet, options)
  // A trial run of nearly everything: less than the least of a new account would fail.
  const spare = balance > QUOTE_SPARE ? balance - QUOTE_SPARE : 1n
  const request = await transferRequest({ wallet, to, amount: spare })
  const { actions, fee } = await prepare(cx, request, { ...options, mayChange: true })
  const left = balance - fee.total
  const { limit = OWN_LIMIT, price } = budgetOf(actions)
  return { amount: left > 0n ? left : 0n, budget: { limit, price } }
}
/** Units of a transfer with its budget, and some more. With a limit no priority fee is added later. */
const OWN_LIMIT = 1_500n
/** Lamports that stay for the fee and the wallet's own account while the fee is asked for. */
const QUOTE_SPARE = 3_000_000n
