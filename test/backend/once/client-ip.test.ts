import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { createCallers } from '../../../demo/backend/http/client-ip.ts'
import type { ServerEnv } from '../../../demo/backend/http/services.ts'

async function ask(
  trusted: string[],
  remoteAddress: string | undefined,
  forwarded?: string,
): Promise<string> {
  const { clientIp } = createCallers(trusted)
  const app = new Hono<ServerEnv>().get('/', (c) => c.text(clientIp(c) ?? 'nobody'))
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  const env = remoteAddress === undefined ? {} : { incoming: { socket: { remoteAddress } } }
  return (await app.request('/', { headers }, env)).text()
}

describe('who asks', () => {
  test('is the connection’s address when no proxy is trusted', async () => {
    expect(await ask([], '203.0.113.7', '198.51.100.1')).toBe('203.0.113.7')
    expect(await ask([], '::ffff:203.0.113.7')).toBe('203.0.113.7')
    expect(await ask([], undefined)).toBe('nobody')
  })

  test('is the last address that a trusted proxy vouches for', async () => {
    const proxies = ['10.0.0.0/8', '2001:db8::1']
    expect(await ask(proxies, '10.1.2.3', '198.51.100.1')).toBe('198.51.100.1')
    expect(await ask(proxies, '10.1.2.3', '1.1.1.1, 198.51.100.1, 10.9.9.9')).toBe('198.51.100.1')
    expect(await ask(proxies, '2001:db8::1', '198.51.100.1')).toBe('198.51.100.1')
    expect(await ask(proxies, '203.0.113.7', '198.51.100.1')).toBe('203.0.113.7')
    expect(await ask(proxies, '10.1.2.3', 'nonsense')).toBe('10.1.2.3')
    expect(await ask(proxies, '10.1.2.3')).toBe('10.1.2.3')
  })

  test('is a network of 64 bits in IPv6', async () => {
    expect(await ask([], '2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
    expect(await ask([], '2001:db8::6')).toBe('2001:db8:0:0::/64')
    expect(await ask([], '::1')).toBe('0:0:0:0::/64')
    expect(await ask([], 'fe80::1%eth0')).toBe('fe80:0:0:0::/64')
  })

  test('cannot be told through a proxy that is no address', () => {
    expect(() => createCallers(['proxy.example'])).toThrow("'proxy.example' is not the address of a proxy")
  })
})
