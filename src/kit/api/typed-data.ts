/** What typed data (EIP-712) are to a compiler: the message follows from its types, as viem has it. */
import type { Quantity } from './signing.ts'

/** The structs of typed data, by name. */
export type TypedDataTypes = Readonly<
  Record<string, readonly { readonly name: string; readonly type: string }[]>
>

/**
 * Typed data whose message has the fields of its primary type. Where the types are not known to the compiler, neither is the message.
 * @example
 * import type { TypedDataInput } from 'latchkey'
 *
 * const vote: TypedDataInput = await (await fetch('/vote.json')).json()
 * await kit.signTypedData(vote)
 */
export interface TypedDataInput<
  Types extends TypedDataTypes | Record<string, unknown> = Record<string, unknown>,
  Primary extends string = string,
> {
  readonly domain?: object
  readonly types: Types
  readonly primaryType: Primary & PrimaryTypeOf<Types, Primary>
  readonly message: TypedMessage<Types, Primary>
}

type PrimaryTypeOf<Types, Primary extends string> = string extends Primary | keyof Types
  ? string
  : (keyof Types & string) | 'EIP712Domain'

type TypedMessage<Types, Primary extends string> = string extends Primary | keyof Types
  ? object
  : Primary extends keyof Types
    ? StructOf<Types, Primary>
    : object

type StructOf<Types, Name extends keyof Types> = Types[Name] extends readonly (infer Field)[]
  ? {
      readonly [One in Field as One extends { readonly name: infer Key extends string }
        ? Key
        : never]: One extends { readonly type: infer Kind extends string } ? ValueOf<Types, Kind> : unknown
    }
  : object

/** Addresses and bytes are texts, and integers are whatever the kit reads as a quantity: all that viem takes, and no less. */
type ValueOf<Types, Kind extends string> = string extends Kind
  ? unknown
  : Kind extends `${infer Item}[${string}]`
    ? readonly ValueOf<Types, Item>[]
    : Kind extends keyof Types
      ? StructOf<Types, Kind>
      : Kind extends 'bool'
        ? boolean
        : Kind extends `uint${string}` | `int${string}`
          ? Quantity
          : Kind extends 'string' | 'address' | `bytes${string}`
            ? string
            : unknown
