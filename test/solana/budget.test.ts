/** Limits and prices that are added to a transaction: everything else in it stays as it was. */
import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  Ed25519Program,
  PublicKey,
  SYSVAR_INSTRUCTIONS_PUBKEY,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import {
  differsInBudgetOnly,
  isOpenToBudget,
  withBlockhash,
  withBudget,
  withPriority,
} from '../../src/solana/budget.ts'
import { decodeActions } from '../../src/solana/decode.ts'
import { type DecodedMessage, decodeTransaction, resolveLookups } from '../../src/solana/message.ts'
import { legacyTransaction, solanaBlockhash, solanaKeys, transferTo } from '../support/solana-node.ts'

const [payer, friend, third, fourth] = solanaKeys.map((key) => key.publicKey) as [
  PublicKey,
  PublicKey,
  PublicKey,
  PublicKey,
]
const budget = { limit: 1_234n, price: 56_789n }
const table = new AddressLookupTableAccount({
  key: fourth,
  state: {
    deactivationSlot: (1n << 64n) - 1n,
    lastExtendedSlot: 0,
    lastExtendedSlotStartIndex: 0,
    addresses: [third, friend],
  },
})
const tables = new Map([[fourth.toBase58(), [third.toBase58(), friend.toBase58()]]])
const modern = (...instructions: TransactionInstruction[]) =>
  Uint8Array.from(
    new VersionedTransaction(
      new TransactionMessage({
        payerKey: payer,
        recentBlockhash: solanaBlockhash,
        instructions,
      }).compileToV0Message([table]),
    ).serialize(),
  )
const actionsOf = (bytes: Uint8Array) =>
  decodeActions(resolveLookups(decodeTransaction(bytes).message, tables))
const added = (bytes: Uint8Array) => {
  const result = withBudget(decodeTransaction(bytes), budget)
  if (!result) throw new Error('Nothing was added')
  return result
}
const without = (actions: ReturnType<typeof actionsOf>) => actions.map(({ instruction: _, ...rest }) => rest)
const advance = SystemProgram.nonceAdvance({ noncePubkey: third, authorizedPubkey: payer })

describe('a limit and a price', () => {
  test.each<[string, Uint8Array]>([
    ['of the older form', legacyTransaction(transferTo(friend, 5), transferTo(third, 6))],
    ['with a lookup table', modern(transferTo(friend, 5), transferTo(third, 6))],
  ])('budget: in a transaction %s the actions and the roles of their accounts stay', (_, bytes) => {
    const before = actionsOf(bytes)
    const after = actionsOf(added(bytes))
    expect(after.slice(0, 2)).toMatchObject([
      { kind: 'computeBudget', setting: 'unitLimit', value: 1_234n },
      { kind: 'computeBudget', setting: 'unitPrice', value: 56_789n },
    ])
    expect(without(after.slice(2))).toEqual(without(before))
    // What the older library reads is the same.
    const { message } = VersionedTransaction.deserialize(added(bytes))
    const read = TransactionMessage.decompile(message, { addressLookupTableAccounts: [table] })
    expect(read.instructions.slice(2).map((each) => each.keys[1]?.pubkey.toBase58())).toEqual([
      friend.toBase58(),
      third.toBase58(),
    ])
    expect(read.payerKey.toBase58()).toBe(payer.toBase58())
  })

  test('budget: an instruction that advances a nonce stays the first one', () => {
    const kinds = actionsOf(added(legacyTransaction(advance, transferTo(friend, 5)))).map(({ kind }) => kind)
    expect(kinds).toEqual(['nonce', 'computeBudget', 'computeBudget', 'transferSol'])
  })

  test('budget: nothing is added to a transaction that is full', () => {
    const full = new TransactionInstruction({
      programId: new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
      keys: [],
      data: Buffer.alloc(1_040, 'a'),
    })
    expect(withBudget(decodeTransaction(legacyTransaction(full)), budget)).toBeUndefined()
  })

  test('budget: instructions that others name by their number keep it', () => {
    const open = (...instructions: TransactionInstruction[]) =>
      isOpenToBudget(decodeTransaction(legacyTransaction(...instructions)))
    expect(open(transferTo(friend, 5))).toBe(true)
    const verify = Ed25519Program.createInstructionWithPublicKey({
      publicKey: payer.toBytes(),
      message: Buffer.from('a'),
      signature: new Uint8Array(64),
    })
    expect(open(verify, transferTo(friend, 5))).toBe(false)
    const looks = new TransactionInstruction({
      programId: third,
      keys: [{ pubkey: SYSVAR_INSTRUCTIONS_PUBKEY, isSigner: false, isWritable: false }],
      data: Buffer.alloc(0),
    })
    expect(open(looks)).toBe(false)
    // As long as nobody knows what a table holds, it may be that account.
    expect(isOpenToBudget(decodeTransaction(modern(transferTo(friend, 5))))).toBe(false)
  })

  test('blockhash: another one changes nothing else', () => {
    const other = new PublicKey(new Uint8Array(32).fill(8)).toBase58()
    const bytes = modern(transferTo(friend, 5))
    const changed = decodeTransaction(withBlockhash(decodeTransaction(bytes), other))
    expect(changed.message.blockhash).toBe(other)
    expect(changed.message.instructions).toEqual(decodeTransaction(bytes).message.instructions)
  })
})

describe('another priority fee', () => {
  const fee = { limit: 1_000n, priority: 7n }
  const set = [
    ComputeBudgetProgram.setComputeUnitLimit({ units: 2_000 }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 5 }),
  ]
  const changed = (bytes: Uint8Array) => withPriority(decodeTransaction(bytes).message, fee)

  test.each<[string, Uint8Array]>([
    ['of the older form', legacyTransaction(...set, transferTo(friend, 5), transferTo(third, 6))],
    ['with a lookup table', modern(...set, transferTo(friend, 5), transferTo(third, 6))],
    ['that advances a nonce', legacyTransaction(advance, ...set, transferTo(friend, 5))],
  ])('priority fee: a transaction %s with a budget keeps all but its price', (_, bytes) => {
    const result = changed(bytes)
    if (!result) throw new Error('Nothing was changed')
    const isPrice = (action: ReturnType<typeof actionsOf>[number]) =>
      action.kind === 'computeBudget' && action.setting === 'unitPrice'
    const others = (of: Uint8Array) => actionsOf(of).filter((action) => !isPrice(action))
    expect(others(result)).toEqual(others(bytes))
    expect(actionsOf(result).filter(isPrice)).toMatchObject([{ value: 3_500n }])
    expect(actionsOf(result).findIndex(isPrice)).toBe(actionsOf(bytes).findIndex(isPrice))
    const [before, after] = [decodeTransaction(bytes).message, decodeTransaction(result).message]
    expect({ ...after, bytes: undefined, instructions: undefined }).toEqual({
      ...before,
      bytes: undefined,
      instructions: undefined,
    })
  })

  test('priority fee: a transaction without a budget gets one where nobody names its instructions', () => {
    const result = changed(legacyTransaction(transferTo(friend, 5)))
    expect(result && actionsOf(result)).toMatchObject([
      { setting: 'unitLimit', value: 1_000n },
      { setting: 'unitPrice', value: 7_000n },
      { kind: 'transferSol' },
    ])
  })

  test('priority fee: a transaction whose tables are known gets one, and its accounts stay', () => {
    const bytes = modern(transferTo(friend, 5), transferTo(third, 6))
    const result = withPriority(resolveLookups(decodeTransaction(bytes).message, tables), fee)
    expect(result && without(actionsOf(result).slice(2))).toEqual(without(actionsOf(bytes)))
    expect(result && decodeTransaction(result).message.lookups).toEqual(
      decodeTransaction(bytes).message.lookups,
    )
  })

  test('priority fee: a table that holds the account of all instructions is not added to', () => {
    const bytes = modern(transferTo(friend, 5))
    const sysvar = SYSVAR_INSTRUCTIONS_PUBKEY.toBase58()
    const known = resolveLookups(
      decodeTransaction(bytes).message,
      new Map([[fourth.toBase58(), [sysvar, sysvar]]]),
    )
    expect(withPriority(known, fee)).toBeUndefined()
  })

  const plain = [transferTo(friend, 5), transferTo(third, 6)]
  test.each<[string, Uint8Array, Uint8Array, boolean]>([
    [
      'another price',
      legacyTransaction(...set, ...plain),
      changed(legacyTransaction(...set, ...plain)),
      true,
    ],
    ['an added budget', modern(...plain), added(modern(...plain)), true],
    ['another amount', modern(...plain), modern(transferTo(friend, 5), transferTo(third, 7)), false],
    ['another order', modern(...plain), modern(...plain.toReversed()), false],
    [
      'another recipient out of the same table',
      modern(transferTo(friend, 5)),
      modern(transferTo(third, 5)),
      false,
    ],
    ['another form', legacyTransaction(...plain), modern(...plain), false],
    ['one instruction more', legacyTransaction(...plain), legacyTransaction(...plain, advance), false],
  ] as [string, Uint8Array, Uint8Array, boolean][])(
    'messages that differ in %s are told apart from those with another priority fee',
    (_, before, after, isSame) => {
      const [one, other] = [before, after].map((bytes) => decodeTransaction(bytes).message) as [
        DecodedMessage,
        DecodedMessage,
      ]
      expect(differsInBudgetOnly(one, other)).toBe(isSame)
      // Whether tables are known makes no difference.
      expect(differsInBudgetOnly(resolveLookups(one, tables), other)).toBe(isSame)
    },
  )

  test.each<[string, Uint8Array]>([
    ['has a limit alone', legacyTransaction(...set.slice(0, 1), transferTo(friend, 5))],
    ['has two prices', legacyTransaction(...set, ...set.slice(1), transferTo(friend, 5))],
    ['has a table that may hold anything', modern(transferTo(friend, 5))],
    [
      'is signed by others as well',
      legacyTransaction(...set, SystemProgram.transfer({ fromPubkey: third, toPubkey: payer, lamports: 1 })),
    ],
  ])('priority fee: it can’t be changed where the transaction %s', (_, bytes) => {
    expect(changed(bytes)).toBeUndefined()
  })
})
