import { describe, expect, it } from 'vitest'
import { parseEthereumAddress, parseWalletAddress } from '../../src/ethereum/address.ts'
import { addressesOf } from '../../src/wallets/external/ethereum/claims.ts'
import { openedBy } from '../../src/wallets/external/wallet-connect/session.ts'

/** The first has its checksum by EIP-55; the others by EIP-1191 for Rootstock (30, 31), and in other cases. */
const spellings = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0x5aaEB6053f3e94c9b9a09f33669435E7ef1bEAeD',
  '0x5aAeb6053F3e94c9b9A09F33669435E7EF1BEaEd',
  '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
  '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED',
  '0X5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED',
  '0x5Aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
  '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaeD',
  '0x5aAEB6053F3E94C9B9A09F33669435E7EF1BEAED',
  '0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0x5AaEb6053f3E94c9B9a09f33669435e7eF1bEaEd',
]
const [address = ''] = spellings

describe('an address that a wallet gives', () => {
  it.each(spellings)('%s: its case is ignored', (text) => {
    expect(parseWalletAddress(text)).toBe(address)
    expect(addressesOf([text])).toEqual([address])
    const accounts = [`eip155:1:${text}`]
    const opened = openedBy({ eip155: { methods: ['personal_sign'], accounts } }, [1])
    expect(opened?.accounts.get(1)).toEqual([address])
  })

  it('two spellings of one account are one account', () => expect(addressesOf(spellings)).toEqual([address]))

  it.each([
    '',
    '0x',
    address.slice(2),
    `${address}0`,
    address.slice(0, -1),
    `${address.slice(0, -1)}g`,
    ` ${address}`,
    null,
    7,
    [address],
  ])('%j is none', (text) => expect(parseWalletAddress(text)).toBeUndefined())

  it('an address that somebody types keeps its checksum by EIP-55', () =>
    expect(parseEthereumAddress(spellings[1])).toBeUndefined())
})
