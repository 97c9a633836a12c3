import { base58 } from '@scure/base'
import { solanaUsdc } from '../chains/usdc.ts'

const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
const SYSTEM_PROGRAM = '11111111111111111111111111111111'
const USDC_DECIMALS = 6
/** The address for deposits on Solana: a key that nobody has. */
export const solanaVault = base58.encode(new Uint8Array(32).fill(0x7e))

interface Instruction {
  readonly keys: readonly {
    readonly pubkey: string
    readonly isSigner: boolean
    readonly isWritable: boolean
  }[]
  readonly programId: string
  /** Hex. */
  readonly data: string
}
interface TokenBalance {
  readonly accountIndex: number
  readonly uiTokenAmount: { readonly amount: string }
}
interface SolanaTransaction {
  readonly transaction: { readonly message: { readonly accountKeys: readonly string[] } }
  readonly meta: {
    readonly logMessages: readonly string[]
    readonly preBalances: readonly number[]
    readonly postBalances: readonly number[]
    readonly preTokenBalances: readonly TokenBalance[]
    readonly postTokenBalances: readonly TokenBalance[]
  }
}
export interface SolanaDeposit {
  readonly user: string
  readonly symbol: string
  readonly amount: bigint
  /** Noted beside the deposit, which is found by it. */
  readonly requestId: string
}

/** The account in which an owner has USDC. */
async function usdcAccountOf(owner: string): Promise<string> {
  const [kit, token] = await Promise.all([import('@solana/kit'), import('@solana-program/token')])
  const [account] = await token.findAssociatedTokenPda({
    owner: kit.address(owner),
    mint: kit.address(solanaUsdc),
    tokenProgram: token.TOKEN_PROGRAM_ADDRESS,
  })
  return account
}

const accountOf = (owner: string, symbol: string): Promise<string> =>
  symbol === 'USDC' ? usdcAccountOf(owner) : Promise.resolve(owner)

/** The instructions that a wallet signs. */
export async function depositInstructions(deposit: SolanaDeposit): Promise<readonly Instruction[]> {
  const { user, symbol, amount, requestId } = deposit
  const [source, vault] = await Promise.all([accountOf(user, symbol), accountOf(solanaVault, symbol)])
  const memo = { keys: [], programId: MEMO_PROGRAM, data: Buffer.from(requestId).toString('hex') }
  if (symbol !== 'USDC') {
    const data = Buffer.alloc(12)
    data.writeUInt32LE(2, 0)
    data.writeBigUInt64LE(amount, 4)
    const keys = [
      { pubkey: user, isSigner: true, isWritable: true },
      { pubkey: vault, isSigner: false, isWritable: true },
    ]
    return [{ keys, programId: SYSTEM_PROGRAM, data: data.toString('hex') }, memo]
  }
  const { TOKEN_PROGRAM_ADDRESS } = await import('@solana-program/token')
  const data = Buffer.alloc(10)
  // TransferChecked
  data.writeUInt8(12, 0)
  data.writeBigUInt64LE(amount, 1)
  data.writeUInt8(USDC_DECIMALS, 9)
  const keys = [
    { pubkey: source, isSigner: false, isWritable: true },
    { pubkey: solanaUsdc, isSigner: false, isWritable: false },
    { pubkey: vault, isSigner: false, isWritable: true },
    { pubkey: user, isSigner: true, isWritable: false },
  ]
  return [{ keys, programId: TOKEN_PROGRAM_ADDRESS, data: data.toString('hex') }, memo]
}

/** Finds a deposit that names the request, and how much it brought. */
export async function findSolanaDeposit(
  ask: (method: string, params: readonly unknown[]) => Promise<unknown>,
  { symbol, requestId }: Pick<SolanaDeposit, 'symbol' | 'requestId'>,
  used: ReadonlySet<string>,
): Promise<{ hash: string; amount: bigint } | undefined> {
  const vault = await accountOf(solanaVault, symbol)
  const rows = (await ask('getSignaturesForAddress', [vault, { limit: 100 }])) as {
    signature: string
    err: unknown
  }[]
  for (const { signature, err } of rows) {
    if (err || used.has(signature)) continue
    const options = { encoding: 'json', maxSupportedTransactionVersion: 0 }
    const found = (await ask('getTransaction', [signature, options])) as SolanaTransaction | null
    const at = found?.transaction.message.accountKeys.indexOf(vault) ?? -1
    if (!found || at < 0 || !JSON.stringify(found.meta.logMessages).includes(requestId)) continue
    const { preBalances, postBalances, preTokenBalances, postTokenBalances } = found.meta
    const tokens = (list: readonly TokenBalance[]) =>
      BigInt(list.find(({ accountIndex }) => accountIndex === at)?.uiTokenAmount.amount ?? 0)
    const amount =
      symbol === 'USDC'
        ? tokens(postTokenBalances) - tokens(preTokenBalances)
        : BigInt(Math.max(0, (postBalances[at] ?? 0) - (preBalances[at] ?? 0)))
    return { hash: signature, amount }
  }
  return undefined
}
