import { expect, it } from 'vitest'
import { groups, shortAddress } from '../../src/ui/wallet/address-text.ts'

const evm = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const solana = '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK'

it('shortens to 6 and 4, on Solana to 4 and 4', () => {
  expect(shortAddress(evm)).toBe('0x71C7…976F')
  expect(shortAddress(solana)).toBe('7EqQ…wJeK')
  expect(shortAddress('0x1234')).toBe('0x1234')
})

it('groups by four and loses nothing', () => {
  expect(groups(evm).slice(0, 3)).toEqual(['0x71C7', '656E', 'C7ab'])
  expect(groups(evm).join('')).toBe(evm)
  expect(groups(solana)).toHaveLength(11)
  expect(groups('')).toEqual([])
})
