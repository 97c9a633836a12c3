/** Contracts that pay fees for users, by the names that their app gives them. */
import type { Plain } from '../lib/plain.ts'
import { isPlainObject } from '../lib/plain.ts'
import { parseEthereumAddress } from './address.ts'

/** A paymaster contract on one chain, as the app's own settings know it. */
export interface Sponsor {
  readonly chainId: number
  readonly address: string
  readonly name: string
}

const MOST_SPONSORS = 128
const MOST_NAME = 40

/** Reads the sponsors of an app's settings. Those that can't be read have no name. */
export function readSponsors(value: Plain | undefined): readonly Sponsor[] {
  if (!Array.isArray(value) || value.length > MOST_SPONSORS) return []
  return value.flatMap((each) => readSponsor(each) ?? [])
}

function readSponsor(value: Plain): Sponsor | undefined {
  if (!isPlainObject(value)) return undefined
  const { chainId, address: text, name } = value
  const address = parseEthereumAddress(text)
  if (typeof chainId !== 'number' || !Number.isSafeInteger(chainId) || !address) return undefined
  if (typeof name !== 'string' || name.trim() === '' || name.length > MOST_NAME) return undefined
  return { chainId, address, name }
}

/** The name of a contract that pays on a chain; `undefined` for one that the app doesn't name. */
export const findSponsorName = (
  sponsors: readonly Sponsor[],
  chainId: number,
  address: string,
): string | undefined =>
  sponsors.find((each) => each.chainId === chainId && each.address.toLowerCase() === address.toLowerCase())
    ?.name
