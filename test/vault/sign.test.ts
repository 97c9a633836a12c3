import { recoverMessageAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { unsupportedFrameEvents } from '../../src/wire/frame/calls.ts'
import { makeToken } from './support/backend.ts'
import { paths, user, withWallet } from './support/person.ts'
import { ask, openTab, person } from './support/rig.ts'

describe('signing', () => {
  const messages = [
    'hello',
    '',
    'žluťoučký kůň 🐎',
    'x'.repeat(20_000),
    '0x68656c6c6f',
    '0x',
    '0xZZ',
    'line\nline',
  ]
  const titled = messages.map((message) => [JSON.stringify(message).slice(0, 24), message] as const)
  test.each(titled)('viem recovers the address: %s', async (_, message) => {
    const { me, address } = await withWallet()
    const answer = await me.sign(address, message)
    expect(answer).toMatchObject({ address, chainType: 'ethereum', response: { method: 'personal_sign' } })
    const signature = answer.response?.data ?? '0x'
    expect(signature).toMatch(/^0x[0-9a-f]{128}1[bc]$/)
    const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
    expect(BigInt(`0x${signature.slice(66, 130)}`) <= halfOrder).toBe(true)
    const bytes = /^0x([0-9a-f]{2})*$/.test(message)
    const signed = bytes ? { raw: message as `0x${string}` } : message
    expect(await recoverMessageAddress({ message: signed, signature })).toBe(address)
  })

  test('after creating or connecting a signature needs no network', async () => {
    const { backend, device, token, me, address } = await withWallet()
    await me.sign(address, 'one')
    await me.sign(address.toLowerCase(), 'two')
    expect(paths(backend)).toEqual([''])
    const again = person(openTab(backend, device), token)
    expect(await again.connect(address)).toEqual({ entropyId: address })
    await again.sign(address, 'three')
    expect(paths(backend)).toEqual(['', '/auth_share'])
    const unconnected = person(openTab(backend, device), token)
    expect(await unconnected.sign(address, 'four')).toHaveProperty('response')
    expect(paths(backend)).toEqual(['', '/auth_share', '/auth_share'])
  })

  test('another token of the same person is shown to the server before it signs', async () => {
    const { backend, vault, me, address } = await withWallet()
    const next = makeToken(user)
    backend.refused.add(next)
    expect((await person(vault, next).sign(address, 'x')).error?.message).toMatch('did not accept the login')
    expect(await me.sign(address, 'x')).toHaveProperty('response')
    backend.refused.clear()
    expect(await person(vault, next).sign(address, 'x')).toHaveProperty('response')
  })

  test('logging out forgets what the server had released', async () => {
    const { backend, me, address } = await withWallet()
    await me.clear('did:privy:somebody else')
    await me.sign(address, 'x')
    expect(paths(backend)).toEqual([''])
    expect(await me.clear(user)).toEqual({})
    await me.sign(address, 'x')
    expect(paths(backend)).toEqual(['', '/auth_share'])
  })

  test('requests that are wrong or not supported get their type, and no signature', async () => {
    const { vault, token, me, address } = await withWallet()
    const request = (method: string, params: unknown) => ({ request: { method, params } })
    const other = `0x${'1'.repeat(40)}`
    const invalid = [
      request('personal_sign', []),
      request('personal_sign', ['x']),
      request('personal_sign', ['x', other]),
      request('personal_sign', [address, 'x']),
      request('personal_sign', ['x', address, 'more']),
      request('personal_sign', [{ raw: '0x12' }, address]),
      request('personal_sign', ['0x123', address]),
      request('personal_sign', ['lone \ud800', address]),
      request('personal_sign', 'x'),
      { hdWalletIndex: 'x' },
      { chainType: undefined },
      { entropyId: 'x' },
      { accessToken: undefined },
    ]
    for (const more of invalid) {
      const answer = await me.sign(address, 'x', more)
      expect([more, answer.error?.type]).toEqual([more, 'invalid_request_arguments'])
    }
    const methods = [
      'eth_sign',
      'eth_signTypedData_v4',
      'eth_signTransaction',
      'secp256k1_sign',
      'eth_accounts',
    ]
    const unsupported = [
      ...methods.map((method) => request(method, [address, 'x'])),
      { chainType: 'solana' },
      { hdWalletIndex: 1 },
      { requesterAppId: 'another' },
      { entropyIdVerifier: 'solana-address-verifier' },
    ]
    for (const more of unsupported) {
      const answer = await me.sign(address, 'x', more)
      expect([more, answer.error?.type, answer.error?.message]).toEqual([
        more,
        'error',
        expect.stringMatching('unsupported'),
      ])
    }
    for (const event of [...Object.values(unsupportedFrameEvents), 'privy:something:new'])
      expect(await ask(vault, event, { accessToken: token })).toEqual({
        error: { type: 'error', message: 'This request is unsupported' },
      })
  })
})
