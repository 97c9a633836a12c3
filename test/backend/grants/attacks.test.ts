/** Attacks of a signer with a grant of its own, on either chain. Nothing that a row tries is ever signed. */

import { randomUUID } from 'node:crypto'
import {
  AuthorityType,
  createApproveInstruction,
  createAssociatedTokenAccountIdempotentInstruction,
  createAssociatedTokenAccountInstruction,
  createBurnInstruction,
  createCloseAccountInstruction,
  createInitializeMintInstruction,
  createInitializeScaledUiAmountConfigInstruction,
  createMint,
  createMintToInstruction,
  createSetAuthorityInstruction,
  createTransferCheckedInstruction,
  createTransferInstruction,
  ExtensionType,
  getAssociatedTokenAddressSync,
  getMintLen,
  getOrCreateAssociatedTokenAccount,
  mintTo,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token'
import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import * as v from 'valibot'
import {
  createTestClient,
  encodeFunctionData,
  http,
  parseAbi,
  publicActions,
  toHex,
  walletActions,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AppSettings } from '../../../demo/backend/settings/app.ts'
import { isForbiddenFunction, permission } from '../../../demo/backend/settings/permissions.ts'
import { tokenCode } from '../../ethereum/support/token-code.ts'
import { startChain } from '../../support/chains.ts'
import { limit } from '../../support/limit.ts'
import { type SolanaChain, startSolanaChain } from '../../support/solana-chain.ts'
import {
  createActing,
  Grantor,
  openSolanaKey,
  type PermissionSettings,
  SignerKey,
  verdictOf,
} from '../support/grants-world.ts'
import { startNode } from '../support/lying-node.ts'
import { site, startWorld, stores, type World } from '../support/world.ts'

const abi = parseAbi([
  'function mint(uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function increaseAllowance(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function multicall(bytes[] calls)',
  'function upgradeTo(address implementation)',
  'function transferOwnership(address owner)',
  'function execute(address to, uint256 value, bytes data)',
  'function safeTransferFrom(address from, address to, uint256 id)',
])
const call = (functionName: string, args: readonly unknown[]) =>
  encodeFunctionData({ abi, functionName, args } as never) as `0x${string}`
const token = '0x00000000000000000000000000000000000000AA'
const other = '0x00000000000000000000000000000000000000bb'
const friend = privateKeyToAccount(generatePrivateKey()).address
const thief = privateKeyToAccount(generatePrivateKey()).address
const ether = 10n ** 18n
const appId = 'latchkey-test-attacks-001'
const signer = new SignerKey()
const coins = {
  chain: 'eip155:1',
  asset: 'native',
  symbol: 'ETH',
  decimals: 18,
  perTransaction: '0.1',
  perWindow: '0.3',
  windowSeconds: 3_600,
  total: '1',
} as const
const evm: PermissionSettings = {
  id: 'evm',
  signer: { name: 'Harbor', publicKey: signer.pem },
  purpose: 'Tests',
  allow: [
    { chain: 'eip155:1', transfer: 'native', to: [friend] },
    { chain: 'eip155:1', transfer: token, to: [friend] },
    { chain: 'eip155:1', contract: token, functions: ['mint(uint256)'], reviewed: 'A token of these tests' },
  ],
  limits: [
    coins,
    {
      ...coins,
      asset: token,
      symbol: 'TST',
      // A token without decimals: its limits are single units.
      decimals: 0,
      perTransaction: '5',
      perWindow: '9',
      total: '20',
    },
  ],
  days: 30,
}

describe.each(stores)('attacks of a grant’s own signer on $name', (store) => {
  describe('on Ethereum', () => {
    let world: World
    let chain: Awaited<ReturnType<typeof startChain>>
    let node: Awaited<ReturnType<typeof startNode>>
    let acting: ReturnType<typeof createActing>
    let grant: string
    let grantor: Grantor

    beforeAll(async () => {
      chain = await startChain(1)
      node = await startNode(chain.url)
      const app: AppSettings = { id: appId, name: 'Harbor', allowedDomains: [site], permissions: [evm] }
      world = await startWorld(store, {
        moreApps: [app],
        outside: { chainRpcUrls: { 1: node.url, 10: node.url }, solanaRpcUrls: { mainnet: node.url } },
        limits: { grantCallsPerMinute: 5_000, previewNodeTime: limit(20_000), blockAnswerLife: 0 },
      })
      acting = createActing(world, appId, signer)
      grantor = await Grantor.open(world, appId)
      const { address } = grantor.key
      const client = createTestClient({ mode: 'anvil', transport: http(chain.url) })
        .extend(publicActions)
        .extend(walletActions)
      const account = address as `0x${string}`
      await client.setBalance({ address: account, value: 10n * ether })
      for (const at of [token, other] as const) await client.setCode({ address: at, bytecode: tokenCode })
      await client.impersonateAccount({ address: account })
      for (const at of [token, other] as const) {
        const hash = await client.sendTransaction({
          account,
          to: at,
          data: call('mint', [1_000n]),
          chain: null,
        })
        await client.waitForTransactionReceipt({ hash })
      }
      await client.stopImpersonatingAccount({ address: account })
      grant = await grantor.granted()
    })
    afterAll(async () => {
      await world?.stop()
      node?.stop()
      await chain?.close()
    })

    const sends = () => node.asked.filter((method) => method === 'eth_sendRawTransaction').length
    const transfer = call('transfer', [friend, 5n])

    test('attacks: what the grant allows goes through', async () => {
      expect(verdictOf(await acting.send(grant, { to: friend, value: '1000' }))).toBe('ok')
      expect(verdictOf(await acting.send(grant, { to: token, data: transfer }))).toBe('ok')
      expect(verdictOf(await acting.send(grant, { to: token, data: call('mint', [3n]) }))).toBe('ok')
    })

    const rows: [string, Record<string, unknown>, string][] = [
      ['coins for somebody else', { to: thief, value: '1' }, 'recipient'],
      ['tokens for somebody else', { to: token, data: call('transfer', [thief, 1n]) }, 'recipient'],
      ['another token', { to: other, data: call('transfer', [friend, 1n]) }, 'call'],
      ['more coins than once', { to: friend, value: String(ether / 10n + 1n) }, 'per_transaction'],
      [
        'coins that the fee brings above the limit',
        { to: friend, value: String(ether / 10n) },
        'per_transaction',
      ],
      [
        'more of a token without decimals',
        { to: token, data: call('transfer', [friend, 6n]) },
        'per_transaction',
      ],
      [
        'a huge amount of tokens',
        { to: token, data: call('transfer', [friend, 2n ** 256n - 1n]) },
        'simulation|per_transaction|transaction_execution_failure|insufficient_funds',
      ],
      [
        'a huge value',
        { to: friend, value: String(2n ** 256n - 1n) },
        'insufficient_funds|per_transaction|simulation',
      ],
      ['a value above 256 bits', { to: friend, value: `0x1${'0'.repeat(64)}` }, 'invalid_data'],
      ['a negative value', { to: friend, value: '-1' }, 'invalid_data'],
      ['a fractional value', { to: friend, value: '1.5' }, 'invalid_data'],
      ['coins with a token’s call', { to: token, data: transfer, value: '1' }, 'call'],
      ['an allowance', { to: token, data: call('approve', [friend, 1n]) }, 'call'],
      ['a larger allowance', { to: token, data: call('increaseAllowance', [friend, 1n]) }, 'call'],
      ['an operator', { to: token, data: call('setApprovalForAll', [friend, true]) }, 'call'],
      [
        'a permit',
        {
          to: token,
          data: call('permit', [friend, thief, 1n, 1n, 27, toHex(1n, { size: 32 }), toHex(1n, { size: 32 })]),
        },
        'call',
      ],
      ['a transfer by an allowance', { to: token, data: call('transferFrom', [thief, friend, 1n]) }, 'call'],
      ['a token of one kind', { to: token, data: call('safeTransferFrom', [friend, thief, 1n]) }, 'call'],
      ['nested calls', { to: token, data: call('multicall', [[transfer]]) }, 'call'],
      ['a call by a contract', { to: token, data: call('execute', [friend, 1n, '0x']) }, 'call'],
      ['an upgrade', { to: token, data: call('upgradeTo', [thief]) }, 'call'],
      ['a new owner', { to: token, data: call('transferOwnership', [thief]) }, 'call'],
      ['an unknown function', { to: token, data: '0xdeadbeef' }, 'call'],
      ['data for somebody who gets coins', { to: friend, value: '1', data: '0x00' }, 'call'],
      ['bytes after the arguments', { to: token, data: `${transfer}00` }, 'call'],
      ['arguments that are too short', { to: token, data: transfer.slice(0, -2) }, 'call'],
      ['an address with upper bytes', { to: token, data: transfer.replace('0000', 'ffff') }, 'call'],
      ['an allowed function at another contract', { to: other, data: call('mint', [1n]) }, 'call'],
      ['an allowed function with bytes after it', { to: token, data: `${call('mint', [1n])}ff` }, 'call'],
      ['a new contract', { data: '0x6000' }, 'call'],
      ['a new contract at no address', { to: null, data: '0x6000' }, 'invalid_data|call'],
      ['another wallet', { to: friend, value: '1', from: thief }, 'account'],
      ['another chain in the transaction', { to: friend, value: '1', chainId: 10 }, 'chain'],
      ['a gas price of its own', { to: friend, value: '1', gasPrice: '99999999999999' }, 'fee'],
      [
        'a tip of its own',
        { to: friend, value: '1', maxPriorityFeePerGas: '9999999999', maxFeePerGas: '9999999999' },
        'fee',
      ],
      ['a gas limit of its own', { to: friend, value: '1', gasLimit: '29000000' }, 'fee'],
      ['a number of its own, to replace the user’s transaction', { to: friend, value: '1', nonce: 0 }, 'fee'],
      ['an access list', { to: friend, value: '1', accessList: '[]' }, 'fee'],
      ['a delegation of code', { to: friend, value: '1', type: 4, authorizationList: '[]' }, 'fee'],
      ['a transaction of type 4', { to: friend, value: '1', type: 4 }, 'invalid_data'],
      ['a transaction with blobs', { to: friend, value: '1', type: 3 }, 'invalid_data'],
      ['a recipient that is no address', { to: '0x1234', value: '1' }, 'invalid_data'],
      [
        'a recipient with a wrong checksum',
        { to: `0x${friend.slice(2, -1)}${friend.endsWith('a') ? 'A' : 'g'}`, value: '1' },
        'invalid_data',
      ],
      ['an unknown field', { to: friend, value: '1', gas: '1' }, 'fee'],
    ]
    test.each(rows)('attacks: %s is refused', async (_, transaction, reason) => {
      const before = sends()
      const verdict = verdictOf(await acting.send(grant, transaction))
      expect(reason.split('|')).toContain(verdict)
      expect(sends()).toBe(before)
    })

    test.each([
      ['another chain', { chain: 'eip155:10' }, 'chain'],
      ['a chain of another kind', { chain: 'solana:mainnet' }, 'chain'],
      ['a chain that nobody knows', { chain: 'eip155:0' }, 'chain'],
      ['a message in place of a transaction', { transaction: 'aGVsbG8=' }, 'invalid_data'],
      ['another method', { method: 'personal_sign' }, 'invalid_data'],
      ['no idempotency key', { idempotency_key: '' }, 'invalid_data'],
      ['typed data', { transaction: { domain: {}, message: {} } }, 'invalid_data'],
    ])('attacks: %s is refused', async (_, more, reason) => {
      const before = sends()
      expect(verdictOf(await acting.send(grant, { to: friend, value: '1' }, more))).toBe(reason)
      expect(sends()).toBe(before)
    })

    test('attacks: what a node can’t simulate, or says would allow others, is refused', async () => {
      node.lies.eth_simulateV1 = { error: { code: -32601, message: 'method not found' } }
      expect(verdictOf(await acting.send(grant, { to: friend, value: '1' }))).toBe('simulation')
      node.honest()
      expect(verdictOf(await acting.send(grant, { to: friend, value: '1' }))).toBe('ok')
    })

    test('attacks: small amounts together stay below the window', async () => {
      const verdicts = []
      for (let at = 0; at < 4; at++)
        verdicts.push(
          verdictOf(await acting.send(grant, { to: token, data: call('transfer', [friend, 4n]) })),
        )
      // Five were sent above.
      expect(verdicts).toEqual(['ok', 'per_window', 'per_window', 'per_window'])
    })

    test('attacks: a replayed request is the same transaction', async () => {
      const body = {
        app: appId,
        expires_at: acting.soon(),
        grant,
        idempotency_key: randomUUID(),
        chain: 'eip155:1',
        transaction: { to: friend, value: '7' },
      }
      const first = await acting.post('transactions', body)
      const before = sends()
      const replayed = await acting.post('transactions', body)
      expect(replayed.body.use.hash).toBe(first.body.use.hash)
      expect(sends()).toBe(before)
    })
  })

  describe('on Solana', () => {
    let world: World
    let solana: SolanaChain
    let node: Awaited<ReturnType<typeof startNode>>
    let acting: ReturnType<typeof createActing>
    let grant: string
    let mint: PublicKey
    let another: PublicKey
    let messageOf: (...given: TransactionInstruction[]) => Promise<string>
    const key = openSolanaKey()
    const wallet = new PublicKey(key.address)
    const ally = Keypair.generate().publicKey
    const robber = Keypair.generate()
    const issuer = Keypair.generate()
    /** Of Token-2022: ten units are seen for each that the network moves, or one. */
    const scaled = Keypair.generate()
    const newer = Keypair.generate()
    const place = (owner: PublicKey, of = mint, program?: PublicKey) =>
      getAssociatedTokenAddressSync(of, owner, false, program)
    const pay = (to: PublicKey, lamports: number, from = wallet) =>
      SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports })

    beforeAll(async () => {
      solana = await startSolanaChain()
      node = await startNode(solana.url)
      const connection = solana.connect()
      for (const each of [wallet, issuer.publicKey, ally, robber.publicKey])
        await connection.confirmTransaction(await connection.requestAirdrop(each, 5 * LAMPORTS_PER_SOL))
      mint = await createMint(connection, issuer, issuer.publicKey, null, 6)
      another = await createMint(connection, issuer, issuer.publicKey, null, 6)
      for (const of of [mint, another]) {
        const source = (await getOrCreateAssociatedTokenAccount(connection, issuer, of, wallet)).address
        await getOrCreateAssociatedTokenAccount(connection, issuer, of, ally)
        await getOrCreateAssociatedTokenAccount(connection, issuer, of, robber.publicKey)
        await mintTo(connection, issuer, of, source, issuer, 1_000_000n)
      }
      for (const [of, scale] of [
        [scaled, 10],
        [newer, 1],
      ] as const) {
        const program = TOKEN_2022_PROGRAM_ID
        const space = getMintLen([ExtensionType.ScaledUiAmountConfig])
        const made = new Transaction().add(
          SystemProgram.createAccount({
            fromPubkey: issuer.publicKey,
            newAccountPubkey: of.publicKey,
            space,
            lamports: await connection.getMinimumBalanceForRentExemption(space),
            programId: program,
          }),
          createInitializeScaledUiAmountConfigInstruction(of.publicKey, issuer.publicKey, scale, program),
          createInitializeMintInstruction(of.publicKey, 6, issuer.publicKey, null, program),
          ...[wallet, ally].map((owner) =>
            createAssociatedTokenAccountIdempotentInstruction(
              issuer.publicKey,
              place(owner, of.publicKey, program),
              owner,
              of.publicKey,
              program,
            ),
          ),
          createMintToInstruction(
            of.publicKey,
            place(wallet, of.publicKey, program),
            issuer.publicKey,
            1_000_000n,
            [],
            program,
          ),
        )
        await sendAndConfirmTransaction(connection, made, [issuer, of])
      }
      messageOf = async (...given) => {
        const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
        const built = new Transaction({ feePayer: wallet, blockhash, lastValidBlockHeight }).add(...given)
        return built.serializeMessage().toString('base64')
      }
      const sol = { ...coins, chain: 'solana:mainnet', symbol: 'SOL', decimals: 9 } as const
      const permission: PermissionSettings = {
        ...evm,
        id: 'solana',
        allow: [
          { chain: 'solana:mainnet', transfer: 'native', to: [ally.toBase58()] },
          ...[mint, scaled.publicKey, newer.publicKey].map((of) => ({
            chain: 'solana:mainnet',
            transfer: of.toBase58(),
            to: [ally.toBase58()],
          })),
        ],
        limits: [
          sol,
          ...[mint, scaled.publicKey, newer.publicKey].map((of) => ({
            ...sol,
            asset: of.toBase58(),
            symbol: 'USDT',
            decimals: 6,
            perTransaction: '0.1',
            perWindow: '0.2',
            total: '1',
          })),
        ],
      }
      const app: AppSettings = {
        id: appId,
        name: 'Harbor',
        allowedDomains: [site],
        permissions: [permission],
      }
      world = await startWorld(store, {
        moreApps: [app],
        outside: { chainRpcUrls: {}, solanaRpcUrls: { mainnet: node.url, devnet: node.url } },
        limits: { grantCallsPerMinute: 5_000, previewNodeTime: limit(20_000), blockAnswerLife: 0 },
      })
      acting = createActing(world, appId, signer)
      grant = await (await Grantor.open(world, appId, key)).granted()
    }, limit(120_000))
    afterAll(async () => {
      await world?.stop()
      node?.stop()
      await solana?.close()
    })

    const sends = () => node.asked.filter((method) => method === 'sendTransaction').length
    const send = (message: string, more: object = {}) =>
      acting.send(grant, message, { chain: 'solana:mainnet', ...more })
    const tokens = (to: PublicKey, amount: number, of = mint, owner = wallet) =>
      createTransferCheckedInstruction(place(owner, of), of, place(to, of), wallet, amount, 6)

    test('attacks: what the grant allows on Solana goes through', async () => {
      expect(verdictOf(await send(await messageOf(pay(ally, 1_000))))).toBe('ok')
      const message = await messageOf(
        ComputeBudgetProgram.setComputeUnitLimit({ units: 60_000 }),
        ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000 }),
        createAssociatedTokenAccountIdempotentInstruction(wallet, place(ally), ally, mint),
        tokens(ally, 1_000),
      )
      const answer = await send(message)
      expect(verdictOf(answer)).toBe('ok')
      expect(answer.body.use.status).toBe('sent')
    })

    test('attacks: a token that people see in other units than the network moves is refused, whatever its limit', async () => {
      const program = TOKEN_2022_PROGRAM_ID
      const move = ({ publicKey: of }: Keypair) =>
        createTransferCheckedInstruction(
          place(wallet, of, program),
          of,
          place(ally, of, program),
          wallet,
          1_000,
          6,
          [],
          program,
        )
      expect(verdictOf(await send(await messageOf(move(newer))))).toBe('ok')
      const before = sends()
      expect(verdictOf(await send(await messageOf(move(scaled))))).toBe('asset')
      expect(sends()).toBe(before)
    })

    const rows: [string, () => TransactionInstruction[], string][] = [
      ['lamports for somebody else', () => [pay(robber.publicKey, 1)], 'recipient'],
      [
        'a second transfer beside an allowed one',
        () => [pay(ally, 1), pay(robber.publicKey, 1)],
        'recipient',
      ],
      ['too many lamports', () => [pay(ally, LAMPORTS_PER_SOL / 10)], 'per_transaction'],
      [
        'many transfers that are too much together',
        () => [pay(ally, 60_000_000), pay(ally, 60_000_000)],
        'per_transaction',
      ],
      ['tokens for somebody else', () => [tokens(robber.publicKey, 1)], 'recipient'],
      ['too many tokens', () => [tokens(ally, 100_001)], 'per_transaction'],
      ['another token', () => [tokens(ally, 1, another)], 'call'],
      [
        'tokens without their mint',
        () => [createTransferInstruction(place(wallet), place(ally), wallet, 1)],
        'call',
      ],
      ['an allowance', () => [createApproveInstruction(place(wallet), robber.publicKey, wallet, 1)], 'call'],
      [
        'an allowance beside a transfer',
        () => [pay(ally, 1), createApproveInstruction(place(wallet), robber.publicKey, wallet, 1)],
        'call',
      ],
      [
        'a new owner of tokens',
        () => [
          createSetAuthorityInstruction(place(wallet), wallet, AuthorityType.AccountOwner, robber.publicKey),
        ],
        'call',
      ],
      [
        'closing an account',
        () => [createCloseAccountInstruction(place(wallet), robber.publicKey, wallet)],
        'call',
      ],
      ['burning', () => [createBurnInstruction(place(wallet), mint, wallet, 1)], 'call'],
      [
        'assigning the wallet to a program',
        () => [SystemProgram.assign({ accountPubkey: wallet, programId: robber.publicKey })],
        'call',
      ],
      [
        'a durable nonce',
        () => [
          SystemProgram.nonceAdvance({ noncePubkey: robber.publicKey, authorizedPubkey: wallet }),
          pay(ally, 1),
        ],
        'call',
      ],
      [
        'lamports of a nonce account',
        () => [
          SystemProgram.nonceWithdraw({
            noncePubkey: robber.publicKey,
            authorizedPubkey: wallet,
            toPubkey: robber.publicKey,
            lamports: 1,
          }),
        ],
        'call',
      ],
      ['another signer', () => [pay(ally, 1), pay(ally, 1, robber.publicKey)], 'account'],
      [
        'an unknown program',
        () => [
          pay(ally, 1),
          new TransactionInstruction({
            programId: robber.publicKey,
            keys: [{ pubkey: wallet, isSigner: true, isWritable: true }],
            data: Buffer.from([1]),
          }),
        ],
        'call',
      ],
      [
        'a known program with bytes nobody knows',
        () => [
          new TransactionInstruction({
            programId: SystemProgram.programId,
            keys: [{ pubkey: wallet, isSigner: true, isWritable: true }],
            data: Buffer.from([99, 0, 0, 0]),
          }),
        ],
        'call',
      ],
      [
        'a fee that pays a validator',
        () => [
          ComputeBudgetProgram.setComputeUnitLimit({ units: 1_400_000 }),
          ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 50_000_000 }),
          pay(ally, 1),
        ],
        'fee',
      ],
      ['fees alone', () => [ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1 })], 'call'],
      [
        'rent for somebody else’s account',
        () => [
          createAssociatedTokenAccountIdempotentInstruction(
            wallet,
            place(issuer.publicKey),
            issuer.publicKey,
            mint,
          ),
          pay(ally, 1),
        ],
        'recipient',
      ],
      [
        'an account that must be new',
        () => [createAssociatedTokenAccountInstruction(wallet, place(ally), ally, mint), pay(ally, 1)],
        'call',
      ],
      [
        'an account at a place of its own',
        () => [
          createAssociatedTokenAccountIdempotentInstruction(wallet, robber.publicKey, ally, mint),
          pay(ally, 1),
        ],
        'call',
      ],
    ]
    test.each(rows)('attacks: %s on Solana is refused', async (_, instructions, reason) => {
      const before = sends()
      expect(verdictOf(await send(await messageOf(...instructions())))).toBe(reason)
      expect(sends()).toBe(before)
    })

    test('attacks: another fee payer, lookup tables, and other bytes are refused on Solana', async () => {
      const before = sends()
      const { blockhash } = await solana.connect().getLatestBlockhash()
      const paid = new TransactionMessage({
        payerKey: robber.publicKey,
        recentBlockhash: blockhash,
        instructions: [pay(ally, 1)],
      }).compileToV0Message()
      expect(verdictOf(await send(Buffer.from(paid.serialize()).toString('base64')))).toBe('account')
      const table = new AddressLookupTableAccount({
        key: Keypair.generate().publicKey,
        state: {
          addresses: [ally],
          deactivationSlot: 2n ** 64n - 1n,
          lastExtendedSlot: 0,
          lastExtendedSlotStartIndex: 0,
          authority: robber.publicKey,
        },
      })
      const looked = new TransactionMessage({
        payerKey: wallet,
        recentBlockhash: blockhash,
        instructions: [pay(ally, 1)],
      }).compileToV0Message([table])
      expect(verdictOf(await send(Buffer.from(looked.serialize()).toString('base64')))).toBe('call')
      const whole = new VersionedTransaction(paid)
      expect(verdictOf(await send(Buffer.from(whole.serialize()).toString('base64')))).toBe('invalid_data')
      const right = await messageOf(pay(ally, 1))
      expect(verdictOf(await send(`${right.slice(0, -4)}AAEA`))).not.toBe('ok')
      expect(verdictOf(await send(`${right}\n`))).toBe('invalid_data')
      expect(verdictOf(await send(Buffer.from('Sign in to example.com').toString('base64')))).toBe(
        'invalid_data',
      )
      expect(verdictOf(await send(right, { chain: 'solana:devnet' }))).toBe('chain')
      expect(verdictOf(await send(right, { chain: 'eip155:1' }))).toBe('chain')
      expect(sends()).toBe(before)
    })
  })
})

test.each([
  'approve(address,uint256)',
  'setApprovalForAll(address,bool)',
  'increaseAllowance(address,uint256)',
  'permit(address,address,uint256)',
  'multicall(bytes[])',
  'swap(bytes)',
  'execute(address)',
  'upgradeTo(address)',
  'transferFrom(address,address,uint256)',
  'delegate(address)',
  'setOwner(address)',
  'grantRole(bytes32,address)',
  'allow(address,bool)',
  'hope(address)',
  'rely(address)',
  'exec(address,uint256)',
  'trust(address)',
  'changeController(address)',
  'addMinter(address)',
])('settings: no permission may call %s', (signature) => {
  expect(isForbiddenFunction(signature)).toBe(true)
})
test('settings: functions of a contract that nobody has reviewed keep the server from starting', () => {
  const unreviewed = { chain: 'eip155:1', contract: token, functions: ['mint(uint256)'] }
  const read = (allow: object) => v.safeParse(permission, { ...evm, allow: [allow] }).success
  expect(read(unreviewed)).toBe(false)
  expect(read({ ...unreviewed, reviewed: '' })).toBe(false)
  expect(read({ ...unreviewed, reviewed: 'Ada, 2026-11-02: mints to the sender' })).toBe(true)
})

test.each(['claim(uint256)', 'mint(uint256)', 'depositAsset(uint256)', 'register(bytes32,address)'])(
  'settings: a permission may call %s',
  (signature) => expect(isForbiddenFunction(signature)).toBe(false),
)
