/** Names of Solana's tokens, as their mints and the accounts of Metaplex's program have them. All of it is the issuer's claim. */
import { address, getAddressDecoder, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit'
import { ethereumLimits } from '../../../src/ethereum/limits.ts'
import { isSafeText } from '../../../src/ethereum/tokens.ts'
import { TOKEN_2022_PROGRAM } from '../../../src/solana/programs/token-2022.ts'
import { type AccountState, getAccounts } from '../../../src/solana/queries.ts'
import { readMint } from '../../../src/solana/token-state.ts'
import type { TokenView } from './answer.ts'
import type { PreviewNode } from './nodes.ts'

const METAPLEX = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s'
/** Token-2022's extensions begin after the byte that says that this is a mint. */
const EXTENSIONS_AT = 166
const METADATA_EXTENSION = 19
/** The kind of account, and its authority, before the mint. */
const METAPLEX_MINT_AT = 33
const ADDRESS_SIZE = 32

/** The tokens at these mints; one that is no mint is left out. Throws what the node throws. */
export async function readSolanaTokens(
  node: PreviewNode,
  mints: readonly string[],
): Promise<Record<string, TokenView>> {
  if (mints.length === 0) return {}
  const places = await Promise.all(mints.map(metaplexAddress))
  const { accounts } = await getAccounts(node, [...mints, ...places])
  return Object.fromEntries(
    mints.flatMap((mint, at) => {
      const account = accounts.get(mint)
      const found = readMint(account)
      if (!account || !found) return []
      const metadata = inMint(account, mint) ?? inMetaplex(accounts.get(places[at] ?? ''), mint)
      return [[mint, { decimals: found.decimals, ...metadata }]]
    }),
  )
}

async function metaplexAddress(mint: string): Promise<string> {
  const encoder = getAddressEncoder()
  const program = address(METAPLEX)
  const seeds = ['metadata', encoder.encode(program), encoder.encode(address(mint))]
  const [place] = await getProgramDerivedAddress({ programAddress: program, seeds })
  return place
}

type Metadata = Pick<TokenView, 'name' | 'symbol'>

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
  const hasSymbol = symbol.text !== '' && isSafeText(symbol.text, ethereumLimits.tokenSymbolLength)
  const hasName = name.text !== '' && isSafeText(name.text, ethereumLimits.tokenNameLength)
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
