/** Transactions on Solana out of instructions, as the vault gets them. */

import { sha256 } from '@noble/hashes/sha2.js'
import { Keypair, PublicKey, SystemProgram, Transaction, TransactionInstruction } from '@solana/web3.js'
import type { SignContent } from '../../src/protocol/frame/sign-request.ts'

/** Keys that nobody else has; the first is the wallet's. */
export const key = (at: number): PublicKey => Keypair.fromSeed(new Uint8Array(32).fill(at + 101)).publicKey
export const solanaWallet: PublicKey = key(0)

export const solanaTransaction = (...instructions: readonly TransactionInstruction[]): SignContent => ({
  kind: 'solanaTransaction',
  action: 'send',
  message: new Transaction({
    feePayer: solanaWallet,
    blockhash: PublicKey.default.toBase58(),
    lastValidBlockHeight: 1,
  })
    .add(...instructions)
    .serializeMessage()
    .toString('base64'),
})

/** Accounts of an instruction; the wallet signs. */
export const instruction = (
  program: string | PublicKey,
  accounts: readonly PublicKey[],
  data: Uint8Array | readonly number[],
): TransactionInstruction =>
  new TransactionInstruction({
    programId: new PublicKey(program),
    keys: accounts.map((pubkey) => ({ pubkey, isSigner: pubkey.equals(solanaWallet), isWritable: true })),
    data: Buffer.from(data),
  })

/** The first 8 bytes of a method's data, as Anchor names methods, and its arguments as bytes. */
export const anchor = (method: string, ...args: readonly Uint8Array[]): Uint8Array =>
  Buffer.concat([sha256(new TextEncoder().encode(`global:${method}`)).subarray(0, 8), ...args])
export function u64(amount: bigint): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(amount)
  return bytes
}
export const bytes = (...list: readonly number[]): Uint8Array => Uint8Array.from(list)

export const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const token2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
export const stakeProgram = 'Stake11111111111111111111111111111111111111'
export const clock = new PublicKey('SysvarC1ock11111111111111111111111111111111')
export const rentSysvar = new PublicKey('SysvarRent111111111111111111111111111111111')
export const send = (to: PublicKey, lamports: number): TransactionInstruction =>
  SystemProgram.transfer({ fromPubkey: solanaWallet, toPubkey: to, lamports })
