import { type ExportColor, exportColors } from '../../protocol/frame/export.ts'
import type { ChainType, RootName, WalletPath } from '../model.ts'

/** What the address of the page asks for. docs/protocol.md */
export interface ExportRequest {
  readonly root: RootName
  readonly path: WalletPath
  /** Of the wallet that is shown. EIP-55 or base58. */
  readonly address: string
  /** Where the login comes from: our kit's credential, or that of a compatible client. */
  readonly credential: { readonly ticket: string } | { readonly token: string }
  /** Whether the app lets people have their recovery phrase as well. */
  readonly phrase: boolean
  /** As the address has them; they are checked where they are used. */
  readonly colors: Readonly<Partial<Record<ExportColor, string>>>
  /** CSS text: a length or a share of the frame. */
  readonly width: string | undefined
}

/** Why an address is refused: 'token' has a login token where servers and histories keep it; 'invalid' is incomplete. */
export type ExportRefusal = 'token' | 'invalid'

/** Names of query parameters that may contain a token, which servers and histories would then keep. */
const TOKENS = /^(access|auth|bearer|id|refresh)?[_-]?(token|jwt)$/i

/** Reads the page's address. `fragment` is without its `#`. */
export function readExportRequest(search: string, fragment: string): ExportRequest | ExportRefusal {
  const query = new URLSearchParams(search)
  if ([...query].some(([name, value]) => TOKENS.test(name) || isJwt(value))) return 'token'
  const text = (name: string) => query.get(name) ?? ''

  const address = text('address')
  const chainType = chainOf(address)
  // A compatible client names no root for a key that was imported: it is its own.
  const rootAddress = text('primaryAddress') || address
  const rootChain = chainOf(rootAddress)
  const index = /^\d{1,10}$/.test(text('walletIndex')) ? Number(text('walletIndex')) : 0
  const credential = parseLogin(text('ticket'), new URLSearchParams(fragment).get('token') ?? '')
  if (!chainType || !rootChain || !credential || index >= 2 ** 31) return 'invalid'
  // A newer client may name the chain; one that contradicts its address is not believed.
  if (query.has('chain') && text('chain') !== chainType) return 'invalid'

  return {
    root: {
      chainType: rootChain,
      address: rootChain === 'ethereum' ? rootAddress.toLowerCase() : rootAddress,
    },
    path: { chainType, index },
    address,
    credential,
    phrase: text('phrase_export') !== 'false',
    colors: Object.fromEntries(exportColors.flatMap((name) => (query.has(name) ? [[name, text(name)]] : []))),
    width: /^\d{1,4}(\.\d{1,3})?(px|rem|em|%)$/.test(text('width')) ? text('width') : undefined,
  }
}

/** One of the two, or nothing that can be relied on. */
function parseLogin(ticket: string, token: string): ExportRequest['credential'] | undefined {
  if (ticket !== '') return token === '' ? { ticket } : undefined
  return token === '' ? undefined : { token }
}

const isJwt = (value: string) => /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(value)

function chainOf(address: string): ChainType | undefined {
  if (/^0x[0-9a-fA-F]{40}$/.test(address)) return 'ethereum'
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address) ? 'solana' : undefined
}
