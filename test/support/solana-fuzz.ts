/** A chain of Solana in this process with a wallet that has something to lose, and what a vault displays of transactions there. */
import { createPrivateKey, sign as signBytes } from 'node:crypto'
import { type Address, getTransactionDecoder, lamports, address as toAddress } from '@solana/kit'
import {
  createAssociatedTokenAccountInstruction,
  createInitializeAccount3Instruction,
  createInitializeMint2Instruction,
  createMintToInstruction,
  createSyncNativeInstruction,
  getAssociatedTokenAddressSync,
  NATIVE_MINT,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import {
  type AddressLookupTableAccount,
  Authorized,
  Keypair,
  Lockup,
  PublicKey,
  StakeProgram,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
  TransactionMessage,
  VoteInit,
  VoteProgram,
} from '@solana/web3.js'
import { FailedTransactionMetadata, LiteSVM } from 'litesvm'
import { vi } from 'vitest'
import type { PreviewNode } from '../../demo/backend/preview/nodes.ts'
import { previewSolana } from '../../demo/backend/preview/solana.ts'
import { defaultLimits } from '../../demo/backend/settings/limits.ts'
import { createLedger } from '../../demo/world/solana/ledger.ts'
import { createMethods } from '../../demo/world/solana/methods.ts'
import type { SignRequestOf } from '../../src/protocol/frame/sign-request.ts'
import type { VaultContext } from '../../src/vault/context.ts'
import { fetchPreview, type ServerPreview } from '../../src/vault/server/preview.ts'
import type { Token } from '../../src/vault/token.ts'
import { readVaultScreen, type VaultScreen } from './vault-screen.ts'

export const SOL = 1_000_000_000
export const CHAIN_NOW = Math.floor(Date.UTC(2026, 10, 28) / 1_000)
/** The epoch of the slot at which the ledger begins. */
export const CHAIN_EPOCH = 1_036

const keyOf = (at: number) => Keypair.fromSeed(new Uint8Array(32).fill(at))
export const people = {
  wallet: keyOf(101),
  thief: keyOf(102),
  friend: keyOf(103),
  /** Nobody is at these addresses yet; whoever makes the transaction has their keys. */
  fresh: [keyOf(104), keyOf(105), keyOf(106), keyOf(107)],
} as const
const held = {
  mint: keyOf(111),
  ownMint: keyOf(112),
  mint2022: keyOf(113),
  spare: keyOf(114),
  nonce: keyOf(115),
  strangeNonce: keyOf(116),
  stake: keyOf(117),
  otherStake: keyOf(118),
  vote: keyOf(119),
  ownVote: keyOf(120),
  vault: keyOf(121),
}
const keypairs = [people.wallet, people.thief, people.friend, ...people.fresh, ...Object.values(held)]
export const wallet = people.wallet.publicKey
export const thief = people.thief.publicKey
export const friend = people.friend.publicKey
export const fresh = people.fresh.map((key) => key.publicKey)
const secrets = new Map(
  keypairs.map((key) => [
    key.publicKey.toBase58(),
    createPrivateKey({
      key: Buffer.concat([
        Buffer.from('302e020100300506032b657004220420', 'hex'),
        key.secretKey.slice(0, 32),
      ]),
      format: 'der',
      type: 'pkcs8',
    }),
  ]),
)
export const canSign = (key: PublicKey): boolean => secrets.has(key.toBase58())

/** Copies of programs at addresses that nobody knows: they do the same for whoever calls them. */
export const strangeTokens = keyOf(131).publicKey
export const strangeAccounts = keyOf(132).publicKey
const ASSOCIATED = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')

const ata = (mint: PublicKey, owner: PublicKey, program = TOKEN_PROGRAM_ID) =>
  getAssociatedTokenAddressSync(mint, owner, true, program)
const mint = held.mint.publicKey
const mint2022 = held.mint2022.publicKey
/** What there is before every transaction. */
export const places = {
  mint,
  ownMint: held.ownMint.publicKey,
  mint2022,
  tokens: ata(mint, wallet),
  spare: held.spare.publicKey,
  ownTokens: ata(held.ownMint.publicKey, wallet),
  tokens2022: ata(mint2022, wallet, TOKEN_2022_PROGRAM_ID),
  wrapped: ata(NATIVE_MINT, wallet),
  friendTokens: ata(mint, friend),
  thiefTokens: ata(mint, thief),
  thiefTokens2022: ata(mint2022, thief, TOKEN_2022_PROGRAM_ID),
  thiefWrapped: ata(NATIVE_MINT, thief),
  nonce: held.nonce.publicKey,
  strangeNonce: held.strangeNonce.publicKey,
  stake: held.stake.publicKey,
  otherStake: held.otherStake.publicKey,
  vote: held.vote.publicKey,
  ownVote: held.ownVote.publicKey,
} as const

export interface State {
  readonly owner: string
  readonly lamports: bigint
  readonly data: Uint8Array
}
export type States = ReadonlyMap<string, State | undefined>
export interface Outcome {
  readonly error: string | undefined
  readonly before: States
  readonly after: States
}

export interface SolanaWorld {
  /** Everything as it was in the beginning. */
  reset(): void
  state(key: PublicKey | string): State | undefined
  /** Puts an account there, as if it had been there before. */
  place(key: PublicKey, state: State): void
  /**
   * Signs and runs a transaction, which `payer` pays.
   * @param tables lookup tables of a message of version 0; without them it is of the older form
   */
  run(
    instructions: readonly TransactionInstruction[],
    payer?: PublicKey,
    tables?: readonly AddressLookupTableAccount[],
  ): Outcome
  /** Lets a block pass: a nonce can be used once in each. */
  pass(): void
  /** The message of a transaction. */
  message(
    instructions: readonly TransactionInstruction[],
    payer?: PublicKey,
    tables?: readonly AddressLookupTableAccount[],
  ): Uint8Array
  /** What the vault's own server says of a message, as the vault reads it. */
  preview(message: Uint8Array): Promise<ServerPreview>
  /** What the vault displays of a message, with or without what its server says. */
  screen(message: Uint8Array, server?: ServerPreview): Promise<VaultScreen>
}

export function createSolanaWorld(): SolanaWorld {
  const spied = vi.spyOn(LiteSVM.prototype, 'withBlockhashCheck')
  const ledger = createLedger({ now: () => CHAIN_NOW * 1_000 })
  const machine = spied.mock.results.at(-1)?.value as LiteSVM
  spied.mockRestore()
  machine.withTransactionHistory(0n)
  const clock = machine.getClock()
  clock.unixTimestamp = BigInt(CHAIN_NOW)
  clock.epoch = BigInt(CHAIN_EPOCH)
  machine.setClock(clock)
  const methods = createMethods(ledger, () => {})
  for (const [from, to] of [
    [TOKEN_PROGRAM_ID, strangeTokens],
    [ASSOCIATED, strangeAccounts],
  ] as const) {
    const program = machine.getAccount(toAddress(from.toBase58()))
    if (!program.exists) throw new Error('A program is missing')
    const code = Uint8Array.from(program.data)
    machine.addProgram(toAddress(to.toBase58()), isElf(code) ? code : codeOf(machine, code))
  }

  const state = (key: PublicKey | string): State | undefined => {
    const view = ledger.account(String(key) as Address)
    return view && { owner: view.owner, lamports: view.lamports, data: view.data }
  }
  const set = (address: string, to: State | undefined) =>
    machine.setAccount({
      address: toAddress(address),
      programAddress: toAddress(to?.owner ?? SystemProgram.programId.toBase58()),
      lamports: lamports(to?.lamports ?? 0n),
      data: to?.data ?? new Uint8Array(),
      space: BigInt(to?.data.length ?? 0),
      executable: false,
    })
  const message: SolanaWorld['message'] = (instructions, payer = wallet, tables) => {
    const recentBlockhash = ledger.blockhash()
    const given = { payerKey: payer, recentBlockhash, instructions: [...instructions] }
    return Uint8Array.from(
      tables
        ? new TransactionMessage(given).compileToV0Message([...tables]).serialize()
        : new Transaction({ feePayer: payer, blockhash: recentBlockhash, lastValidBlockHeight: 1 })
            .add(...instructions)
            .serializeMessage(),
    )
  }
  const dirty = new Map<string, State | undefined>()
  const remember = (address: string, was: State | undefined) => {
    if (!dirty.has(address)) dirty.set(address, was)
  }
  const run: SolanaWorld['run'] = (instructions, payer, tables) => {
    const bytes = message(instructions, payer, tables)
    const keys = keysOf(bytes)
    const accounts = [
      ...keys.accounts,
      ...(tables ?? []).flatMap(({ state: { addresses } }) => addresses.map((each) => each.toBase58())),
    ]
    const { signers } = keys
    const signed = Buffer.concat([
      Buffer.from([signers.length]),
      ...signers.map((each) => {
        const secret = secrets.get(each)
        return secret ? signBytes(null, bytes, secret) : Buffer.alloc(64)
      }),
      bytes,
    ])
    const statesNow = () => new Map(accounts.map((each) => [each, state(each)]))
    const before = statesNow()
    const result = machine.sendTransaction(getTransactionDecoder().decode(signed))
    const after = statesNow()
    for (const [each, was] of before) remember(each, was)
    const error = result instanceof FailedTransactionMetadata ? result.toString() : undefined
    return { error, before, after }
  }
  const must = (instructions: readonly TransactionInstruction[], payer = wallet) => {
    const { error } = run(instructions, payer)
    if (error) throw new Error(`The world can't be made: ${error}`)
  }
  furnish(must, (key, amount) => ledger.airdrop(toAddress(key.toBase58()), amount))
  dirty.clear()

  const node: PreviewNode = {
    async ask(method, params = []) {
      const answer = methods[method]?.(params as readonly unknown[])
      return answer === undefined ? undefined : JSON.parse(JSON.stringify(answer))
    },
  }
  return {
    state,
    message,
    run,
    place(key, to) {
      remember(key.toBase58(), state(key))
      set(key.toBase58(), to)
    },
    pass: () => ledger.advance(1),
    reset() {
      for (const [each, was] of dirty) if (!isSame(state(each), was)) set(each, was)
      dirty.clear()
    },
    async preview(bytes) {
      const answer = await previewSolana(
        [node, node],
        { cluster: 'mainnet', wallet: wallet.toBase58(), message: bytes },
        { limits: { ...defaultLimits, previewNodeTime: 60_000 }, now: () => CHAIN_NOW * 1_000 },
      )
      const cx = { api: async () => JSON.parse(JSON.stringify(answer)) } as unknown as VaultContext
      return fetchPreview(cx, '' as unknown as Token, {
        address: wallet.toBase58(),
        chain: 'solana:mainnet',
        request: {},
      })
    },
    screen: (bytes, server) => readVaultScreen(requestOf(bytes), { server }),
  }
}

export const isSame = (one: State | undefined, other: State | undefined): boolean =>
  one?.owner === other?.owner &&
  one?.lamports === other?.lamports &&
  Buffer.from(one?.data ?? []).equals(Buffer.from(other?.data ?? []))

const isElf = (code: Uint8Array) => code[0] === 0x7f && code[1] === 0x45
/** The code of an upgradeable program is in an account of its own. */
function codeOf(machine: LiteSVM, program: Uint8Array): Uint8Array {
  const data = machine.getAccount(toAddress(new PublicKey(program.slice(4, 36)).toBase58()))
  if (!data.exists) throw new Error('The code of a program is missing')
  return Uint8Array.from(data.data).slice(45)
}

export const requestOf = (message: Uint8Array): SignRequestOf<'solanaTransaction'> => ({
  kind: 'solanaTransaction',
  root: { chainType: 'solana', address: wallet.toBase58() },
  walletIndex: 0,
  address: wallet.toBase58(),
  action: 'send',
  message: Buffer.from(message).toString('base64'),
})

/** The accounts that stand in a message itself, those that sign first. */
function keysOf(message: Uint8Array): { signers: string[]; accounts: string[] } {
  const [first = 0] = message
  // The first byte of a message of the older form is the number of its signers.
  const body = first & 0x80 ? message.slice(1) : message
  const [signers = 0, , , count = 0] = body
  const accounts = Array.from({ length: count }, (_, at) =>
    new PublicKey(body.slice(4 + at * 32, 36 + at * 32)).toBase58(),
  )
  return { signers: accounts.slice(0, signers), accounts }
}

/** Fills the world: whatever a wallet may have, and what others have beside it. */
function furnish(
  run: (instructions: readonly TransactionInstruction[], payer?: PublicKey) => void,
  airdrop: (key: PublicKey, amount: number) => void,
): void {
  airdrop(wallet, 200 * SOL)
  airdrop(thief, 20 * SOL)
  airdrop(friend, 20 * SOL)
  const make = (key: Keypair, space: number, programId: PublicKey, amount = 0.01 * SOL, from = wallet) =>
    SystemProgram.createAccount({
      fromPubkey: from,
      newAccountPubkey: key.publicKey,
      lamports: amount,
      space,
      programId,
    })
  const own = held.ownMint.publicKey
  run([
    make(held.mint, 82, TOKEN_PROGRAM_ID),
    createInitializeMint2Instruction(mint, 6, friend, friend),
    make(held.mint2022, 82, TOKEN_2022_PROGRAM_ID),
    createInitializeMint2Instruction(mint2022, 6, friend, null, TOKEN_2022_PROGRAM_ID),
    make(held.ownMint, 82, TOKEN_PROGRAM_ID),
    createInitializeMint2Instruction(own, 2, wallet, wallet),
  ])
  for (const owner of [wallet, thief, friend])
    run(
      [
        createAssociatedTokenAccountInstruction(owner, ata(mint, owner), owner, mint),
        createAssociatedTokenAccountInstruction(
          owner,
          ata(mint2022, owner, TOKEN_2022_PROGRAM_ID),
          owner,
          mint2022,
          TOKEN_2022_PROGRAM_ID,
        ),
        createAssociatedTokenAccountInstruction(owner, ata(NATIVE_MINT, owner), owner, NATIVE_MINT),
        SystemProgram.transfer({
          fromPubkey: owner,
          toPubkey: ata(NATIVE_MINT, owner),
          lamports: 5 * SOL,
        }),
        createSyncNativeInstruction(ata(NATIVE_MINT, owner)),
      ],
      owner,
    )
  run([
    createAssociatedTokenAccountInstruction(wallet, ata(own, wallet), wallet, own),
    make(held.spare, 165, TOKEN_PROGRAM_ID),
    createInitializeAccount3Instruction(held.spare.publicKey, mint, wallet),
    createMintToInstruction(own, ata(own, wallet), wallet, 7_777),
    createMintToInstruction(mint, ata(mint, wallet), friend, 5_000_000),
    createMintToInstruction(mint, held.spare.publicKey, friend, 1_234_567),
    createMintToInstruction(
      mint2022,
      ata(mint2022, wallet, TOKEN_2022_PROGRAM_ID),
      friend,
      9_000_000,
      [],
      TOKEN_2022_PROGRAM_ID,
    ),
  ])
  for (const [key, owner] of [
    [held.nonce, wallet],
    [held.strangeNonce, thief],
  ] as const)
    run(
      [
        make(key, 80, SystemProgram.programId, 3 * SOL, owner),
        SystemProgram.nonceInitialize({ noncePubkey: key.publicKey, authorizedPubkey: owner }),
      ],
      owner,
    )
  for (const key of [held.stake, held.otherStake])
    run(
      StakeProgram.createAccount({
        fromPubkey: wallet,
        stakePubkey: key.publicKey,
        authorized: new Authorized(wallet, wallet),
        lockup: new Lockup(0, 0, PublicKey.default),
        lamports: 10 * SOL,
      }).instructions,
    )
  for (const [key, owner] of [
    [held.vote, friend],
    [held.ownVote, wallet],
  ] as const)
    run(
      VoteProgram.createAccount({
        fromPubkey: owner,
        votePubkey: key.publicKey,
        voteInit: new VoteInit(owner, owner, owner, 5),
        lamports: 2 * SOL,
      }).instructions,
      owner,
    )
}
