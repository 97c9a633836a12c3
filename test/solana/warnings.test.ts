/** Reasons to look twice, and what is calm. */

import { address, some } from '@solana/kit'
import {
  PublicKey,
  StakeAuthorizationLayout,
  StakeProgram,
  SystemProgram,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js'
import { getSetAuthorityInstruction } from '@solana-program/token'
import { describe, expect, test } from 'vitest'
import { decodeActions } from '../../src/solana/decode.ts'
import { decodeMessage } from '../../src/solana/message.ts'
import { assess, type WarningContext } from '../../src/solana/warnings.ts'
import { solanaBlockhash, solanaKeys, transferTo } from '../support/solana-node.ts'

const [payer, friend, account, mint, delegate] = solanaKeys.map((key) => key.publicKey) as [
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
]
const wallet = payer.toBase58()
const text = (key: PublicKey) => key.toBase58()
const token = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const token2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const raw = (program: string, keys: PublicKey[], data: readonly number[], signers = [payer]) =>
  new TransactionInstruction({
    programId: new PublicKey(program),
    keys: keys.map((pubkey) => ({ pubkey, isSigner: signers.includes(pubkey), isWritable: true })),
    data: Buffer.from(data),
  })
const amount = (value: bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return [...bytes]
}
const approve = (units: bigint) => raw(token, [account, delegate, payer], [4, ...amount(units)])
const close = (to: PublicKey) => raw(token, [account, to, payer], [9])
const advance = SystemProgram.nonceAdvance({ noncePubkey: account, authorizedPubkey: payer })

const compile = (instructions: TransactionInstruction[]) =>
  new Transaction({ feePayer: payer, blockhash: solanaBlockhash, lastValidBlockHeight: 1 })
    .add(...instructions)
    .serializeMessage()
function warningsOf(instructions: TransactionInstruction[], context: Partial<WarningContext> = {}) {
  const message = decodeMessage(compile(instructions))
  return assess(message, decodeActions(message), { wallet, ...context })
}
const codes = (...instructions: TransactionInstruction[]) =>
  warningsOf(instructions).map(({ code, severity }) => `${severity} ${code}`)

const red: Record<string, [TransactionInstruction[], string]> = {
  'another owner of tokens': [
    [raw(token, [account, payer], [6, 2, 1, ...delegate.toBytes()])],
    'danger ownerChange',
  ],
  'another authority of a mint': [[raw(token, [mint, payer], [6, 0, 0])], 'danger authority'],
  'an approval': [[approve(5n)], 'danger approval'],
  'an account that is closed for somebody else': [[close(friend)], 'danger closeToOther'],
  'an assigned account': [
    [SystemProgram.assign({ accountPubkey: payer, programId: mint })],
    'danger walletAccount',
  ],
  'an assigned account with a seed': [
    [SystemProgram.assign({ accountPubkey: account, basePubkey: payer, seed: 's', programId: mint })],
    'danger programOwner',
  ],
  'another authority of a nonce': [
    [
      SystemProgram.nonceAuthorize({
        noncePubkey: account,
        authorizedPubkey: payer,
        newAuthorizedPubkey: delegate,
      }),
    ],
    'danger authority',
  ],
  'another authority of a stake': [
    StakeProgram.authorize({
      stakePubkey: account,
      authorizedPubkey: payer,
      newAuthorizedPubkey: delegate,
      stakeAuthorizationType: StakeAuthorizationLayout.Withdrawer,
    }).instructions,
    'danger authority',
  ],
  'a permanent delegate': [[raw(token2022, [mint], [35, ...delegate.toBytes()])], 'danger tokenExtension'],
  'a transfer hook': [
    [raw(token2022, [mint, payer], [36, 1, ...delegate.toBytes()])],
    'danger tokenExtension',
  ],
  'a transfer fee': [[raw(token2022, [mint, payer], [26, 5, 1, 1])], 'danger tokenExtension'],
  'a confidential transfer': [[raw(token2022, [account, mint], [27, 7])], 'danger tokenExtension'],
  'an end of the CPI guard': [[raw(token2022, [account, payer], [34, 1])], 'danger tokenExtension'],
  'accounts that begin frozen': [[raw(token2022, [mint], [28, 0, 2])], 'danger tokenExtension'],
  'an upgraded program': [
    [
      raw(
        'BPFLoaderUpgradeab1e11111111111111111111111',
        [account, mint, friend, friend, friend, friend, payer],
        [3, 0, 0, 0],
      ),
    ],
    'danger programChange',
  ],
  'a durable nonce': [[advance, transferTo(friend, 5)], 'danger durableNonce'],
  'an advanced nonce that is not the first instruction': [
    [transferTo(friend, 5), advance],
    'danger durableNonce',
  ],
  'several signers': [
    [raw(text(SystemProgram.programId), [friend, payer], [2, 0, 0, 0, ...amount(1n)], [friend, payer])],
    'danger severalSigners',
  ],
  'a program that is not known': [[raw(text(mint), [payer], [1])], 'danger unknownProgram'],
  'bytes that its program would read differently': [
    [raw(text(SystemProgram.programId), [payer, friend], [2, 0, 0, 0, ...amount(1n), 0])],
    'danger unknownProgram',
  ],
  'lamports of a stake for somebody else': [
    StakeProgram.withdraw({
      stakePubkey: account,
      authorizedPubkey: payer,
      toPubkey: friend,
      lamports: 5,
    }).instructions,
    'danger withdrawal',
  ],
}

describe('warnings', () => {
  test.each(Object.entries(red))('red: %s', (_, [instructions, expected]) => {
    expect(codes(...instructions)).toContain(expected)
  })

  test('calm: transfers, memos, budgets, new accounts and the end of an approval', () => {
    const memo = raw('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', [], [0x68, 0x69])
    const revoke = raw(token, [account, payer], [5])
    const create = raw(
      'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
      [payer, account, friend, mint, SystemProgram.programId, new PublicKey(token)],
      [1],
    )
    const send = raw(token, [friend, mint, account, payer], [12, ...amount(7n), 6])
    for (const each of [[transferTo(friend, 5)], [memo], [revoke], [create, send], [send]])
      expect(warningsOf(each)).toEqual([])
    // Nothing is sent to it, so that it is a gift.
    expect(codes(create)).toEqual(['caution otherAccount'])
  })

  test('order: the gravest comes first, and funds that are missing never push it aside', () => {
    const shortage = { account: wallet, mint: undefined, missing: 5n }
    const warnings = warningsOf([close(payer), approve((1n << 64n) - 1n), raw(text(mint), [payer], [1])], {
      shortage,
    })
    expect(warnings.map(({ code }) => code)).toEqual([
      'approval',
      'unknownProgram',
      'insufficientFunds',
      'close',
    ])
    expect(warnings[0]).toMatchObject({ isUnlimited: true, instruction: 1 })
  })

  test('once: two instructions of the same unknown program are one warning', () => {
    expect(codes(raw(text(mint), [payer], [1]), raw(text(mint), [payer], [2]))).toEqual([
      'danger unknownProgram',
    ])
  })

  test('tokens that are sent to their own mint are stopped at', () => {
    expect(codes(raw(token, [account, mint, mint, payer], [12, ...amount(7n), 6]))).toEqual([
      'danger sentToToken',
    ])
  })

  test('inner instructions: what a program does with the wallet’s right is red, and its own housekeeping is not', () => {
    const inner = (instruction: TransactionInstruction) =>
      decodeActions(decodeMessage(compile([instruction])))
    const outer = [raw(text(mint), [payer], [1])]
    const set = getSetAuthorityInstruction({
      owned: address(text(account)),
      owner: address(wallet),
      authorityType: 3,
      newAuthority: some(address(text(delegate))),
    })
    const authority = raw(token, [account, payer], [...set.data])
    expect(warningsOf(outer, { inner: inner(authority) }).map(({ code }) => code)).toContain('innerAction')
    const assign = SystemProgram.assign({ accountPubkey: account, programId: new PublicKey(token) })
    expect(warningsOf(outer, { inner: inner(assign) }).map(({ code }) => code)).toEqual(['unknownProgram'])
  })
})
