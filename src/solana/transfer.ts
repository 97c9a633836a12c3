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
import { getAddMemoInstruction } from '@solana-program/memo'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token'
import type { Clock } from '../lib/clock.ts'
import { InvalidRequest } from '../lib/invalid-request.ts'
import { type Budget, budgetOf } from './budget.ts'
import { encodeTransaction } from './message.ts'
import { NO_BLOCKHASH, parseRequest, prepare, type SolanaRequest } from './prepare.ts'
import { SYSTEM_PROGRAM } from './programs/system.ts'
import { getAccounts, getBalance, getMinimumBalance } from './queries.ts'
import type { RpcOptions, SolanaRpc } from './rpc.ts'
import { associatedAccount, type SplAsset } from './token-metadata.ts'
import { CLOCK_ACCOUNT, readNetworkTime, readTokenRules, type TokenRefusal } from './token-rules.ts'
import { leastShown, toRaw } from './token-scale.ts'
import { readMint, readTokenAccount } from './token-state.ts'

export interface SolanaTransfer {
  /** The address of the wallet that sends and pays. */
  readonly wallet: string
  /** The address of the wallet that receives. */
  readonly to: string
  /** In lamports, or in the smallest units of the token that people see. */
  readonly amount: bigint
  /** The same in the units of the token that the network moves, where they are known exactly: all that an account holds. */
  readonly raw?: bigint | undefined
  /** The recipient's account takes nothing without one. */
  readonly needsMemo?: boolean | undefined
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
  | {
      readonly problem:
        | 'program'
        | 'token-contract'
        | 'token-account'
        | TokenRefusal
        /** The issuer has frozen the recipient's account, or a new one begins so. */
        | 'token-frozen-there'
        /** The recipient's account takes nothing whose amount everybody sees. */
        | 'token-confidential-there'
    }
  | {
      readonly problem?: undefined
      readonly caution?: SolanaCaution | undefined
      /** The lamports that the wallet puts into an account for the recipient's tokens, which doesn't exist yet. */
      readonly rent: bigint
      /** The recipient's account takes nothing without a memo. */
      readonly needsMemo?: boolean | undefined
      /** The least that can be sent: lamports to an account that doesn't exist yet, or units of the token that people see. */
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
    getAccounts(rpc, token && holder !== undefined ? [to, holder, token.mint, CLOCK_ACCOUNT] : [to], options),
    getMinimumBalance(rpc, 0, options),
    token && getMinimumBalance(rpc, token.rules.accountSize, options),
  ])
  const account = accounts.get(to)
  if (account?.executable) return { problem: 'program' }
  if (readMint(account)) return { problem: 'token-contract' }
  const isTokenAccount = readTokenAccount(account) !== undefined
  // Tokens for an account of tokens would be in one that nobody can use.
  if (isTokenAccount && token) return { problem: 'token-account' }
  const held = holder === undefined ? undefined : readTokenAccount(accounts.get(holder))
  let least = account ? 0n : minimum
  if (token) {
    const mint = accounts.get(token.mint)
    if (!mint || !readMint(mint)) return { problem: 'token-unknown' }
    const { refusal, scale, beginsFrozen } = readTokenRules(
      mint,
      readNetworkTime(accounts.get(CLOCK_ACCOUNT)),
    )
    if (refusal || scale === undefined) return { problem: refusal ?? 'token-unknown' }
    least = leastShown(1n, scale)
    if (held ? held.isFrozen : beginsFrozen) return { problem: 'token-frozen-there' }
    if (held?.isConfidential) return { problem: 'token-confidential-there' }
  }
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
    ...(held?.needsMemo && { needsMemo: true }),
    least,
    remainder: minimum,
  }
}

/**
 * The transfer as an unsigned request, whose blockhash the preparation fills in.
 * @throws InvalidRequest for a token that can't be sent, and an amount of it that is none
 */
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
  raw,
  needsMemo,
}: SolanaTransfer): Promise<readonly Instruction[]> {
  const signer = createNoopSigner(address(wallet))
  if (!token) return [getTransferSolInstruction({ source: signer, destination: address(to), amount })]
  const { mint, program, decimals, rules } = token
  const { refusal, scale } = rules
  if (refusal || scale === undefined)
    throw new InvalidRequest(`The token can not be sent: ${refusal ?? 'token-unknown'}`)
  const units = raw ?? toRaw(amount, scale)
  if (units <= 0n || units > MOST_UNITS) throw new InvalidRequest('The token can not be sent in this amount')
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
    // The token program looks for it in the instruction before.
    ...(needsMemo ? [getAddMemoInstruction({ memo: MEMO }, { programAddress: address(MEMO_PROGRAM) })] : []),
    getTransferCheckedInstruction(
      {
        source: address(source ?? ''),
        mint: address(mint),
        destination: address(destination ?? ''),
        authority: signer,
        amount: units,
        decimals,
      },
      config,
    ),
  ]
}

const MOST_UNITS = (1n << 64n) - 1n
/** Accounts that ask for a memo ask for no certain one. */
const MEMO = 'Transfer'
/** The token program looks for this one, and for none that came after it. */
const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

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
