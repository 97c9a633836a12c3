/** What people read, press and see afterwards when they send on Solana, with the ledger of the demo behind it. */

import {
  createAssociatedTokenAccountIdempotentInstruction,
  createMint,
  createTransferCheckedInstruction,
  getAccount,
  getAssociatedTokenAddressSync,
  getOrCreateAssociatedTokenAccount,
  mintTo,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import {
  AddressLookupTableProgram,
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  type PublicKey,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { expect, test } from './support/demo.ts'
import { untilClosed } from './support/embedded.ts'
import {
  airdrop,
  modes,
  newSolanaSender,
  outcomeOf,
  reviewOf,
  type SolanaSender,
  sendSolanaByKit,
  soakUnless,
  untilTitled,
} from './support/sending.ts'

const done = 'Transaction completed successfully.'

/** An unsigned transaction of the wallet, with a blockhash of now. */
async function built({ connection, owner }: SolanaSender, ...instructions: TransactionInstruction[]) {
  const latest = await connection.getLatestBlockhash()
  const transaction = new Transaction({ feePayer: owner, ...latest }).add(...instructions)
  return Uint8Array.from(transaction.serialize({ requireAllSignatures: false }))
}

/** A token of somebody else's, of which the wallet has 1. */
async function newMint({ connection, owner }: SolanaSender, programId: PublicKey) {
  const issuer = Keypair.generate()
  await airdrop(connection, issuer.publicKey, 2)
  const more = [undefined, undefined, programId] as const
  const mint = await createMint(connection, issuer, issuer.publicKey, null, 6, ...more)
  const { address: source } = await getOrCreateAssociatedTokenAccount(
    connection,
    issuer,
    mint,
    owner,
    false,
    ...more,
  )
  await mintTo(connection, issuer, mint, source, issuer, 1_000_000n, [], undefined, programId)
  return { mint, source, issuer }
}

/** Presses the button of the receipt, and waits until the dialog is closed. */
async function readReceipt({ page }: SolanaSender): Promise<void> {
  await untilTitled(page, done)
  await expect(outcomeOf(page)).toContainText("You're all set.")
  await outcomeOf(page).getByRole('button', { name: 'Close', exact: true }).last().click()
  await untilClosed(page)
}

const programs = [
  ['an SPL token', TOKEN_PROGRAM_ID],
  ['a token of Token-2022', TOKEN_2022_PROGRAM_ID],
] as const

for (const mode of modes) {
  for (const [name, programId] of programs) {
    test(`sending on Solana, ${mode}: ${name} is read with amount and recipient, sent, and has a receipt${soakUnless(mode === 'strict' && programId === TOKEN_PROGRAM_ID)}`, async ({
      browser,
      demo,
    }) => {
      const sender = await newSolanaSender(browser, demo, mode)
      const { page, owner, connection } = sender
      const { mint, source } = await newMint(sender, programId)
      const to = Keypair.generate().publicKey
      const destination = getAssociatedTokenAddressSync(mint, to, false, programId)
      const sending = sendSolanaByKit(
        page,
        await built(
          sender,
          createAssociatedTokenAccountIdempotentInstruction(owner, destination, to, mint, programId),
          createTransferCheckedInstruction(source, mint, destination, owner, 250_000n, 6, [], programId),
        ),
      )
      const review = await reviewOf(page)
      await expect(review.screen).toContainText('Create token account')
      await expect(review.screen).toContainText('Send tokens')
      await expect(review.screen).toContainText('0.25')
      await expect(review.screen).toContainText(String(mint))
      await expect(review.screen).toContainText(String(mode === 'compatible' ? to : destination))
      await expect(review.fact('Network')).toContainText(/mainnet|Solana/)
      await expect(review.fact('Fee')).toContainText('SOL')
      await review.press('Approve')
      await readReceipt(sender)
      const { result } = await sending
      const signed = await connection.getTransaction(String(result), { maxSupportedTransactionVersion: 0 })
      expect(signed?.meta?.err).toBeNull()
      expect((await getAccount(connection, destination, 'confirmed', programId)).amount).toBe(250_000n)
    })
  }

  test(`sending on Solana, ${mode}: accounts of a lookup table are resolved @soak`, async ({
    browser,
    demo,
  }) => {
    const sender = await newSolanaSender(browser, demo, mode)
    const { page, owner, connection } = sender
    const [author, friend] = [Keypair.generate(), Keypair.generate().publicKey]
    await airdrop(connection, author.publicKey, 1)
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: author.publicKey,
      payer: author.publicKey,
      recentSlot: (await connection.getSlot()) - 1,
    })
    const extend = AddressLookupTableProgram.extendLookupTable({
      lookupTable: table,
      authority: author.publicKey,
      payer: author.publicKey,
      addresses: [friend],
    })
    await sendAndConfirmTransaction(connection, new Transaction().add(create, extend), [author])
    await airdrop(connection, author.publicKey, 1)
    const { value } = await connection.getAddressLookupTable(table)
    if (!value) throw new Error('There is no table')
    const message = new TransactionMessage({
      payerKey: owner,
      recentBlockhash: (await connection.getLatestBlockhash()).blockhash,
      instructions: [SystemProgram.transfer({ fromPubkey: owner, toPubkey: friend, lamports: 40_000_000 })],
    }).compileToV0Message([value])
    expect(message.addressTableLookups).toHaveLength(1)
    const sending = sendSolanaByKit(page, new VersionedTransaction(message).serialize())
    const review = await reviewOf(page)
    // The vault believes no node of the page's: its own server asks.
    await expect(review.screen).toContainText(String(friend))
    await expect(review.screen).not.toContainText('listed in a table outside of this transaction')
    await review.press('Approve')
    await readReceipt(sender)
    expect((await sending).result).toEqual(expect.any(String))
    expect(await connection.getBalance(friend)).toBe(40_000_000)
  })

  test(`sending on Solana, ${mode}: a wallet that is short of funds reads what is needed, and can't approve @soak`, async ({
    browser,
    demo,
  }) => {
    const sender = await newSolanaSender(browser, demo, mode, { sol: 0.1 })
    const { page, owner, connection } = sender
    const to = Keypair.generate().publicKey
    const sending = sendSolanaByKit(
      page,
      await built(
        sender,
        SystemProgram.transfer({ fromPubkey: owner, toPubkey: to, lamports: LAMPORTS_PER_SOL }),
      ),
    )
    const review = await reviewOf(page)
    await expect(review.screen).toContainText(
      /does not have enough funds\.|insufficient funds for this transaction\.|Add funds on \w+ to complete transaction\./,
    )
    if (mode === 'compatible')
      await expect(review.screen).toContainText(/1\.0000\d+\s*SOL are needed to complete the transaction\./)
    await expect(review.button('Approve')).toHaveCount(0)
    await airdrop(connection, owner, 2)
    await review.press('Check balance again')
    await (await reviewOf(page, ['Approve'])).press('Approve')
    await readReceipt(sender)
    expect((await sending).result).toEqual(expect.any(String))
    expect(await connection.getBalance(to)).toBe(LAMPORTS_PER_SOL)
  })

  test(`sending on Solana, ${mode}: each transfer is named where there are two, and who declines sends none @soak`, async ({
    browser,
    demo,
  }) => {
    const sender = await newSolanaSender(browser, demo, mode)
    const { page, owner, connection } = sender
    const friends = [Keypair.generate().publicKey, Keypair.generate().publicKey]
    const sending = sendSolanaByKit(
      page,
      await built(
        sender,
        ...friends.map((toPubkey, at) =>
          SystemProgram.transfer({ fromPubkey: owner, toPubkey, lamports: (at + 1) * 10_000_000 }),
        ),
      ),
    )
    const review = await reviewOf(page, undefined, async (screen, step) => {
      await expect(screen).toContainText(String(friends[step - 1]))
      await expect(screen).toContainText(step === 1 ? /0\.01\s*SOL/ : /0\.02\s*SOL/)
      await expect(screen).not.toContainText(String(friends[2 - step]))
    })
    for (const friend of friends) await expect(review.screen).toContainText(String(friend))
    await expect(review.screen).toContainText(/0\.03\s*SOL/)
    await review.press('Back')
    await expect(review.screen).toContainText('Step 2 of 2')
    await review.press('Back')
    await expect(review.screen).toContainText('Step 1 of 2')
    await review.press('Cancel')
    expect((await sending).code).toBe('unable_to_sign')
    await untilClosed(page)
    expect(await connection.getBalance(friends[0] as PublicKey)).toBe(0)
  })

  test(`sending on Solana, ${mode}: a transaction whose fee another pays says so @soak`, async ({
    browser,
    demo,
  }) => {
    const sender = await newSolanaSender(browser, demo, mode)
    const { page, owner, connection } = sender
    const [payer, to] = [Keypair.generate(), Keypair.generate().publicKey]
    await airdrop(connection, payer.publicKey, 1)
    const latest = await connection.getLatestBlockhash()
    const transaction = new Transaction({ feePayer: payer.publicKey, ...latest }).add(
      SystemProgram.transfer({ fromPubkey: owner, toPubkey: to, lamports: 30_000_000 }),
    )
    transaction.partialSign(payer)
    const before = await connection.getBalance(owner)
    const sending = sendSolanaByKit(
      page,
      Uint8Array.from(transaction.serialize({ requireAllSignatures: false })),
    )
    const review = await reviewOf(page)
    await expect(review.fact('Fee paid by')).toContainText(String(payer.publicKey).slice(0, 4))
    await review.press('Approve')
    await readReceipt(sender)
    expect((await sending).result).toEqual(expect.any(String))
    expect(await connection.getBalance(owner)).toBe(before - 30_000_000)
  })
}

test('sending on Solana, compatible: a transaction that fails is warned of, refused by the node, and can be left @soak', async ({
  browser,
  demo,
}) => {
  const sender = await newSolanaSender(browser, demo, 'compatible')
  const { page, owner, connection } = sender
  const { mint, source, issuer } = await newMint(sender, TOKEN_PROGRAM_ID)
  const to = Keypair.generate().publicKey
  const { address: destination } = await getOrCreateAssociatedTokenAccount(connection, issuer, mint, to)
  const sending = sendSolanaByKit(
    page,
    await built(sender, createTransferCheckedInstruction(source, mint, destination, owner, 9_000_000n, 6)),
  )
  const review = await reviewOf(page)
  await expect(review.screen).toContainText(/will likely fail|enough funds|insufficient funds/)
  await review.press('Approve')
  await expect(outcomeOf(page).getByRole('button', { name: 'Retry transaction' })).toBeVisible()
  await expect(
    outcomeOf(page).getByRole('heading', { name: /^(Transaction failure|Insufficient balance)$/ }),
  ).toBeVisible()
  await outcomeOf(page).getByRole('button', { name: 'Cancel' }).click()
  expect((await sending).code).toMatch(/^(unable_to_sign|transaction_failure|insufficient_funds)$/)
  expect((await getAccount(connection, source, 'confirmed')).amount).toBe(1_000_000n)
})

test("sending on Solana, compatible: a transaction of someone else's wallet is refused before anything is displayed @soak", async ({
  browser,
  demo,
}) => {
  const sender = await newSolanaSender(browser, demo, 'compatible', { sol: 0 })
  const { page, owner, connection } = sender
  const other = Keypair.generate().publicKey
  const bytes = await built(
    { ...sender, owner: other },
    SystemProgram.transfer({ fromPubkey: other, toPubkey: Keypair.generate().publicKey, lamports: 1 }),
  )
  const refused = await sendSolanaByKit(page, bytes)
  expect(refused.code).toBe('invalid_request_arguments')
  expect(refused.message).toContain(`Transaction does not contain public key ${owner}`)
  await untilClosed(page)
  expect(await connection.getBalance(owner)).toBe(0)
})

test.describe('with a ledger of its own', () => {
  // Blocks are let pass here, which would end the blockhashes of other journeys.
  test.describe.configure({ mode: 'default' })

  for (const mode of modes)
    test(`sending on Solana, ${mode}: an expired blockhash is told, and signed anew only by the user's wish @soak`, async ({
      browser,
      ownDemo: { demo },
    }) => {
      const sender = await newSolanaSender(browser, demo, mode)
      const { page, owner, connection } = sender
      const to = Keypair.generate().publicKey
      const sending = sendSolanaByKit(
        page,
        await built(
          sender,
          SystemProgram.transfer({ fromPubkey: owner, toPubkey: to, lamports: 50_000_000 }),
        ),
      )
      const review = await reviewOf(page)
      await passBlocks(demo.solanaRpcUrl, 200)
      await review.press('Approve')
      await untilTitled(page, 'Transaction expired')
      await expect(outcomeOf(page)).toContainText('The network did not take it in time. Nothing was sent.')
      expect(await connection.getBalance(to)).toBe(0)
      await outcomeOf(page).getByRole('button', { name: 'Send again' }).click()
      await (await reviewOf(page)).press('Approve')
      await readReceipt(sender)
      expect((await sending).result).toEqual(expect.any(String))
      expect(await connection.getBalance(to)).toBe(50_000_000)
    })
})

/** Each airdrop is a block of the ledger. */
async function passBlocks(url: string, blocks: number): Promise<void> {
  const to = Keypair.generate().publicKey.toBase58()
  const before = await new Connection(url).getBlockHeight()
  for (let at = 0; at < blocks; at += 50) {
    const batch = Array.from({ length: 50 }, (_, more) => ({
      jsonrpc: '2.0',
      id: more,
      method: 'requestAirdrop',
      params: [to, 1_000_000 + at + more],
    }))
    await (await fetch(url, { method: 'POST', body: JSON.stringify(batch) })).text()
  }
  expect(await new Connection(url).getBlockHeight()).toBeGreaterThanOrEqual(before + blocks)
}
