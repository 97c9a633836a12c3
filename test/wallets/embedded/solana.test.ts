import { ed25519 } from '@noble/curves/ed25519.js'
import { base58, base64 } from '@scure/base'
import {
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
} from '@solana/kit'
import type {
  SolanaSignAndSendTransactionFeature,
  SolanaSignInFeature,
  SolanaSignInInput,
  SolanaSignMessageFeature,
  SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features'
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import type {
  StandardConnectFeature,
  StandardDisconnectFeature,
  StandardEventsFeature,
} from '@wallet-standard/features'
import { describe, expect, test } from 'vitest'
// Pages load these when there is something to sign; here no test should wait for their compilation.
import '../../../src/solana/adapter.ts'
import type { TransactionPreview } from '../../../src/signing/preview.ts'
import { fakeNode } from '../../support/chain-node.ts'
import { embeddedKit, onSolana, solanaAddress, walletAccount } from '../../support/embedded-kit.ts'
import { fundingSettings } from '../../support/funding-settings.ts'
import type { Step } from '../../support/person.ts'
import { walletNode } from '../../support/solana-node.ts'

const payer = new PublicKey(solanaAddress)
const to = Keypair.fromSeed(new Uint8Array(32).fill(7))
const blockhash = base58.encode(new Uint8Array(32).fill(9))
const transfer = (lamports: number, from = payer) =>
  SystemProgram.transfer({ fromPubkey: from, toPubkey: to.publicKey, lamports })

const legacy = (...steps: Parameters<Transaction['add']>) => {
  const transaction = new Transaction({ feePayer: payer, blockhash, lastValidBlockHeight: 1 }).add(...steps)
  return Uint8Array.from(transaction.serialize({ requireAllSignatures: false }))
}
const modern = (from: PublicKey, ...instructions: ReturnType<typeof transfer>[]) =>
  Uint8Array.from(
    new VersionedTransaction(
      new TransactionMessage({
        payerKey: from,
        recentBlockhash: blockhash,
        instructions,
      }).compileToV0Message(),
    ).serialize(),
  )
/** One that can be read, and that no packet of the network could carry. */
function oversized() {
  const transaction = getTransactionDecoder().decode(modern(payer, transfer(1)))
  const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
  const [first] = 'instructions' in message ? message.instructions : []
  const instructions = [{ ...first, data: new Uint8Array(1_200) }]
  const messageBytes = getCompiledTransactionMessageEncoder().encode({ ...message, instructions } as never)
  return Uint8Array.from(getTransactionEncoder().encode({ ...transaction, messageBytes } as never))
}
/** What a node answers about one transaction. */
const statuses = (status: { err: unknown; slot?: number; confirmationStatus: string } | null) => ({
  context: { slot: 1 },
  value: [status && { slot: 1, confirmations: null, ...status }],
})
const nameOf = (bytes: string) => {
  const all = base64.decode(bytes)
  return base58.encode(all.slice(1, 65))
}

type Features = SolanaSignInFeature &
  SolanaSignMessageFeature &
  SolanaSignTransactionFeature &
  SolanaSignAndSendTransactionFeature &
  StandardConnectFeature &
  StandardDisconnectFeature &
  StandardEventsFeature

function setUp(
  answers: Parameters<typeof fakeNode>[0] = {},
  {
    clusters = [
      { name: 'mainnet-beta', rpcUrl: 'https://main.example' },
      { name: 'devnet', rpcUrl: 'https://dev.example' },
    ],
    ...more
  }: Pick<NonNullable<Parameters<typeof embeddedKit>[0]>, 'funding'> & {
    clusters?: readonly { name: string; rpcUrl: string }[]
  } = {},
) {
  const node = fakeNode({ ...walletNode(solanaAddress), ...answers })
  const set = embeddedKit({
    wallets: [onSolana],
    ...more,
    fetch: node.fetch,
    host: { solanaClusters: clusters },
  })
  set.login()
  const { wallet, account } = set.solana()
  const features = wallet.features as unknown as Features
  const follow = async <T>(work: Promise<T>, script: Step[]) => {
    const done = work.then(
      (value) => ({ value, error: undefined }),
      (error: { code: number; message: string; data?: unknown }) => ({ value: undefined, error }),
    )
    await set.person.follow([...script, { wait: 3_000 }])
    return done
  }
  const sign = (transaction: Uint8Array, script: Step[], chain?: `${string}:${string}`) =>
    follow(
      features['solana:signTransaction'].signTransaction({ account, transaction, ...(chain && { chain }) }),
      script,
    )
  const send = (transaction: Uint8Array, script: Step[], options: object = {}) =>
    follow(
      features['solana:signAndSendTransaction'].signAndSendTransaction({
        account,
        transaction,
        chain: 'solana:devnet',
        options,
      }),
      script,
    )
  return { ...set, node, wallet, account, features, follow, sign, send }
}
const approve: Step = ['approve-transaction', 'approve']

test('the wallet shows its account, its clusters and what it can do', () => {
  const { wallet, account } = setUp()
  expect(wallet).toMatchObject({
    name: 'Harbor',
    chains: ['solana:mainnet', 'solana:devnet'],
    version: '1.0.0',
  })
  expect(Object.keys(wallet.features)).toEqual([
    ...['standard:connect', 'standard:disconnect', 'standard:events'],
    ...[
      'solana:signIn',
      'solana:signMessage',
      'solana:signTransaction',
      'solana:signAndSendTransaction',
      'latchkey:embedded',
    ],
  ])
  expect(account).toMatchObject({ address: solanaAddress, chains: ['solana:mainnet', 'solana:devnet'] })
  expect(new PublicKey(account.publicKey).toBase58()).toBe(solanaAddress)
  ;(account.publicKey as Uint8Array).fill(0)
  expect(new PublicKey(account.publicKey).toBase58()).toBe(solanaAddress)
})

test.each([
  ['http://localhost:8899', 'mainnet-beta'],
  ['http://127.0.0.1:8899/', 'devnet'],
  ['http://localhost:4808', 'localnet'],
])(
  'a cluster at %s, which adapters of wallets call local, signs and sends by that name too',
  async (rpcUrl, name) => {
    const clusters = [
      { name, rpcUrl },
      { name: 'testnet', rpcUrl: 'https://test.example' },
    ]
    const { wallet, account, features, follow, node } = setUp({}, { clusters })
    const own = name === 'mainnet-beta' ? 'mainnet' : name
    const names = [...new Set([`solana:${own}`, 'solana:testnet', 'solana:localnet'])]
    expect([...wallet.chains].sort()).toEqual(names.sort())
    expect([...account.chains].sort()).toEqual(names.sort())
    const transaction = legacy(transfer(1_000))
    const { value, error } = await follow(
      features['solana:signAndSendTransaction'].signAndSendTransaction({
        account,
        transaction,
        chain: 'solana:localnet',
      }),
      [approve],
    )
    expect(error).toBeUndefined()
    expect(value).toHaveLength(1)
    const sent = node.asked.filter(({ method }) => method === 'sendTransaction')
    expect(sent.map(({ url }) => new URL(url).host)).toEqual([new URL(rpcUrl).host])
  },
)

test('no cluster is called local whose node is elsewhere', async () => {
  const { wallet, sign } = setUp(
    {},
    { clusters: [{ name: 'devnet', rpcUrl: 'https://localhost.evil.example' }] },
  )
  expect(wallet.chains).toEqual(['solana:devnet'])
  expect((await sign(legacy(transfer(1)), [], 'solana:localnet')).error).toMatchObject({ code: 4901 })
})

test('a library may close it and open it again', async () => {
  const { features, wallet } = setUp()
  const heard: unknown[] = []
  const stop = features['standard:events'].on('change', ({ accounts }) => heard.push(accounts?.length))
  await features['standard:disconnect'].disconnect()
  expect(wallet.accounts).toEqual([])
  expect((await features['standard:connect'].connect({ silent: true })).accounts).toEqual([])
  expect((await features['standard:connect'].connect()).accounts).toHaveLength(1)
  stop()
  await features['standard:disconnect'].disconnect()
  expect(heard).toEqual([0, 1])
})

test('a library that gives null for what it leaves out opens it like one that gives nothing', async () => {
  const { features } = setUp()
  const connect = features['standard:connect'].connect as (input: unknown) => Promise<{ accounts: unknown[] }>
  for (const input of [null, undefined, {}]) {
    await features['standard:disconnect'].disconnect()
    expect((await connect(input)).accounts).toHaveLength(1)
  }
})

describe('a sign-in', () => {
  const pageOrigin = 'https://host.example'
  const { host } = new URL(pageOrigin)
  const head = `${host} wants you to sign in with your Solana account:\n${solanaAddress}`
  const nonce = 'abcdefgh12'

  test.each<[string, SolanaSignInInput | undefined, string]>([
    ['without an input', undefined, head],
    ['with nothing in it', {}, head],
    ['with what its site wants', { nonce, statement: 'Welcome' }, `${head}\n\nWelcome\n\nNonce: ${nonce}`],
    ['with an empty statement', { nonce, statement: '' }, `${head}\n\nNonce: ${nonce}`],
    [
      'with all that there is',
      {
        ...{ domain: host, address: solanaAddress, statement: 'Welcome', uri: `${pageOrigin}/in` },
        ...{ version: '1', chainId: 'solana:mainnet', nonce, issuedAt: '2026-01-02T03:04:05Z' },
        ...{ expirationTime: '2026-01-02T03:14:05Z', notBefore: '2026-01-02T03:04:05Z', requestId: '7' },
        resources: ['https://one.example/a', 'https://two.example/b'],
      },
      `${head}\n\nWelcome\n\nURI: ${pageOrigin}/in\nVersion: 1\nChain ID: solana:mainnet\nNonce: ${nonce}\n` +
        'Issued At: 2026-01-02T03:04:05Z\nExpiration Time: 2026-01-02T03:14:05Z\nNot Before: 2026-01-02T03:04:05Z\n' +
        'Request ID: 7\nResources:\n- https://one.example/a\n- https://two.example/b',
    ],
  ])('%s is written, shown and signed for the page’s own site', async (_, input, text) => {
    const { follow, features, account } = setUp()
    await features['standard:disconnect'].disconnect()
    const work = features['solana:signIn'].signIn(...(input ? [input] : []))
    const { value } = await follow(work, [
      { on: 'sign-message', expect: (props) => expect(props.message).toBe(text), answer: 'sign' },
    ])
    const [first] = value ?? []
    expect(new TextDecoder().decode(first?.signedMessage)).toBe(text)
    expect(first?.account).toBe(account)
    const bytes = new TextEncoder().encode(text)
    expect(ed25519.verify(first?.signature ?? new Uint8Array(), bytes, payer.toBytes())).toBe(true)
  })

  test.each<[string, object, number]>([
    ['at another site', { domain: 'evil.example' }, -32602],
    ['at an address of another site', { uri: 'https://evil.example' }, -32602],
    ['with a line that brings another field', { nonce: `${nonce}\nURI: https://evil.example` }, -32602],
    ['whose resources are no list', { resources: 'https://one.example' }, -32602],
    ['with a number for a text', { nonce: 12345678 }, -32602],
    ['of an account that is not here', { address: to.publicKey.toBase58() }, 4100],
  ])('%s is refused without a dialog', async (_, input, code) => {
    const { features, person, follow } = setUp()
    const work = features['solana:signIn'].signIn(input as SolanaSignInInput)
    expect((await follow(work, [])).error?.code).toBe(code)
    expect(person.trace()).toEqual([])
  })
})

describe('a message', () => {
  const message = new TextEncoder().encode('Hello')

  test('is shown, and signed as it was shown', async () => {
    const { follow, features, account } = setUp()
    const bytes = Uint8Array.from(message)
    const work = features['solana:signMessage'].signMessage({ account, message: bytes })
    bytes.fill(0)
    const { value } = await follow(work, [
      { on: 'sign-message', expect: (props) => expect(props.message).toBe('Hello'), answer: 'sign' },
    ])
    const [first] = value ?? []
    expect(first?.signedMessage).toEqual(message)
    expect(ed25519.verify(first?.signature ?? new Uint8Array(), message, payer.toBytes())).toBe(true)
  })

  test.each([
    ['that is one of an old transaction', legacy(transfer(1)).slice(65)],
    ['that is one of a new transaction', modern(payer, transfer(1)).slice(65)],
    ['that is nothing', new Uint8Array()],
    ['that is no bytes', 'Hello'],
    [
      'to sign in elsewhere',
      new TextEncoder().encode(
        `evil.example wants you to sign in with your Solana account:\n${solanaAddress}`,
      ),
    ],
  ])('%s is refused without a dialog', async (_, given) => {
    const { features, account, person, follow } = setUp()
    const work = features['solana:signMessage'].signMessage({ account, message: given as Uint8Array })
    expect((await follow(work, [])).error?.code).toBe(-32602)
    expect(person.trace()).toEqual([])
  })

  test('of somebody else', async () => {
    const { features, account, follow } = setUp()
    const other = { ...account, address: to.publicKey.toBase58() }
    const work = features['solana:signMessage'].signMessage({ account: other, message })
    expect((await follow(work, [])).error?.code).toBe(4100)
  })

  test('that the person declines', async () => {
    const { features, account, follow } = setUp()
    const work = features['solana:signMessage'].signMessage({ account, message })
    expect((await follow(work, [['sign-message', 'cancel']])).error?.code).toBe(4001)
  })
})

describe('a transaction', () => {
  test.each([
    [
      'of the old form',
      legacy(ComputeBudgetProgram.setComputeUnitLimit({ units: 1 }), transfer(1_500_000_000)),
    ],
    [
      'of version 0',
      modern(payer, ComputeBudgetProgram.setComputeUnitLimit({ units: 1 }), transfer(1_500_000_000)),
    ],
  ])('%s is shown and signed as web3.js verifies it', async (_, bytes) => {
    const seen: unknown[] = []
    const { sign } = setUp()
    const { value } = await sign(bytes, [
      { on: 'approve-transaction', expect: (props) => seen.push(props), answer: 'approve' },
    ])
    const signed = VersionedTransaction.deserialize(value?.[0]?.signedTransaction ?? new Uint8Array())
    const [signature] = signed.signatures
    expect(ed25519.verify(signature ?? new Uint8Array(), signed.message.serialize(), payer.toBytes())).toBe(
      true,
    )
    expect(seen).toMatchObject([
      {
        action: 'sign',
        preview: {
          wallet: solanaAddress,
          network: { name: 'Solana' },
          coin: { symbol: 'SOL', decimals: 9 },
          value: 1_500_000_000n,
          fee: 5_000n,
          total: 1_500_005_000n,
          balance: 5_000_000_000n,
          balanceChanges: {
            out: [{ amount: 1_500_000_000n, asset: { symbol: 'SOL', decimals: 9 } }],
            in: [],
            allowances: [],
          },
          warnings: [],
          actions: [
            { kind: 'transfer', to: to.publicKey.toBase58(), amount: 1_500_000_000n },
            {
              kind: 'instruction',
              instruction: { kind: 'computeBudget', setting: 'unitLimit', value: 1n },
            },
            {
              kind: 'instruction',
              instruction: {
                kind: 'transferSol',
                from: solanaAddress,
                to: to.publicKey.toBase58(),
                lamports: 1_500_000_000n,
                program: '11111111111111111111111111111111',
                accounts: [
                  { address: solanaAddress, signer: true, writable: true },
                  { address: to.publicKey.toBase58(), signer: false, writable: true },
                ],
              },
            },
          ],
        },
      },
    ])
  })

  test('of which others pay shows no amount that is not this wallet’s', async () => {
    const { sign } = setUp()
    const both = new Transaction({ feePayer: to.publicKey, blockhash, lastValidBlockHeight: 1 }).add(
      transfer(7, to.publicKey),
      SystemProgram.nonceAuthorize({
        noncePubkey: to.publicKey,
        authorizedPubkey: payer,
        newAuthorizedPubkey: payer,
      }),
    )
    const bytes = Uint8Array.from(both.serialize({ requireAllSignatures: false }))
    const seen: Record<string, unknown>[] = []
    await sign(bytes, [{ on: 'approve-transaction', expect: (props) => seen.push(props), answer: 'approve' }])
    const { value, fee, sponsor, actions } = (seen[0] as { preview: TransactionPreview }).preview
    expect([value, fee, sponsor]).toEqual([0n, undefined, to.publicKey.toBase58()])
    expect(actions.filter(({ kind }) => kind === 'transfer')).toEqual([])
  })

  test('Solana fee: the node that prepares a transaction says it, and what is signed stays as it came', async () => {
    const { sign, node } = setUp({ getFeeForMessage: { context: { slot: 5 }, value: 7_500 } })
    const fees: unknown[] = []
    const given = legacy(transfer(1))
    const { value } = await sign(given, [
      {
        on: 'approve-transaction',
        expect: ({ preview }) => fees.push((preview as TransactionPreview).fee),
        answer: 'approve',
      },
    ])
    expect(fees).toEqual([7_500n])
    expect(value?.[0]?.signedTransaction.slice(65)).toEqual(given.slice(65))
    expect(node.methods()).not.toContain('sendTransaction')
  })

  test('Solana fee: an absurd price is refused', async () => {
    const { sign } = setUp()
    const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 10n ** 14n })
    expect((await sign(modern(payer, price, transfer(1)), [])).error?.code).toBe(-32602)
  })

  test.each([
    ['of somebody else', modern(to.publicKey, transfer(1, to.publicKey))],
    ['with something behind it', Uint8Array.from([...legacy(transfer(1)), 0])],
    ['that is cut off', legacy(transfer(1)).slice(0, -1)],
    ['that is larger than a packet', oversized()],
    ['that is a picture', new Uint8Array(200).fill(255)],
  ])('%s is refused without a dialog', async (_, bytes) => {
    const { sign, person } = setUp()
    expect((await sign(bytes, [])).error?.code).toBe(-32602)
    expect(person.trace()).toEqual([])
  })

  test('on a cluster that the app does not have', async () => {
    const { sign } = setUp()
    expect((await sign(legacy(transfer(1)), [], 'solana:testnet')).error?.code).toBe(4901)
  })

  test('several are shown one after the other', async () => {
    const { features, account, follow } = setUp()
    const [one, two] = [legacy(transfer(1)), modern(payer, transfer(2))]
    const work = features['solana:signTransaction'].signTransaction(
      { account, transaction: one },
      { account, transaction: two },
    )
    expect((await follow(work, [approve, { wait: 2_000 }, approve])).value).toHaveLength(2)
  })
})

describe('sending', () => {
  test('gives it to the cluster that is asked for, and its name to the library', async () => {
    const { send, node } = setUp()
    const { value } = await send(legacy(transfer(1)), [approve], { skipPreflight: true, maxRetries: 3 })
    const sent = node.asked.find(({ method }) => method === 'sendTransaction')
    expect(sent).toMatchObject({
      url: 'https://dev.example',
      params: [expect.any(String), { encoding: 'base64', skipPreflight: true, maxRetries: 3 }],
    })
    expect(base58.encode(value?.[0]?.signature ?? new Uint8Array())).toBe(nameOf(String(sent?.params[0])))
  })

  test('waits for the network where the library wants to', async () => {
    let asked = 0
    const { send } = setUp({
      getSignatureStatuses: () => ({
        result: statuses(asked++ < 2 ? null : { err: null, confirmationStatus: 'finalized' }),
      }),
    })
    const options = { commitment: 'confirmed' }
    expect((await send(legacy(transfer(1)), [approve, { wait: 5_000 }], options)).value).toHaveLength(1)
    expect(asked).toBeGreaterThanOrEqual(3)
  })

  test('success: it is displayed with the network’s own record, and never for a status alone', async () => {
    let hasRecord = false
    const healthy = walletNode(solanaAddress)
    const { send, activity, person, clock } = setUp({
      ...healthy,
      getTransaction: (params) =>
        hasRecord
          ? (healthy.getTransaction as (params: readonly unknown[]) => never)(params)
          : { result: null },
    })
    await send(legacy(transfer(1)), [approve, { wait: 10_000 }])
    expect(person.scene?.screen.id).toBe('transaction-sent')
    expect(activity.get()).toMatchObject([{ status: 'pending', title: 'transfer', amount: '1' }])
    hasRecord = true
    await clock.advance(3_000)
    expect(person.scene?.screen.id).toBe('transaction-receipt')
    expect(person.scene?.props).toMatchObject({ amount: '0.000000001 SOL', fee: '0.000005 SOL' })
    expect(person.scene?.props).not.toHaveProperty('isDifferent')
    expect(activity.get()).toMatchObject([{ status: 'confirmed', block: '6', fee: '5000' }])
  })

  test('receipt: it says so where the network moved other amounts than the review displayed', async () => {
    const healthy = walletNode(solanaAddress)
    const { send, person } = setUp({
      ...healthy,
      getTransaction: (params) => {
        const { result } = (healthy.getTransaction as (params: readonly unknown[]) => { result: never })(
          params,
        )
        const { meta, ...rest } = result as { meta: { postBalances: number[] } }
        return { result: { ...rest, meta: { ...meta, postBalances: [1, ...meta.postBalances.slice(1)] } } }
      },
    })
    await send(legacy(transfer(1)), [approve, { wait: 3_000 }])
    expect(person.scene?.screen.id).toBe('transaction-receipt')
    expect(person.scene?.props).toMatchObject({ isDifferent: true })
  })

  test('activity: a transaction is written down before the network gets it', async () => {
    const seen: unknown[] = []
    const healthy = walletNode(solanaAddress)
    const set = setUp({
      ...healthy,
      sendTransaction: (params) => {
        seen.push(set.activity.get().map(({ hash, status, raw }) => [hash, status, raw === params[0]]))
        return (healthy.sendTransaction as (params: readonly unknown[]) => never)(params)
      },
    })
    await set.send(legacy(transfer(1)), [approve])
    expect(seen[0]).toEqual([[expect.stringMatching(/^\w{64,}$/), 'pending', true]])
  })

  test('of what fails there is no success', async () => {
    const err = { InstructionError: [0, 'InvalidAccountData'] }
    const { send } = setUp({ getSignatureStatuses: statuses({ err, confirmationStatus: 'confirmed' }) })
    const { error } = await send(
      legacy(transfer(1)),
      [approve, { wait: 5_000 }, ['transaction-failed', 'close']],
      { commitment: 'confirmed' },
    )
    expect(error).toMatchObject({ code: -32002, data: { code: 'InvalidAccountData', instruction: 0 } })
  })

  test('for want of money says so', async () => {
    const words: unknown[] = []
    const { send } = setUp({
      sendTransaction: () => ({
        error: {
          code: -32002,
          message: 'Transaction simulation failed',
          data: {
            err: { InstructionError: [0, { Custom: 1 }] },
            logs: ['Transfer: insufficient lamports 0, need 1'],
          },
        },
      }),
    })
    const { error } = await send(legacy(transfer(1)), [
      approve,
      {
        on: 'transaction-failed',
        expect: (props) => words.push(props.title, props.detail),
        answer: 'cancel',
      },
    ])
    expect(words).toEqual([
      'Insufficient balance',
      'Solana wallet has insufficient funds for this transaction.',
    ])
    expect(error?.code).toBe(4001)
  })

  test('insufficient funds: the balance is checked again until it suffices, and only then it can be approved', async () => {
    let lamports = 10_000n
    const nodes = () => walletNode(solanaAddress, { lamports })
    const call = (method: string) => (params: readonly unknown[]) => {
      const answer = nodes()[method]
      return typeof answer === 'function' ? answer(params) : { result: answer }
    }
    const previews: TransactionPreview[] = []
    const { send } = setUp({
      getBalance: call('getBalance'),
      getMultipleAccounts: call('getMultipleAccounts'),
      simulateTransaction: call('simulateTransaction'),
    })
    const { value } = await send(legacy(transfer(1_000_000)), [
      {
        on: 'approve-transaction',
        expect: (props) => {
          previews.push(props.preview as TransactionPreview)
          lamports = 5_000_000_000n
        },
        answer: 'recheck',
      },
      {
        on: 'approve-transaction',
        expect: (props) => previews.push(props.preview as TransactionPreview),
        answer: 'approve',
      },
    ])
    expect(previews).toMatchObject([
      {
        isUnderfunded: true,
        missing: 995_000n,
        balance: 10_000n,
        warnings: [{ code: 'solana-insufficientFunds' }],
      },
      { isUnderfunded: false, balance: 5_000_000_000n, warnings: [] },
    ])
    expect(value).toHaveLength(1)
  })

  test('add funds: SOL is received, and then the transaction is reviewed with a blockhash that still lives', async () => {
    let lamports = 10_000n
    // The app's own one is of the time before the funds come.
    const later = base58.encode(new Uint8Array(32).fill(8))
    const call = (method: string) => (params: readonly unknown[]) => {
      const answer = walletNode(solanaAddress, { lamports })[method]
      return typeof answer === 'function' ? answer(params) : { result: answer }
    }
    const { send, asked } = setUp(
      {
        getBalance: call('getBalance'),
        getMultipleAccounts: call('getMultipleAccounts'),
        simulateTransaction: call('simulateTransaction'),
        getSignaturesForAddress: () => ({ result: [] }),
        getLatestBlockhash: {
          context: { slot: 5 },
          value: { blockhash: later, lastValidBlockHeight: 250 },
        },
      },
      {
        funding: { ...fundingSettings, asset: undefined, amount: '0.5' },
      },
    )
    const { value } = await send(legacy(transfer(1_000_000)), [
      {
        on: 'approve-transaction',
        expect: (props) => expect(props).toMatchObject({ isFundable: true, preview: { missing: 995_000n } }),
        answer: 'add-funds',
      },
      ['funding-method', 'manual'],
      {
        on: 'receive-funds',
        expect: ({ target }) =>
          expect(target).toMatchObject({
            chain: 'solana:devnet',
            address: solanaAddress,
            symbol: 'SOL',
            amount: 995_000n,
          }),
      },
      {
        on: 'receive-funds',
        expect() {
          lamports = 5_000_000_000n
        },
      },
      { wait: 2_000 },
      ['receive-funds', 'continue'],
      {
        on: 'approve-transaction',
        expect: (props) => expect(props).toMatchObject({ preview: { isUnderfunded: false } }),
        answer: 'approve',
      },
    ])
    expect(value).toHaveLength(1)
    const [signed] = asked.map(({ params }) => params as unknown as { message: string })
    const message = signed?.message ?? ''
    const { lifetimeToken } = getCompiledTransactionMessageDecoder().decode(base64.decode(message))
    expect(lifetimeToken).toBe(later)
  })

  test('preview: a node that runs no trials is named plainly, and the transaction can be sent', async () => {
    const seen: unknown[] = []
    const { send } = setUp({
      simulateTransaction: () => ({ error: { code: -32601, message: 'Method not found' } }),
    })
    const { value } = await send(legacy(transfer(1)), [
      {
        on: 'approve-transaction',
        expect: ({ preview }) => {
          const { warnings, balanceChanges } = preview as TransactionPreview
          seen.push({ warnings, balanceChanges })
        },
        answer: 'approve',
      },
    ])
    expect(seen).toEqual([{ warnings: [], balanceChanges: 'unavailable' }])
    expect(value).toHaveLength(1)
  })

  test('fees: another priority fee is prepared, displayed and signed, and an absurd one is refused', async () => {
    const { send, asked } = setUp({
      getRecentPrioritizationFees: () => ({
        result: [{ slot: 1, prioritizationFee: 2_000_000 }],
      }),
    })
    const seen: { preview: TransactionPreview; notice: unknown }[] = []
    const see = (answer: unknown): Step => ({
      on: 'approve-transaction',
      expect: ({ preview, notice }) => seen.push({ preview: preview as TransactionPreview, notice }),
      answer,
    })
    await send(legacy(transfer(1)), [
      see({ edited: { fees: 'slow' } }),
      see({ edited: { fees: { priority: 10n ** 13n } } }),
      see({ edited: { fees: { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n } } }),
      see('approve'),
    ])
    expect(seen.map(({ preview }) => preview.fees?.chosen)).toEqual(['usual', 'slow', 'slow', 'slow'])
    expect(seen.map(({ notice }) => notice)).toEqual([undefined, undefined, 'fees-refused', undefined])
    expect(seen[0]?.preview.fees?.levels.map(({ speed }) => speed)).toEqual(['slow', 'usual'])
    const signed = asked.map(({ params }) =>
      getCompiledTransactionMessageDecoder().decode(
        base64.decode(String((params as { message: string }).message)),
      ),
    )
    expect(signed).toMatchObject([{ instructions: [{ programAddressIndex: 2 }] }])
  })

  test('preview: a trial run that is old is repeated, and what has changed is displayed before anything is signed', async () => {
    const healthy = walletNode(solanaAddress)
    let isFailing = false
    const { send, asked } = setUp({
      simulateTransaction: (params) =>
        isFailing
          ? {
              result: {
                context: { slot: 6 },
                value: { err: { InstructionError: [0, 'InvalidAccountData'] }, logs: [], accounts: null },
              },
            }
          : (healthy.simulateTransaction as (params: readonly unknown[]) => never)(params),
    })
    const codes: unknown[] = []
    const see: Step = {
      on: 'approve-transaction',
      expect: ({ preview }) => {
        codes.push((preview as TransactionPreview).warnings.map(({ code }) => code))
        isFailing = true
      },
    }
    await send(legacy(transfer(1)), [
      see,
      { wait: 16_000 },
      approve,
      { wait: 500 },
      {
        on: 'approve-transaction',
        expect(props) {
          see.expect?.(props)
          expect(asked).toEqual([])
        },
      },
      approve,
    ])
    expect(codes).toEqual([[], ['may-fail']])
    expect(asked).toHaveLength(1)
  })

  test('believes no other name; nobody knows then, and the same one may be sent again', async () => {
    let tries = 0
    const { send, asked } = setUp({
      getSignatureStatuses: statuses(null),
      sendTransaction: ([bytes]) => ({ result: tries++ === 0 ? 'another' : nameOf(String(bytes)) }),
    })
    const retry: Step = ['transaction-failed', 'retry']
    expect((await send(legacy(transfer(1)), [approve, retry])).value).toHaveLength(1)
    expect(asked).toHaveLength(1)
  })

  test('retry: after a refusal the very same bytes are signed, so the network can take them once', async () => {
    const sent: string[] = []
    const { send } = setUp({
      getLatestBlockhash: () => ({
        result: {
          context: { slot: 5 },
          value: {
            blockhash: base58.encode(new Uint8Array(32).fill(sent.length + 20)),
            lastValidBlockHeight: 150,
          },
        },
      }),
      getSignatureStatuses: statuses(null),
      sendTransaction: ([bytes]) => {
        sent.push(String(bytes))
        return sent.length === 1
          ? { error: { code: -32002, message: 'Transaction simulation failed' } }
          : { result: nameOf(String(bytes)) }
      },
    })
    const open = new Transaction({
      feePayer: payer,
      blockhash: '11111111111111111111111111111111',
      lastValidBlockHeight: 1,
    }).add(transfer(1))
    const bytes = Uint8Array.from(open.serialize({ requireAllSignatures: false }))
    await send(bytes, [approve, ['transaction-failed', 'retry'], approve])
    expect(sent.length).toBeGreaterThan(1)
    expect(new Set(sent).size).toBe(1)
  })

  test.each([[{ commitment: 'soon' }], [{ maxRetries: -1 }], [{ skipPreflight: 'yes' }]])(
    'with %o is refused',
    async (options) => {
      expect((await setUp().send(legacy(transfer(1)), [], options)).error?.code).toBe(-32602)
    },
  )
})

test('after a logout nothing is signed, and the next login brings it back', async () => {
  const { features, account, follow, logout, login, wallet } = setUp()
  const message = new TextEncoder().encode('Hello')
  logout()
  expect(
    (await follow(features['solana:signMessage'].signMessage({ account, message }), [])).error?.code,
  ).toBe(4900)
  expect((await follow(features['standard:connect'].connect(), [])).error?.code).toBe(4900)
  login([walletAccount(), onSolana])
  expect(wallet.accounts).toHaveLength(1)
})
