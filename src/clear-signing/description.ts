/** The result of describing: plain data, with words of descriptors but none of ours. */

import type { Shape } from '../ethereum/calls/inner-calls.ts'
import type { Value } from '../ethereum/calls/values.ts'
import type { Action } from './actions/action.ts'
import type { Need } from './data.ts'
import type { Descriptor } from './descriptor.ts'

/** From most to least trusted. */
export const origins = ['built-in', 'registry', 'app'] as const
export type Origin = (typeof origins)[number]

/** Whoever has signed that a descriptor says what its contract does. */
export interface Auditor {
  /** With its checksum. */
  readonly address: string
  readonly name?: string | undefined
}

/** A descriptor that may apply, with all of its includes merged. */
export interface Candidate {
  readonly descriptor: Descriptor
  readonly origin: Origin
  /** Auditors whom the wallet knows, whose signatures of this very descriptor have been verified. */
  readonly auditors: readonly Auditor[]
  /** Its file in the registry. */
  readonly path?: string | undefined
  /** The hash of the descriptor (ERC-8176). */
  readonly hash?: string | undefined
}

/** Where descriptors come from. */
export interface DescriptorSource {
  /** Descriptors of functions that may be bound to a contract. */
  calls(chainId: number, address: string): readonly Candidate[]
  /** Descriptors of messages of a type, the hash of its `encodeType` text, that may be bound to a contract. */
  messages(typeHash: string, chainId: number, address: string): readonly Candidate[]
}

export type Severity = 'danger' | 'caution' | 'info'
export interface DescriptionWarning {
  readonly code: WarningCode
  readonly severity: Severity
  /** Figures for the words that a screen has for the code. */
  readonly data: Readonly<Record<string, string | number | boolean>>
}
export type WarningCode = keyof typeof severities

/** How grave each warning is; the order within a severity is the order in which they are given. */
export const severities = {
  // What takes everything, at once or later.
  'account-delegation': 'danger',
  'delegate-call': 'danger',
  'token-contract-recipient': 'danger',
  'zero-address-recipient': 'danger',
  'must-match': 'danger',
  'odd-encoding': 'danger',
  'control-change': 'danger',
  'allowance-to-account': 'danger',
  'all-tokens-allowance': 'danger',
  'unlimited-allowance': 'danger',
  'whole-balance-allowance': 'danger',
  'sell-order-without-price': 'danger',
  'unreadable-order': 'danger',
  'proceeds-elsewhere': 'danger',
  'open-delegation': 'danger',
  'session-key': 'danger',
  refund: 'danger',
  'too-large': 'danger',
  // What a second look is for.
  allowance: 'caution',
  order: 'caution',
  'safe-transaction': 'caution',
  'user-operation': 'caution',
  'signed-transfer': 'caution',
  witness: 'caution',
  'long-allowance': 'caution',
  delegation: 'caution',
  'votes-delegation': 'caution',
  'fee-delegation': 'caution',
  'not-decodable': 'caution',
  'contract-creation': 'caution',
  'trailing-bytes': 'caution',
  'unknown-function': 'caution',
  'unknown-contract': 'caution',
  'unknown-message': 'caution',
  'descriptor-refused': 'caution',
  'invalid-checksum': 'caution',
  'domain-incomplete': 'caution',
  'hidden-characters': 'caution',
  'unknown-token': 'caution',
  'unknown-chain': 'caution',
  'wrong-type': 'caution',
  'address-type': 'caution',
  // What explains a description.
  'through-proxy': 'info',
  'unknown-collection': 'info',
  'unknown-block': 'info',
  'unknown-enum': 'info',
  'unknown-format': 'info',
  'unknown-encoding': 'info',
  'unresolved-parameter': 'info',
  'date-out-of-range': 'info',
  encrypted: 'info',
  'empty-list': 'info',
  'intent-incomplete': 'info',
} as const satisfies Record<string, Severity>

/** Codes that ask for a second look, or for more. */
export type GraveCode = {
  [Code in WarningCode]: (typeof severities)[Code] extends 'info' ? never : Code
}[WarningCode]

export const warning = (code: WarningCode, data: DescriptionWarning['data'] = {}): DescriptionWarning => ({
  code,
  severity: severities[code],
  data,
})

export type Format =
  | 'raw'
  | 'amount'
  | 'tokenAmount'
  | 'nftName'
  | 'date'
  | 'duration'
  | 'unit'
  | 'enum'
  | 'chainId'
  | 'calldata'
  | 'addressName'
  | 'tokenTicker'
  | 'interoperableAddressName'

/** One line of a description. `label` and `value` are what the registry's fixtures expect. */
export interface DescribedField {
  readonly label: string
  /** For a call within the request its own description, if there is one. */
  readonly value: string | Description
  readonly format: Format
  /** Its type in Solidity. */
  readonly type: string
  /** The value as it is signed: decimal, hex, text, or an address with its checksum. */
  readonly raw: string
  /** Where it stands in the request, such as `details.[0].amount`; absent for a constant of the descriptor. */
  readonly path?: string | undefined
  /** The address that a name stands for, with its checksum: it stays within reach beside the name. */
  readonly address?: string | undefined
  /** A name that is displayed in place of an address, and who says so. */
  readonly name?:
    | { readonly text: string; readonly source: 'local' | 'ens' | 'token' | 'collection' | 'sender' }
    | undefined
  readonly token?:
    | {
        readonly chainId: number
        readonly address?: string | undefined
        readonly symbol: string
        readonly decimals: number
      }
    | undefined
  /** It is at or above the threshold from which the descriptor names it in words. */
  readonly isAboveThreshold?: boolean | undefined
  /** The contract that a call within the request goes to, with its checksum, and its chain. */
  readonly callee?: { readonly chainId: number; readonly address: string } | undefined
  /** The value is encrypted, and `value` a text in its place. */
  readonly encryption?: { readonly scheme: string; readonly plaintextType: string } | undefined
  /** What the descriptor wants before this element of a list. It is part of `value` too, unless that is a call. */
  readonly separator?: string | undefined
  /** A wallet may leave it out. */
  readonly isOptional?: boolean | undefined
  /** The group that it belongs to; fields of one group have the same `id`. */
  readonly group?: FieldGroup | undefined
  readonly warnings: readonly DescriptionWarning[]
}
export interface FieldGroup {
  readonly id: string
  readonly label: string
  /** The element of the list that the group goes through. */
  readonly index?: number | undefined
  readonly parent?: FieldGroup | undefined
}

/** The descriptor that a description is made with. */
export interface DescriptorReference {
  readonly origin: Origin
  /** Which of the four steps of trust it stands on. */
  readonly trust: 'built-in' | 'audited' | 'registry' | 'app'
  readonly auditors: readonly Auditor[]
  readonly path?: string | undefined
  readonly hash?: string | undefined
  /** It is bound to the implementation of the proxy that is called. */
  readonly throughProxy?: string | undefined
}

/** What a call or a message does, in words of a descriptor, or the reasons why there are none. */
export interface Description {
  /** Whether a descriptor described it. If not, `intent`, `owner` and `fields` are empty. */
  readonly isDescribed: boolean
  /** The words for what it does, such as `Send`. A complex intent has its parts in one line. */
  readonly intent: string
  /** The parts of a complex intent: label and words. */
  readonly intentParts?: readonly (readonly [label: string, words: string])[] | undefined
  /** The intent as a sentence with values; absent if the descriptor has none, or any of its values failed. */
  readonly interpolatedIntent?: string | undefined
  /** Whoever is said to own the contract. */
  readonly owner: string
  readonly contractName?: string | undefined
  readonly fields: readonly DescribedField[]
  readonly descriptor?: DescriptorReference | undefined
  /** All values as they are signed, shown or not; absent if they could not be decoded. */
  readonly values?: Value | undefined
  /** The function of a call: name and types. */
  readonly function?: string | undefined
  readonly selector?: string | undefined
  /** Bytes behind the arguments of a call, which no descriptor describes; `0x` if there are none. */
  readonly trailing: string
  /** Calls within it that no field displays, because no descriptor does: of a list of calls, a Safe, a smart account. */
  readonly calls: readonly CallWithin[]
  /** All calls within it, each by its own place; those that a field displays are among them. */
  readonly within: readonly CallWithin[]
  /** How it carries out the calls within it. */
  readonly shape?: Shape | undefined
  /** What it does in itself, whatever a descriptor says of it, without the calls within it. */
  readonly own: readonly Action[]
  /** The same, with what the calls within it do. */
  readonly actions: readonly Action[]
  /** The gravest first. */
  readonly warnings: readonly DescriptionWarning[]
  /** Data that were missing; a description made with them says more. */
  readonly needed: readonly Need[]
}
/** A call within a request. */
export interface CallWithin {
  readonly chainId: number
  /** With its checksum. */
  readonly to: string
  readonly value: bigint
  /** In lower-case hex. */
  readonly data: string
  /** The account that makes it, with its checksum; absent where nobody says. */
  readonly from?: string | undefined
  /** It runs as the account that makes it. */
  readonly isDelegateCall: boolean
  /** Without it the others go on, or nobody knows that it is made. */
  readonly mayFail: boolean
  /** A field of a descriptor displays it. */
  readonly isDisplayed: boolean
  readonly description: Description
}
/** Several calls that are sent as one. */
export interface BatchDescription {
  /** The sentences of all calls, joined; absent if one has none. */
  readonly interpolatedIntent?: string | undefined
  readonly calls: readonly Description[]
  readonly actions: readonly Action[]
  readonly warnings: readonly DescriptionWarning[]
  readonly needed: readonly Need[]
}
