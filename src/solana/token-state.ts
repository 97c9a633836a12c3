/** What accounts of tokens and mints hold, by the decoders of the token program. */
import { getAddressDecoder, unwrapOption } from '@solana/kit'
import { getMintDecoder, getMintSize, getTokenDecoder, getTokenSize } from '@solana-program/token'
import type { SolanaAction } from './actions.ts'
import { TOKEN_PROGRAM } from './programs/token.ts'
import { TOKEN_2022_PROGRAM } from './programs/token-2022.ts'
import type { AccountState } from './queries.ts'

export interface TokenAccount {
  readonly mint: string
  readonly owner: string
  readonly amount: bigint
  /** May spend {@link delegatedAmount}. */
  readonly delegate: string | undefined
  readonly delegatedAmount: bigint
  readonly closeAuthority: string | undefined
  readonly isFrozen: boolean
  /** Takes nothing without a memo before it. */
  readonly needsMemo: boolean
  /** Takes nothing whose amount everybody sees. */
  readonly isConfidential: boolean
}
export interface TokenMint {
  readonly decimals: number
  /** Those of Token-2022's extensions that concern whoever holds the token. */
  readonly extensions: readonly MintExtension[]
}
export type MintExtension =
  | 'transferFee'
  | 'confidentialTransfer'
  | 'defaultAccountState'
  | 'nonTransferable'
  | 'permanentDelegate'
  | 'transferHook'
  | 'pausable'

const programs: readonly string[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]
/** In Token-2022 this byte, after the size of a token account, says what an account with extensions is. */
const KIND_AT = 165
const MINT_KIND = 1
const ACCOUNT_KIND = 2
const extensionNames: Readonly<Record<number, MintExtension>> = {
  1: 'transferFee',
  4: 'confidentialTransfer',
  6: 'defaultAccountState',
  9: 'nonTransferable',
  12: 'permanentDelegate',
  14: 'transferHook',
  26: 'pausable',
}
const FROZEN = 2
const CONFIDENTIAL_ACCOUNT = 5
/** After the flag of approval, a key, three ciphertexts, one for the owner and the flag of confidential amounts. */
const ALLOWS_OTHERS_AT = 1 + 32 + 3 * 64 + 36 + 1
const MEMO_TRANSFER = 8
const isOn = (data: Uint8Array, extension: number, at: number): boolean =>
  extensionsIn(data).some(({ type, data: content }) => type === extension && content[at] === 1)

/** Reads an account of tokens; `undefined` for any other account. */
export function readTokenAccount(account: AccountState | undefined): TokenAccount | undefined {
  if (!account || !programs.includes(account.owner)) return undefined
  const { data, owner } = account
  const isPlain = data.length === getTokenSize()
  if (!isPlain && !(owner === TOKEN_2022_PROGRAM && data[KIND_AT] === ACCOUNT_KIND)) return undefined
  try {
    const {
      mint,
      owner: holder,
      amount,
      delegate,
      delegatedAmount,
      closeAuthority,
      state,
    } = getTokenDecoder().decode(data)
    // An account that was made and not yet set up.
    if (state === 0) return undefined
    return {
      mint,
      owner: holder,
      amount,
      delegate: unwrapOption(delegate) ?? undefined,
      delegatedAmount,
      closeAuthority: unwrapOption(closeAuthority) ?? undefined,
      isFrozen: state === FROZEN,
      needsMemo: isOn(data, MEMO_TRANSFER, 0),
      isConfidential:
        extensionsIn(data).some(({ type }) => type === CONFIDENTIAL_ACCOUNT) &&
        !isOn(data, CONFIDENTIAL_ACCOUNT, ALLOWS_OTHERS_AT),
    }
  } catch {
    return undefined
  }
}

/** Reads a mint; `undefined` for any other account. */
export function readMint(account: AccountState | undefined): TokenMint | undefined {
  if (!account || !programs.includes(account.owner)) return undefined
  const { data, owner } = account
  const isPlain = data.length === getMintSize()
  if (!isPlain && !(owner === TOKEN_2022_PROGRAM && data[KIND_AT] === MINT_KIND)) return undefined
  try {
    const { decimals, isInitialized } = getMintDecoder().decode(data)
    return isInitialized ? { decimals, extensions: extensionsOf(data) } : undefined
  } catch {
    return undefined
  }
}

/** The extensions of an account or mint of Token-2022: each is a type and a length of two bytes, and then its data. */
export function extensionsIn(data: Uint8Array): readonly { type: number; data: Uint8Array }[] {
  const found: { type: number; data: Uint8Array }[] = []
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  for (let at = KIND_AT + 1; at + 4 <= data.length; ) {
    const type = view.getUint16(at, true)
    if (type === 0) break
    const length = view.getUint16(at + 2, true)
    found.push({ type, data: data.subarray(at + 4, at + 4 + length) })
    at += 4 + length
  }
  return found
}

/** Whether the extensions of an account or mint can be read to their end. */
export function isWholeIn(data: Uint8Array): boolean {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  let at = KIND_AT + 1
  for (const { data: content } of extensionsIn(data)) {
    if (view.getUint16(at + 2, true) !== content.length) return false
    at += 4 + content.length
  }
  // What follows the last one is empty.
  return data.subarray(at).every((byte) => byte === 0)
}

/** The address that stands at a place. */
export const addressAt = (data: Uint8Array, at: number): string => getAddressDecoder().decode(data, at)

function extensionsOf(data: Uint8Array): readonly MintExtension[] {
  return extensionsIn(data).flatMap(({ type, data: content }) => {
    const name = extensionNames[type]
    // New accounts begin frozen only by one of the states that this extension can have.
    const isOn = name !== 'defaultAccountState' || content[0] === FROZEN
    return name && isOn ? [name] : []
  })
}

type Accounts = ReadonlyMap<string, AccountState | undefined>

/**
 * Adds owners, mints, decimals and, where the program alone says it, the scale to the token actions, from accounts that a transaction
 * creates and those that a node has.
 */
export function withTokenFacts(
  actions: readonly SolanaAction[],
  accounts: Accounts,
): readonly SolanaAction[] {
  const created = new Map<string, { owner: string; mint: string }>()
  for (const action of actions)
    if (action.kind === 'createTokenAccount' || action.kind === 'initializeTokenAccount')
      created.set(action.account, action)
  const token = (address: string) => readTokenAccount(accounts.get(address)) ?? created.get(address)
  const decimals = (mint: string | undefined) =>
    mint === undefined ? undefined : readMint(accounts.get(mint))?.decimals
  return actions.map((each) => {
    // The first token program moves the units that people see, whatever its mint.
    const action = 'decimals' in each && each.program === TOKEN_PROGRAM ? { ...each, scale: 1 } : each
    if (action.kind === 'transferSol') {
      const { owner, mint } = token(action.to) ?? {}
      return owner === undefined || mint === undefined ? action : { ...action, token: { owner, mint } }
    }
    if (action.kind === 'transferToken') {
      const source = token(action.source)
      const destination = token(action.destination)
      const mint = action.mint ?? source?.mint ?? destination?.mint
      return {
        ...action,
        mint,
        decimals: action.decimals ?? decimals(mint),
        sourceOwner: source?.owner,
        destinationOwner: destination?.owner,
      }
    }
    if (action.kind === 'approveToken') {
      const mint = action.mint ?? token(action.account)?.mint
      return { ...action, mint, decimals: action.decimals ?? decimals(mint) }
    }
    if (action.kind === 'burnToken' || action.kind === 'mintToken')
      return { ...action, decimals: action.decimals ?? decimals(action.mint) }
    return action
  })
}
