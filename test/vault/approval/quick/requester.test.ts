/** Requests of other apps: the vault displays who asks as its own server says it, and signs what they ask for alone. */
import '../../support/quick-stretching.ts'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../../src/lib/clock.ts'
import type { ApprovalRequests } from '../../../../src/protocol/frame/approval.ts'
// Loaded beforehand, so that no test waits for the loading of what the vault loads lazily.
import '../../../../src/vault/approval/sign/evm-transaction/read.ts'
import '../../../../src/vault/approval/sign/requested-from.ts'
import '../../../../src/vault/approval/sign/typed-data/read.ts'
import '../../../../src/vault/approval/sign/user-operation/read.ts'
import '../../../../src/wallets/smart/accounts/coinbase-smart-wallet.ts'
import { formatUserOperation } from '../../../../src/ethereum/user-operation.ts'
import { sign } from '../../../../src/vault/approval/sign/flow.ts'
import { createContext } from '../../../../src/vault/create-context.ts'
import { loadSmartAccountCodec } from '../../../../src/wallets/smart/accounts/features.ts'
import { approvalOf } from '../../support/approval.ts'
import { partsOf, settings } from '../../support/device.ts'
import { recoveryMethodOf, withRecoveryMethod } from '../../support/recovery-methods.ts'

const id = 'r'.repeat(43)
const to = `0x${'ab'.repeat(20)}`
const requester = { id: 'harbor', name: 'Harbor', icon_url: null, origin: 'https://harbor.example' }
const transaction = { to, value: '0x64', chainId: 1 }
/** Allowed by the app's settings below. */
const code = { address: `0x${'dd'.repeat(20)}`, chainId: 1 } as const
const filledIn = {
  nonce: 0,
  type: 2,
  gasLimit: '0x5208',
  maxFeePerGas: '0x1',
  maxPriorityFeePerGas: '0x1',
}
const typed = {
  types: { Vote: [{ name: 'weight', type: 'uint256' }] },
  domain: { name: 'Harbor', chainId: 1 },
  primaryType: 'Vote',
  message: { weight: '12' },
}

/**
 * A request before a user whose page names another app's.
 * @param server what the server answers about it, with the address of the wallet
 */
async function review(
  content: (address: string) => object,
  server: (address: string) => { status?: number; body: object },
) {
  const { backend, device, token, address } = await withRecoveryMethod(recoveryMethodOf('automatic'))
  const asked: unknown[] = []
  const fetch: typeof backend.fetch = async (input, init) => {
    const path = new URL(String(input)).pathname
    if (path === '/api/v1/embedded_wallets/spending') return Response.json({ allowed: true })
    if (path !== '/api/v1/embedded_wallets/cross_app_requests/review') return backend.fetch(input, init)
    const headers = new Headers(init?.headers)
    asked.push({ ...JSON.parse(String(init?.body)), proved: headers.has('dpop') })
    const { status = 200, body } = server(address)
    return Response.json(body, { status })
  }
  const delegates = [{ address: code.address, chainId: 1, name: 'Batches', executesBatches: true }]
  const strict = { ...settings, vault: 'strict', frameSpending: true, delegates } as const
  const vault = createContext({ settings: strict, fetch, clock: systemClock, ...partsOf(device) })
  const request = {
    root: { chainType: 'ethereum', address },
    walletIndex: 0,
    address,
    requester: id,
    ...content(address),
  } as ApprovalRequests['sign']
  const approval = approvalOf<'sign'>(vault, token, request)
  const done = sign(approval.cx)
  done.catch(() => {})
  return { ...approval, asked, done, address }
}
const message = (text: string) => () => ({
  kind: 'message',
  message: `0x${Buffer.from(text).toString('hex')}`,
})
const asks = (method: string, params: (address: string) => readonly unknown[]) => (address: string) => ({
  body: { requester, method, params: params(address), expires_at: 1 },
})
const asksMessage = (text: string) => asks('personal_sign', (address) => [text, address])
const send =
  (more: object = {}) =>
  (address: string) => ({
    kind: 'evmTransaction',
    action: 'send',
    transaction: { ...transaction, ...filledIn, from: address, ...more },
  })
const asksTransaction = (more: object = {}) =>
  asks('eth_sendTransaction', (address) => [{ ...transaction, from: address, ...more }])

const codec = await loadSmartAccountCodec('coinbase_smart_wallet')
const smartOf = (owner: string) => codec.getAddress(owner as `0x${string}`)
const accountOf = (owner: string) => ({
  kind: codec.kind,
  version: codec.version,
  address: smartOf(owner),
  chainId: 1,
})
/** An operation of the wallet's smart account with these calls. */
const operate =
  (...calls: { to?: string; value?: bigint; data?: string }[]) =>
  (owner: string) => ({
    kind: 'userOperation',
    account: accountOf(owner),
    operation: formatUserOperation({
      sender: smartOf(owner),
      nonce: codec.nonceKey << 64n,
      callData: codec.encodeCalls(
        calls.map((call) => ({ to, value: 100n, data: '0x', ...call })) as Parameters<
          typeof codec.encodeCalls
        >[0],
      ),
      callGasLimit: 100n,
      verificationGasLimit: 200n,
      preVerificationGas: 50n,
      maxFeePerGas: 10n,
      maxPriorityFeePerGas: 1n,
      signature: '0x',
    } as never),
  })
const asksSmart = (more: object = {}) =>
  asks('eth_sendTransaction', (owner) => [{ ...transaction, from: smartOf(owner), ...more }])

describe('requests of other apps', () => {
  test('a message: name and origin are the server’s, asked once with the proof of the device', async () => {
    const { act, done, seen, asked } = await review(message('Hello'), asksMessage('Hello'))
    await act(['sign-message', 'sign'])
    expect(await done).toMatchObject({ signed: expect.stringMatching(/^0x/) })
    expect(seen[0]?.props).toMatchObject({
      message: 'Hello',
      app: 'Harbor',
      origin: 'https://harbor.example',
    })
    expect(asked).toEqual([{ request_id: id, proved: true }])
  })

  test('a message in hex is the same as its bytes', async () => {
    const { act, done } = await review(message('Hello'), asksMessage('0x48656c6c6f'))
    await act(['sign-message', 'sign'])
    expect(await done).toHaveProperty('signed')
  })

  test('typed data: the same in another order of keys', async () => {
    const { domain, types, ...rest } = typed
    const { act, done, seen } = await review(
      () => ({ kind: 'typedData', typedData: typed }),
      asks('eth_signTypedData_v4', (address) => [address, JSON.stringify({ ...rest, types, domain })]),
    )
    await act(['sign-typed-data', 'sign'])
    expect(await done).toHaveProperty('signed')
    expect(seen[0]?.props).toMatchObject({ app: 'Harbor', origin: 'https://harbor.example' })
  })

  test('a transaction: the page fills in nonce, gas and fees; the frame approves none, whatever the app allows', async () => {
    const { act, done, seen, trace } = await review(send(), asksTransaction({ value: '100' }))
    await act(['approve-transaction', 'approve'])
    expect(await done).toMatchObject({ signed: expect.stringMatching(/^0x02/) })
    expect(seen[0]?.props).toMatchObject({ preview: { app: 'Harbor', origin: 'https://harbor.example' } })
    expect(trace()).toEqual(['window approve-transaction'])
  })

  test('a sign-in at the other app’s own site is signed, and one at the page’s is not', async () => {
    const signIn = (host: string) => `${host} wants you to sign in with your Ethereum account:\n${to}`
    const own = signIn('harbor.example')
    const { act, done } = await review(message(own), asksMessage(own))
    await act(['sign-message', 'sign'])
    expect(await done).toHaveProperty('signed')
    const other = signIn('host.example')
    const refused = await review(message(other), asksMessage(other))
    await expect(refused.done).rejects.toThrow('The message signs in to another site')
  })

  test('a smart wallet: its operation carries out the one call that the other app wants, whatever its gas and fees', async () => {
    const { act, done, seen } = await review(operate({}), asksSmart({ gasLimit: '0x5208', nonce: 7 }))
    await act(['approve-calls', 'approve'])
    expect(await done).toHaveProperty('signed')
    expect(seen[0]?.props).toMatchObject({
      preview: { app: 'Harbor', origin: 'https://harbor.example', value: 100n },
    })
  })

  test('a smart wallet: a message and typed data that the account vouches for', async () => {
    const vouched = (content: (owner: string) => object) => (owner: string) => ({
      ...content(owner),
      account: accountOf(owner),
    })
    const first = await review(
      vouched(message('Hello')),
      asks('personal_sign', (owner) => ['Hello', smartOf(owner)]),
    )
    await first.act(['sign-message', 'sign'])
    expect(await first.done).toHaveProperty('signed')
    const second = await review(
      vouched(() => ({ kind: 'typedData', typedData: typed })),
      asks('eth_signTypedData_v4', (owner) => [smartOf(owner), typed]),
    )
    await second.act(['sign-typed-data', 'sign'])
    expect(await second.done).toHaveProperty('signed')
    expect(second.seen[0]?.props).toMatchObject({ app: 'Harbor' })
  })

  const forgeries: Record<string, [Parameters<typeof review>[0], Parameters<typeof review>[1]]> = {
    'another message': [message('Pay 100'), asksMessage('Hello')],
    'the same message for another wallet': [message('Hello'), asks('personal_sign', () => ['Hello', to])],
    'a message in place of typed data': [
      message('Hello'),
      asks('eth_signTypedData_v4', (address) => [address, typed]),
    ],
    'typed data in place of a message': [
      () => ({ kind: 'typedData', typedData: typed }),
      asksMessage('Hello'),
    ],
    'typed data with another value': [
      () => ({ kind: 'typedData', typedData: { ...typed, message: { weight: '13' } } }),
      asks('eth_signTypedData_v4', (address) => [address, typed]),
    ],
    'typed data that may be changed': [
      () => ({ kind: 'typedData', typedData: typed, isEditable: true }),
      asks('eth_signTypedData_v4', (address) => [address, typed]),
    ],
    'a transaction with another recipient': [send({ to: `0x${'ee'.repeat(20)}` }), asksTransaction()],
    'a transaction with a higher value': [send({ value: '0x65' }), asksTransaction()],
    'a transaction with other data': [send({ data: '0x1234' }), asksTransaction()],
    'a transaction on another chain': [send({ chainId: 8453 }), asksTransaction()],
    'a transaction that creates a contract': [send({ to: undefined, data: '0x60' }), asksTransaction()],
    'a transaction with an access list': [
      send({ accessList: [{ address: to, storageKeys: [] }] }),
      asksTransaction(),
    ],
    'a transaction with code for the wallet that nobody has asked for': [
      send({ type: 4, authorizationList: [code] }),
      asksTransaction(),
    ],
    'a transaction with other code for the wallet than was asked for': [
      send({ type: 4, authorizationList: [{ ...code, address: to }] }),
      asksTransaction({ type: 4, authorizationList: [code] }),
    ],
    'a transaction without the code for the wallet that was asked for': [
      send(),
      asksTransaction({ type: 4, authorizationList: [code] }),
    ],
    'an operation without the code that was asked for': [
      operate({}),
      asksSmart({ type: 4, authorizationList: [code] }),
    ],
    'a transaction that is signed and not sent': [
      (address) => ({ ...send()(address), action: 'sign' }),
      asksTransaction(),
    ],
    'a transaction of another wallet': [send(), asksTransaction({ from: to })],
    'an operation with another recipient': [operate({ to: `0x${'ee'.repeat(20)}` }), asksSmart()],
    'an operation with a higher value': [operate({ value: 101n }), asksSmart()],
    'an operation with other data': [operate({ data: '0x1234' }), asksSmart()],
    'an operation with one more call': [operate({}, { value: 0n }), asksSmart()],
    'an operation on another chain': [operate({}), asksSmart({ chainId: 8453 })],
    'an operation where the key’s wallet is asked': [operate({}), asksTransaction()],
    'a transaction of the key where its smart wallet is asked': [send(), asksSmart()],
    'an operation in place of a message': [operate({}), asksMessage('Hello')],
    'an operation of an account of another owner': [
      (owner) => ({ ...operate({})(owner), account: { ...accountOf(owner), address: to } }),
      asks('eth_sendTransaction', () => [{ ...transaction, from: to }]),
    ],
    'a message that the account vouches for where the key’s wallet is asked': [
      (owner) => ({ ...message('Hello')(), account: accountOf(owner) }),
      asksMessage('Hello'),
    ],
    'a message of the key where its smart wallet is asked': [
      message('Hello'),
      asks('personal_sign', (owner) => ['Hello', smartOf(owner)]),
    ],
    'parameters that are none': [message('Hello'), asks('personal_sign', () => [])],
  }
  test.each(Object.entries(forgeries))(
    'a page that asks for %s gets no signature, and nothing is displayed',
    async (_, [content, server]) => {
      const { done, seen } = await review(content, server)
      await expect(done).rejects.toThrow()
      expect(seen).toEqual([])
    },
  )

  const answers: Record<string, { status?: number; body: object }> = {
    'is over': { status: 400, body: { error: 'no', code: 'cross_app_request_over' } },
    'is another user’s': { status: 403, body: { error: 'no', code: 'cross_app_wrong_user' } },
    'has no app': { body: { method: 'personal_sign', params: ['Hello', to] } },
    'has an origin that is none': {
      body: { requester: { ...requester, origin: 'Harbor (verified)' }, method: 'personal_sign', params: [] },
    },
    'has a method of its own': { body: { requester, method: 'eth_sign', params: ['Hello', to] } },
  }
  test.each(Object.entries(answers))(
    'a request that %s by the server’s answer is not displayed',
    async (_, answer) => {
      const { done, seen } = await review(message('Hello'), () => answer)
      await expect(done).rejects.toThrow()
      expect(seen).toEqual([])
    },
  )

  test('a page that brings other content later gets nothing for it', async () => {
    const { cx, done, seen } = await review(
      (address) => ({ ...send()(address), state: 'preparing' }),
      asksTransaction(),
    )
    await expect.poll(() => seen.length).toBe(1)
    const { set, get } = cx.asked as unknown as { set(value: unknown): void; get(): object }
    const address = (get() as { address: string }).address
    set({ ...get(), ...send({ value: '0x65' })(address), state: undefined })
    await expect(done).rejects.toThrow('The other app asks for something else')
  })
})
