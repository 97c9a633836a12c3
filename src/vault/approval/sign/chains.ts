import type { ChainOptions } from '../../../ethereum/chains.ts'

/** The vault's own list of chains; another one is shown by its number. */
export const chains: ChainOptions = { host: {} }
