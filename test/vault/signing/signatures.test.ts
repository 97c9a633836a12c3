import { ed25519 } from '@noble/curves/ed25519.js'
import { recoverAddress, recoverMessageAddress, recoverTypedDataAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { parseUserOperation } from '../../../src/ethereum/user-operation.ts'
import type { Plain } from '../../../src/lib/plain.ts'
import { formatBase58 } from '../../../src/solana/base58.ts'
import { statements } from '../../../src/vault/statements.ts'
import { loadSmartAccountCodec } from '../../../src/wallets/smart/accounts/features.ts'
import { hashOperation } from '../../../src/wallets/smart/accounts/signatures.ts'
import { appId, makeToken } from '../support/backend.ts'
import { ask, type Outcome, openTab, person } from '../support/device.ts'
import { paths, user, withWallet } from '../support/person.ts'
import { unsupportedEvents } from '../support/unsupported-events.ts'

const ethereum = { chainType: 'ethereum', hdWalletIndex: 0 }
const solana = { chainType: 'solana', hdWalletIndex: 0 }
const signatureOf = ({ response }: Outcome) => response?.data ?? '0x'
/** What a Solana wallet answers. */
const solanaSignatureOf = ({ response }: Outcome) => {
  const { signature } = (response?.data as unknown as { signature?: string }) ?? {}
  return Buffer.from(signature ?? '', 'base64')
}
const base64 = (text: string) => Buffer.from(text).toString('base64')

const mail = {
  types: { EIP712Domain: [{ name: 'name', type: 'string' }], Mail: [{ name: 'text', type: 'string' }] },
  primaryType: 'Mail',
  domain: { name: 'Post' },
  message: { text: 'hello' },
} as const
const hash = `0x${'ab'.repeat(32)}` as const

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
    const signature = signatureOf(answer)
    expect(signature).toMatch(/^0x[0-9a-f]{128}1[bc]$/)
    const bytes = /^0x([0-9a-f]{2})*$/.test(message)
    const signed = bytes ? { raw: message as `0x${string}` } : message
    expect(await recoverMessageAddress({ message: signed, signature })).toBe(address)

    const again = await me.rpc(address, ethereum, { method: 'eth_sign', params: [address, message] })
    expect(again).toEqual({ ...answer, response: { method: 'eth_sign', data: signature } })
  })

  test('eth_sign of 32 bytes signs a message of 32 bytes, never the bytes themselves', async () => {
    const { me, address } = await withWallet()
    const signature = signatureOf(
      await me.rpc(address, ethereum, { method: 'eth_sign', params: [address, hash] }),
    )
    expect(await recoverMessageAddress({ message: { raw: hash }, signature })).toBe(address)
    expect(await recoverAddress({ hash, signature })).not.toBe(address)
  })

  test('secp256k1_sign signs the 32 bytes as they are', async () => {
    const { me, address } = await withWallet()
    const answer = await me.rpc(address, ethereum, { method: 'secp256k1_sign', params: [hash] })
    expect(answer).toMatchObject({ address, chainType: 'ethereum', response: { method: 'secp256k1_sign' } })
    expect(await recoverAddress({ hash, signature: signatureOf(answer) })).toBe(address)
  })

  test('typed data, as an object and as text', async () => {
    const { me, address } = await withWallet()
    for (const data of [mail, JSON.stringify(mail)]) {
      const answer = await me.rpc(address, ethereum, {
        method: 'eth_signTypedData_v4',
        params: [address, data],
      })
      expect(answer).toMatchObject({ address, response: { method: 'eth_signTypedData_v4' } })
      expect(await recoverTypedDataAddress({ ...mail, signature: signatureOf(answer) })).toBe(address)
    }
  })

  test('of the two signatures that fit, always the one with the low s', async () => {
    const { me, address } = await withWallet()
    const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
    for (let i = 0; i < 40; i++) {
      const signature = signatureOf(await me.sign(address, `message ${i}`))
      expect(BigInt(`0x${signature.slice(66, 130)}`) <= halfOrder).toBe(true)
    }
  })

  test('wallets of other indexes, by an address of their own', async () => {
    const { me, address } = await withWallet()
    for (const hdWalletIndex of [1, 3, 2 ** 31 - 1]) {
      const added = (await me.add(address, 'ethereum', hdWalletIndex)).address ?? ''
      expect(added).not.toBe(address)
      const path = { ...ethereum, hdWalletIndex }
      const answer = await me.rpc(address, path, { method: 'personal_sign', params: ['x', added] })
      expect(answer.address).toBe(added)
      expect(await recoverMessageAddress({ message: 'x', signature: signatureOf(answer) })).toBe(added)
      const wrong = await me.rpc(address, path, { method: 'personal_sign', params: ['x', address] })
      expect(wrong.error).toEqual({
        type: 'invalid_request_arguments',
        message: 'The address does not belong to the wallet',
      })
    }
  })

  test('imported wallets sign as what they are, and have no other wallets', async () => {
    const { me } = await withWallet()
    const privateKey = `0x${'46'.repeat(32)}`
    const { address = '' } = await me.importKey('ethereum', privateKey)
    const answer = await me.sign(address, 'x')
    expect(await recoverMessageAddress({ message: 'x', signature: signatureOf(answer) })).toBe(address)
    for (const path of [{ ...ethereum, hdWalletIndex: 1 }, solana]) {
      const request =
        path.chainType === 'solana'
          ? { method: 'signMessage', params: { message: '' } }
          : { method: 'secp256k1_sign', params: [hash] }
      expect((await me.rpc(address, path, request)).error?.type).toBe('invalid_request_arguments')
    }
  })

  test('Solana signs messages, of index 0 and of others, by either name of the root', async () => {
    const { me, address } = await withWallet()
    const { publicKey = '' } = await me.createSolana({ ethereumAddress: address })
    const other = (await me.add(address, 'solana', 2)).address ?? ''
    for (const root of [address, publicKey])
      for (const [hdWalletIndex, signer] of [
        [0, publicKey],
        [2, other],
      ] as const)
        for (const text of ['hello', '', 'ž'.repeat(500)]) {
          const request = { method: 'signMessage', params: { message: base64(text) } }
          const answer = await me.rpc(root, { ...solana, hdWalletIndex }, request)
          expect(answer).toMatchObject({
            address: signer,
            chainType: 'solana',
            response: { method: 'signMessage' },
          })
          const signature = solanaSignatureOf(answer)
          const verified = [publicKey, other].filter((key) =>
            ed25519.verify(signature, Buffer.from(text), keyOf(key), { zip215: false }),
          )
          expect(verified).toEqual([signer])
        }
  })

  test('an imported Solana wallet signs by its seed', async () => {
    const { me } = await withWallet()
    const seed = new Uint8Array(32).fill(7)
    const publicKey = ed25519.getPublicKey(seed)
    const { address = '' } = await me.importKey(
      'solana',
      formatBase58(Uint8Array.from([...seed, ...publicKey])),
    )
    expect(address).toBe(formatBase58(publicKey))
    const request = { method: 'signMessage', params: { message: base64('hi') } }
    const signature = solanaSignatureOf(await me.rpc(address, solana, request))
    expect(ed25519.verify(signature, Buffer.from('hi'), publicKey)).toBe(true)
  })

  test('after creating or connecting a signature needs no network', async () => {
    const { backend, device, token, me, address } = await withWallet()
    await me.sign(address, 'one')
    await me.sign(address.toLowerCase(), 'two')
    await me.rpc(address, ethereum, { method: 'eth_signTypedData_v4', params: [address, mail] })
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
})

describe('refusals', () => {
  const request = (method: string, params: unknown) => ({ request: { method, params } })
  const other = `0x${'1'.repeat(40)}`

  test('requests that are wrong get no signature', async () => {
    const { me, address } = await withWallet()
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
      request('personal_sign', { 0: 'x', 1: address, length: 2 }),
      request('eth_sign', ['x', address]),
      request('eth_sign', [other, 'x']),
      request('eth_sign', [address]),
      request('eth_signTypedData_v4', [mail, address]),
      request('eth_signTypedData_v4', [other, mail]),
      request('eth_signTypedData_v4', [address, { ...mail, message: {} }]),
      request('eth_signTypedData_v4', [address, 'hello']),
      request('secp256k1_sign', []),
      request('secp256k1_sign', [hash.slice(0, -2)]),
      request('secp256k1_sign', [`${hash}00`]),
      request('secp256k1_sign', [hash.slice(2)]),
      request('secp256k1_sign', [hash, address]),
      { hdWalletIndex: 'x' },
      { hdWalletIndex: -1 },
      { hdWalletIndex: 2 ** 31 },
      { chainType: undefined },
      { chainType: 'bitcoin' },
      { entropyId: 'x' },
      { accessToken: undefined },
      { chainType: 'solana', ...request('signMessage', { message: 'not base64!' }) },
      { chainType: 'solana', ...request('signMessage', { message: 'aGk' }) },
      { chainType: 'solana', ...request('signMessage', { message: 'aGl=' }) },
      { chainType: 'solana', ...request('signMessage', { message: base64('x'), more: 1 }) },
      { chainType: 'solana', ...request('signMessage', {}) },
      { chainType: 'solana', ...request('signMessage', [base64('x')]) },
    ]
    for (const more of invalid) {
      const answer = await me.sign(address, 'x', more)
      expect([more, answer.error?.type]).toEqual([more, 'invalid_request_arguments'])
    }
  })

  test('raw hashes are not signed where the app has not asked for it', async () => {
    const { backend, device, token, address } = await withWallet()
    const me = person(openTab(backend, device, undefined, { rawSigning: false }), token)
    for (const [method, params] of [
      ['eth_sign', [address, hash]],
      ['secp256k1_sign', [hash]],
    ] as const) {
      const { response, error } = await me.rpc(address, ethereum, { method, params })
      expect([method, response, error?.message]).toEqual([
        method,
        undefined,
        'Signing raw hashes is unsupported',
      ])
    }
    expect(signatureOf(await me.sign(address, 'hello'))).toMatch(/^0x[0-9a-f]{130}$/)
  })

  test('operations of Coinbase’s smart wallets are signed where the app has such wallets, and for their owner alone', async () => {
    const { backend, device, token, address } = await withWallet()
    const settings = { rawSigning: false, operationSigning: true }
    const me = person(openTab(backend, device, undefined, settings), token)
    const codec = await loadSmartAccountCodec('coinbase_smart_wallet')
    const operation = (sender: string) => ({
      sender,
      nonce: '0x0',
      callData: '0x',
      callGasLimit: '0x1',
      verificationGasLimit: '0x1',
      preVerificationGas: '0x1',
      maxFeePerGas: '0x1',
      maxPriorityFeePerGas: '0x1',
    })
    const ask = (params: Plain[]) => me.rpc(address, ethereum, { method: 'csw_signUserOperation', params })
    const sender = codec.getAddress(address as `0x${string}`)
    const { response } = await ask([operation(sender), 8_453])
    const hashed = hashOperation(
      codec,
      parseUserOperation({ ...operation(sender), signature: '0x' }, '0.6'),
      8_453,
    )
    const bare = await me.rpc(address, ethereum, { method: 'secp256k1_sign', params: [hashed] })
    const own = bare.response?.data as `0x${string}`
    expect(await recoverAddress({ hash: hashed, signature: own })).toBe(address)
    expect(response?.data).toBe(codec.toOperationSignature(own))
    const others = [
      [operation(address), 8_453],
      [operation(sender)],
      [{ ...operation(sender), more: 1 }, 1],
      [],
    ]
    for (const params of others) expect((await ask(params)).error?.type).toBe('invalid_request_arguments')
    // Nothing else becomes possible by it.
    expect(
      (await me.rpc(address, ethereum, { method: 'eth_sign', params: [address, hash] })).error?.message,
    ).toBe('Signing raw hashes is unsupported')
  })

  test('what the vault does not do is said to be unsupported', async () => {
    const { vault, token, me, address } = await withWallet()
    const methods = [
      'eth_accounts',
      'eth_sendTransaction',
      'eth_signTypedData',
      'signMessage',
      'toString',
      '',
    ]
    const unsupported = [
      ...methods.map((method) => request(method, [address, 'x'])),
      request('csw_signUserOperation', { sender: address }),
      ...['personal_sign', 'signTransaction', 'constructor'].map((method) => ({
        chainType: 'solana',
        ...request(method, { message: base64('x') }),
      })),
      { requesterAppId: 'another' },
    ]
    for (const more of unsupported) {
      const answer = await me.sign(address, 'x', more)
      expect([more, answer.error?.type, answer.error?.message]).toEqual([
        more,
        'error',
        expect.stringMatching('unsupported'),
      ])
    }
    expect(await me.sign(address, 'x', { requesterAppId: appId })).toHaveProperty('response')
    for (const event of unsupportedEvents)
      expect(await ask(vault, event, { accessToken: token })).toEqual({
        error: { type: 'error', message: 'This request is unsupported' },
      })
  })

  test('no page gets a signature under what the vault tells its server', async () => {
    const { me, address } = await withWallet()
    const values = {
      app: appId,
      user,
      wallet: 'w',
      set: 's',
      change: 'c',
      method: 'm',
      package: 'p',
      address,
    }
    const own = [
      statements.walletCreated(values),
      statements.walletAdded({ ...values, chain: 'ethereum', index: 1 }),
      statements.deviceAdded(values),
      statements.recoveryChanged(values),
    ]
    for (const text of own) {
      const hex = `0x${Buffer.from(text).toString('hex')}`
      const requests = [
        request('personal_sign', [text, address]),
        request('personal_sign', [hex, address]),
        request('eth_sign', [address, hex]),
        { chainType: 'solana', ...request('signMessage', { message: base64(text) }) },
      ]
      for (const more of requests)
        expect((await me.sign(address, 'x', more)).error?.message).toMatch('reserved for the wallet service')
    }
    expect(await me.sign(address, 'Latchkey embedded wallet')).toHaveProperty('response')
  })
})

function keyOf(address: string): Uint8Array {
  let number = 0n
  for (const letter of address)
    number =
      number * 58n + BigInt('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'.indexOf(letter))
  return Uint8Array.from(Buffer.from(number.toString(16).padStart(64, '0'), 'hex'))
}
