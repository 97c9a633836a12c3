import { expect, test } from 'vitest'
import { keepSame, orderConnected } from '../../../src/wallets/external/connected.ts'
import type { ConnectedAccount, Connector } from '../../../src/wallets/external/connector.ts'
import { requestTimeout } from '../../../src/wallets/external/timeouts.ts'
import { connectorContext } from '../../support/connectors.ts'

const connector = {} as Connector
const account = (
  address: string,
  connectedAt: number,
  over: Partial<ConnectedAccount> = {},
): ConnectedAccount => ({
  address,
  connectedAt,
  connector,
  chainId: 'eip155:1',
  chainType: 'ethereum',
  connectorType: 'injected',
  walletClientType: 'metamask',
  meta: { id: 'metamask', name: 'MetaMask', icon: undefined },
  ...over,
})
const times = (accounts: readonly ConnectedAccount[]) => accounts.map(({ connectedAt }) => connectedAt)
const a = `0x${'a'.repeat(40)}`
const b = `0x${'b'.repeat(40)}`

test('the most recent connection is first; of equals, the wallet’s own order stays', () => {
  expect(times(orderConnected([account(a, 1), account(b, 3), account('c', 2)], undefined))).toEqual([3, 2, 1])
  expect(orderConnected([account(b, 1), account(a, 1)], undefined).map(({ address }) => address)).toEqual([
    b,
    a,
  ])
})

test('one connection is there once: by address in any case, wallet and way to it', () => {
  const twice = [account(a, 1), account(a.toUpperCase().replace('0X', '0x'), 2)]
  expect(times(orderConnected(twice, undefined))).toEqual([2])
  const others = [
    account(a, 1),
    account(a, 2, { walletClientType: 'rainbow' }),
    account(a, 3, { connectorType: 'wallet_connect_v2' }),
  ]
  expect(times(orderConnected(others, undefined))).toEqual([3, 2, 1])
})

test('the active one is before all others, and nothing where it is not connected', () => {
  const accounts = [account(a, 1), account(b, 2)]
  const active = { address: a, connectorType: 'injected', walletClientType: 'metamask' }
  expect(times(orderConnected(accounts, active))).toEqual([1, 2])
  expect(times(orderConnected(accounts, { ...active, walletClientType: 'rainbow' }))).toEqual([2, 1])
})

test('what has not changed stays the same object, and so does the list', () => {
  const before = [account(a, 1), account(b, 2)]
  expect(keepSame([account(a, 1), account(b, 2)], before)).toBe(before)
  const next = keepSame([account(a, 1), account(b, 2, { chainId: 'eip155:10' })], before)
  expect(next).not.toBe(before)
  expect(next[0]).toBe(before[0])
  expect(next[1]?.chainId).toBe('eip155:10')
})

test('a host sets how long a wallet may take, by its own key and with sense', () => {
  const rpcTimeouts = { a: 5, b: 0, c: -1, d: Number.NaN, e: Number.POSITIVE_INFINITY, f: '7' as never }
  const { cx } = connectorContext({ rpcConfig: { rpcTimeouts } })
  const of = (type: string) => requestTimeout(cx, type)
  expect(['a', 'b', 'c', 'd', 'f', 'toString', 'g'].map(of)).toEqual([5, ...Array(6).fill(120_000)])
  expect(of('e')).toBe(2 ** 31 - 1)
})
