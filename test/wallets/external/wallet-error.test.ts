import { describe, expect, test } from 'vitest'
import { KitError } from '../../../src/errors/kit-error.ts'
import { TimedOut } from '../../../src/lib/clock.ts'
import { clientTypeOf, fieldOf, iconOf, lineOf } from '../../../src/wallets/external/claims.ts'
import { isUnknownChain, toRpcError, toWalletError } from '../../../src/wallets/external/wallet-error.ts'

const wire: readonly (readonly [number, string, boolean])[] = [
  [4001, 'wallet_rejected', true],
  [4100, 'wallet_unauthorized', false],
  [4200, 'unsupported_method', false],
  [4900, 'wallet_disconnected', true],
  [4901, 'wallet_disconnected', true],
  [4902, 'unsupported_chain_id', false],
  [-32700, 'generic_connect_wallet_error', false],
  [-32600, 'generic_connect_wallet_error', false],
  [-32601, 'unsupported_method', false],
  [-32602, 'generic_connect_wallet_error', false],
  [-32603, 'generic_connect_wallet_error', true],
  [-32000, 'generic_connect_wallet_error', false],
  [-32001, 'generic_connect_wallet_error', false],
  [-32002, 'wallet_request_pending', false],
  [-32003, 'generic_connect_wallet_error', true],
  [-32004, 'unsupported_method', false],
  [-32005, 'generic_connect_wallet_error', false],
  [-32006, 'generic_connect_wallet_error', false],
]

test.each(wire)('code %i is %s, to be tried again: %s (wire 3.5)', (code, ours, retryable) => {
  expect(toWalletError({ code, message: 'x' })).toMatchObject({ code: ours, retryable })
  expect(toWalletError(Object.assign(new Error('x'), { code: String(code) })).code).toBe(ours)
})

test.each([
  ['Request of type wallet_requestPermissions already pending', 'A connection is pending in the wallet'],
  ['Already processing eth_requestAccounts. Please wait.', 'A connection is pending in the wallet'],
  ['Already processing unlock. Please wait.', 'The wallet is locked'],
  ['busy', 'A request is pending in the wallet'],
])('-32002 with %j says: %s', (message, shortMessage) => {
  expect(toWalletError({ code: -32002, message })).toMatchObject({ shortMessage, retryable: false })
})

test('the precise code counts, at any depth of the wallet’s error', () => {
  const places = [
    { code: -32603, message: 'x', data: { originalError: { code: 4001 } } },
    { code: -32603, data: { code: 4001 } },
    Object.assign(new Error('x'), { cause: { code: 4001 } }),
    { error: { code: 4001, message: 'x' } },
  ]
  for (const error of places) expect(toWalletError(error).code).toBe('wallet_rejected')
})

test.each([
  'User rejected the request.',
  'MetaMask Tx Signature: User denied message signature.',
  'User denied account authorization',
  'Approval Denied',
  'User canceled',
  'The user closed the popup',
  'Connection rejected',
])('%j means that the person declined', (message) => {
  expect(toWalletError(new Error(message)).code).toBe('wallet_rejected')
  expect(toWalletError({ code: -32603, message }).code).toBe('wallet_rejected')
})

test('an error of ours comes back as it is, and time that is over is a timeout', () => {
  const own = new KitError('wallet_no_accounts', 'x')
  expect(toWalletError(own)).toBe(own)
  expect(toWalletError(new TimedOut('x')).code).toBe('wallet_timeout')
})

test.each([undefined, null, 7, true, 'boom', Symbol('x')])('%s is no error at all', (cause) => {
  expect(toWalletError(cause).code).toBe('unknown_connect_wallet_error')
})

const hostile: readonly (readonly [string, unknown])[] = [
  [
    'throws from its getters',
    {
      get code() {
        throw new Error('a')
      },
      get message() {
        throw new Error('b')
      },
    },
  ],
  [
    'is a proxy that throws',
    new Proxy(
      {},
      {
        get: () => {
          throw new Error()
        },
        getPrototypeOf: () => {
          throw new Error()
        },
      },
    ),
  ],
  [
    'has no end of prototypes',
    new Proxy({}, { getPrototypeOf: () => new Proxy({}, {}), getOwnPropertyDescriptor: () => undefined }),
  ],
  ['has no prototype', Object.assign(Object.create(null), { message: 'x' })],
  ['is of a megabyte', new Error('x'.repeat(1_000_000))],
  [
    'contains itself',
    (() => {
      const error: Record<string, unknown> = { message: 'x' }
      error.data = error
      error.cause = error
      return error
    })(),
  ],
  ['is a list', [4001]],
  ['is a function', () => 4001],
  ['has objects for fields', { code: { valueOf: () => 4001 }, message: { toString: () => 'User rejected' } }],
]
test.each(hostile)('an error that %s becomes a plain one', (_, cause) => {
  const error = toWalletError(cause)
  expect(error).toBeInstanceOf(KitError)
  expect(error.code).toBe('generic_connect_wallet_error')
  expect((error.details ?? '').length).toBeLessThanOrEqual(310)
  expect(typeof toRpcError(cause).code).toBe('number')
  expect(isUnknownChain(cause)).toBe(false)
})

test('a polluted Object.prototype changes nothing', () => {
  Object.assign(Object.prototype, { code: 4001, message: 'User rejected', data: { code: 4902 } })
  try {
    expect(toWalletError({}).code).toBe('generic_connect_wallet_error')
    expect(fieldOf({}, 'code')).toBeUndefined()
    expect(fieldOf(new Error('own'), 'message')).toBe('own')
  } finally {
    for (const name of ['code', 'message', 'data']) Reflect.deleteProperty(Object.prototype, name)
  }
})

describe('what a wallet calls itself', () => {
  test.each([
    ['MetaMask', 'metamask'],
    ['Rabby Wallet', 'rabby_wallet'],
    ['Crypto.com   Wallet Extension', 'crypto.com_wallet_extension'],
    ['privy', 'unknown'],
    ['PRIVY', 'unknown'],
    ['__proto__', 'unknown'],
    ['Constructor', 'unknown'],
    ['', 'unknown'],
  ])('%j is of the type %s', (name, type) => {
    expect(clientTypeOf(lineOf(name, 40))).toBe(type)
  })

  test('is one visible line of forty characters', () => {
    expect(lineOf('Meta\u202eMask\u0000\n\u200b wallet', 40)).toBe('MetaMask wallet')
    expect(lineOf('x'.repeat(1_000_000), 40)).toBe('x'.repeat(40))
    expect(lineOf('😀'.repeat(100), 40)).toBe('😀'.repeat(40))
    expect(lineOf(`Z${'\u0301'.repeat(500)}algo`, 40).length).toBeLessThan(10)
    expect(lineOf('<img src=x onerror=alert(1)>', 40)).toBe('<img src=x onerror=alert(1)>')
    for (const no of [undefined, null, 7, {}, ['x'], { toString: () => 'x' }]) expect(lineOf(no, 40)).toBe('')
  })

  test('comes with an icon only when that is an image of its own', () => {
    const good = [
      'data:image/svg+xml,<svg onload="x"/>',
      'data:image/png;base64,AA==',
      ' data:image/webp;base64,AA==\n',
    ]
    for (const icon of good) expect(iconOf(icon)).toBe(icon.trim())
    const bad: unknown[] = [
      ...[
        'https://evil.example/x.png',
        'javascript:alert(1)',
        'data:text/html,<script>',
        'data:image/',
        '//x',
        '',
      ],
      ...['data:image/svg+xml', 'blob:https://x', undefined, null, 7, {}, ['data:image/png;base64,AA==']],
      `data:image/png;base64,${'A'.repeat(65_536)}`,
    ]
    for (const icon of bad) expect(iconOf(icon)).toBeUndefined()
  })
})
