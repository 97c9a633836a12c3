import { ed25519 } from '@noble/curves/ed25519.js'
import { formatBase58 } from '../../solana/base58.ts'
import { type Bytes, toBase64url, utf8 } from '../bytes.ts'
import type { WalletKey, WalletPath } from '../model.ts'

/** A Solana wallet's key; the private key is an ed25519 seed. */
export const solanaKey = ({ chainType, index }: WalletPath, privateKey: Bytes): WalletKey => ({
  chainType,
  index,
  privateKey,
  // A Solana address is its public key.
  address: formatBase58(ed25519.getPublicKey(privateKey)),
  prove: (statement) => toBase64url(ed25519.sign(utf8(statement), privateKey)),
})
