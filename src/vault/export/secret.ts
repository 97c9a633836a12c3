import { formatBase58, parseBase58 } from '../../solana/base58.ts'
import { bytesToHex, concatBytes, wipe } from '../bytes.ts'
import { VaultError } from '../errors.ts'
import { mnemonicBytes } from '../keys/bip39.ts'
import { pathOf } from '../keys/root.ts'
import { HARDENED } from '../keys/slip10.ts'
import type { OpenRoot, WalletKey, WalletPath } from '../model.ts'

export type What = 'key' | 'phrase'

/** What a person may take away of a wallet, in the form that other wallets read. */
export function secretText(
  root: OpenRoot,
  wallet: { path: WalletPath; address: string },
  what: What,
): Promise<string> {
  return root.withKey(wallet.path, (key) => {
    needWallet(key, wallet.address)
    return what === 'key' ? keyText(key) : phraseText(root)
  })
}

/** Makes sure that a root has the wallet at the place that the page named. Throws {@link VaultError}. */
export const checkWallet = (root: OpenRoot, wallet: { path: WalletPath; address: string }): Promise<void> =>
  root.withKey(wallet.path, (key) => needWallet(key, wallet.address))

/** A key of another wallet than the one on the screen must never be shown as that one's. */
function needWallet(key: WalletKey, address: string): void {
  const same =
    key.chainType === 'ethereum'
      ? key.address.toLowerCase() === address.toLowerCase()
      : key.address === address
  if (!same) throw new VaultError('invalid_request_arguments', 'The wallet does not have this address')
}

/** Ethereum: 0x-hex of 32 bytes. Solana: base58 of the seed and the public key, 64 bytes. */
export function keyText({ chainType, privateKey, address }: WalletKey): string {
  if (chainType === 'ethereum') return `0x${bytesToHex(privateKey)}`
  const pair = concatBytes(privateKey, parseBase58(address, 32) ?? new Uint8Array(32))
  try {
    return formatBase58(pair)
  } finally {
    wipe(pair)
  }
}

/** BIP-39, English. Throws {@link VaultError} for an imported key, which comes from no phrase. */
export function phraseText({ kind, secret }: OpenRoot): string {
  if (kind !== 'entropy')
    throw new VaultError('invalid_request_arguments', 'An imported wallet has no recovery phrase')
  const sentence = mnemonicBytes(secret)
  try {
    return new TextDecoder().decode(sentence)
  } finally {
    wipe(sentence)
  }
}

/** The derivation path, as other wallets ask for it. BIP-44, SLIP-0010. */
export const pathText = (path: WalletPath): string =>
  ['m', ...pathOf(path).map((step) => (step < HARDENED ? step : `${step - HARDENED}'`))].join('/')
