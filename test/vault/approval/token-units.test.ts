/** Amounts of tokens with extensions as the vault's review shows them: in the units that people see, or in words that they aren't. */
import { createTransferCheckedInstruction, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import { Keypair, PublicKey, Transaction } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import type { Plain } from '../../../src/lib/plain.ts'
import type { VaultContext } from '../../../src/vault/context.ts'
import { fetchPreview } from '../../../src/vault/server/preview.ts'
import type { Token } from '../../../src/vault/token.ts'
import { readVaultScreen } from '../../support/vault-screen.ts'

const [wallet, source, target, mint] = Array.from(
  { length: 4 },
  (_, at) => Keypair.fromSeed(new Uint8Array(32).fill(at + 1)).publicKey,
) as [PublicKey, PublicKey, PublicKey, PublicKey]
const token = mint.toBase58()
const address = wallet.toBase58()

/** The review of a transfer of 100,000 units, with what the server says of the token. */
async function review(said: Plain | undefined, program = TOKEN_2022_PROGRAM_ID) {
  const message = new Transaction({
    feePayer: wallet,
    blockhash: PublicKey.default.toBase58(),
    lastValidBlockHeight: 1,
  })
    .add(createTransferCheckedInstruction(source, mint, target, wallet, 100_000n, 6, [], program))
    .serializeMessage()
    .toString('base64')
  const change = { kind: 'token', token, amount: '100000' }
  const cx = {
    api: async () => ({
      version: 1,
      chain: 'solana:mainnet',
      tokens: said === undefined ? {} : { [token]: said },
      simulation: { outcome: 'simulated', status: 'success', out: [change] },
      disputed: [],
      nodes: 2,
      at: 1,
    }),
  } as unknown as VaultContext
  const asked = { kind: 'solanaTransaction', address, action: 'send', message } as const
  const server = await fetchPreview(cx, {} as Token, {
    address,
    chain: 'solana:mainnet',
    request: { message },
  })
  return readVaultScreen({ ...asked, root: { chainType: 'solana', address }, walletIndex: 0 }, { server })
}
const gold = { symbol: 'GOLD', decimals: 6 }

describe('amount of a token in the vault', () => {
  test('of one that is scaled by ten is the one that was typed, in the headline, the instruction and the trial run', async () => {
    const { headline, text, preview } = await review({ ...gold, scale: 10 })
    expect(headline).toEqual(['−1 GOLD'])
    expect(text.match(/1 GOLD/g)?.length).toBeGreaterThanOrEqual(3)
    expect(text).not.toContain('0.1 GOLD')
    expect(text).not.toContain('smallest units')
    // The trial run takes no more than the instruction says, in whatever units.
    expect(preview?.warnings.map(({ code }) => code)).not.toContain('unexplained-change')
  })

  test.each([
    ['the server names no scale', gold],
    ['its scale is no number above zero', { ...gold, scale: 0 }],
    ['a newer server writes scales otherwise', { ...gold, scale: { numerator: '10', denominator: '1' } }],
    ['the server does not know the token', undefined],
  ])('is in smallest units, and said to be, where %s', async (_, said) => {
    const { headline, text } = await review(said)
    expect(headline).toEqual([])
    expect(text).toContain('100,000 smallest units')
    expect(text).toContain("How many of these make one token isn't known here.")
    expect(text).not.toContain('0.1')
  })

  test('of the first token program needs no scale', async () => {
    const { headline } = await review(gold, TOKEN_PROGRAM_ID)
    expect(headline).toEqual(['−0.1 GOLD'])
  })

  test('that a fee is withheld from is beside what arrives', async () => {
    const fee = { basis_points: 100, maximum: '50000' }
    const { text } = await review({ ...gold, scale: 1, transfer_fee: fee })
    expect(text).toContain('0.1 GOLD')
    expect(text).toMatch(/\w{4}…\w{4} gets\s*0\.099 GOLD/)
    const none = await review({ ...gold, scale: 1 })
    expect(none.text).not.toContain(' gets')
  })
})
