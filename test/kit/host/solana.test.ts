import { ed25519 } from '@noble/curves/ed25519.js'
import { base58, base64, hex } from '@scure/base'
import {
  address,
  appendTransactionMessageInstruction,
  compileTransaction,
  createTransactionMessage,
  type getTransactionDecoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import {
  AccountLayout,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  MintLayout,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { Keypair, PublicKey, SystemProgram, Transaction, VersionedTransaction } from '@solana/web3.js'
import { getTransferSolInstruction } from '@solana-program/system'
import { describe, expect, test } from 'vitest'
import { demoSeeds } from '../../../demo/world/wallet/accounts.ts'
import {
  sendSolanaTransactionForHost,
  signAllSolanaTransactionsForHost,
  signSolanaMessageForHost,
  signSolanaTransactionForHost,
} from '../../../src/kit/host/solana.ts'
import { usdcOn } from '../../../src/lib/usdc.ts'
import type { FundingSettings } from '../../../src/protocol/app-config.ts'
import { withPriority } from '../../../src/solana/budget.ts'
import { decodeActions } from '../../../src/solana/decode.ts'
import { decodeMessage, decodeTransaction } from '../../../src/solana/message.ts'
import { fakeApprovals } from '../../support/approvals.ts'
import { fakeNode } from '../../support/chain-node.ts'
import { embeddedKit, onSolana, solanaAddress } from '../../support/embedded-kit.ts'
import { fundingSettings } from '../../support/funding-settings.ts'
import { limit } from '../../support/limit.ts'
import type { Step } from '../../support/person.ts'
import { account, inContext, walletNode } from '../../support/solana-node.ts'

const payer = new PublicKey(solanaAddress)
const friend = Keypair.fromSeed(new Uint8Array(32).fill(7)).publicKey
const seed = hex.decode(demoSeeds[0])
const blockhash = base58.encode(new Uint8Array(32).fill(9))
const NONE = '11111111111111111111111111111111'

const legacy = (recentBlockhash: string | undefined = blockhash) => {
  const transaction = new Transaction().add(
    SystemProgram.transfer({ fromPubkey: payer, toPubkey: friend, lamports: 1_000 }),
  )
  transaction.feePayer = payer
  if (recentBlockhash !== NONE) transaction.recentBlockhash = recentBlockhash
  return transaction
}
const bytesOf = (transaction: Transaction) =>
  Uint8Array.from(transaction.serialize({ requireAllSignatures: false, verifySignatures: false }))
const ofKit = () =>
  pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(address(solanaAddress), message),
    (message) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash as never, lastValidBlockHeight: 150n },
        message,
      ),
    (message) =>
      appendTransactionMessageInstruction(
        getTransferSolInstruction({
          source: { address: address(solanaAddress) } as never,
          destination: address(friend.toBase58()),
          amount: 1_000n,
        }),
        message,
      ),
  )

type Answers = NonNullable<Parameters<typeof fakeNode>[0]>

function setUp(
  answers: Answers = {},
  approvals?: ReturnType<typeof fakeApprovals>,
  more: { readonly funding?: FundingSettings } = {},
) {
  const node = fakeNode({ ...walletNode(solanaAddress), ...answers })
  const set = embeddedKit({
    wallets: [onSolana],
    fetch: node.fetch,
    ...(approvals && { approvals }),
    ...more,
    host: {
      solanaClusters: [
        { name: 'mainnet-beta', rpcUrl: 'https://main.example' },
        { name: 'devnet', rpcUrl: 'https://dev.example' },
      ],
    },
  })
  set.login()
  const follow = async <T>(work: Promise<T>, script: Step[]) => {
    const done = work.then(
      (value) => ({ value, error: undefined }),
      (error: { code: string; message: string; data?: unknown }) => ({ value: undefined, error }),
    )
    await set.person.follow([...script, { wait: 3_000 }])
    return done
  }
  const cx = [set.hostContext, set.sending] as const
  return { ...set, node, cx, follow }
}
const approve: Step = ['approve-transaction', 'approve']
const isSigned = (message: Uint8Array, signature: Uint8Array | null | undefined) =>
  ed25519.verify(signature ?? new Uint8Array(64), message, payer.toBytes())

test('signMessage: the signature verifies over the text that was displayed', async () => {
  const { cx, follow } = setUp()
  const { value } = await follow(signSolanaMessageForHost(...cx, 'Hello'), [
    { on: 'sign-message', expect: (props) => expect(props.message).toBe('Hello'), answer: 'sign' },
  ])
  const signature = base64.decode(value?.signature ?? '')
  expect(isSigned(new TextEncoder().encode('Hello'), signature)).toBe(true)
})

test.each([[''], [new Uint8Array([1])], [undefined]])(
  'signMessage: %o is no text to sign',
  async (message) => {
    const { cx, follow } = setUp()
    expect((await follow(signSolanaMessageForHost(...cx, message), [])).error?.code).toBe('invalid_message')
  },
)

describe('signTransaction', () => {
  test('an object of web3.js comes back as one, signed', async () => {
    const { cx, follow } = setUp()
    const given = legacy()
    const { value } = await follow(signSolanaTransactionForHost(...cx, given), [approve])
    const signed = value?.signedTransaction as Transaction
    expect(signed).toBeInstanceOf(Transaction)
    expect(signed.verifySignatures()).toBe(true)
    expect(given.signature).toBeNull()
  })

  test('bytes come back as bytes', async () => {
    const { cx, follow } = setUp()
    const { value } = await follow(signSolanaTransactionForHost(...cx, bytesOf(legacy())), [approve])
    const signed = VersionedTransaction.deserialize(value?.signedTransaction as Uint8Array)
    expect(isSigned(signed.message.serialize(), signed.signatures[0])).toBe(true)
  })

  test.each([
    ['a transaction of @solana/kit', () => compileTransaction(ofKit())],
    ['a message of @solana/kit', ofKit],
  ])('%s comes back as a transaction of it', async (_, make) => {
    const { cx, follow } = setUp()
    const { value } = await follow(signSolanaTransactionForHost(...cx, make()), [approve])
    const signed = value?.signedTransaction as ReturnType<ReturnType<typeof getTransactionDecoder>['decode']>
    expect(isSigned(Uint8Array.from(signed.messageBytes), signed.signatures[address(solanaAddress)])).toBe(
      true,
    )
  })

  test('several are read before the first is reviewed, and then reviewed one after the other', async () => {
    const { cx, follow, person } = setUp()
    const wrong = await follow(signAllSolanaTransactionsForHost(...cx, [legacy(), { no: 'transaction' }]), [])
    expect(wrong.error?.code).toBe('invalid_request_arguments')
    expect(person.trace()).toEqual([])
    const { value } = await follow(signAllSolanaTransactionsForHost(...cx, [legacy(), bytesOf(legacy())]), [
      approve,
      { wait: 2_000 },
      approve,
    ])
    expect(value?.signedTransactions).toEqual([expect.any(Transaction), expect.any(Uint8Array)])
  })

  test('what is not this wallet’s to sign is refused in the words of the specification', async () => {
    const { cx, follow } = setUp()
    const other = new Transaction({ feePayer: friend, blockhash, lastValidBlockHeight: 1 }).add(
      SystemProgram.transfer({ fromPubkey: friend, toPubkey: friend, lamports: 1 }),
    )
    expect((await follow(signSolanaTransactionForHost(...cx, other), [])).error).toMatchObject({
      code: 'invalid_request_arguments',
      message: `Transaction does not contain public key ${solanaAddress}`,
    })
  })

  test('a missing blockhash is the host’s mistake where nothing may be changed', async () => {
    const { cx, follow } = setUp()
    expect((await follow(signSolanaTransactionForHost(...cx, legacy(NONE)), [])).error?.code).toBe(
      'invalid_request_arguments',
    )
  })

  test.each([
    [{ cluster: 'testnet' }, 'unsupported_chain_id'],
    [{ chain: 'solana:testnet' }, 'unsupported_chain_id'],
    [{ cluster: 'devnet', chain: 'solana:mainnet' }, 'unsupported_chain_id'],
    [{ address: friend.toBase58() }, 'embedded_wallet_not_found'],
  ])('%o is refused', async (options, code) => {
    const { cx, follow } = setUp()
    expect((await follow(signSolanaTransactionForHost(...cx, legacy(), options), [])).error?.code).toBe(code)
  })

  test('a user who declines is told of by unable_to_sign', async () => {
    const { cx, follow } = setUp()
    const { error } = await follow(signSolanaTransactionForHost(...cx, legacy()), [
      ['approve-transaction', 'cancel'],
    ])
    expect(error?.code).toBe('unable_to_sign')
  })
})

describe('signAndSendTransaction', () => {
  test('it fills in a blockhash, sends to the named cluster, and resolves with the network’s record', async () => {
    const { cx, follow, node, events } = setUp()
    const emitted: unknown[] = []
    events.on('submitted', ({ transactionHash, chain }) => emitted.push([transactionHash, chain]))
    events.on('receipt', ({ transactionHash, chain }) => emitted.push([transactionHash, chain]))
    const { value } = await follow(sendSolanaTransactionForHost(...cx, legacy(NONE), { cluster: 'devnet' }), [
      approve,
      { wait: 3_000 },
      ['transaction-receipt', 'close'],
    ])
    expect(value?.receipt).toMatchObject({ slot: 6n, fee: 5_000n, failure: undefined })
    const name = [value?.transactionHash, 'solana:devnet']
    expect(emitted).toEqual([name, name])
    expect(new Set(node.asked.map(({ url }) => url))).toEqual(new Set(['https://dev.example']))
  })

  test('expiry: it is signed anew only once the old one can’t land any more', async () => {
    let height = 100
    const sent: string[] = []
    const hashes = [9, 10].map((seed) => base58.encode(new Uint8Array(32).fill(seed)))
    const healthy = walletNode(solanaAddress)
    const { cx, follow, activity, asked } = setUp({
      ...healthy,
      getLatestBlockhash: () => ({
        result: inContext({ blockhash: hashes[sent.length > 0 ? 1 : 0], lastValidBlockHeight: 150 }),
      }),
      getEpochInfo: () => ({ result: { blockHeight: height, absoluteSlot: 5 } }),
      sendTransaction: (params) => {
        const raw = String(params[0])
        if (!sent.includes(raw)) sent.push(raw)
        // The first one is lost on its way.
        return sent.indexOf(raw) === 0
          ? { result: base58.encode(base64.decode(raw).slice(1, 65)) }
          : (healthy.sendTransaction as (given: readonly unknown[]) => never)(params)
      },
    })
    const work = sendSolanaTransactionForHost(...cx, legacy(NONE))
    const { value } = await follow(work, [
      approve,
      { wait: 20_000 },
      {
        on: 'transaction-sent',
        expect() {
          height = 151
        },
      },
      {
        on: 'transaction-failed',
        expect: (props) => {
          expect(props.action).toBe('renew')
          expect(asked).toHaveLength(1)
        },
        answer: 'renew',
      },
      approve,
      { wait: 3_000 },
      ['transaction-receipt', 'close'],
    ])
    expect(sent).toHaveLength(2)
    expect(activity.get().map(({ status }) => status)).toEqual(['confirmed', 'expired'])
    expect(value?.transactionHash).toBe(activity.get()[0]?.hash)
  })

  test('a transaction that fails on the network rejects with its hash and reason', async () => {
    const { cx, follow } = setUp({
      getSignatureStatuses: {
        context: { slot: 6 },
        value: [
          {
            slot: 6,
            confirmations: 1,
            err: { InstructionError: [0, { Custom: 6001 }] },
            confirmationStatus: 'confirmed',
          },
        ],
      },
    })
    const { error } = await follow(sendSolanaTransactionForHost(...cx, legacy()), [
      approve,
      { wait: 6_000 },
      ['transaction-failed', 'close'],
    ])
    expect(error).toMatchObject({
      code: 'transaction_failure',
      data: { status: 'failed', reason: 'Custom 6001', transactionHash: expect.any(String) },
    })
  })

  test('a transaction that others have not signed yet is refused before anybody reviews it', async () => {
    const { cx, follow, person } = setUp()
    const sponsored = new Transaction({ feePayer: friend, blockhash, lastValidBlockHeight: 1 }).add(
      SystemProgram.transfer({ fromPubkey: payer, toPubkey: friend, lamports: 1 }),
    )
    const { error } = await follow(sendSolanaTransactionForHost(...cx, sponsored), [])
    expect(error).toMatchObject({
      code: 'invalid_request_arguments',
      message: 'The transaction is not signed by its fee payer',
    })
    expect(person.trace()).not.toContain('approve-transaction')
  })
})

describe('strict apps', () => {
  type Request = {
    action: string
    state?: string
    cluster?: string
    fundableToken?: string
    message: string
  }

  /** A vault that signs whatever is ready, and the requests that it was shown. */
  function vaultOf() {
    const shown: Request[] = []
    const approvals = fakeApprovals((_, given) => {
      const request = given as Request
      shown.push(request)
      if (request.state) return undefined
      const bytes = base64.decode(request.message)
      return { answer: { signed: { signature: base64.encode(ed25519.sign(bytes, seed)) } } }
    })
    return { approvals, shown }
  }

  test('the vault is shown the app’s bytes at once, and then exactly those that are signed and sent', async () => {
    const { approvals, shown } = vaultOf()
    const { cx, follow, asked } = setUp({}, approvals)
    const { value, error } = await follow(
      sendSolanaTransactionForHost(...cx, legacy(NONE), { cluster: 'devnet' }),
      [{ wait: 3_000 }, ['transaction-receipt', 'close']],
    )
    expect(error).toBeUndefined()
    expect(shown).toMatchObject([
      { action: 'send', state: 'preparing', cluster: 'devnet' },
      { action: 'send', state: 'preparing', cluster: 'devnet' },
      { action: 'send', cluster: 'devnet' },
    ])
    const [first, , ready] = shown.map(({ message }) => base64.decode(message))
    expect(Transaction.from(withoutSignature(first)).recentBlockhash).toBe(NONE)
    expect(isSigned(ready ?? new Uint8Array(), base58.decode(value?.transactionHash ?? ''))).toBe(true)
    // Nothing is asked of the vault without its own review.
    expect(asked).toEqual([])
  })

  test('a priority fee that the user has chosen in the vault is what is sent and followed', async () => {
    const shown: Request[] = []
    const approvals = fakeApprovals((_, given) => {
      const request = given as Request
      shown.push(request)
      if (request.state) return undefined
      const asked = decodeMessage(base64.decode(request.message))
      const bytes = withPriority(asked, { limit: 1_000n, priority: 900n })
      if (!bytes) throw new Error('the fee is not open')
      const message = bytes.slice(65)
      const signature = base64.encode(ed25519.sign(message, seed))
      return { answer: { signed: { signature }, edited: { message: base64.encode(message) } } }
    })
    const { cx, follow, node, activity } = setUp({}, approvals)
    const { value, error } = await follow(sendSolanaTransactionForHost(...cx, legacy(NONE)), [
      { wait: 3_000 },
      ['transaction-receipt', 'close'],
    ])
    expect(error).toBeUndefined()
    expect(shown.at(-1)).toMatchObject({ isEditable: true })
    const raw = base64.decode(
      String(node.asked.find(({ method }) => method === 'sendTransaction')?.params[0]),
    )
    const actions = decodeActions(decodeTransaction(raw).message)
    expect(actions).toContainEqual(expect.objectContaining({ setting: 'unitPrice', value: 900_000n }))
    expect(isSigned(raw.slice(65), base58.decode(value?.transactionHash ?? ''))).toBe(true)
    expect(activity.get()).toMatchObject([{ status: 'confirmed', raw: base64.encode(raw) }])
  })

  test('a transaction that is signed for the app alone keeps the app’s fee', async () => {
    const { approvals, shown } = vaultOf()
    const { cx, follow } = setUp({}, approvals)
    await follow(signSolanaTransactionForHost(...cx, legacy()), [{ wait: 3_000 }])
    expect(shown.at(-1)).not.toHaveProperty('isEditable')
  })

  describe('a transfer of more tokens than the wallet has', () => {
    const mint = new PublicKey(usdcOn('solana:mainnet') ?? '')
    const source = getAssociatedTokenAddressSync(mint, payer)
    const to = getAssociatedTokenAddressSync(mint, friend)
    const none = PublicKey.default
    const held = Buffer.alloc(AccountLayout.span)
    AccountLayout.encode(
      {
        ...{ mint, owner: payer, amount: 1_000_000n, state: 1 },
        ...{ delegateOption: 0, delegate: none, delegatedAmount: 0n },
        ...{ isNativeOption: 0, isNative: 0n, closeAuthorityOption: 0, closeAuthority: none },
      },
      held,
    )
    const coin = Buffer.alloc(MintLayout.span)
    MintLayout.encode(
      {
        ...{ mintAuthorityOption: 0, mintAuthority: none, supply: 10n ** 12n, decimals: 6 },
        ...{ isInitialized: true, freezeAuthorityOption: 0, freezeAuthority: none },
      },
      coin,
    )
    const owner = TOKEN_PROGRAM_ID.toBase58()
    const accounts: Record<string, object> = {
      [solanaAddress]: account(5_000_000_000),
      [source.toBase58()]: account(2_039_280, owner, held),
      [to.toBase58()]: account(2_039_280, owner, held),
      [mint.toBase58()]: account(1_461_600, owner, coin),
    }
    const node: Answers = {
      getMultipleAccounts: ([addresses]) => ({
        result: inContext((addresses as string[]).map((each) => accounts[each] ?? null)),
      }),
      simulateTransaction: () => ({
        result: inContext({
          err: { InstructionError: [0, { Custom: 1 }] },
          logs: ['Program log: Error: insufficient funds'],
          unitsConsumed: 150,
          accounts: null,
        }),
      }),
    }
    const transfer = () =>
      new Transaction({ feePayer: payer, blockhash, lastValidBlockHeight: 150 }).add(
        createTransferCheckedInstruction(source, mint, to, payer, 2_500_000n, 6),
      )
    const lastShown = async (more: { readonly funding?: FundingSettings }) => {
      const { approvals, shown } = vaultOf()
      const { cx, person, clock } = setUp(node, approvals, more)
      const work = sendSolanaTransactionForHost(...cx, transfer())
      work.catch(() => {})
      const state = async () => {
        await clock.advance(500)
        return shown.at(-1)?.state
      }
      await expect.poll(state, { timeout: limit(20_000) }).toBe('may-fail')
      person.close()
      await expect(work).rejects.toMatchObject({ code: 'unable_to_sign' })
      return shown.at(-1)
    }

    test('names the token for the vault where the app can have it funded', async () => {
      expect(await lastShown({ funding: fundingSettings })).toMatchObject({
        state: 'may-fail',
        isFundable: true,
        fundableToken: mint.toBase58(),
      })
    })

    test('names no token where the app has no funding', async () => {
      const last = await lastShown({})
      expect(last).toMatchObject({ state: 'may-fail' })
      expect(last).not.toHaveProperty('fundableToken')
    })
  })

  test('the vault learns that funds are short by a state, and nothing is signed', async () => {
    const { approvals, shown } = vaultOf()
    const { cx, person, clock } = setUp(walletNode(solanaAddress, { lamports: 100n }), approvals)
    const work = sendSolanaTransactionForHost(...cx, legacy())
    work.catch(() => {})
    await clock.advance(3_000)
    expect(shown.map(({ state }) => state)).toEqual(['preparing', 'preparing', 'underfunded'])
    person.close()
    await expect(work).rejects.toMatchObject({ code: 'unable_to_sign' })
  })
})

const withoutSignature = (message: Uint8Array | undefined) =>
  Uint8Array.from([1, ...new Uint8Array(64), ...(message ?? [])])
