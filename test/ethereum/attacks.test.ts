/** Requests that take more than their names say, as the vault's own screen displays them. */
import { encodeAbiParameters, encodeFunctionData, encodePacked, parseAbi, parseEther, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { SignRequest } from '../../src/protocol/frame/sign-request.ts'
import { readVaultScreen, says } from '../support/vault-screen.ts'

const wallet = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const evil = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
const account = '0xA238cBeB142c10Ef7ad8442C6d1F9e89E07e7762'
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const zero = `0x${'0'.repeat(40)}` as const
const [multiSendLibrary] = ['0x40A2aCCbd92BCA938b02010E17A5b8929b49130D'] as const

const abi = parseAbi([
  'function execute(address,uint256,bytes)',
  'function execute(bytes32,bytes)',
  'function executeBatch((address target,uint256 value,bytes data)[])',
  'function executeBatch(address[],uint256[],bytes[])',
  'function multicall(bytes[])',
  'function multiSend(bytes)',
  'function aggregate3Value((address target,bool allowFailure,uint256 value,bytes callData)[])',
  'function execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
  'function execTransactionFromModule(address,uint256,bytes,uint8)',
  'function transfer(address,uint256)',
  'function approve(address,uint256)',
])
const call = (functionName: string, ...args: readonly unknown[]) =>
  encodeFunctionData({ abi, functionName, args } as never) as `0x${string}`
const execute = (to: string, value: bigint, data = '0x') => call('execute', to, value, data)
const batchOf = (calls: readonly (readonly [string, bigint, string?])[]) =>
  call(
    'executeBatch',
    calls.map(([target, value, data = '0x']) => ({ target, value, data })),
  )
const modeOf = (start: string) => `0x${start.padEnd(64, '0')}` as const
const modular = (calls: readonly (readonly [string, bigint, string?])[], mode = '01') =>
  encodeFunctionData({
    abi: parseAbi(['function execute(bytes32,bytes)']),
    args: [
      modeOf(mode),
      encodeAbiParameters(
        [
          {
            type: 'tuple[]',
            components: [
              { name: 'target', type: 'address' },
              { name: 'value', type: 'uint256' },
              { name: 'data', type: 'bytes' },
            ],
          },
        ],
        [calls.map(([target, value, data = '0x']) => ({ target, value, data })) as never],
      ),
    ],
  })
const single = (to: string, value: bigint, data = '0x', mode = '00') =>
  encodeFunctionData({
    abi: parseAbi(['function execute(bytes32,bytes)']),
    args: [
      modeOf(mode),
      encodePacked(['address', 'uint256', 'bytes'], [to as `0x${string}`, value, data as `0x${string}`]),
    ],
  })
const packed = (calls: readonly (readonly [string, bigint, string?])[]) =>
  `0x${calls
    .map(([to, value, data = '0x']) =>
      encodePacked(
        ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
        [0, to as `0x${string}`, value, BigInt((data.length - 2) / 2), data as `0x${string}`],
      ).slice(2),
    )
    .join('')}` as const
const multiSend = (calls: Parameters<typeof packed>[0]) => call('multiSend', packed(calls))
const safe = (
  to: string,
  value: bigint,
  data = '0x',
  {
    operation = 0,
    safeTxGas = 0n,
    baseGas = 0n,
    gasPrice = 0n,
    gasToken = zero as string,
    receiver = zero as string,
  } = {},
) =>
  call('execTransaction', to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, receiver, '0x')

const asked = (transaction: object): SignRequest =>
  ({
    kind: 'evmTransaction',
    root: { chainType: 'ethereum', address: wallet },
    walletIndex: 0,
    address: wallet,
    action: 'send',
    transaction: {
      chainId: 1,
      nonce: '0x1',
      gasLimit: '0x30d40',
      maxFeePerGas: '0x3b9aca00',
      maxPriorityFeePerGas: '0x1',
      ...transaction,
    },
  }) as unknown as SignRequest
const screenOf = (to: string | undefined, data: string, value = 0n) =>
  readVaultScreen(asked({ ...(to && { to }), data, value: toHex(value) }))

const ether100 = parseEther('100')

describe('calls that an account carries out', () => {
  test.each<[string, string, string, bigint?]>([
    ['execute of an own account', account, execute(evil, ether100)],
    ['execute within execute', account, execute(account, 0n, execute(evil, ether100))],
    ['executeBatch of an own account', account, batchOf([[evil, ether100]])],
    ['executeBatch with three lists', account, call('executeBatch', [evil], [ether100], ['0x'])],
    ['execTransaction of a Safe', account, safe(evil, ether100)],
    [
      'execTransaction that runs a list of calls',
      account,
      safe(multiSendLibrary, 0n, multiSend([[evil, ether100]]), { operation: 1 }),
    ],
    ['execTransactionFromModule', account, call('execTransactionFromModule', evil, ether100, '0x', 0)],
    ['executeBatch of the wallet to itself', wallet, batchOf([[evil, ether100]])],
    ['a single call of an account with modules', account, single(evil, ether100)],
    ['a batch of an account with modules', account, modular([[evil, ether100]])],
    ['a multicall that carries it out', account, call('multicall', [execute(evil, ether100)])],
    [
      'four levels of accounts',
      account,
      execute(account, 0n, execute(account, 0n, execute(account, 0n, execute(evil, ether100)))),
    ],
    [
      'a list that passes on what the wallet sends',
      account,
      call('aggregate3Value', [{ target: evil, allowFailure: false, value: ether100, callData: '0x' }]),
      ether100,
    ],
  ])('%s: the amount, its recipient and the sum stand on the screen', async (_, to, data, value) => {
    const screen = await screenOf(to, data, value)
    const { text, headline } = screen
    expect(headline).toEqual(['−100 ETH'])
    expect(text).toContain('Amount 100 ETH')
    expect(says(screen, evil)).toBe(true)
    expect(text).not.toMatch(/(^|\s)−?0 ETH/)
  })

  const back = execute(wallet, parseEther('90'))
  const tried = [{ target: wallet, allowFailure: true, value: parseEther('90'), callData: '0x' }]
  test.each<[string, string]>([
    ['a Safe whose gas is paid back', safe(wallet, parseEther('90'), '0x', { gasPrice: 1n })],
    ['a Safe that gives the call gas of its own', safe(wallet, parseEther('90'), '0x', { safeTxGas: 1n })],
    ['a module of a Safe', call('execTransactionFromModule', wallet, parseEther('90'), '0x', 0)],
    ['a list that goes on after a failure', call('aggregate3Value', tried)],
    ['a call that an account with modules tries', single(wallet, parseEther('90'), '0x', '0001')],
    ['calls that an account with modules tries', modular([[wallet, parseEther('90')]], '0101')],
  ])('what %s sends back may fail, and makes up for nothing', async (_, data) => {
    const calls: [string, bigint, string][] = [
      [account, ether100, '0x12345678'],
      [account, 0n, data],
    ]
    expect((await screenOf(wallet, batchOf(calls))).headline).toEqual(['−100 ETH'])
  })

  test('what an account sends back for certain is not lost', async () => {
    const calls: [string, bigint, string][] = [
      [account, ether100, '0x12345678'],
      [account, 0n, back],
    ]
    expect((await screenOf(wallet, batchOf(calls))).headline).toEqual(['−10 ETH'])
  })

  test('what a call that may fail passes on is counted once', async () => {
    const passed = safe(evil, ether100, '0x', { gasPrice: 1n })
    expect((await screenOf(account, passed, ether100)).headline).toEqual(['−100 ETH'])
  })

  test('a transfer of tokens by an account names the account that it comes from', async () => {
    const screen = await screenOf(account, execute(usdc, 0n, call('transfer', evil, 5n)))
    expect(says(screen, `From ${account}`)).toBe(true)
    expect(says(screen, evil)).toBe(true)
  })
})

describe('equal calls of a batch', () => {
  const ten = Array.from({ length: 10 }, () => [evil, parseEther('1')] as const)
  const poisoned = [
    [evil, 1n],
    [evil, ether100],
  ] as const
  test.each([
    ['multiSend', (calls: typeof ten) => safe(multiSendLibrary, 0n, multiSend(calls), { operation: 1 })],
    ['a batch of modules', modular],
    ['executeBatch', batchOf],
    [
      'three lists',
      (calls: typeof ten) =>
        call(
          'executeBatch',
          calls.map(([to]) => to),
          calls.map(([, value]) => value),
          calls.map(() => '0x'),
        ),
    ],
    [
      'multicall of execute',
      (calls: typeof ten) =>
        call(
          'multicall',
          calls.map(([to, value]) => execute(to, value)),
        ),
    ],
  ])('%s: ten equal transfers have ten rows and their sum', async (_, encode) => {
    const { preview, headline } = await screenOf(account, encode(ten))
    expect(preview?.actions.filter(({ kind }) => kind === 'transfer')).toHaveLength(10)
    expect(headline).toEqual(['−10 ETH'])
  })

  test.each([
    ['multiSend', multiSend(poisoned)],
    ['a batch of modules', modular(poisoned)],
    ['executeBatch', batchOf(poisoned)],
  ])('%s: one wei and then 100 ETH for one address are two', async (_, data) => {
    const screen = await screenOf(account, data)
    const { headline, preview } = screen
    expect(preview?.actions.filter(({ kind }) => kind === 'transfer')).toHaveLength(2)
    expect(headline).toEqual(['−100.000000000000000001 ETH'])
    expect(says(screen, `Amount 100 ETH To ${evil}`)).toBe(true)
    expect(says(screen, `Amount 0.000000000000000001 ETH To ${evil}`)).toBe(true)
  })
})

describe('refunds of a Safe', () => {
  const priced = { baseGas: 1n, gasPrice: 10n ** 12n, gasToken: usdc, receiver: evil }
  test.each<[string, string]>([
    ['with a call', safe(evil, 0n, '0xdeadbeef', priced)],
    ['with nothing else', safe(wallet, 0n, '0x', priced)],
    ['in coins', safe(wallet, 0n, '0x', { ...priced, gasToken: zero })],
    [
      'of a delegate call',
      safe(multiSendLibrary, 0n, multiSend([[wallet, 0n]]), { ...priced, operation: 1 }),
    ],
    ['within a multicall', call('multicall', [safe(wallet, 0n, '0x', priced)])],
    ['within a batch', batchOf([[account, 0n, safe(wallet, 0n, '0x', priced)]])],
  ])('execTransaction %s: red, with the most that it can be and who gets it', async (_, data) => {
    const screen = await screenOf(account, data)
    const { text, warnings } = screen
    expect(warnings.map(({ code, severity }) => `${severity} ${code}`)).toContain('danger refund')
    expect(text).toContain('Refund for sending it')
    expect(says(screen, `To ${evil}`)).toBe(true)
  })

  test('execTransaction whose refund comes back to the wallet that sends it: no danger', async () => {
    const { warnings } = await screenOf(account, safe(wallet, 0n, '0x', { baseGas: 1n, gasPrice: 5n }))
    expect(warnings.map(({ code }) => code)).not.toContain('refund')
  })

  const typed = (more: object): SignRequest =>
    ({
      kind: 'typedData',
      root: { chainType: 'ethereum', address: wallet },
      walletIndex: 0,
      address: wallet,
      chainId: 1,
      typedData: {
        domain: { chainId: 1, verifyingContract: account },
        primaryType: 'SafeTx',
        types: {
          SafeTx: Object.entries({
            to: 'address',
            value: 'uint256',
            data: 'bytes',
            operation: 'uint8',
            safeTxGas: 'uint256',
            baseGas: 'uint256',
            gasPrice: 'uint256',
            gasToken: 'address',
            refundReceiver: 'address',
            nonce: 'uint256',
          }).map(([name, type]) => ({ name, type })),
        },
        message: {
          to: evil,
          value: '0',
          data: '0x',
          operation: 0,
          safeTxGas: '0',
          baseGas: '0',
          gasPrice: '0',
          gasToken: zero,
          refundReceiver: zero,
          nonce: '1',
          ...more,
        },
      },
    }) as unknown as SignRequest

  test.each([
    ['in tokens', { baseGas: '1', gasPrice: '1000000000000', gasToken: usdc, refundReceiver: evil }],
    ['in coins', { baseGas: '1', gasPrice: '1000000000000', refundReceiver: evil }],
    ['for whoever sends it', { safeTxGas: '21000', gasPrice: '1000000000000' }],
  ])('SafeTx %s: red, with the most that it can be', async (_, more) => {
    const { text, warnings } = await readVaultScreen(typed(more))
    expect(warnings.map(({ code, severity }) => `${severity} ${code}`)).toContain('danger refund')
    expect(text).toContain('Refund for sending it')
  })

  test('SafeTx without a refund: none is claimed', async () => {
    const { text, warnings } = await readVaultScreen(typed({ value: String(ether100) }))
    expect(warnings.map(({ code }) => code)).not.toContain('refund')
    expect(text).not.toContain('Refund')
    expect(text).toContain('100 ETH')
  })
})

test('a contract that is created with coins: the amount and the creation stand on the screen', async () => {
  const { text, headline } = await screenOf(undefined, '0x6001600055', parseEther('1'))
  expect(headline).toEqual(['−1 ETH'])
  expect(text).toContain('Contract creation')
  expect(text).toContain('Sent along 1 ETH')
})

const isCautioned = (warnings: readonly { readonly severity: string }[]) =>
  warnings.some(({ severity }) => severity !== 'info')

describe('calls that let somebody act for the user', () => {
  const data = (signature: string, ...args: readonly unknown[]) =>
    encodeFunctionData({ abi: parseAbi([`function ${signature}`] as readonly string[]), args } as never)
  test.each<[string, `0x${string}`]>([
    ['0xdeadbeef', '0xdeadbeef'],
    ['0xdeadbeef with an address', `0xdeadbeef${evil.slice(2).padStart(64, '0')}`],
    ['authorizeOperator', data('authorizeOperator(address)', evil)],
    ['approveDelegation', data('approveDelegation(address,uint256)', evil, ether100)],
    ['allow of Comet', data('allow(address,bool)', evil, true)],
    ['setAuthorization of Morpho', data('setAuthorization(address,bool)', evil, true)],
    [
      'setup of a Safe',
      data(
        'setup(address[],uint256,address,bytes,address,address,uint256,address)',
        [evil],
        1n,
        zero,
        '0x',
        zero,
        zero,
        0n,
        zero,
      ),
    ],
    ['hope of Maker', data('hope(address)', evil)],
    ['rely of Maker', data('rely(address)', evil)],
    ['delegate of votes', data('delegate(address)', evil)],
    ['transferOwnership', data('transferOwnership(address)', evil)],
    ['grantRole', data('grantRole(bytes32,address)', `0x${'00'.repeat(32)}`, evil)],
    ['enableModule', data('enableModule(address)', evil)],
    ['addOwnerWithThreshold', data('addOwnerWithThreshold(address,uint256)', evil, 1n)],
    ['setOwner', data('setOwner(bytes32,address)', `0x${'11'.repeat(32)}`, evil)],
    ['redeem of a vault for somebody', data('redeem(uint256,address,address)', ether100, evil, wallet)],
    ['upgradeTo', data('upgradeTo(address)', evil)],
    ['approveAndCall', data('approveAndCall(address,uint256,bytes)', evil, ether100, '0x')],
    ['a function that nobody knows, within an account', execute(usdc, 0n, '0xdeadbeef')],
    ['data of two bytes', '0xdead'],
  ])('%s: has a caution, asked alone and within a batch', async (_, bytes) => {
    expect(isCautioned((await screenOf(usdc, bytes)).warnings)).toBe(true)
    expect(isCautioned((await screenOf(account, batchOf([[usdc, 0n, bytes]]))).warnings)).toBe(true)
  })
})

describe('typed data that let somebody act for the user', () => {
  const typedOf = (
    primaryType: string,
    fields: Record<string, string>,
    message: object,
    domain: object = {},
  ) =>
    ({
      kind: 'typedData',
      root: { chainType: 'ethereum', address: wallet },
      walletIndex: 0,
      address: wallet,
      chainId: 1,
      typedData: {
        domain: { name: 'App', version: '1', chainId: 1, verifyingContract: usdc, ...domain },
        primaryType,
        types: { [primaryType]: Object.entries(fields).map(([name, type]) => ({ name, type })) },
        message,
      },
    }) as unknown as SignRequest
  test.each<[string, SignRequest]>([
    [
      'Authorization of Morpho',
      typedOf(
        'Authorization',
        {
          authorizer: 'address',
          authorized: 'address',
          isAuthorized: 'bool',
          nonce: 'uint256',
          deadline: 'uint256',
        },
        { authorizer: wallet, authorized: evil, isAuthorized: true, nonce: '0', deadline: '99999999999' },
      ),
    ],
    [
      'Authorization of Comet',
      typedOf(
        'Authorization',
        { owner: 'address', manager: 'address', isAllowed: 'bool', nonce: 'uint256', expiry: 'uint256' },
        { owner: wallet, manager: evil, isAllowed: true, nonce: '0', expiry: '99999999999' },
      ),
    ],
    [
      'DelegationWithSig of Aave',
      typedOf(
        'DelegationWithSig',
        { delegatee: 'address', value: 'uint256', nonce: 'uint256', deadline: 'uint256' },
        { delegatee: evil, value: String(ether100), nonce: '0', deadline: '99999999999' },
      ),
    ],
    [
      'ApproveAgent of Hyperliquid',
      typedOf(
        'HyperliquidTransaction:ApproveAgent',
        { hyperliquidChain: 'string', agentAddress: 'address', agentName: 'string', nonce: 'uint64' },
        { hyperliquidChain: 'Mainnet', agentAddress: evil, agentName: 'x', nonce: '1' },
        { name: 'HyperliquidSignTransaction', verifyingContract: zero },
      ),
    ],
    [
      'UsdSend of Hyperliquid',
      typedOf(
        'HyperliquidTransaction:UsdSend',
        { hyperliquidChain: 'string', destination: 'string', amount: 'string', time: 'uint64' },
        { hyperliquidChain: 'Mainnet', destination: evil, amount: '1000000', time: '1' },
        { name: 'HyperliquidSignTransaction', verifyingContract: zero },
      ),
    ],
    [
      'Withdraw of Hyperliquid',
      typedOf(
        'HyperliquidTransaction:Withdraw',
        { hyperliquidChain: 'string', destination: 'string', amount: 'string', time: 'uint64' },
        { hyperliquidChain: 'Mainnet', destination: evil, amount: '1000000', time: '1' },
        { name: 'HyperliquidSignTransaction', verifyingContract: zero },
      ),
    ],
    ['SetOwner', typedOf('SetOwner', { owner: 'address' }, { owner: evil })],
    [
      'a delegation of votes',
      typedOf(
        'Delegation',
        { delegatee: 'address', nonce: 'uint256', expiry: 'uint256' },
        { delegatee: evil, nonce: '0', expiry: '99999999999' },
      ),
    ],
    [
      'a type that nobody knows',
      typedOf('Thing', { who: 'address', amount: 'uint256' }, { who: evil, amount: '5' }),
    ],
  ])('%s: has a caution and displays who', async (_, request) => {
    const screen = await readVaultScreen(request)
    expect(isCautioned(screen.warnings)).toBe(true)
    if (JSON.stringify(request).includes(evil)) expect(says(screen, evil)).toBe(true)
    expect(screen.text).not.toMatch(/will not cost you any fees/i)
  })
  test('a type of one word, which could be any hash, is refused', async () => {
    const request = typedOf('Order', { word: 'bytes32' }, { word: `0x${'12'.repeat(32)}` })
    await expect(readVaultScreen(request)).rejects.toThrow()
  })
})

describe('texts that say more than they seem to', () => {
  const message = (bytes: Uint8Array): SignRequest =>
    ({
      kind: 'message',
      root: { chainType: 'ethereum', address: wallet },
      walletIndex: 0,
      address: wallet,
      message: toHex(bytes),
      chainId: 1,
    }) as unknown as SignRequest
  const text = (words: string) => new TextEncoder().encode(words)
  test.each<[string, Uint8Array]>([
    ['32 bytes that are text', text('abcdefghijklmnopqrstuvwxyz012345')],
    ['32 bytes that are words', text('Welcome to our app, dear friend!')],
    ['32 bytes of letters beyond ASCII', text('ääääääääääääääää')],
    ['a hash after a word', text(`x 0x${'ab'.repeat(32)}`)],
    ['a hash alone', text('ab'.repeat(32))],
    ['JSON after a word', text('Login {"to":"0x1","value":"5"}')],
    ['a key with a letter of another script', text('My private kеy is needed')],
    ['a host without scheme', text('Sign in to evil.example')],
    ['another host', text('Sign in at https://evil.example/login')],
    ['plain words', text('Hello')],
    ['nothing but spaces', text('   ')],
  ])('%s: is for the window', async (_, bytes) => {
    expect((await readVaultScreen(message(bytes))).risk).toBe('high')
  })
  test('32 bytes that are text are displayed as data', async () => {
    const bytes = text('abcdefghijklmnopqrstuvwxyz012345')
    expect(says(await readVaultScreen(message(bytes)), toHex(bytes))).toBe(true)
  })
})

describe('calls deeper than the vault reads', () => {
  const deep = (levels: number): string =>
    levels === 0 ? execute(evil, ether100) : execute(account, 0n, deep(levels - 1))
  test.each([1, 4, 5, 6, 7, 8, 9, 12, 20, 60])(
    '%i levels: the transfer is displayed, or red says that not all is',
    async (levels) => {
      const screen = await screenOf(account, deep(levels))
      const isRed = screen.warnings.some(({ severity }) => severity === 'danger')
      expect(says(screen, `Amount 100 ETH To ${evil}`) || isRed).toBe(true)
    },
  )
  test.each([100, 255, 256, 257, 300])(
    'a batch of %i calls: the last is displayed, or red says it',
    async (n) => {
      const calls = [...Array.from({ length: n - 1 }, () => [wallet, 1n] as const), [evil, ether100] as const]
      const screen = await screenOf(account, batchOf(calls))
      const isRed = screen.warnings.some(({ severity }) => severity === 'danger')
      expect(says(screen, `Amount 100 ETH To ${evil}`) || isRed).toBe(true)
    },
  )
})

test('an account that calls back into the wallet: the headline has what was passed and what the wallet sends', async () => {
  const { headline } = await screenOf(
    account,
    batchOf([[wallet, 0n, execute(evil, ether100)]]),
    parseEther('1'),
  )
  expect(headline).toEqual(['−101 ETH'])
})

test.each(['approve', 'setApprovalForAll'])(
  '%s by an account: its row names the account whose tokens they are',
  async (name) => {
    const bytes =
      name === 'approve'
        ? call('approve', evil, ether100)
        : encodeFunctionData({
            abi: parseAbi(['function setApprovalForAll(address,bool)']),
            args: [evil, true],
          })
    const screen = await screenOf(account, execute(account, 0n, execute(usdc, 0n, bytes)))
    const row = screen.text.split('Allow ').at(-1) ?? ''
    expect(says({ text: row }, account)).toBe(true)
  },
)

test('coins that go along with a call that lets somebody act: the contract that gets them stands beside the amount', async () => {
  const delegate = encodeFunctionData({
    abi: parseAbi(['function approveDelegation(address,uint256)']),
    args: [evil, 5n],
  })
  const screen = await screenOf(account, delegate, ether100)
  expect(screen.headline).toEqual(['−100 ETH'])
  expect(says(screen, `Amount 100 ETH To ${account}`)).toBe(true)
  expect(says(screen, evil)).toBe(true)
})
