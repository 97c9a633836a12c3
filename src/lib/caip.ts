/** A chain. CAIP-2: `eip155:1`. */
export interface ChainRef {
  readonly namespace: string
  readonly reference: string
}
/** An account on a chain. CAIP-10: `eip155:1:0xab16…`. */
export interface AccountRef {
  readonly chain: ChainRef
  readonly address: string
}
/** Something of worth on a chain, or one of its kind. CAIP-19: `eip155:1/erc721:0x0601…/771769`. */
export interface AssetRef {
  readonly chain: ChainRef
  readonly namespace: string
  readonly reference: string
  readonly tokenId: string | undefined
}

const chain = '([-a-z0-9]{3,8}):([-_a-zA-Z0-9]{1,32})'
const caip2 = new RegExp(`^${chain}$`)
const caip10 = new RegExp(`^${chain}:([-.%a-zA-Z0-9]{1,128})$`)
const caip19 = new RegExp(`^${chain}/([-a-z0-9]{3,8}):([-.%a-zA-Z0-9]{1,128})(?:/([-.%a-zA-Z0-9]{1,78}))?$`)

/** Reads a chain; `undefined` for anything else. */
export function parseChainId(text: unknown): ChainRef | undefined {
  const [, namespace, reference] = matched(caip2, text)
  return namespace && reference ? { namespace, reference } : undefined
}

/** Reads an account by its form alone: whether the address is one of that chain is the chain's to say. */
export function parseAccountId(text: unknown): AccountRef | undefined {
  const [, namespace, reference, address] = matched(caip10, text)
  return namespace && reference && address ? { chain: { namespace, reference }, address } : undefined
}

export function parseAssetId(text: unknown): AssetRef | undefined {
  const [, namespace, reference, kind, asset, tokenId] = matched(caip19, text)
  if (!namespace || !reference || !kind || !asset) return undefined
  return { chain: { namespace, reference }, namespace: kind, reference: asset, tokenId }
}

export const formatChainId = ({ namespace, reference }: ChainRef): string => `${namespace}:${reference}`
export const formatAccountId = (account: AccountRef): string =>
  `${formatChainId(account.chain)}:${account.address}`
export const formatAssetId = (asset: AssetRef): string =>
  `${formatChainId(asset.chain)}/${asset.namespace}:${asset.reference}${asset.tokenId ? `/${asset.tokenId}` : ''}`

/** An Ethereum chain in CAIP-2. */
export const ethereumChainId = (id: number): string => `eip155:${id}`

/** The number of an Ethereum chain; `undefined` for other chains, and for numbers that are none. */
export function ethereumChainNumber(text: unknown): number | undefined {
  const { namespace, reference = '' } = parseChainId(text) ?? {}
  const id = namespace === 'eip155' && /^[1-9]\d{0,15}$/.test(reference) ? Number(reference) : undefined
  return Number.isSafeInteger(id) ? id : undefined
}

/** The clusters of Solana in CAIP-2. */
export const solanaChainIds = {
  mainnet: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  devnet: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  testnet: 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z',
} as const

const matched = (form: RegExp, text: unknown): readonly (string | undefined)[] =>
  (typeof text === 'string' && form.exec(text)) || []
