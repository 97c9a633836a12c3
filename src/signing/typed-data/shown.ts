import { decodePermit } from '../../ethereum/call-decoder.ts'
import { type ChainOptions, chainOf } from '../../ethereum/chains.ts'
import type { TypedData } from '../../ethereum/typed-data.ts'
import type { SignTypedDataProps } from './sign-typed-data.tsx'

/** What a person reads of typed data. */
export function shownTypedData(
  chains: ChainOptions,
  typed: TypedData,
): Pick<SignTypedDataProps, 'domain' | 'primaryType' | 'fields' | 'permit'> {
  const { domain, primaryType, fields } = typed
  const { chainId, ...named } = domain
  const chain =
    chainId === undefined ? undefined : (chainOf(chains, Number(chainId))?.name ?? String(chainId))
  const permit = decodePermit(typed)
  return {
    domain: { ...named, ...(chain !== undefined && { chain }) },
    primaryType,
    fields,
    ...(permit && { permit }),
  }
}
