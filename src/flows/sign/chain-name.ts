import { chainOf } from '../../chains/chains.ts'
import type { Config } from '../../config.ts'

/** An Ethereum chain as a person knows it; its number where the app does not have it. */
export const chainNameOf = (config: Config, id: number | bigint): string =>
  chainOf(config, Number(id))?.name ?? String(id)
