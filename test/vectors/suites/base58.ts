import { base58 } from '@scure/base'
import { formatBase58, parseBase58 } from '../../../src/solana/base58.ts'
import { fromHex, read, type Suite, same, toHex } from './suite.ts'

interface File {
  readonly valid: readonly { alphabet: string; hex: string; string: string }[]
  readonly invalid: readonly { alphabet: string; string?: unknown }[]
}

export const base58Fixtures: Suite = {
  name: 'base58 as Solana writes it',
  async run(load) {
    const { valid, invalid } = await read<File>(load, 'base58/base-x-fixtures.json')
    const good = valid.filter(({ alphabet }) => alphabet === 'base58')
    for (const { hex, string } of good) {
      same(base58.encode(fromHex(hex)), string, 'encoded')
      if (string) same(toHex(parseBase58(string, hex.length / 2) ?? new Uint8Array()), hex, 'decoded')
      same(formatBase58(fromHex(hex)), string, 'encoded by us')
      for (const other of [-1, 1])
        same(parseBase58(string, hex.length / 2 + other), undefined, 'of another length')
    }
    const bad = invalid.filter(({ alphabet }) => alphabet === 'base58')
    for (const { string } of bad)
      for (const length of [3, 5, 8, 10]) {
        same(parseBase58(string, length), undefined, String(string))
      }
    return `base58: ${good.length} valid, ${bad.length} invalid`
  },
}
