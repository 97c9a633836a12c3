/** External wallets of the browser in the vault's own window. What they say is read as what it is: a claim. */

import { base64 } from '@scure/base'
import { getWallets } from '@wallet-standard/app'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import { requestProviders } from 'mipd'
import { toByteArray } from '../../../lib/byte-array.ts'
import { systemClock, TimedOut, within } from '../../../lib/clock.ts'
import { createStore, type Readable } from '../../../lib/store.ts'
import { clientTypeOf, fieldOf, iconOf, lineOf, listOf } from '../../../wallets/external/claims.ts'
import { addressesOf, signatureOf } from '../../../wallets/external/ethereum/claims.ts'
import { type Injected, readAnnouncement, readLegacy } from '../../../wallets/external/ethereum/injected.ts'
import type { RawProvider } from '../../../wallets/external/ethereum/link.ts'
import { solanaAccountsOf } from '../../../wallets/external/solana/claims.ts'
import { isSolanaWallet } from '../../../wallets/external/solana/wallet.ts'
import { bytesToHex, utf8 } from '../../bytes.ts'
import { vaultLimits } from '../../limits.ts'

/** A wallet as the screen lists it. */
export interface FoundWallet {
  readonly id: string
  readonly name: string
  /** A data URL. */
  readonly icon: string | undefined
}
/** `another`: the wallet has not opened the account that was asked for. */
export type WalletRefusal = 'declined' | 'another' | 'timeout' | 'other'
export type WalletOutcome = { readonly signature: string } | { readonly refused: WalletRefusal }

export type Sign = (message: string, address: string, signal: AbortSignal) => Promise<WalletOutcome>

interface Found extends FoundWallet {
  readonly sign: Sign
}
type Chain = 'ethereum' | 'solana'

const found = { ethereum: createStore<readonly Found[]>([]), solana: createStore<readonly Found[]>([]) }
const looking = new Set<Chain>()

/** The wallets of a chain in this browser. The list grows, because some announce themselves late. */
export function findWallets(chain: Chain): Readable<readonly FoundWallet[]> {
  if (!looking.has(chain)) {
    looking.add(chain)
    if (chain === 'ethereum') findEthereum()
    else findSolana()
  }
  return found[chain]
}

/** Has a wallet of the list sign text with an address. Never rejects. */
export const signWith = (chain: Chain, id: string): Sign =>
  found[chain].get().find((wallet) => wallet.id === id)?.sign ?? (async () => ({ refused: 'other' }))

function add(chain: Chain, wallet: Found): void {
  const known = found[chain].get()
  if (known.length < vaultLimits.walletsFound && !known.some(({ id }) => id === wallet.id))
    found[chain].set([...known, wallet])
}

function findEthereum(): void {
  const take = (injected: Injected | undefined) => {
    if (injected) add('ethereum', { ...injected.meta, sign: byProvider(injected.provider) })
  }
  requestProviders((detail) => take(readAnnouncement(detail)))
  // A wallet that is announced is at its old place as well.
  if (found.ethereum.get().length === 0) for (const one of readLegacy(window)) take(one)
}

function findSolana(): void {
  const wallets = getWallets()
  const take = (...listed: readonly Wallet[]) => {
    for (const wallet of listed) {
      const name = lineOf(fieldOf(wallet, 'name'), vaultLimits.walletName)
      if (!name || !isSolanaWallet(wallet)) continue
      const icon = iconOf(fieldOf(wallet, 'icon'))
      add('solana', { id: clientTypeOf(name), name, icon, sign: byStandard(wallet) })
    }
  }
  wallets.on('register', take)
  take(...wallets.get())
}

/** A function of an object, so that one that answers for every field, `then` included, is never awaited. */
const byProvider = (provider: RawProvider): Sign =>
  answered(async (message, address) => {
    const ask = async (method: string, params?: readonly unknown[]): Promise<unknown> =>
      provider.request(params ? { method, params } : { method })
    const opened = addressesOf(await ask('eth_requestAccounts'))
    if (!opened?.some((each) => each.toLowerCase() === address.toLowerCase())) return { refused: 'another' }
    const text = `0x${bytesToHex(utf8(message))}`
    const signature = signatureOf(await ask('personal_sign', [text, address]))
    return signature ? { signature } : { refused: 'other' }
  })

const byStandard = (wallet: Wallet): Sign =>
  answered(async (message, address) => {
    const call = async (feature: string, method: string, input: unknown): Promise<unknown> => {
      const owner = fieldOf(fieldOf(wallet, 'features'), feature)
      const work = fieldOf(owner, method)
      if (typeof work !== 'function') throw new TypeError(`${feature} is missing`)
      return Reflect.apply(work, owner, input === undefined ? [] : [input])
    }
    const opened = fieldOf(await call('standard:connect', 'connect', undefined), 'accounts')
    const account: WalletAccount | undefined = solanaAccountsOf(
      opened ?? fieldOf(wallet, 'accounts'),
      'mainnet-beta',
    )?.find((each) => each.address === address)?.raw
    if (!account) return { refused: 'another' }
    const input = { account, message: utf8(message) }
    const [first] = listOf(await call('solana:signMessage', 'signMessage', input), 1) ?? []
    const signature = toByteArray(fieldOf(first, 'signature'))
    if (signature?.length !== 64) return { refused: 'other' }
    return { signature: base64.encode(Uint8Array.from(signature)) }
  })

/** Every wait on a wallet ends, and every failure is an answer. */
const answered =
  (sign: Sign): Sign =>
  async (message, address, signal) => {
    try {
      return await within(
        systemClock,
        vaultLimits.walletSigns,
        (inTime) => sign(message, address, inTime),
        signal,
      )
    } catch (cause) {
      if (cause instanceof TimedOut) return { refused: 'timeout' }
      return { refused: isRejection(cause) ? 'declined' : 'other' }
    }
  }

/** By EIP-1193's number, or in the words of Solana wallets, whose errors have none of their own. */
const isRejection = (cause: unknown) =>
  fieldOf(cause, 'code') === 4001 ||
  /reject|denied|declined|cancel/i.test(lineOf(fieldOf(cause, 'message'), vaultLimits.walletErrorRead))
