import { expect, test } from 'vitest'
import { looksAlike, parseSolanaRecipient } from '../../src/solana/recipient.ts'

const address = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'
/** Begins and ends like the address, as one does that somebody has searched for. */
const impostor = '4Nd1u9uyTAnsP1z3nEnKmeLDNyfJWeYpPDTnBLWHDB4T'

test('solana recipient: an address is read through white space and invisible characters', () => {
  expect(parseSolanaRecipient(`  ${address}\u200b\n`)).toEqual({ kind: 'address', address, relation: 'new' })
})

test.each([
  ['', 'empty'],
  ['   ', 'empty'],
  ['friend.sol', 'not-an-address'],
  [address.slice(3), 'not-an-address'],
  [`${address}a`, 'not-an-address'],
  [address.replace('1', '0'), 'not-an-address'],
  ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 'other-chain'],
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'other-chain'],
  ['11111111111111111111111111111111', 'zero-address'],
])('solana recipient: %j is refused as %s', (typed, problem) => {
  expect(parseSolanaRecipient(typed)).toEqual({ kind: 'invalid', problem })
})

test('solana recipient: a text that is too long for any address is refused without decoding it', () => {
  expect(parseSolanaRecipient('x'.repeat(10_000))).toEqual({ kind: 'invalid', problem: 'not-an-address' })
})

test('solana recipient: the mint of a token is refused', () => {
  expect(parseSolanaRecipient(address, { tokens: [address] })).toEqual({
    kind: 'invalid',
    problem: 'token-contract',
  })
})

test('solana recipient: own and recent addresses are told apart from new ones', () => {
  expect(parseSolanaRecipient(address, { own: [address] })).toMatchObject({ relation: 'own' })
  expect(parseSolanaRecipient(address, { recent: [address] })).toMatchObject({ relation: 'recent' })
})

test('solana recipient: an address that begins and ends like a recent one names the one that it looks like', () => {
  expect(parseSolanaRecipient(impostor, { recent: [address] })).toMatchObject({ looksLike: address })
  expect(parseSolanaRecipient(address, { recent: [address, impostor] })).not.toHaveProperty('looksLike')
  expect(looksAlike(address, `4nD1${impostor.slice(4)}`)).toBe(true)
})
