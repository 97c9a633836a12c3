/** What the decoder reads in transactions made by the libraries that hosts use. */
import { AccountRole, address, none, some } from '@solana/kit'
import {
  AddressLookupTableAccount,
  Authorized,
  ComputeBudgetProgram,
  Ed25519Program,
  Keypair,
  Lockup,
  PublicKey,
  StakeAuthorizationLayout,
  StakeProgram,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { getAddMemoInstruction } from '@solana-program/memo'
import {
  getApproveCheckedInstruction,
  getBatchInstructionDataEncoder,
  getBurnInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getMintToCheckedInstruction,
  getRevokeInstruction,
  getSetAuthorityInstruction,
  getTransferCheckedInstruction,
  getTransferInstruction,
} from '@solana-program/token'
import { describe, expect, test } from 'vitest'
import type { SolanaAction } from '../../src/solana/actions.ts'
import { decodeActions } from '../../src/solana/decode.ts'
import {
  decodeMessage,
  decodeTransaction,
  encodeTransaction,
  resolveLookups,
} from '../../src/solana/message.ts'
import { limit } from '../support/limit.ts'

const keys = Array.from({ length: 8 }, (_, at) => Keypair.fromSeed(new Uint8Array(32).fill(at + 1)))
const [payer, to, other, mint, source, destination, delegate, stake] = keys.map((key) => key.publicKey) as [
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
]
const text = (key: PublicKey) => key.toBase58()
const kit = (key: PublicKey) => address(key.toBase58())
const blockhash = text(new PublicKey(new Uint8Array(32).fill(9)))
const token2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

const legacy = (...instructions: TransactionInstruction[]) =>
  decodeMessage(
    new Transaction({ feePayer: payer, blockhash, lastValidBlockHeight: 1 })
      .add(...instructions)
      .serializeMessage(),
  )
/** Instructions of `@solana-program/*` in the form of the older library, which builds the transactions here. */
const fromKit = ({
  programAddress,
  accounts,
  data,
}: {
  programAddress: string
  accounts?: readonly { address: string; role: AccountRole }[]
  data?: ArrayLike<number>
}) =>
  new TransactionInstruction({
    programId: new PublicKey(programAddress),
    keys: (accounts ?? []).map((each) => ({
      pubkey: new PublicKey(each.address),
      isSigner: each.role >= AccountRole.READONLY_SIGNER,
      isWritable: each.role === AccountRole.WRITABLE || each.role === AccountRole.WRITABLE_SIGNER,
    })),
    data: Buffer.from(Uint8Array.from(data ?? [])),
  })
const raw = (program: string, accounts: PublicKey[], data: readonly number[]) =>
  new TransactionInstruction({
    programId: new PublicKey(program),
    keys: accounts.map((pubkey) => ({ pubkey, isSigner: pubkey === payer, isWritable: true })),
    data: Buffer.from(data),
  })
const transfer = (lamports = 5, toPubkey = to) =>
  SystemProgram.transfer({ fromPubkey: payer, toPubkey, lamports })
const read = (...instructions: TransactionInstruction[]) => decodeActions(legacy(...instructions))
const one = (instruction: TransactionInstruction): SolanaAction => {
  const [action] = read(instruction)
  if (!action) throw new Error('There is no action')
  return action
}

describe('decoded actions', () => {
  test('decoder: two transfers in one transaction are two actions, each with its recipient', () => {
    expect(read(transfer(5), transfer(7, other))).toMatchObject([
      { kind: 'transferSol', from: text(payer), to: text(to), lamports: 5n, instruction: 0 },
      { kind: 'transferSol', from: text(payer), to: text(other), lamports: 7n, instruction: 1 },
    ])
  })

  test('decoder: an action lists the accounts of its instruction with their roles, and its data', () => {
    const action = one(transfer())
    expect(action.accounts).toEqual([
      { address: text(payer), isResolved: true, signer: true, writable: true },
      { address: text(to), isResolved: true, signer: false, writable: true },
    ])
    expect(action.data).toHaveLength(12)
    expect(action.program).toBe(text(SystemProgram.programId))
  })

  test.each<[string, TransactionInstruction, object]>([
    [
      'a new account',
      SystemProgram.createAccount({
        fromPubkey: payer,
        newAccountPubkey: other,
        lamports: 9,
        space: 165,
        programId: mint,
      }),
      { kind: 'createAccount', payer: text(payer), account: text(other), lamports: 9n, space: 165n },
    ],
    [
      'a new account with a seed',
      SystemProgram.createAccountWithSeed({
        fromPubkey: payer,
        newAccountPubkey: other,
        basePubkey: payer,
        seed: 'seed',
        lamports: 9,
        space: 1,
        programId: mint,
      }),
      { kind: 'createAccount', account: text(other), lamports: 9n, owner: text(mint) },
    ],
    [
      'a transfer with a seed',
      SystemProgram.transfer({
        fromPubkey: source,
        basePubkey: payer,
        toPubkey: to,
        lamports: 3,
        seed: 's',
        programId: mint,
      }),
      { kind: 'transferSol', from: text(source), to: text(to), lamports: 3n },
    ],
    [
      'an assigned account',
      SystemProgram.assign({ accountPubkey: payer, programId: mint }),
      { kind: 'assign', account: text(payer), owner: text(mint) },
    ],
    [
      'an assigned account with a seed',
      SystemProgram.assign({ accountPubkey: other, basePubkey: payer, seed: 's', programId: mint }),
      { kind: 'assign', account: text(other), owner: text(mint) },
    ],
    [
      'an advanced nonce',
      SystemProgram.nonceAdvance({ noncePubkey: other, authorizedPubkey: payer }),
      { kind: 'nonce', step: 'advance', account: text(other), authority: text(payer) },
    ],
    [
      'a withdrawal from a nonce account',
      SystemProgram.nonceWithdraw({
        noncePubkey: other,
        authorizedPubkey: payer,
        toPubkey: to,
        lamports: 4,
      }),
      { kind: 'nonce', step: 'withdraw', destination: text(to), lamports: 4n, authority: text(payer) },
    ],
    [
      'another authority of a nonce account',
      SystemProgram.nonceAuthorize({
        noncePubkey: other,
        authorizedPubkey: payer,
        newAuthorizedPubkey: delegate,
      }),
      { kind: 'nonce', step: 'authorize', authority: text(delegate) },
    ],
    [
      'a token transfer',
      fromKit(
        getTransferInstruction({
          source: kit(source),
          destination: kit(destination),
          authority: kit(payer),
          amount: 12n,
        }),
      ),
      {
        kind: 'transferToken',
        source: text(source),
        destination: text(destination),
        amount: 12n,
        mint: undefined,
      },
    ],
    [
      'a checked token transfer',
      fromKit(
        getTransferCheckedInstruction({
          source: kit(source),
          mint: kit(mint),
          destination: kit(destination),
          authority: kit(payer),
          amount: (1n << 64n) - 1n,
          decimals: 6,
        }),
      ),
      {
        kind: 'transferToken',
        mint: text(mint),
        decimals: 6,
        amount: (1n << 64n) - 1n,
        authority: text(payer),
      },
    ],
    [
      'an approval',
      fromKit(
        getApproveCheckedInstruction({
          source: kit(source),
          mint: kit(mint),
          delegate: kit(delegate),
          owner: kit(payer),
          amount: 5n,
          decimals: 2,
        }),
      ),
      { kind: 'approveToken', account: text(source), delegate: text(delegate), amount: 5n, decimals: 2 },
    ],
    [
      'the end of an approval',
      fromKit(getRevokeInstruction({ source: kit(source), owner: kit(payer) })),
      { kind: 'revokeToken', account: text(source) },
    ],
    [
      'another owner of tokens',
      fromKit(
        getSetAuthorityInstruction({
          owned: kit(source),
          owner: kit(payer),
          authorityType: 2,
          newAuthority: some(kit(delegate)),
        }),
      ),
      { kind: 'setAuthority', role: 'accountOwner', current: text(payer), next: text(delegate) },
    ],
    [
      'an authority that nobody has any more',
      fromKit(
        getSetAuthorityInstruction({
          owned: kit(mint),
          owner: kit(payer),
          authorityType: 0,
          newAuthority: none(),
        }),
      ),
      { kind: 'setAuthority', role: 'mintTokens', next: undefined },
    ],
    [
      'burned tokens',
      fromKit(
        getBurnInstruction({ account: kit(source), mint: kit(mint), authority: kit(payer), amount: 8n }),
      ),
      { kind: 'burnToken', account: text(source), mint: text(mint), amount: 8n },
    ],
    [
      'minted tokens',
      fromKit(
        getMintToCheckedInstruction({
          mint: kit(mint),
          token: kit(destination),
          mintAuthority: kit(payer),
          amount: 8n,
          decimals: 1,
        }),
      ),
      { kind: 'mintToken', account: text(destination), mint: text(mint), amount: 8n, decimals: 1 },
    ],
    [
      'a closed account',
      raw('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', [source, to, payer], [9]),
      { kind: 'closeAccount', account: text(source), destination: text(to), owner: text(payer) },
    ],
    [
      'an associated account',
      fromKit(
        getCreateAssociatedTokenIdempotentInstruction({
          payer: { address: kit(payer) } as never,
          ata: kit(destination),
          owner: kit(to),
          mint: kit(mint),
        }),
      ),
      {
        kind: 'createTokenAccount',
        payer: text(payer),
        account: text(destination),
        owner: text(to),
        mint: text(mint),
        isIdempotent: true,
      },
    ],
    [
      'an associated account without data',
      raw(
        'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
        [payer, destination, to, mint, SystemProgram.programId, new PublicKey(token2022)],
        [],
      ),
      { kind: 'createTokenAccount', owner: text(to), isIdempotent: false, tokenProgram: token2022 },
    ],
    [
      'a memo',
      fromKit(getAddMemoInstruction({ memo: 'Thanks für alles' })),
      { kind: 'memo', text: 'Thanks für alles' },
    ],
    [
      'a memo of the program before it',
      raw('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', [payer], [0x68, 0x69]),
      { kind: 'memo', text: 'hi' },
    ],
    [
      'a limit of units',
      ComputeBudgetProgram.setComputeUnitLimit({ units: 300_000 }),
      { kind: 'computeBudget', setting: 'unitLimit', value: 300_000n },
    ],
    [
      'a price of units',
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 7n }),
      { kind: 'computeBudget', setting: 'unitPrice', value: 7n },
    ],
    [
      'an upgraded program',
      raw(
        'BPFLoaderUpgradeab1e11111111111111111111111',
        [source, mint, other, to, delegate, destination, payer],
        [3, 0, 0, 0],
      ),
      { kind: 'program', step: 'upgrade', account: text(mint), authority: text(payer) },
    ],
  ])('decoder: it reads %s', (_, instruction, expected) => {
    expect(one(instruction)).toMatchObject(expected)
  })

  test('decoder: stake instructions of web3.js, which name sysvars, have the right authority', () => {
    const authorized = new Authorized(payer, to)
    const instructions = [
      StakeProgram.initialize({ stakePubkey: stake, authorized, lockup: new Lockup(0, 0, payer) }),
      ...StakeProgram.delegate({ stakePubkey: stake, authorizedPubkey: payer, votePubkey: other })
        .instructions,
      ...StakeProgram.authorize({
        stakePubkey: stake,
        authorizedPubkey: payer,
        newAuthorizedPubkey: delegate,
        stakeAuthorizationType: StakeAuthorizationLayout.Withdrawer,
      }).instructions,
      ...StakeProgram.withdraw({
        stakePubkey: stake,
        authorizedPubkey: payer,
        toPubkey: to,
        lamports: 6,
      }).instructions,
      ...StakeProgram.deactivate({ stakePubkey: stake, authorizedPubkey: payer }).instructions,
    ]
    const account = text(stake)
    const authority = text(payer)
    expect(read(...instructions)).toMatchObject([
      { kind: 'stake', step: 'initialize', account, authority, target: text(to) },
      { kind: 'stake', step: 'delegate', account, authority, target: text(other) },
      { kind: 'stake', step: 'authorize', account, authority, target: text(delegate), role: 'withdrawer' },
      { kind: 'stake', step: 'withdraw', account, authority, target: text(to), lamports: 6n },
      { kind: 'stake', step: 'deactivate', account, authority },
    ])
  })

  test('decoder: a batch of the token program is as many actions as it has parts', () => {
    const amount = (value: number) => [value, 0, 0, 0, 0, 0, 0, 0]
    const batch = (
      parts: { numberOfAccounts: number; instructionData: Uint8Array }[],
      accounts: PublicKey[],
    ) =>
      raw('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', accounts, [
        ...getBatchInstructionDataEncoder().encode({ data: parts }),
      ])
    const parts = [
      { numberOfAccounts: 3, instructionData: Uint8Array.from([3, ...amount(9)]) },
      { numberOfAccounts: 3, instructionData: Uint8Array.from([4, ...amount(8)]) },
    ]
    const accounts = [source, destination, payer, source, delegate, payer]
    expect(read(batch(parts, accounts))).toMatchObject([
      { kind: 'transferToken', destination: text(destination), amount: 9n, instruction: 0 },
      { kind: 'approveToken', delegate: text(delegate), amount: 8n, instruction: 0 },
    ])
    expect(read(batch(parts, accounts.slice(0, 4)))).toMatchObject([{ kind: 'unknown' }])
    expect(read(batch([], accounts))).toMatchObject([{ kind: 'unknown' }])
  })

  const address32 = [...delegate.toBytes()]
  test.each<[string, PublicKey[], readonly number[], object]>([
    [
      'a transfer with the token’s fee',
      [source, mint, destination, payer],
      [26, 1, 100, 0, 0, 0, 0, 0, 0, 0, 6, 3, 0, 0, 0, 0, 0, 0, 0],
      { kind: 'transferToken', amount: 100n, fee: 3n, decimals: 6, mint: text(mint) },
    ],
    [
      'a permanent delegate',
      [mint],
      [35, ...address32],
      {
        kind: 'tokenExtension',
        extension: 'permanentDelegate',
        account: text(mint),
        authority: text(delegate),
      },
    ],
    [
      'a transfer hook',
      [mint],
      [36, 0, ...payer.toBytes(), ...address32],
      { kind: 'tokenExtension', extension: 'transferHook', step: 0, authority: text(delegate) },
    ],
    [
      'an end of the CPI guard',
      [source, payer],
      [34, 1],
      { kind: 'tokenExtension', extension: 'cpiGuard', step: 1 },
    ],
    [
      'accounts that begin frozen',
      [mint],
      [28, 0, 2],
      { kind: 'tokenExtension', extension: 'defaultAccountState', step: 0 },
    ],
    [
      'a confidential transfer',
      [source, mint, destination, payer],
      [27, 7, 1, 2, 3],
      { kind: 'tokenExtension', extension: 'confidentialTransfer', step: 7 },
    ],
    [
      'an authority that only Token-2022 knows',
      [mint, payer],
      [6, 8, 1, ...address32],
      { kind: 'setAuthority', role: 'permanentDelegate', next: text(delegate) },
    ],
    [
      'an instruction of the token program',
      [source, destination, payer],
      [3, 9, 0, 0, 0, 0, 0, 0, 0],
      { kind: 'transferToken', amount: 9n },
    ],
  ])('decoder: of Token-2022 it reads %s', (_, accounts, data, expected) => {
    expect(one(raw(token2022, accounts, data))).toMatchObject(expected)
  })

  const system = text(SystemProgram.programId)
  test.each<[string, TransactionInstruction]>([
    ['a program that is not known', raw(text(other), [payer], [1, 2, 3])],
    ['bytes after an amount', raw(system, [payer, to], [2, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 1])],
    ['too few accounts', raw(system, [payer], [2, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0])],
    ['a half amount', raw(system, [payer, to], [2, 0, 0, 0, 5])],
    ['an option that is neither there nor not', raw(token2022, [mint, payer], [6, 2, 2, ...address32])],
    ['a memo that is no text', raw('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', [], [0xff, 0xfe])],
    [
      'a memo with a mark that decoders leave out',
      raw('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', [], [0xef, 0xbb, 0xbf, 0x61]),
    ],
    [
      'a signature that is verified',
      Ed25519Program.createInstructionWithPrivateKey({
        privateKey: keys[0]?.secretKey ?? new Uint8Array(),
        message: Buffer.from('a'),
      }),
    ],
  ])('decoder: it names nothing for %s, and keeps its bytes', (_, instruction) => {
    const action = one(instruction)
    expect(action.kind).toBe('unknown')
    expect(action.data).toEqual(Uint8Array.from(instruction.data))
    expect(action.accounts.map((each) => each.address)).toEqual(
      instruction.keys.map(({ pubkey }) => pubkey.toBase58()),
    )
  })
})

describe('messages', () => {
  const table = new AddressLookupTableAccount({
    key: other,
    state: {
      deactivationSlot: (1n << 64n) - 1n,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
      addresses: [mint, to],
    },
  })
  const compiled = new TransactionMessage({
    payerKey: payer,
    recentBlockhash: blockhash,
    instructions: [transfer(5)],
  }).compileToV0Message([table])

  test('lookup table: its account has no address until the table is resolved', () => {
    const message = decodeMessage(compiled.serialize())
    expect(message.lookups).toEqual([{ table: text(other), writable: [1], readonly: [] }])
    expect(decodeActions(message)).toMatchObject([{ kind: 'transferSol', to: `${text(other)} #1` }])
    const resolved = resolveLookups(message, new Map([[text(other), [text(mint), text(to)]]]))
    expect(decodeActions(resolved)).toMatchObject([{ kind: 'transferSol', to: text(to) }])
    expect(resolved.accounts.every((each) => each.isResolved)).toBe(true)
  })

  test('lookup table: an entry that the table lacks stays unresolved', () => {
    const message = decodeMessage(compiled.serialize())
    const resolved = resolveLookups(message, new Map([[text(other), [text(mint)]]]))
    expect(resolved.accounts.filter((each) => !each.isResolved)).toHaveLength(1)
  })

  test('transaction: it is written as it was read, with its signatures in their places', () => {
    const transaction = new VersionedTransaction(compiled)
    transaction.sign(keys.slice(0, 1))
    const bytes = transaction.serialize()
    const decoded = decodeTransaction(bytes)
    expect(decoded.signatures).toEqual([transaction.signatures[0]])
    expect(decoded.message.signers).toEqual([text(payer)])
    expect(encodeTransaction(decoded.message.bytes, decoded.signatures)).toEqual(Uint8Array.from(bytes))
  })

  const whole = () => Uint8Array.from(new VersionedTransaction(compiled).serialize())
  test.each<[string, () => Uint8Array]>([
    ['no bytes', () => new Uint8Array()],
    ['a byte too many', () => Uint8Array.from([...whole(), 0])],
    ['a byte too few', () => whole().slice(0, -1)],
    ['more signatures than signers', () => Uint8Array.from([2, ...new Uint8Array(64), ...whole().slice(1)])],
    ['no signature', () => Uint8Array.from([0, ...whole().slice(65)])],
    ['an unknown version', () => whole().map((byte, at) => (at === 65 ? 0x85 : byte))],
    ['version 1', () => Uint8Array.from([0x81, ...whole()])],
    ['an oversized one', () => new Uint8Array(1_233).fill(1)],
  ])('transaction: %s is refused', (_, bytes) => {
    expect(() => decodeTransaction(bytes())).toThrow(expect.objectContaining({ name: 'InvalidRequest' }))
  })
})

test('decoder: 100 instructions take at most 10 ms', () => {
  const message = legacy(transfer())
  const [instruction] = message.instructions
  const token = legacy(
    fromKit(
      getTransferCheckedInstruction({
        source: kit(source),
        mint: kit(mint),
        destination: kit(destination),
        authority: kit(payer),
        amount: 5n,
        decimals: 6,
      }),
    ),
  ).instructions[0]
  if (!instruction || !token) throw new Error('There is no instruction')
  const hundred = {
    ...message,
    instructions: Array.from({ length: 100 }, (_, at) => (at % 2 ? token : instruction)),
  }
  const times = Array.from({ length: 5 }, () => {
    const started = performance.now()
    expect(decodeActions(hundred)).toHaveLength(100)
    return performance.now() - started
  })
  expect(Math.min(...times)).toBeLessThanOrEqual(limit(10))
})
