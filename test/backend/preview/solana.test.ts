import {
  createAssociatedTokenAccountInstruction,
  createInitializeMintInstruction,
  createInitializeScaledUiAmountConfigInstruction,
  createInitializeTransferFeeConfigInstruction,
  createMint,
  createMintToInstruction,
  createTransferCheckedInstruction,
  ExtensionType,
  getAssociatedTokenAddressSync,
  getMintLen,
  getOrCreateAssociatedTokenAccount,
  mintTo,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token'
import type { TransactionInstruction } from '@solana/web3.js'
import {
  AddressLookupTableAccount,
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  type Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  TransactionMessage,
} from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type SolanaChain, startSolanaChain } from '../../support/solana-chain.ts'
import { solanaKey, Vault, verdict } from '../support/embedded-world.ts'
import { startNode } from '../support/lying-node.ts'
import { apiUrl, openApp, site, startWorld, stores, type World } from '../support/world.ts'

describe.each(stores)('previews of Solana on $name', (store) => {
  let world: World
  let solana: SolanaChain
  let node: Awaited<ReturnType<typeof startNode>>
  let second: Awaited<ReturnType<typeof startNode>>
  let vault: Vault
  let connection: Connection
  let mint: PublicKey
  let source: PublicKey
  const key = solanaKey()
  const wallet = new PublicKey(key.address)
  const friend = Keypair.generate().publicKey
  const issuer = Keypair.generate()

  beforeAll(async () => {
    solana = await startSolanaChain()
    node = await startNode(solana.url)
    second = await startNode(solana.url)
    connection = solana.connect()
    for (const each of [wallet, issuer.publicKey])
      await connection.confirmTransaction(await connection.requestAirdrop(each, 5 * LAMPORTS_PER_SOL))
    mint = await createMint(connection, issuer, issuer.publicKey, null, 6)
    source = (await getOrCreateAssociatedTokenAccount(connection, issuer, mint, wallet)).address
    await mintTo(connection, issuer, mint, source, issuer, 1_000_000n)
    world = await startWorld(store, {
      outside: { chainRpcUrls: {}, solanaRpcUrls: { mainnet: [node.url, second.url] } },
      limits: { previewNodeTime: 2_000, previewComparison: 1_500, blockAnswerLife: 0 },
    })
    vault = await Vault.open(world)
    await vault.create(key, { secret: 'key' })
  }, 60_000)
  afterAll(async () => {
    await world?.stop()
    node?.stop()
    second?.stop()
    await solana?.close()
  })
  afterEach(() => {
    node.honest()
    second.honest()
  })

  async function messageOf(...instructions: TransactionInstruction[]) {
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
    const built = new Transaction({ feePayer: wallet, blockhash, lastValidBlockHeight }).add(...instructions)
    return built.serializeMessage().toString('base64')
  }
  const preview = async (message: string, more: object = {}) =>
    vault.post('embedded_wallets/preview', {
      version: 1,
      address: key.address,
      chain: 'solana:mainnet',
      request: { message },
      ...more,
    })
  const transfer = (lamports: number) =>
    SystemProgram.transfer({ fromPubkey: wallet, toPubkey: friend, lamports })

  test('preview: a transfer of lamports comes with its fee, balance and effects, as two nodes say', async () => {
    const { status, body } = await preview(await messageOf(transfer(2_000_000)))
    expect([status, body]).toMatchObject([
      200,
      {
        version: 1,
        chain: 'solana:mainnet',
        prepared: { fee: '5000', rent: '0', is_payer: true, is_underfunded: false, missing: '0' },
        simulation: { outcome: 'simulated', status: 'success', out: [{ kind: 'native', amount: '2000000' }] },
        balance: String(5 * LAMPORTS_PER_SOL),
        disputed: [],
        nodes: 2,
      },
    ])
  })

  /** A transfer of tokens to a friend who has no account for them yet. */
  const tokenTransfer = (amount: bigint) => {
    const to = getAssociatedTokenAddressSync(mint, friend)
    return messageOf(
      createAssociatedTokenAccountInstruction(wallet, to, friend, mint),
      createTransferCheckedInstruction(source, mint, to, wallet, amount, 6),
    )
  }

  test('preview: the rent of a token account is part of the cost, and decimals come from the mint', async () => {
    const { body } = await preview(await tokenTransfer(250_000n))
    expect(BigInt(body.prepared.rent)).toBeGreaterThan(2_000_000n)
    expect(body.simulation.out).toContainEqual({ kind: 'token', token: mint.toBase58(), amount: '250000' })
    expect(body.tokens[mint.toBase58()]).toEqual({ decimals: 6, scale: 1 })
  })

  test('preview: a token of Token-2022 comes with the scale and the fee of its mint', async () => {
    const made = Keypair.generate()
    const program = TOKEN_2022_PROGRAM_ID
    const extensions = [ExtensionType.ScaledUiAmountConfig, ExtensionType.TransferFeeConfig]
    const space = getMintLen(extensions)
    const from = getAssociatedTokenAddressSync(made.publicKey, wallet, false, program)
    const to = getAssociatedTokenAddressSync(made.publicKey, friend, false, program)
    const { publicKey: owner } = issuer
    await sendAndConfirmTransaction(
      connection,
      new Transaction().add(
        SystemProgram.createAccount({
          fromPubkey: owner,
          newAccountPubkey: made.publicKey,
          space,
          lamports: await connection.getMinimumBalanceForRentExemption(space),
          programId: program,
        }),
        createInitializeScaledUiAmountConfigInstruction(made.publicKey, owner, 1.1, program),
        createInitializeTransferFeeConfigInstruction(made.publicKey, owner, owner, 100, 50_000n, program),
        createInitializeMintInstruction(made.publicKey, 6, owner, owner, program),
        createAssociatedTokenAccountInstruction(owner, from, wallet, made.publicKey, program),
        createMintToInstruction(made.publicKey, from, owner, 1_000_000n, [], program),
      ),
      [issuer, made],
    )
    const { body } = await preview(
      await messageOf(
        createAssociatedTokenAccountInstruction(wallet, to, friend, made.publicKey, program),
        createTransferCheckedInstruction(from, made.publicKey, to, wallet, 100_000n, 6, [], program),
      ),
    )
    const token = made.publicKey.toBase58()
    expect(body.simulation.out).toContainEqual({ kind: 'token', token, amount: '100000' })
    expect(body.tokens[token]).toEqual({
      decimals: 6,
      scale: 1.1,
      transfer_fee: { basis_points: 100, maximum: '50000' },
    })
    expect(body.disputed).toEqual([])
  })

  test('preview: a transfer of more tokens than the wallet has comes with what is missing', async () => {
    const { body } = await preview(await tokenTransfer(1_250_000n))
    expect(body.prepared.token_shortage).toEqual({ token: mint.toBase58(), missing: '250000' })
    expect(body.prepared.is_underfunded).toBe(false)
  })

  test('preview: priority fees come with the limit that they are reckoned with, where the wallet alone signs', async () => {
    const fees = { getRecentPrioritizationFees: { result: [{ slot: 1, prioritizationFee: 2_000_000 }] } }
    Object.assign(node.lies, fees)
    Object.assign(second.lies, fees)
    const { prepared } = (await preview(await messageOf(transfer(2_000_000)))).body
    expect(prepared.levels).toEqual({
      slow: { priority_fee: '0' },
      usual: { priority_fee: String(2n * BigInt(prepared.unit_limit)) },
      fast: { priority_fee: String(2n * BigInt(prepared.unit_limit)) },
    })
    const own = ComputeBudgetProgram.setComputeUnitLimit({ units: 5_000 })
    const limited = (await preview(await messageOf(own, transfer(2_000_000)))).body
    expect(limited.prepared).toMatchObject({
      unit_limit: '5000',
      levels: { usual: { priority_fee: '10000' } },
    })
    const others = SystemProgram.transfer({ fromPubkey: friend, toPubkey: wallet, lamports: 1 })
    const several = (await preview(await messageOf(transfer(2_000_000), others))).body
    expect(several.prepared.levels).toBeUndefined()
  })

  test('preview: accounts of a lookup table come as far as both nodes name the same, and a difference is marked', async () => {
    const table = Keypair.generate().publicKey
    const other = Keypair.generate().publicKey
    const accountOf = (...addresses: PublicKey[]) => ({
      lamports: 1,
      owner: AddressLookupTableProgram.programId.toBase58(),
      executable: false,
      data: [
        Buffer.from([1, ...new Uint8Array(55), ...addresses.flatMap((each) => [...each.toBytes()])]).toString(
          'base64',
        ),
        'base64',
      ],
    })
    const holds =
      (...addresses: PublicKey[]) =>
      ([asked]: readonly unknown[]) =>
        String(asked) === table.toBase58()
          ? { result: { context: { slot: 1 }, value: [accountOf(...addresses)] } }
          : undefined
    const state = {
      deactivationSlot: 2n ** 64n - 1n,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
      addresses: [other, friend, issuer.publicKey],
    }
    const { blockhash } = await connection.getLatestBlockhash()
    const instructions = [
      transfer(1),
      SystemProgram.transfer({ fromPubkey: wallet, toPubkey: issuer.publicKey, lamports: 1 }),
    ]
    const message = new TransactionMessage({
      payerKey: wallet,
      recentBlockhash: blockhash,
      instructions,
    }).compileToV0Message([new AddressLookupTableAccount({ key: table, state })])
    const ask = async () => (await preview(Buffer.from(message.serialize()).toString('base64'))).body
    node.lies.getMultipleAccounts = holds(other, friend, issuer.publicKey)
    second.lies.getMultipleAccounts = holds(other, friend, issuer.publicKey)
    expect(await ask()).toMatchObject({
      lookups: { [table.toBase58()]: { 1: friend.toBase58(), 2: issuer.publicKey.toBase58() } },
      disputed: [],
    })
    for (const lie of [holds(other, other, issuer.publicKey), holds(other)]) {
      second.lies.getMultipleAccounts = lie
      const { lookups, disputed } = await ask()
      expect(lookups[table.toBase58()][1]).toBeUndefined()
      expect(disputed).toContain('lookups')
    }
    expect((await preview(await messageOf(transfer(1)))).body.lookups).toBeUndefined()
  })

  test('preview: a wallet with too little is told how much is missing', async () => {
    const { body } = await preview(await messageOf(transfer(6 * LAMPORTS_PER_SOL)))
    expect(body.prepared.is_underfunded).toBe(true)
    expect(body.prepared.missing).toBe(String(LAMPORTS_PER_SOL + 5_000))
    expect(body.simulation.status).toBe('failed')
  })

  test('preview: of two nodes that differ the smaller balance counts, and it is marked', async () => {
    second.lies.getBalance = { result: { context: { slot: 1 }, value: 7 } }
    const { body } = await preview(await messageOf(transfer(1)))
    expect(body).toMatchObject({ balance: '7', disputed: ['balance'], prepared: { is_underfunded: true } })
  })

  test('preview: of two runs that differ the worse counts, and it is marked', async () => {
    const assign = SystemProgram.assign({ accountPubkey: wallet, programId: friend })
    const message = await messageOf(transfer(2_000_000), assign)
    const seen = {
      kind: 'program',
      account: key.address,
      spender: friend.toBase58(),
      is_unlimited: true,
    }
    const lie = {
      lamports: 5 * LAMPORTS_PER_SOL - 5_000,
      owner: SystemProgram.programId.toBase58(),
      executable: false,
      data: ['', 'base64'],
    }
    for (const each of [node, second]) {
      each.lies.simulateTransaction = ([, config]) => ({
        result: {
          context: { slot: 1_000_000 },
          value: {
            err: null,
            logs: [],
            unitsConsumed: 1,
            innerInstructions: [],
            accounts: (config as { accounts: { addresses: string[] } }).accounts.addresses.map(() => lie),
          },
        },
      })
      const { body } = await preview(message)
      expect(body).toMatchObject({
        disputed: ['simulation'],
        nodes: 2,
        simulation: { status: 'success', out: [{ kind: 'native', amount: '2000000' }], allowances: [seen] },
      })
      each.honest()
    }
    expect(await preview(message)).toMatchObject({
      body: { disputed: [], simulation: { allowances: [seen] } },
    })
    second.lies.simulateTransaction = { error: { code: -32_601, message: 'Method not found' } }
    expect((await preview(message)).body).toMatchObject({ nodes: 1, disputed: [] })
  })

  test('preview: a silent node is replaced by the other', async () => {
    node.lies['*'] = 'silent'
    const { status, body } = await preview(await messageOf(transfer(1)))
    expect([status, body.nodes, body.balance]).toEqual([200, 1, String(5 * LAMPORTS_PER_SOL)])
  })

  test('preview: an unknown cluster, another wallet’s message and unreadable bytes are refused', async () => {
    const message = await messageOf(transfer(1))
    expect(verdict(await preview(message, { chain: 'solana:devnet' }))).toEqual([400, 'not_supported'])
    expect(verdict(await preview('AAAA'))).toEqual([400, 'invalid_data'])
    const others = SystemProgram.transfer({ fromPubkey: friend, toPubkey: wallet, lamports: 1 })
    const { blockhash } = await connection.getLatestBlockhash()
    const theirs = new Transaction({ feePayer: friend, recentBlockhash: blockhash }).add(others)
    expect(verdict(await preview(theirs.serializeMessage().toString('base64')))).toEqual([
      400,
      'invalid_data',
    ])
  })

  describe('SPL token info', () => {
    const info = async (query: string) => {
      const headers = { 'privy-app-id': openApp, origin: site }
      const answer = await world.backend.api.request(`${apiUrl}/api/v1/spl_token_info?${query}`, { headers })
      return { status: answer.status, body: await answer.json() }
    }
    const metaplex = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s'
    const text = (value: string) => {
      const length = Buffer.alloc(4)
      length.writeUInt32LE(Buffer.byteLength(value))
      return Buffer.concat([length, Buffer.from(value)])
    }
    const metadata = (of: PublicKey, name: string, symbol: string) =>
      Buffer.concat([Buffer.from([4]), Buffer.alloc(32), of.toBuffer(), text(name), text(symbol), text('')])
    /** The node has an account of this program where Metaplex's metadata of the mint is. */
    async function lieAbout(owner: string, data: Buffer) {
      const [account] = (
        await (
          await fetch(solana.url, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({
              jsonrpc: '2.0',
              id: 1,
              method: 'getMultipleAccounts',
              params: [[mint.toBase58()], { encoding: 'base64' }],
            }),
          })
        ).json()
      ).result.value
      const made = { lamports: 1, owner, executable: false, data: [data.toString('base64'), 'base64'] }
      for (const each of [node, second])
        each.lies.getMultipleAccounts = { result: { context: { slot: 1 }, value: [account, made, null] } }
    }

    test('SPL token info: decimals are the mint’s, and names are Metaplex’s for this mint', async () => {
      expect(await info(`mint_address=${mint.toBase58()}&cluster=mainnet-beta`)).toEqual({
        status: 200,
        body: { name: '', symbol: '', decimals: 6 },
      })
      await lieAbout(metaplex, metadata(mint, 'Test Token\0\0', 'TST\0\0\0'))
      expect((await info(`mint_address=${mint.toBase58()}`)).body).toEqual({
        name: 'Test Token',
        symbol: 'TST',
        decimals: 6,
      })
    })

    test('SPL token info: names of another program, another mint, or with markup are not believed', async () => {
      const none = { name: '', symbol: '', decimals: 6 }
      const ask = async () => (await info(`mint_address=${mint.toBase58()}`)).body
      await lieAbout(SystemProgram.programId.toBase58(), metadata(mint, 'Test', 'TST'))
      expect(await ask()).toEqual(none)
      await lieAbout(metaplex, metadata(friend, 'Test', 'TST'))
      expect(await ask()).toEqual(none)
      await lieAbout(metaplex, metadata(mint, '<b>Test</b>', 'USD\u202e'))
      expect(await ask()).toEqual(none)
      await lieAbout(metaplex, metadata(mint, 'Test', 'TST').subarray(0, 70))
      expect(await ask()).toEqual(none)
    })

    test('SPL token info: an account that is no mint, an unknown cluster and an unreadable address are refused', async () => {
      const code = async (query: string) => (await info(query)).body.code
      expect(await code(`mint_address=${friend.toBase58()}`)).toBe('not_supported')
      expect(await code(`mint_address=${mint.toBase58()}&cluster=devnet`)).toBe('not_supported')
      expect(await code('mint_address=0x12')).toBe('invalid_data')
    })
  })
})
