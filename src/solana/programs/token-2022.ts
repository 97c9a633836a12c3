/**
 * What Token-2022 has beyond the token program. The published parser of its extensions asks for an older generation of kit,
 * and for a package that can't be had.
 */
import { getAddressDecoder } from '@solana/kit'
import type { ActionDetail, AuthorityRole, TokenExtension } from '../actions.ts'
import type { MessageInstruction } from '../message.ts'
import { decodeToken } from './token.ts'

export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

/** In the order of `AuthorityType`. */
const roles: readonly AuthorityRole[] = [
  ...(['mintTokens', 'freezeAccount', 'accountOwner', 'closeAccount', 'transferFeeConfig'] as const),
  ...(['withheldWithdraw', 'closeMint', 'interestRate', 'permanentDelegate'] as const),
  ...(['confidentialTransferMint', 'transferHookProgram', 'confidentialTransferFee'] as const),
  ...(['metadataPointer', 'groupPointer', 'groupMemberPointer', 'scaledAmount', 'pause'] as const),
  'permissionedBurn',
]
/** By the first byte of an instruction. Those of an extension carry the number of a step as their second byte. */
const extensions: Readonly<Record<number, TokenExtension>> = {
  25: 'mintCloseAuthority',
  26: 'transferFee',
  27: 'confidentialTransfer',
  28: 'defaultAccountState',
  30: 'memoTransfer',
  32: 'nonTransferable',
  33: 'interestBearing',
  34: 'cpiGuard',
  35: 'permanentDelegate',
  36: 'transferHook',
  37: 'confidentialTransferFee',
  39: 'metadataPointer',
  40: 'groupPointer',
  41: 'groupMemberPointer',
  42: 'confidentialMintBurn',
  43: 'scaledAmount',
  44: 'pausable',
  46: 'permissionedBurn',
}
/** Instructions of one extension that have no steps. */
const withoutSteps: readonly TokenExtension[] = ['mintCloseAuthority', 'nonTransferable', 'permanentDelegate']

const SET_AUTHORITY = 6
const TRANSFER_FEE = 26
const TRANSFER_CHECKED_WITH_FEE = 1
const REALLOCATE = 29

/** Decodes an instruction of Token-2022. Throws if it can't be read. */
export function decodeToken2022(instruction: MessageInstruction): ActionDetail | undefined {
  const { accounts, data } = instruction
  const [first = 0, second = 0] = data
  const account = accounts[0]?.address
  if (account === undefined) return undefined
  if (first === SET_AUTHORITY) return decodeAuthority(instruction)
  if (first === TRANSFER_FEE && second === TRANSFER_CHECKED_WITH_FEE) return decodeTransfer(instruction)
  if (first === REALLOCATE)
    return data.length % 2 === 1 ? { kind: 'prepareTokenAccount', account } : undefined
  const extension = extensions[first]
  if (!extension) return decodeToken(instruction)
  const isWhole = withoutSteps.includes(extension)
  if (!isWhole && data.length < 2) return undefined
  return {
    kind: 'tokenExtension',
    extension,
    step: isWhole ? 0 : second,
    account,
    authority: authorityIn(extension, data),
  }
}

/** `None` is one byte, as in the token program. */
function decodeAuthority({ accounts, data }: MessageInstruction): ActionDetail | undefined {
  const role = roles[data[1] ?? -1]
  const [account, current] = accounts
  const isNone = data.length === 3 && data[2] === 0
  const isSome = data.length === 35 && data[2] === 1
  if (!role || !account || !current || !(isNone || isSome)) return undefined
  return {
    kind: 'setAuthority',
    account: account.address,
    role,
    current: current.address,
    next: isSome ? addressAt(data, 3) : undefined,
  }
}

function decodeTransfer({ accounts, data }: MessageInstruction): ActionDetail | undefined {
  const [source, mint, destination, authority] = accounts
  if (data.length !== 19 || !source || !mint || !destination || !authority) return undefined
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  return {
    kind: 'transferToken',
    source: source.address,
    destination: destination.address,
    authority: authority.address,
    amount: view.getBigUint64(2, true),
    mint: mint.address,
    decimals: data[10],
    fee: view.getBigUint64(11, true),
    sourceOwner: undefined,
    destinationOwner: undefined,
  }
}

function authorityIn(extension: TokenExtension, data: Uint8Array): string | undefined {
  if (extension === 'permanentDelegate' && data.length === 33) return addressAt(data, 1)
  if (extension === 'mintCloseAuthority' && data.length === 34 && data[1] === 1) return addressAt(data, 2)
  // An authority and the program that runs with each transfer; what is set later is the program alone.
  if (extension === 'transferHook' && data.length === 66) return addressAt(data, 34)
  if (extension === 'transferHook' && data.length === 34) return addressAt(data, 2)
  return undefined
}

const addressAt = (data: Uint8Array, at: number): string => getAddressDecoder().decode(data, at)
