import { describe, expect, it } from 'vitest'
import { type HistoryEntry, parseHistory, writeHistory } from '../../../src/wallets/external/history.ts'

const entry = (more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  address: '0x22227A31dd842196A246d8f3b775998560eAa61d',
  connectorType: 'injected',
  walletClientType: 'metamask',
  connectedAt: 1_700_000_000_000,
  ...more,
})

describe('stored connections', () => {
  it('come back as they were written, the most recent first', () => {
    const older = entry({ walletClientType: 'rainbow', connectedAt: 5 })
    expect(parseHistory(writeHistory([older, entry()]))).toEqual([entry(), older])
  })

  it('hold a connection once: the address in any case, of one wallet, by one connector', () => {
    const same = entry({ address: entry().address.toLowerCase(), connectedAt: 5 })
    const other = entry({ connectorType: 'wallet_connect_v2', connectedAt: 4 })
    expect(parseHistory(writeHistory([same, entry(), other]))).toEqual([entry(), other])
    const solana = (address: string) => entry({ address, connectorType: 'solana_adapter' })
    expect(parseHistory(writeHistory([solana('AbC'), solana('aBc')]))).toHaveLength(2)
  })

  it('are no more than anybody has', () => {
    const many = Array.from({ length: 500 }, (_, at) => entry({ address: `a${at}`, connectedAt: at }))
    const kept = parseHistory(writeHistory(many))
    expect(kept).toHaveLength(50)
    expect(kept[0]?.connectedAt).toBe(499)
  })

  it('stay readable when an address is absurdly long', () => {
    const many = Array.from({ length: 9 }, (_, at) => entry({ address: `${at}`.repeat(20_000) }))
    expect(parseHistory(writeHistory(many)).length).toBeGreaterThan(0)
    expect(writeHistory([entry({ address: 'x'.repeat(100_000) })])).toBe('[]')
  })

  it.each([
    ['nothing', undefined],
    ['no text', [entry()]],
    ['no JSON', '[{'],
    ['no list', JSON.stringify(entry())],
    ['an entry that is none', JSON.stringify([entry(), null])],
    ['a list in the list', JSON.stringify([[entry()]])],
    ['a number for an address', JSON.stringify([entry(), { ...entry(), address: 1 }])],
    ['no type of connector', JSON.stringify([{ ...entry(), connectorType: null }])],
    ['no type of wallet', JSON.stringify([{ ...entry(), walletClientType: undefined }])],
    ['a time that is text', JSON.stringify([{ ...entry(), connectedAt: '1' }])],
    ['a time without end', JSON.stringify([entry()]).replace('1700000000000', '1e999')],
    ['too much', JSON.stringify([entry({ address: 'x'.repeat(70_000) })])],
    [
      'a prototype',
      '[{"__proto__":{"address":"0x1","connectorType":"a","walletClientType":"b","connectedAt":1}}]',
    ],
  ])('are empty when there is %s', (_, text) => expect(parseHistory(text)).toEqual([]))

  it('are what an entry says itself, not what a page has put on every object', () => {
    const prototype = Object.prototype as { address?: string }
    prototype.address = '0xevil'
    try {
      const { address: _, ...rest } = entry()
      expect(parseHistory(JSON.stringify([rest]))).toEqual([])
    } finally {
      delete prototype.address
    }
  })
})
