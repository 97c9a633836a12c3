import type { Arguments } from '../../ethereum/calls/arguments.ts'
import type { TypedData } from '../../ethereum/typed-data.ts'
import { messageChainId } from '../typed-data.ts'
import type { Action } from './action.ts'

/** `from` is the wallet that signs, in lower case, if it is known. */
export type MessageReader = (
  message: Arguments,
  typed: TypedData,
  from: string | undefined,
) => readonly Action[]

/** A struct's fields in order: another struct of the same name is another struct. */
export const describeShape = (typed: TypedData, name: string) =>
  (typed.structs.get(name)?.fields ?? []).map((field) => `${field.text} ${field.name}`).join(',')

export const domainOf = (typed: TypedData) => ({
  chainId: messageChainId(typed),
  contract: typed.domain.contract,
})
