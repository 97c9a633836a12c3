/** What requests do in themselves, and what of it people are warned of. */
import { concat, encodePacked, maxUint256, size } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  assess,
  authorizationAction,
  createBuiltInSource,
  createDataProvider,
  describeTransaction,
  describeTypedData,
  PERMIT2,
  rank,
} from '../../src/clear-signing/index.ts'
import { alice, bob, codes, contract, encode, lines, tokens, typedData, usdc } from './support.ts'

const max160 = (1n << 160n) - 1n
const of = (
  key: string,
  args: readonly unknown[],
  more: { to?: string; value?: bigint; data?: object } = {},
) =>
  describeTransaction(
    { chainId: 1, to: more.to ?? usdc, data: encode(key, args), value: more.value ?? 0n },
    { dataProvider: more.data ?? { tokens } },
  )
/** Warnings but that nobody has described the contract. */
const warned = (described: ReturnType<typeof of>) =>
  codes(described).filter((code) => !code.startsWith('unknown-'))

describe('calls', () => {
  test.each([
    [
      'transfer(address to,uint256 amount)',
      [alice, 5n],
      { kind: 'transfer', standard: 'token', contract: usdc, to: alice, amount: 5n },
      [],
    ],
    [
      'transferFrom(address from,address to,uint256 amount)',
      [bob, alice, 5n],
      { kind: 'transfer', standard: 'token', from: bob, to: alice, amount: 5n },
      [],
    ],
    [
      'safeTransferFrom(address from,address to,uint256 id)',
      [bob, alice, 9n],
      { kind: 'transfer', standard: 'nft', tokenId: 9n },
      [],
    ],
    [
      'safeTransferFrom(address from,address to,uint256 id,uint256 amount,bytes data)',
      [bob, alice, 9n, 3n, '0x'],
      { kind: 'transfer', standard: 'multi-token', tokenId: 9n, amount: 3n },
      [],
    ],
    [
      'approve(address spender,uint256 amount)',
      [alice, 5n],
      {
        kind: 'allowance',
        method: 'approve',
        token: usdc,
        spender: alice,
        amount: 5n,
        isUnlimited: false,
        editable: { path: 'amount', type: 'uint256' },
      },
      ['allowance'],
    ],
    [
      'approve(address spender,uint256 amount)',
      [alice, maxUint256],
      { kind: 'allowance', amount: maxUint256, isUnlimited: true },
      ['unlimited-allowance'],
    ],
    ['approve(address spender,uint256 amount)', [alice, 0n], { kind: 'allowance', isRevoked: true }, []],
    [
      'increaseAllowance(address spender,uint256 amount)',
      [alice, 5n],
      { kind: 'allowance', method: 'increase', isUnlimited: false },
      ['allowance'],
    ],
    [
      'setApprovalForAll(address operator,bool approved)',
      [alice, true],
      { kind: 'operator', operator: alice, isGranted: true },
      ['all-tokens-allowance'],
    ],
    [
      'setApprovalForAll(address operator,bool approved)',
      [alice, false],
      { kind: 'operator', isGranted: false },
      [],
    ],
    [
      'permit(address owner,address spender,uint256 value,uint256 deadline,uint8 v,bytes32 r,bytes32 s)',
      [bob, alice, maxUint256, 1n, 27, `0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`],
      { kind: 'allowance', method: 'permit', isUnlimited: true },
      ['unlimited-allowance'],
    ],
    [
      'transferOwnership(address newOwner)',
      [alice],
      { kind: 'control', change: 'owner', subject: alice, contract: usdc },
      ['control-change'],
    ],
    [
      'upgradeToAndCall(address code,bytes data)',
      [alice, '0x'],
      { kind: 'control', change: 'code', subject: alice },
      ['control-change'],
    ],
    ['changeAdmin(address newAdmin)', [alice], { kind: 'control', change: 'admin' }, ['control-change']],
    [
      'enableModule(address module)',
      [alice],
      { kind: 'control', change: 'module', subject: alice },
      ['control-change'],
    ],
    [
      'installModule(uint256 kind,address module,bytes data)',
      [1n, alice, '0x'],
      { kind: 'control', change: 'module', subject: alice },
      ['control-change'],
    ],
    [
      'addOwnerWithThreshold(address owner,uint256 threshold)',
      [alice, 1n],
      { kind: 'control', change: 'signer', subject: alice },
      ['control-change'],
    ],
    [
      'setFallbackHandler(address handler)',
      [alice],
      { kind: 'control', change: 'fallback' },
      ['control-change'],
    ],
  ])('%s is named, and warned of', (key, args, action, warnings) => {
    const described = of(key, args)
    expect(described.actions).toMatchObject([action])
    expect(warned(described)).toEqual(warnings)
  })

  test('Permit2’s own approve is an allowance there alone', () => {
    const key = 'approve(address token,address spender,uint160 amount,uint48 expiration)'
    expect(of(key, [usdc, alice, max160, 2n ** 48n - 1n], { to: PERMIT2 }).actions).toMatchObject([
      { kind: 'allowance', method: 'permit2', token: usdc, isUnlimited: true },
    ])
    expect(of(key, [usdc, alice, max160, 0n], { to: bob }).actions).toEqual([])
  })
  test('an approval of a contract that nobody knows may be of an amount or of one token', () => {
    expect(of('approve(address spender,uint256 amount)', [alice, 5n], { data: {} }).actions).toMatchObject([
      { amountOrId: 5n, isUnlimited: false },
    ])
    const nft = { nftCollectionNames: { [usdc.toLowerCase()]: 'Harbors' } }
    expect(of('approve(address spender,uint256 amount)', [alice, 0n], { data: nft }).actions).toMatchObject([
      { amountOrId: 0n, isRevoked: false },
    ])
  })
  test('a transfer to the token’s own contract, and one to nobody, are dangers', () => {
    expect(warned(of('transfer(address to,uint256 amount)', [usdc, 5n]))).toEqual([
      'token-contract-recipient',
    ])
    expect(
      warned(of('transfer(address to,uint256 amount)', ['0x0000000000000000000000000000000000000000', 5n])),
    ).toEqual(['zero-address-recipient'])
  })
  test('value goes along with a call, and alone', () => {
    expect(describeTransaction({ chainId: 1, to: alice, value: 7n }).actions).toEqual([
      { kind: 'transfer', standard: 'native', chainId: 1, to: alice, amount: 7n, isSigned: false },
    ])
    expect(of('transfer(address to,uint256 amount)', [alice, 5n], { value: 7n }).actions).toMatchObject([
      { standard: 'native', amount: 7n },
      { standard: 'token' },
    ])
  })
  test('a known function in another encoding names no action, and is a danger: old contracts take it', () => {
    const data = encode('approve(address spender,uint256 amount)', [alice, maxUint256]).replace(
      /^(0x.{8})00/,
      '$101',
    )
    const described = describeTransaction({ chainId: 1, to: usdc, data })
    expect([described.actions, warned(described)]).toEqual([[], ['odd-encoding']])
  })
  test('bytes behind the arguments hide no action, and are named', () => {
    const data = `${encode('approve(address spender,uint256 amount)', [alice, maxUint256])}00`
    const described = describeTransaction({ chainId: 1, to: usdc, data })
    expect(described.actions).toMatchObject([{ kind: 'allowance', isUnlimited: true }])
    expect([described.trailing, warned(described)]).toEqual([
      '0x00',
      ['unlimited-allowance', 'trailing-bytes'],
    ])
  })
  test.each([
    ['a list that is cut off', 'multiSend(bytes transactions)', ['0x0011']],
    [
      'a kind of execution that nobody knows',
      'execute(bytes32 mode,bytes execution)',
      [`0x77${'00'.repeat(31)}`, '0x11'],
    ],
    ['a batch that is no list', 'execute(bytes32 mode,bytes execution)', [`0x01${'00'.repeat(31)}`, '0x11']],
  ])('calls within calls that can’t be read are a danger: %s', (_, key, args) => {
    expect(warned(of(key, args))).toEqual(['odd-encoding'])
  })
})

describe('calls within calls', () => {
  const approve = encode('approve(address spender,uint256 amount)', [alice, maxUint256])
  const packedCall = (operation: number) =>
    encodePacked(
      ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
      [operation, usdc, 0n, BigInt(size(approve)), approve],
    )
  test.each([
    ['multicall(bytes[] data)', [[approve]], usdc],
    ['multicall(uint256 deadline,bytes[] data)', [1n, [approve]], usdc],
    ['execute(address target,uint256 value,bytes data)', [usdc, 0n, approve], contract],
    [
      'executeBatch((address target,uint256 value,bytes data)[] calls)',
      [[{ target: usdc, value: 0n, data: approve }]],
      contract,
    ],
    ['executeBatch(address[] targets,uint256[] values,bytes[] data)', [[usdc], [0n], [approve]], contract],
    [
      'aggregate3((address target,bool allowFailure,bytes data)[] calls)',
      [[{ target: usdc, allowFailure: false, data: approve }]],
      contract,
    ],
    [
      'execTransaction(address target,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,bytes signatures)',
      [usdc, 0n, approve, 0, 0n, 0n, 0n, alice, alice, '0x'],
      contract,
    ],
    ['multiSend(bytes transactions)', [concat([packedCall(0), packedCall(0)])], contract],
    [
      'execute(bytes32 mode,bytes execution)',
      [`0x${'00'.repeat(32)}`, concat([usdc, `0x${'00'.repeat(32)}`, approve])],
      contract,
    ],
  ] as const)('%s is unwrapped', (key, args, to) => {
    const described = of(key, args as readonly unknown[], { to })
    expect(described.actions[0]).toMatchObject({
      kind: 'allowance',
      token: usdc,
      spender: alice,
      isUnlimited: true,
    })
    expect(codes(described)[0]).toBe('unlimited-allowance')
    expect(described.calls[0]).toMatchObject({ to: usdc, value: 0n, description: { selector: '0x095ea7b3' } })
  })
})

test('a delegate call is a danger, but for Safe’s own list of calls', () => {
  const key = 'execTransactionFromModule(address target,uint256 value,bytes data,uint8 operation)'
  const list = encode('multiSend(bytes transactions)', ['0x'])
  const multiSend = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2'
  expect(warned(of(key, [alice, 0n, '0x12345678', 1], { to: contract }))).toEqual(['delegate-call'])
  expect(warned(of(key, [alice, 0n, '0x12345678', 0], { to: contract }))).toEqual([])
  expect(warned(of(key, [multiSend, 0n, list, 1], { to: contract }))).toEqual([])
  expect(warned(of(key, [multiSend, 0n, '0x12345678', 1], { to: contract }))).toEqual(['delegate-call'])
  expect(warned(of(key, [alice, 0n, list, 1], { to: contract }))).toEqual(['delegate-call'])
})
test('an allowance to an account that is no contract is a danger', () => {
  const key = 'approve(address spender,uint256 amount)'
  const known = (kind: string) => ({ tokens, addressKinds: { [alice]: [kind] } })
  expect(warned(of(key, [alice, 5n], { data: known('eoa') }))).toEqual(['allowance-to-account', 'allowance'])
  expect(warned(of(key, [alice, 5n], { data: known('contract') }))).toEqual(['allowance'])
  expect(warned(of(key, [alice, 0n], { data: known('eoa') }))).toEqual([])
})
test('an allowance of all that the wallet has, or of all that there is, is a danger', () => {
  const key = 'approve(address spender,uint256 amount)'
  const having = (balance: bigint, supply?: bigint) => ({
    tokens,
    tokenFigures: { [usdc]: { balance, ...(supply !== undefined && { supply }) } },
  })
  const approve = (data: object) => of(key, [alice, 5n], { data })
  expect(approve(having(5n)).actions).toMatchObject([{ reach: 'all' }])
  expect(warned(approve(having(5n)))).toEqual(['whole-balance-allowance'])
  expect(warned(approve(having(9n, 5n)))).toEqual(['whole-balance-allowance'])
  expect(approve(having(6n)).actions).toMatchObject([{ reach: 'part' }])
  expect(warned(approve(having(6n, 6n)))).toEqual(['allowance'])
  expect(approve({ tokens }).needed).toContainEqual({
    kind: 'tokenFigures',
    chainId: 1,
    address: usdc.toLowerCase(),
  })
})
test('an allowance within other calls is warned of at the top', () => {
  const approve = encode('approve(address spender,uint256 amount)', [alice, 5n])
  expect(warned(of('multicall(bytes[] data)', [[approve]]))).toEqual(['allowance'])
})

const permit = (value: bigint, deadline = 1_800_000_000n) =>
  typedData(
    'Permit',
    {
      Permit: ['address owner', 'address spender', 'uint256 value', 'uint256 nonce', 'uint256 deadline'].map(
        toField,
      ),
    },
    { owner: bob, spender: alice, value: String(value), nonce: 0, deadline: String(deadline) },
    { verifyingContract: usdc },
  )
function toField(text: string) {
  const [type = '', name = ''] = text.split(' ')
  return { name, type }
}
const fieldsOf = (text: string) => text.split(',').map(toField)
const message = (
  primaryType: string,
  types: Record<string, string>,
  value: unknown,
  more: Record<string, unknown> = {},
) =>
  describeTypedData(
    typedData(
      primaryType,
      Object.fromEntries(Object.entries(types).map(([name, text]) => [name, fieldsOf(text)])),
      value,
      more,
    ),
    { dataProvider: { tokens }, now: 1_790_000_000 },
  )

describe('messages', () => {
  test('EIP-2612', () => {
    const described = describeTypedData(permit(maxUint256, maxUint256), { now: 1_790_000_000 })
    expect(described.actions).toMatchObject([
      {
        kind: 'allowance',
        method: 'permit',
        token: usdc,
        spender: alice,
        isUnlimited: true,
        isSigned: true,
        editable: { path: 'value' },
      },
    ])
    expect(warned(described)).toEqual(['unlimited-allowance', 'long-allowance'])
    expect(warned(describeTypedData(permit(5n, 1_790_000_600n), { now: 1_790_000_000 }))).toEqual([
      'allowance',
    ])
    expect(warned(describeTypedData(permit(0n)))).toEqual([])
  })
  test('DAI', () => {
    const types = { Permit: 'address holder,address spender,uint256 nonce,uint256 expiry,bool allowed' }
    const dai = (allowed: boolean) =>
      message('Permit', types, { holder: bob, spender: alice, nonce: 1, expiry: 0, allowed })
    expect(dai(true).actions).toMatchObject([{ kind: 'allowance', isUnlimited: true }])
    expect(warned(dai(true))).toEqual(['unlimited-allowance', 'long-allowance'])
    expect(dai(false).actions).toMatchObject([{ isRevoked: true }])
  })
  test('a struct of the same name with other fields is nothing that is known', () => {
    const described = message(
      'Permit',
      { Permit: 'address owner,address spender,uint128 value,uint256 nonce,uint256 deadline' },
      { owner: bob, spender: alice, value: 1, nonce: 0, deadline: 1 },
    )
    expect(described.actions).toEqual([])
  })
  const details = { PermitDetails: 'address token,uint160 amount,uint48 expiration,uint48 nonce' }
  const detail = (amount: bigint) => ({
    token: usdc,
    amount: String(amount),
    expiration: 1_790_000_600,
    nonce: 0,
  })
  test('Permit2: single and batch', () => {
    const single = message(
      'PermitSingle',
      { PermitSingle: 'PermitDetails details,address spender,uint256 sigDeadline', ...details },
      { details: detail(max160), spender: alice, sigDeadline: 1 },
    )
    expect(single.actions).toMatchObject([
      {
        method: 'permit2',
        token: usdc,
        isUnlimited: true,
        expiresAt: 1_790_000_600n,
        editable: { path: 'details.amount', type: 'uint160' },
      },
    ])
    const batch = message(
      'PermitBatch',
      { PermitBatch: 'PermitDetails[] details,address spender,uint256 sigDeadline', ...details },
      { details: [detail(1n), detail(max160)], spender: alice, sigDeadline: 1 },
    )
    expect(batch.actions).toMatchObject([
      { amount: 1n, isUnlimited: false },
      { isUnlimited: true, editable: { path: 'details.[1].amount' } },
    ])
    expect(warned(batch)[0]).toBe('unlimited-allowance')
  })
  const permitted = { TokenPermissions: 'address token,uint256 amount' }
  test.each([
    [
      'PermitTransferFrom',
      'TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline',
      { token: usdc, amount: 5 },
      undefined,
      1,
    ],
    [
      'PermitBatchTransferFrom',
      'TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline',
      [
        { token: usdc, amount: 5 },
        { token: bob, amount: 6 },
      ],
      undefined,
      2,
    ],
    [
      'PermitWitnessTransferFrom',
      'TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Trade witness',
      { token: usdc, amount: 5 },
      'Trade',
      1,
    ],
    [
      'PermitBatchWitnessTransferFrom',
      'TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline,Trade order',
      [{ token: usdc, amount: 5 }],
      'Trade',
      1,
    ],
  ] as const)('Permit2: %s', (name, fields, value, witness, count) => {
    const types = { [name]: fields, ...permitted, ...(witness && { Trade: 'address who' }) }
    const own = fields.endsWith('witness')
      ? { witness: { who: bob } }
      : fields.endsWith('order')
        ? { order: { who: bob } }
        : {}
    const described = message(name, types, {
      permitted: value,
      spender: alice,
      nonce: 0,
      deadline: 1_790_000_600,
      ...own,
    })
    expect(described.actions).toHaveLength(count)
    expect(described.actions[0]).toMatchObject({
      method: 'permit2-transfer',
      token: usdc,
      spender: alice,
      amount: 5n,
      ...(witness && { witness }),
    })
    expect(warned(described)).toEqual(
      witness ? ['allowance', 'witness'] : count === 1 ? ['allowance'] : ['allowance', 'allowance'],
    )
  })
  test.each(['TransferWithAuthorization', 'ReceiveWithAuthorization'])('EIP-3009: %s', (name) => {
    const described = message(
      name,
      {
        [name]: 'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce',
      },
      { from: bob, to: alice, value: 5, validAfter: 0, validBefore: 9, nonce: `0x${'00'.repeat(32)}` },
      { verifyingContract: usdc },
    )
    expect(described.actions).toMatchObject([
      { kind: 'transfer', contract: usdc, from: bob, to: alice, amount: 5n, isSigned: true },
    ])
    expect(warned(described)).toEqual(['signed-transfer'])
  })

  const item =
    'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount'
  const order = {
    OrderComponents:
      'address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter',
    OfferItem: item,
    ConsiderationItem: `${item},address recipient`,
  }
  const component = (paid: number, recipient: string) => ({
    offerer: bob,
    zone: alice,
    orderType: 0,
    startTime: 1,
    endTime: 2,
    zoneHash: `0x${'00'.repeat(32)}`,
    salt: 1,
    conduitKey: `0x${'00'.repeat(32)}`,
    counter: 0,
    offer: [{ itemType: 2, token: usdc, identifierOrCriteria: 7, startAmount: 1, endAmount: 1 }],
    consideration: [
      {
        itemType: 0,
        token: '0x0000000000000000000000000000000000000000',
        identifierOrCriteria: 0,
        startAmount: 100,
        endAmount: paid,
        recipient,
      },
    ],
  })
  test('Seaport: what is given, and the least that comes back to the one who signs', () => {
    const fair = message('OrderComponents', order, component(50, bob))
    expect(fair.actions).toMatchObject([
      {
        kind: 'order',
        protocol: 'seaport',
        gives: [{ token: usdc, tokenId: 7n }],
        gets: [{ amount: 50n, recipient: bob }],
      },
    ])
    expect(warned(fair)).toEqual(['order'])
    expect(warned(message('OrderComponents', order, component(0, bob)))).toEqual(['sell-order-without-price'])
    expect(warned(message('OrderComponents', order, component(50, alice)))).toEqual([
      'sell-order-without-price',
    ])
  })
  test('Seaport: every order of a tree', () => {
    const tree = { BulkOrder: 'OrderComponents[2][1] tree', ...order }
    const described = message('BulkOrder', tree, { tree: [[component(50, bob), component(0, bob)]] })
    expect(described.actions).toHaveLength(2)
    expect(warned(described)).toEqual(['sell-order-without-price', 'order'])
  })

  const cowTypes = {
    Order:
      'address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo',
  }
  const cow = (receiver: string) =>
    describeTypedData(
      typedData(
        'Order',
        { Order: fieldsOf(cowTypes.Order) },
        { sellToken: usdc, buyToken: bob, receiver, sellAmount: 5, buyAmount: 7, validTo: 9 },
      ),
      { from: bob },
    )
  test('CoW: an order whose proceeds go to somebody else is a danger', () => {
    expect(cow(bob).actions).toMatchObject([
      {
        kind: 'order',
        protocol: 'cow',
        gives: [{ token: usdc, amount: 5n }],
        gets: [{ token: bob, amount: 7n }],
        expiresAt: 9n,
      },
    ])
    expect(warned(cow(bob))).toEqual(['order'])
    expect(warned(cow('0x0000000000000000000000000000000000000000'))).toEqual(['order'])
    expect(warned(cow(alice))).toEqual(['proceeds-elsewhere', 'order'])
  })
  test('Blur: a sale for nothing, and listings that nobody can read', () => {
    const types = {
      Order:
        'address trader,uint8 side,address collection,uint256 tokenId,uint256 amount,address paymentToken,uint256 price',
    }
    const sale = (price: number) =>
      message('Order', types, {
        trader: bob,
        side: 1,
        collection: usdc,
        tokenId: 7,
        amount: 1,
        paymentToken: alice,
        price,
      })
    expect(warned(sale(5))).toEqual(['order'])
    expect(warned(sale(0))).toEqual(['sell-order-without-price'])
    expect(
      warned(
        message(
          'Order',
          { Order: 'address trader,bytes32 listingsRoot' },
          { trader: bob, listingsRoot: `0x${'00'.repeat(32)}` },
        ),
      ),
    ).toEqual(['unreadable-order'])
  })

  const safe = {
    SafeTx:
      'address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce',
  }
  const safeMessage = (operation: number) => ({
    to: usdc,
    value: 0,
    data: encode('approve(address spender,uint256 amount)', [alice, maxUint256]),
    operation,
    safeTxGas: 0,
    baseGas: 0,
    gasPrice: 0,
    gasToken: alice,
    refundReceiver: alice,
    nonce: 1,
  })
  test('Safe: the call within is unwrapped, and a delegate call is a danger', () => {
    const described = message('SafeTx', safe, safeMessage(0))
    expect(described.actions).toMatchObject([
      { kind: 'safeTransaction', safe: contract, to: usdc, isDelegateCall: false },
      { kind: 'allowance', isUnlimited: true },
    ])
    expect(warned(described)).toEqual(['unlimited-allowance', 'safe-transaction'])
    expect(warned(message('SafeTx', safe, safeMessage(1)))).toEqual([
      'delegate-call',
      'unlimited-allowance',
      'safe-transaction',
    ])
  })
  test('a user operation is unwrapped', () => {
    const types = {
      PackedUserOperation:
        'address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData',
    }
    const callData = encode('execute(address target,uint256 value,bytes data)', [
      usdc,
      0n,
      encode('transfer(address to,uint256 amount)', [alice, 5n]),
    ])
    const described = message('PackedUserOperation', types, {
      sender: bob,
      nonce: 0,
      initCode: '0x',
      callData,
      accountGasLimits: `0x${'00'.repeat(32)}`,
      preVerificationGas: 0,
      gasFees: `0x${'00'.repeat(32)}`,
      paymasterAndData: '0x',
    })
    expect(described.actions).toMatchObject([
      { kind: 'userOperation', sender: bob },
      { kind: 'transfer', contract: usdc, to: alice, amount: 5n },
    ])
  })
  test('delegations: open ones, session keys and codes of an account are dangers', () => {
    const types = {
      Delegation: 'address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt',
      Caveat: 'address enforcer,bytes terms',
    }
    const delegation = (caveats: unknown[]) =>
      message('Delegation', types, {
        delegate: alice,
        delegator: bob,
        authority: `0x${'00'.repeat(32)}`,
        caveats,
        salt: 1,
      })
    expect(warned(delegation([]))).toEqual(['open-delegation'])
    expect(warned(delegation([{ enforcer: alice, terms: '0x' }]))).toEqual(['delegation'])
    expect(warned(message('EnableSession', { EnableSession: 'address key' }, { key: alice }))).toEqual([
      'session-key',
    ])
    expect(assess([authorizationAction({ chainId: 0, address: alice })], undefined)).toEqual([
      { code: 'account-delegation', severity: 'danger', data: { delegate: alice, isEveryChain: true } },
    ])
  })
  test('typed data within that of a smart account is what it is by itself', () => {
    const types = {
      TypedDataSign: 'Permit contents,string name',
      Permit: 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline',
    }
    const described = message('TypedDataSign', types, {
      contents: { owner: bob, spender: alice, value: String(maxUint256), nonce: 0, deadline: 1 },
      name: 'x',
    })
    expect(described.actions).toMatchObject([{ kind: 'allowance', isUnlimited: true }])
  })
})

test('warnings: the gravest comes first, each once', () => {
  const ranked = rank([
    { code: 'order', severity: 'caution', data: {} },
    { code: 'unlimited-allowance', severity: 'danger', data: { spender: alice } },
    { code: 'empty-list', severity: 'info', data: {} },
    { code: 'unlimited-allowance', severity: 'danger', data: { spender: alice } },
    { code: 'control-change', severity: 'danger', data: {} },
  ])
  expect(ranked.map(({ code }) => code)).toEqual([
    'control-change',
    'unlimited-allowance',
    'order',
    'empty-list',
  ])
})

describe('descriptors of our own', () => {
  const dataProvider = createDataProvider({ tokens, nftCollectionNames: { [bob.toLowerCase()]: 'Harbors' } })
  const options = { descriptors: createBuiltInSource(dataProvider), dataProvider }
  const call = (to: string, key: string, args: readonly unknown[]) =>
    describeTransaction({ chainId: 1, to, data: encode(key, args) }, options)
  test('describe tokens that are known as tokens, and no other contract', () => {
    expect(call(usdc, 'transfer(address to,uint256 amount)', [alice, 5_000_000n]).interpolatedIntent).toBe(
      `Send 5 USDC to ${alice}`,
    )
    expect(lines(call(usdc, 'approve(address spender,uint256 amount)', [alice, maxUint256]))).toEqual([
      `Spender: ${alice}`,
      'Spending limit: Maximum USDC',
    ])
    expect(call(contract, 'transfer(address to,uint256 amount)', [alice, 5n]).isDescribed).toBe(false)
  })
  test('describe collections', () => {
    expect(
      lines(call(bob, 'transferFrom(address from,address to,uint256 id)', [alice, contract, 7n])),
    ).toEqual(['NFT: Harbors #7', `From: ${alice}`, `To: ${contract}`])
    expect(call(bob, 'setApprovalForAll(address operator,bool approved)', [alice, true]).intent).toBe(
      'Approve all NFTs of a collection',
    )
  })
  test('describe permits of known tokens and of Permit2', () => {
    expect(describeTypedData(permit(5_000_000n), options).interpolatedIntent).toBe(
      `Approve ${alice} to spend 5 USDC`,
    )
    const types = {
      PermitBatch: fieldsOf('PermitDetails[] details,address spender,uint256 sigDeadline'),
      PermitDetails: fieldsOf('address token,uint160 amount,uint48 expiration,uint48 nonce'),
    }
    const batch = (verifyingContract: string) =>
      typedData(
        'PermitBatch',
        types,
        {
          details: [{ token: usdc, amount: String(max160), expiration: 1_800_000_000, nonce: 0 }],
          spender: alice,
          sigDeadline: 1_800_000_000,
        },
        { verifyingContract },
      )
    expect(lines(describeTypedData(batch(PERMIT2), options))).toEqual([
      `Spender: ${alice}`,
      'Spending limit: Maximum USDC',
      'Expires: 2027-01-15 08:00:00Z',
      'Signature expires: 2027-01-15 08:00:00Z',
    ])
    expect(describeTypedData(batch(contract), options).isDescribed).toBe(false)
  })
})
