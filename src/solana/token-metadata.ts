/** Names of Solana's tokens, as their mints and the accounts of Metaplex's program have them. All of it is the issuer's claim. */
import { address, getAddressDecoder, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit'
import { findAssociatedTokenPda } from '@solana-program/token'
import { isSafeSymbol, isSafeText, safeTextLimits } from '../lib/safe-text.ts'
import { TOKEN_PROGRAM } from './programs/token.ts'
import { TOKEN_2022_PROGRAM } from './programs/token-2022.ts'
import { type AccountState, getAccounts } from './queries.ts'
import type { RpcOptions, SolanaRpc } from './rpc.ts'
import {
  CLOCK_ACCOUNT,
  type NetworkTime,
  readNetworkTime,
  readTokenRules,
  type TokenRules,
} from './token-rules.ts'
import { toShown } from './token-scale.ts'
import { type MintExtension, readMint, readTokenAccount } from './token-state.ts'

const METAPLEX = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s'
/** Token-2022's extensions begin after the byte that says that this is a mint. */
const EXTENSIONS_AT = 166
const METADATA_EXTENSION = 19
/** The kind of account, and its authority, before the mint. */
const METAPLEX_MINT_AT = 33
const ADDRESS_SIZE = 32

/** A token as its mint and its metadata describe it. */
export interface SplToken {
  readonly decimals: number
  /** `undefined` without metadata, and for words that aren't safe to show. */
  readonly symbol?: string
  readonly name?: string
  readonly rules: TokenRules
}
/** A token to be sent, as its mint describes it. */
export interface SplAsset {
  readonly mint: string
  /** The token program of the mint. */
  readonly program: string
  readonly decimals: number
  readonly rules: TokenRules
}
/** The same with what a wallet holds of it. */
export interface SplBalance extends SplToken, SplAsset {
  readonly extensions: readonly MintExtension[]
  /** In the wallet's associated account, in the smallest units that people see; `undefined` where nobody can say those. */
  readonly amount: bigint | undefined
  /** The same in the units that the network moves. */
  readonly raw: bigint
  readonly isFrozen: boolean
}

/** The tokens at these mints; one that is no mint is left out. Throws what the node throws. */
export async function readSolanaTokens(
  node: SolanaRpc,
  mints: readonly string[],
  options: RpcOptions = {},
): Promise<Record<string, SplToken>> {
  if (mints.length === 0) return {}
  const places = await Promise.all(mints.map(metaplexAddress))
  const { accounts } = await getAccounts(node, [...mints, ...places, CLOCK_ACCOUNT], options)
  const time = readNetworkTime(accounts.get(CLOCK_ACCOUNT))
  return Object.fromEntries(
    mints.flatMap((mint, at) => {
      const found = tokenOf(mint, {
        account: accounts.get(mint),
        metaplex: accounts.get(places[at] ?? ''),
        time,
      })
      return found ? [[mint, found]] : []
    }),
  )
}

/**
 * Reads what a wallet holds of tokens, in its associated accounts, with one question. A mint that is none is `undefined`. Throws what
 * the node throws.
 */
export async function readSplBalances(
  node: SolanaRpc,
  owner: string,
  mints: readonly string[],
  options: RpcOptions = {},
): Promise<ReadonlyMap<string, SplBalance | undefined>> {
  if (mints.length === 0) return new Map()
  const places = await Promise.all(
    mints.map(async (mint) => ({
      mint,
      metadata: await metaplexAddress(mint),
      holders: await Promise.all(
        [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((program) => associatedAccount({ owner, mint, program })),
      ),
    })),
  )
  const asked = places.flatMap(({ mint, metadata, holders }) => [mint, metadata, ...holders])
  asked.push(CLOCK_ACCOUNT)
  const { accounts } = await getAccounts(node, asked, options)
  const time = readNetworkTime(accounts.get(CLOCK_ACCOUNT))
  return new Map(
    places.map(({ mint, metadata, holders }) => {
      const account = accounts.get(mint)
      const found = tokenOf(mint, { account, metaplex: accounts.get(metadata), time })
      if (!account || !found) return [mint, undefined]
      const holder = holders[account.owner === TOKEN_2022_PROGRAM ? 1 : 0] ?? ''
      const held = readTokenAccount(accounts.get(holder))
      const isOwn = held?.mint === mint && held.owner === owner
      const raw = isOwn ? held.amount : 0n
      const balance: SplBalance = {
        ...found,
        mint,
        program: account.owner,
        extensions: readMint(account)?.extensions ?? [],
        amount: found.rules.scale === undefined ? undefined : toShown(raw, found.rules.scale),
        raw,
        isFrozen: isOwn && held.isFrozen,
      }
      return [mint, balance]
    }),
  )
}

/** The account in which a wallet holds a token unless somebody has chosen another one. */
export async function associatedAccount({
  owner,
  mint,
  program,
}: {
  owner: string
  mint: string
  program: string
}): Promise<string> {
  const [place] = await findAssociatedTokenPda({
    owner: address(owner),
    mint: address(mint),
    tokenProgram: address(program),
  })
  return place
}

function tokenOf(
  mint: string,
  {
    account,
    metaplex,
    time,
  }: {
    account: AccountState | undefined
    metaplex: AccountState | undefined
    time: NetworkTime | undefined
  },
): SplToken | undefined {
  const found = readMint(account)
  if (!account || !found) return undefined
  return {
    decimals: found.decimals,
    rules: readTokenRules(account, time),
    ...(inMint(account, mint) ?? inMetaplex(metaplex, mint)),
  }
}

async function metaplexAddress(mint: string): Promise<string> {
  const encoder = getAddressEncoder()
  const program = address(METAPLEX)
  const seeds = ['metadata', encoder.encode(program), encoder.encode(address(mint))]
  const [place] = await getProgramDerivedAddress({ programAddress: program, seeds })
  return place
}

type Metadata = Pick<SplToken, 'name' | 'symbol'>

/** The metadata that a mint of Token-2022 has itself. */
function inMint({ owner, data }: AccountState, mint: string): Metadata | undefined {
  if (owner !== TOKEN_2022_PROGRAM) return undefined
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  for (let at = EXTENSIONS_AT; at + 4 <= data.length; ) {
    const type = view.getUint16(at, true)
    const length = view.getUint16(at + 2, true)
    if (type === METADATA_EXTENSION)
      return readTexts(data.subarray(at + 4, at + 4 + length), ADDRESS_SIZE, mint)
    if (type === 0) return undefined
    at += 4 + length
  }
  return undefined
}

/** The account of Metaplex's program that is for this mint; any other program's account could say anything. */
function inMetaplex(account: AccountState | undefined, mint: string): Metadata | undefined {
  return account?.owner === METAPLEX ? readTexts(account.data, METAPLEX_MINT_AT, mint) : undefined
}

/** The mint, and after it the name and the symbol with their lengths. */
function readTexts(data: Uint8Array, at: number, mint: string): Metadata | undefined {
  const end = at + ADDRESS_SIZE
  if (data.length < end || getAddressDecoder().decode(data.subarray(at, end)) !== mint) return undefined
  const name = readText(data, end)
  const symbol = name && readText(data, name.end)
  if (!name || !symbol) return undefined
  const hasSymbol = isSafeSymbol(symbol.text)
  const hasName = name.text !== '' && isSafeText(name.text, safeTextLimits.name)
  return { ...(hasSymbol && { symbol: symbol.text }), ...(hasName && { name: name.text }) }
}

function readText(data: Uint8Array, at: number): { text: string; end: number } | undefined {
  if (data.length < at + 4) return undefined
  const length = new DataView(data.buffer, data.byteOffset, data.byteLength).getUint32(at, true)
  const end = at + 4 + length
  if (length > 1_024 || end > data.length) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(data.subarray(at + 4, end))
    // Metaplex pads its texts.
    return { text: text.replace(/\0+$/, ''), end }
  } catch {
    return undefined
  }
}
