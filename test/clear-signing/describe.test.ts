import { domainSeparator } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  createBuiltInSource,
  createDataProvider,
  createSource,
  describeBatch,
  describeTransaction,
  readDescriptors,
} from '../../src/clear-signing/index.ts'
import {
  alice,
  bob,
  codes,
  contract,
  describeCall,
  describeMessage,
  descriptorOf,
  domain,
  encode,
  type Given,
  lines,
  sourceOf,
  tokens,
  typedData,
  usdc,
} from './support.ts'

const raw = (path: string, label = path, more: Record<string, unknown> = {}) => ({
  path,
  label,
  format: 'raw',
  ...more,
})
const reason = (description: ReturnType<typeof describeCall>) =>
  description.warnings.find(({ code }) => code === 'descriptor-refused')?.data.reason

describe('paths', () => {
  const key = 'f((address to,uint256[] n)[] list,bytes b,uint256 x)'
  const args = [
    [
      { to: alice, n: [1n, 2n] },
      { to: bob, n: [3n, 4n, 5n] },
    ],
    '0x00112233445566',
    9n,
  ]
  const at = (path: string) => lines(describeCall(key, args, { fields: [raw(path, 'V')] }))
  test.each([
    ['x', ['V: 9']],
    ['#.x', ['V: 9']],
    ['list.[0].to', [`V: ${alice}`]],
    ['list.[-1].to', [`V: ${bob}`]],
    ['list[1].n[0]', ['V: 3']],
    ['list.[].to', [`V: ${alice}`, `V: ${bob}`]],
    ['list.[].n.[]', ['V: 1', 'V: 2', 'V: 3', 'V: 4', 'V: 5']],
    ['list.[].n.[-1]', ['V: 2', 'V: 5']],
    ['list.[1].n.[0:2]', ['V: 3', 'V: 4']],
    ['list.[1].n.[-2:]', ['V: 4', 'V: 5']],
    ['list.[1].n', ['V: 3', 'V: 4', 'V: 5']],
    ['b.[0:2]', ['V: 0x0011']],
    ['b.[-2:]', ['V: 0x5566']],
    ['b.[:1]', ['V: 0x00']],
    ['b.[2]', ['V: 0x22']],
    ['b.[5:99]', ['V: 0x5566']],
    ['@.to', [`V: ${contract}`]],
    ['@.chainId', ['V: 1']],
    ['@.value', ['V: 0']],
    ['list.[0].n.[0:0]', []],
  ])('%s leads to %j', (path, expected) => {
    expect(at(path)).toEqual(expected)
  })

  test.each([
    'y',
    'list.[2].to',
    'list.[].nope',
    '@.gas',
    '@.from',
    'list',
    '#x',
    '$.metadata.nope',
    'x.y',
    '',
    'b.[0:1].c',
    '[',
    '__proto__',
    'constructor',
  ])('a path that leads nowhere refuses the descriptor: %s', (path) => {
    const described = describeCall(key, args, { fields: [raw(path, 'V')] })
    expect(described.isDescribed).toBe(false)
    expect(described.fields).toEqual([])
    expect(codes(described)).toContain('descriptor-refused')
    expect(described.values).toBeDefined()
  })

  test('a slice takes the type of its format', () => {
    const hex = `${alice}0064`
    const fields = [
      { path: 'b.[:20]', label: 'To', format: 'addressName' },
      { path: 'b.[-2:]', label: 'Percent', format: 'unit', params: { base: '%' } },
    ]
    expect(lines(describeCall('f(bytes b)', [hex], { fields }))).toEqual([`To: ${alice}`, 'Percent: 100%'])
  })

  test('a constant of the descriptor is a value, and @.from is the sender', () => {
    const given = { metadata: { constants: { name: 'Harbor pool' } }, from: bob }
    const fields = [
      { value: '$.metadata.constants.name', label: 'Pool', format: 'raw' },
      { value: 7, label: 'N', format: 'raw' },
      raw('@.from', 'From'),
    ]
    expect(lines(describeCall('f()', [], { ...given, fields }))).toEqual([
      'Pool: Harbor pool',
      'N: 7',
      `From: ${bob}`,
    ])
  })
})

describe('visible', () => {
  const shown = (visible: unknown, value = 5n) =>
    describeCall('f(uint256 x)', [value], { fields: [raw('x', 'X', { visible })] })
  test.each([
    [undefined, 1],
    ['always', 1],
    ['optional', 1],
    ['never', 0],
    [{ ifNotIn: [5] }, 0],
    [{ ifNotIn: ['5', 7] }, 0],
    [{ ifNotIn: [6] }, 1],
    [{ mustMatch: [5] }, 0],
  ])('%j displays %s fields', (visible, count) => {
    expect(shown(visible).fields).toHaveLength(count)
    expect(shown(visible).isDescribed).toBe(true)
  })
  test('mustMatch: another value refuses the descriptor, as a danger', () => {
    const described = shown({ mustMatch: [0] })
    expect([described.isDescribed, described.fields, codes(described)[0]]).toEqual([false, [], 'must-match'])
  })
  test('ifNotIn: a number matches the bytes that encode it, and an address whatever its case', () => {
    const fields = [
      raw('b', 'B', { visible: { ifNotIn: [0] } }),
      raw('a', 'A', { visible: { ifNotIn: [alice.toUpperCase().replace('0X', '0x')] } }),
    ]
    expect(lines(describeCall('f(bytes b,address a)', ['0x', alice], { fields }))).toEqual([])
    expect(lines(describeCall('f(bytes b,address a)', ['0x01', bob], { fields }))).toEqual([
      'B: 0x01',
      `A: ${bob}`,
    ])
  })
  test('optional: the field says that it may be left out', () => {
    expect(shown('optional').fields[0]?.isOptional).toBe(true)
  })
})

describe('groups', () => {
  const key = 'distribute(address[] to,uint256[] n)'
  const args = [
    [alice, bob],
    [1n, 2n],
  ]
  const group = (more: Record<string, unknown>, children = [raw('to.[]', 'To'), raw('n.[]', 'N')]) =>
    describeCall(key, args, { fields: [{ label: 'Shares', fields: children, ...more }] })
  test('sequential: one list after the other', () => {
    expect(lines(group({}))).toEqual([`To: ${alice}`, `To: ${bob}`, 'N: 1', 'N: 2'])
    expect(lines(group({ iteration: 'sequential' }))).toEqual(lines(group({})))
  })
  test('bundled: the first elements, then the second ones', () => {
    expect(lines(group({ iteration: 'bundled' }))).toEqual([`To: ${alice}`, 'N: 1', `To: ${bob}`, 'N: 2'])
  })
  test('bundled: lists of different lengths refuse the descriptor', () => {
    const described = describeCall(key, [[alice], [1n, 2n]], {
      fields: [{ iteration: 'bundled', fields: [raw('to.[]'), raw('n.[]')] }],
    })
    expect(reason(described)).toBe('bundle-lengths')
  })
  test('the fields of a group have its label and id, those of others don’t', () => {
    const described = describeCall(key, args, {
      fields: [raw('n.[0]', 'First'), { label: 'All', fields: [raw('to.[]', 'To')] }],
    })
    expect(described.fields.map(({ group: each }) => each?.label)).toEqual([undefined, 'All', 'All'])
  })
  test('a group of a list describes each element with paths relative to it', () => {
    const described = describeCall(
      'f((address token,uint256 amount)[] details)',
      [
        [
          { token: usdc, amount: 5_000_000n },
          { token: bob, amount: 7n },
        ],
      ],
      {
        fields: [
          {
            path: 'details.[]',
            label: 'Detail',
            fields: [
              { path: 'amount', label: 'Amount', format: 'tokenAmount', params: { tokenPath: 'token' } },
            ],
          },
        ],
      },
    )
    expect(lines(described)).toEqual(['Amount: 5 USDC', 'Amount: 7'])
    expect(described.fields.map(({ group: each, path }) => [each?.index, path])).toEqual([
      [0, 'details.[0].amount'],
      [1, 'details.[1].amount'],
    ])
  })
  test('a group of a struct, and groups within groups', () => {
    const described = describeCall('f(((uint256 c) b,uint256 d) a)', [{ b: { c: 1n }, d: 2n }], {
      fields: [
        {
          path: 'a',
          fields: [
            raw('d', 'D'),
            { path: 'b', label: 'Inner', fields: [raw('c', 'C'), raw('#.a.d', 'Again')] },
          ],
        },
      ],
    })
    expect(lines(described)).toEqual(['D: 2', 'C: 1', 'Again: 2'])
    expect(described.fields[1]?.group?.parent?.id).toBe(described.fields[0]?.group?.id)
  })
  test('an empty list has no fields, and a note', () => {
    const described = describeCall(key, [[], []], { fields: [raw('to.[]')] })
    expect([described.fields, codes(described)]).toEqual([[], ['empty-list']])
  })
  test('a parameter’s list goes along with the field’s, and has to be as long', () => {
    const fields = [{ path: 'n.[]', label: 'N', format: 'tokenAmount', params: { tokenPath: 'to.[]' } }]
    expect(
      lines(
        describeCall(
          key,
          [
            [usdc, bob],
            [1_000_000n, 2n],
          ],
          { fields },
        ),
      ),
    ).toEqual(['N: 1 USDC', 'N: 2'])
    expect(reason(describeCall(key, [[usdc], [1n, 2n]], { fields }))).toBe('parameter-list-length')
  })
  test('separator: stands before each element, with its index', () => {
    expect(
      lines(group({ iteration: 'bundled' }, [raw('to.[]', 'To', { separator: 'Recipient {index}' })])),
    ).toEqual([`To: Recipient 0 ${alice}`, `To: Recipient 1 ${bob}`])
  })
})

test('definitions: a reference takes the definition’s keys, and its own before them', () => {
  const definitions = {
    amount: { label: 'Amount', format: 'tokenAmount', params: { tokenPath: 't', message: 'All' } },
  }
  const field = { path: 'v', $ref: '$.display.definitions.amount', label: 'Mine', params: { token: usdc } }
  const { tokenPath: _, ...rest } = definitions.amount.params
  const given = { definitions: { amount: { ...definitions.amount, params: rest } }, fields: [field] }
  expect(lines(describeCall('f(uint256 v)', [1_000_000n], given))).toEqual(['Mine: 1 USDC'])
  const loop = {
    definitions: { a: { $ref: '$.display.definitions.b' }, b: { $ref: '$.display.definitions.a' } },
  }
  expect(
    reason(
      describeCall('f(uint256 v)', [1n], {
        ...loop,
        fields: [{ path: 'v', $ref: '$.display.definitions.a' }],
      }),
    ),
  ).toBe('definition')
})

describe('interpolatedIntent', () => {
  const fields = [
    { path: 'v', label: 'Amount', format: 'tokenAmount', params: { token: usdc } },
    { path: 'to', label: 'To', format: 'addressName' },
    { path: '@.value', label: 'Value', format: 'amount' },
  ]
  const sentence = (interpolatedIntent: string, given: Given = {}) =>
    describeCall('send(address to,uint256 v)', [alice, 100_000_000n], {
      value: 10n ** 17n,
      data: { tokens, ensNames: { [alice]: 'cyberdrk.eth' } },
      fields,
      ...given,
      format: { intent: 'Send', interpolatedIntent },
    })
  test.each([
    ['Send {v} to {to}', 'Send 100 USDC to cyberdrk.eth'],
    ['Send {#.v} with {@.value}', 'Send 100 USDC with 0.1 ETH'],
    ['Execute {{function}} with {v}', 'Execute {function} with 100 USDC'],
    ['}}{{', '}{'],
  ])('%s reads %s', (template, expected) => {
    expect(sentence(template).interpolatedIntent).toBe(expected)
  })
  test.each(['Send {nope}', 'Send {v', 'Send v}', 'Send {}', 'Send {@.to}', 'Send {v} {$.metadata.owner}'])(
    'falls back to the intent where one value fails: %s',
    (template) => {
      const described = sentence(template)
      expect(described.interpolatedIntent).toBeUndefined()
      expect(described.intent).toBe('Send')
      expect(codes(described)).toContain('intent-incomplete')
    },
  )
  test('names only what is always displayed', () => {
    for (const visible of ['never', 'optional', { ifNotIn: [0] }])
      expect(sentence('Send {v}', { fields: [{ ...fields[0], visible }] }).interpolatedIntent).toBeUndefined()
  })
  test('joins the values of a list', () => {
    const given = { fields: [raw('n.[]', 'N')], format: { interpolatedIntent: 'Share {n}' } }
    expect(describeCall('f(uint256[] n)', [[1n, 2n, 3n]], given).interpolatedIntent).toBe(
      'Share 1 and 2 and 3',
    )
  })
  test('a token’s symbol or a name can’t lead the sentence elsewhere', () => {
    const symbol = 'USDC to vitalik.eth'
    const data = { tokens: { [usdc.toLowerCase()]: { symbol, decimals: 6 } } }
    expect(sentence('Send {v} to {to}', { data }).interpolatedIntent).toBeUndefined()
    const names = { tokens, ensNames: { [alice]: 'bob\u202E.eth' } }
    expect(sentence('Send {v} to {to}', { data: names }).interpolatedIntent).toBeUndefined()
    const long = { tokens, addressNames: { [alice]: 'a'.repeat(500) } }
    expect(sentence('Send {v} to {to}', { data: long }).interpolatedIntent?.length).toBeLessThan(120)
  })
  test('a complex intent has its parts in one line', () => {
    const described = describeCall('f()', [], {
      format: { intent: { 'Native Staking': 'Withdraw', Rewards: 'Consensus & Exec' } },
    })
    expect(described.intent).toBe('Native Staking: Withdraw, Rewards: Consensus & Exec')
    expect(described.intentParts).toEqual([
      ['Native Staking', 'Withdraw'],
      ['Rewards', 'Consensus & Exec'],
    ])
  })
})

describe('calls within calls', () => {
  const transferKey = 'transfer(address to,uint256 value)'
  const transfer = descriptorOf(
    transferKey,
    {
      format: { intent: 'Send', interpolatedIntent: 'Send {value}' },
      fields: [
        { path: 'value', label: 'Amount', format: 'tokenAmount', params: { tokenPath: '@.to' } },
        { path: 'to', label: 'To', format: 'addressName' },
        { path: '@.value', label: 'Value', format: 'amount' },
        { path: '@.from', label: 'By', format: 'addressName' },
      ],
    },
    {
      contract: {
        deployments: [
          { chainId: 1, address: usdc },
          { chainId: 10, address: usdc },
        ],
      },
    },
  )
  const field = (params: Record<string, unknown>) => ({
    path: 'data',
    label: 'Call',
    format: 'calldata',
    params: { calleePath: 'to', amountPath: 'value', spenderPath: '@.to', ...params },
  })
  const run = (
    params: Record<string, unknown> = {},
    data = encode(transferKey, [alice, 5_000_000n]),
    more: readonly unknown[] = [transfer],
  ) => {
    const key = 'run(address to,uint256 value,bytes data,bytes4 sel)'
    return describeTransaction(
      { chainId: 1, to: contract, data: encode(key, [usdc, 3n, data, '0xa9059cbb']) },
      {
        descriptors: sourceOf(descriptorOf(key, { fields: [field(params)] }), ...more),
        dataProvider: { tokens },
      },
    )
  }
  const inner = `Amount: 5 USDC; To: ${alice}; Value: 0.000000000000000003 ETH; By: ${contract}`
  test('are described with their callee, amount and spender', () => {
    const described = run()
    expect(lines(described)).toEqual([`Call: {Send: ${inner}}`])
    expect(described.fields[0]?.callee).toEqual({ chainId: 1, address: usdc })
    expect(described.actions).toMatchObject([
      { kind: 'transfer', to: usdc, amount: 3n },
      { kind: 'transfer', contract: usdc, to: alice, amount: 5_000_000n },
    ])
  })
  test('take their selector from a parameter', () => {
    const bare = `0x${encode(transferKey, [alice, 5_000_000n]).slice(10)}` as const
    expect(lines(run({ selectorPath: 'sel' }, bare))).toEqual([`Call: {Send: ${inner}}`])
    expect(lines(run({ selector: '0xa9059cbb' }, bare))).toEqual([`Call: {Send: ${inner}}`])
  })
  test('go to another chain where a parameter says so', () => {
    expect(run({ chainId: 10 }).fields[0]?.callee).toEqual({ chainId: 10, address: usdc })
    expect(lines(run({ chainId: 137 }))[0]).toMatch(/^Call: 0xa9059cbb/)
  })
  test('without a descriptor are their bytes, and what is missing is said', () => {
    const described = run({}, encode(transferKey, [alice, 1n]), [])
    expect(lines(described)[0]).toMatch(/^Call: 0xa9059cbb/)
    expect(described.fields[0]?.warnings.map(({ code }) => code)).toContain('unknown-contract')
    expect(described.needed).toContainEqual({ kind: 'descriptor', chainId: 1, address: usdc.toLowerCase() })
  })
  test('that a failed descriptor displayed don’t count twice', () => {
    const key = 'run(address to,uint256 value,bytes data,bytes4 sel)'
    const data = encode(key, [usdc, 0n, encode(transferKey, [alice, 5n]), '0xa9059cbb'])
    const failing = descriptorOf(key, { fields: [field({}), raw('nope')] })
    const good = descriptorOf(key, { fields: [field({})] })
    const described = describeTransaction(
      { chainId: 1, to: contract, data },
      { descriptors: sourceOf(failing, good), dataProvider: { tokens } },
    )
    expect([described.isDescribed, described.actions.length]).toEqual([true, 1])
  })
  test('within each other end at a depth', () => {
    const key = 'again(bytes data)'
    let data = encode(key, ['0x'])
    for (let depth = 0; depth < 40; depth++) data = encode(key, [data])
    const self = descriptorOf(key, {
      fields: [{ path: 'data', label: 'Call', format: 'calldata', params: { calleePath: '@.to' } }],
    })
    const described = describeTransaction({ chainId: 1, to: contract, data }, { descriptors: sourceOf(self) })
    let depth = 0
    for (let now = described.fields[0]?.value; typeof now === 'object'; now = now.fields[0]?.value) depth++
    expect(depth).toBe(12)
  })
})

describe('binding', () => {
  const key = 'f(uint256 x)'
  const at = (
    context: unknown,
    more: Parameters<typeof createDataProvider>[0] = {},
    to = contract,
    chainId = 1,
  ) =>
    describeTransaction(
      { chainId, to, data: encode(key, [1n]) },
      {
        descriptors: {
          calls: () => readDescriptors([descriptorOf(key, { fields: [raw('x')] }, context)], 'registry'),
          messages: () => [],
        },
        dataProvider: more,
      },
    )
  const deployed = {
    contract: { deployments: [{ chainId: 1, address: contract.toUpperCase().replace('0X', '0x') }] },
  }
  test('a deployment binds one contract on one chain', () => {
    expect(at(deployed).isDescribed).toBe(true)
    expect(at(deployed, {}, bob).isDescribed).toBe(false)
    expect(at(deployed, {}, contract, 10).isDescribed).toBe(false)
    expect(codes(at(deployed, {}, bob))).toEqual(['unknown-contract'])
  })
  test('a descriptor without a context is bound to nothing', () => {
    expect(at({}).isDescribed).toBe(false)
    expect(at({ contract: {} }).isDescribed).toBe(false)
    expect(at({ contract: { deployments: [] } }).isDescribed).toBe(false)
    expect(at({ contract: { addressMatcher: 'https://harbor.example' } }).isDescribed).toBe(false)
    expect(at({ eip712: { deployments: [{ chainId: 1, address: contract }] } }).isDescribed).toBe(false)
  })
  test('a proxy takes the descriptor of its implementation, and says so', () => {
    const described = at(deployed, { implementations: { [bob]: contract } }, bob)
    expect(described.isDescribed).toBe(true)
    expect(described.descriptor?.throughProxy).toBe(contract)
    expect(codes(described)).toContain('through-proxy')
  })
  test('a factory binds what it has created, as the provider knows', () => {
    const factory = {
      contract: {
        factory: { deployEvent: 'Created(address)', deployments: [{ chainId: 1, address: usdc }] },
      },
    }
    expect(at(factory).isDescribed).toBe(false)
    expect(at(factory).needed).toContainEqual({ kind: 'creation', chainId: 1, address: contract })
    expect(
      at(factory, { creations: { [contract]: { factory: usdc, event: 'Created(address)' } } }).isDescribed,
    ).toBe(true)
    expect(
      at(factory, { creations: { [contract]: { factory: usdc, event: 'Made(address)' } } }).isDescribed,
    ).toBe(false)
    expect(
      at(factory, { creations: { [contract]: { factory: bob, event: 'Created(address)' } } }).isDescribed,
    ).toBe(false)
  })
  test('a descriptor with deployments and a factory needs both', () => {
    const factory = { deployEvent: 'Created(address)', deployments: [{ chainId: 1, address: usdc }] }
    const both = { contract: { ...deployed.contract, factory } }
    const made = { creations: { [contract]: { factory: usdc, event: 'Created(address)' } } }
    expect(at(both).isDescribed).toBe(false)
    expect(at(both, made).isDescribed).toBe(true)
    expect(at(both, { creations: { [bob]: made.creations[contract] } }, bob).isDescribed).toBe(false)
  })
  test('another function of the contract is unknown, and no other format is applied', () => {
    const described = describeTransaction(
      { chainId: 1, to: contract, data: '0xdeadbeef' },
      { descriptors: sourceOf(descriptorOf(key, {})) },
    )
    expect([described.intent, codes(described)]).toEqual(['', ['unknown-function']])
  })
  test('two keys of the same function make the descriptor invalid', () => {
    const twice = descriptorOf(key, { fields: [] })
    Object.assign(twice.display.formats, { 'f(uint256 y)': { intent: 'Other', fields: [] } })
    const described = describeTransaction(
      { chainId: 1, to: contract, data: encode(key, [1n]) },
      { descriptors: sourceOf(twice) },
    )
    expect([described.isDescribed, reason(described)]).toEqual([false, 'same-function-twice'])
  })
})

describe('typed data', () => {
  const types = {
    Mail: [
      { name: 'to', type: 'Person' },
      { name: 'notes', type: 'string[]' },
    ],
    Person: [{ name: 'wallet', type: 'address' }],
  }
  const key = 'Mail(Person to,string[] notes)Person(address wallet)'
  const data = typedData('Mail', types, { to: { wallet: alice }, notes: ['a', 'b'] })
  const given: Given = {
    format: { interpolatedIntent: 'Write {notes} to {to.wallet}' },
    fields: [
      raw('to.wallet', 'To'),
      raw('notes.[]', 'Note'),
      raw('@.from', 'From'),
      raw('@.to', 'At'),
      raw('@.value', 'Value'),
    ],
  }
  const deployments = [{ chainId: 1, address: contract }]
  const bound = (eip712: Record<string, unknown>, message: unknown = data, name = key) =>
    describeMessage(message, descriptorOf(name, given, { eip712 }))
  test('is described if type, chain, contract and domain fit', () => {
    const described = bound({ deployments, domain: { name: 'Harbor' } })
    expect(lines(described)).toEqual([
      `To: ${alice}`,
      'Note: a',
      'Note: b',
      `From: ${alice}`,
      `At: ${contract}`,
      'Value: 0',
    ])
    expect(described.interpolatedIntent).toBe(`Write a and b to ${alice}`)
  })
  test.each([
    ['another name', { deployments, domain: { name: 'Port' } }],
    ['a domain field that is not signed', { deployments, domain: { salt: `0x${'00'.repeat(32)}` } }],
    ['another version', { deployments, domain: { version: '2' } }],
    ['another chain', { deployments, domain: { chainId: 2 } }],
    ['another contract', { deployments: [{ chainId: 1, address: bob }] }],
    ['a contract on another chain', { deployments: [{ chainId: 10, address: contract }] }],
    ['another domain hash', { deployments, domainSeparator: `0x${'00'.repeat(32)}` }],
    ['a name alone', { domain: { name: 'Harbor' } }],
  ])('is not described with %s', (_, eip712) => {
    expect(bound(eip712).isDescribed).toBe(false)
    expect(codes(bound(eip712))).toContain('unknown-message')
  })
  test('is not described by a key of another type, however alike', () => {
    for (const other of [
      'Mail',
      'Mail(Person to,string[] note)Person(address wallet)',
      'Mail(Person to, string[] notes)Person(address wallet)',
    ])
      expect(bound({ deployments }, data, other).isDescribed).toBe(false)
  })
  test('a domain hash that fits binds alone', () => {
    const separator = domainSeparator({ domain: { ...domain, verifyingContract: contract } })
    expect(bound({ domainSeparator: separator }).isDescribed).toBe(true)
    expect(
      bound({ domainSeparator: separator.replace(/.$/, (last) => (last === '0' ? '1' : '0')) }).isDescribed,
    ).toBe(false)
  })
  test('without a chain or a contract no descriptor applies', () => {
    const { chainId: _, ...rest } = domain
    const bare = {
      ...data,
      domain: rest,
      types: {
        ...types,
        EIP712Domain: [
          { name: 'name', type: 'string' },
          { name: 'version', type: 'string' },
          { name: 'verifyingContract', type: 'address' },
        ],
      },
    }
    expect(bound({ deployments }, bare).isDescribed).toBe(false)
  })
  test('with a checksum that is wrong is described with a warning', () => {
    const wrong = typedData('Mail', types, { to: { wallet: alice.replace('d8dA', 'D8da') }, notes: [] })
    const described = bound({ deployments }, wrong)
    expect([described.isDescribed, codes(described)]).toEqual([
      true,
      ['invalid-checksum', 'empty-list', 'intent-incomplete'],
    ])
  })
})

describe('trust', () => {
  const key = 'transfer(address to,uint256 amount)'
  const context = { contract: { deployments: [{ chainId: 1, address: usdc }] } }
  const worded = (intent: string) => descriptorOf(key, { format: { intent }, fields: [raw('to')] }, context)
  const of = (intent: string, origin: 'registry' | 'app', auditors: readonly { address: string }[] = []) =>
    createSource(readDescriptors([worded(intent)], origin).map((each) => ({ ...each, auditors })))
  const all = {
    builtIn: createBuiltInSource(createDataProvider({ tokens })),
    audited: of('Audited', 'registry', [{ address: alice }]),
    registry: of('Registry', 'registry'),
    app: of('App', 'app'),
  }
  const intent = (...sources: readonly (keyof typeof all)[]) =>
    describeTransaction(
      { chainId: 1, to: usdc, data: encode(key, [alice, 1n]) },
      { descriptors: sources.map((name) => all[name]) },
    )
  test('built-in, then audited, then the registry, then the app, whatever the order of sources', () => {
    expect(intent('app', 'registry', 'audited', 'builtIn').descriptor?.trust).toBe('built-in')
    expect(intent('app', 'registry', 'audited').intent).toBe('Audited')
    expect(intent('app', 'registry').intent).toBe('Registry')
    expect(intent('app').descriptor).toMatchObject({ origin: 'app', trust: 'app' })
  })
  test('a descriptor that does not fit leaves the word to the next', () => {
    const broken = createSource(
      readDescriptors([descriptorOf(key, { fields: [raw('nope')] }, context)], 'registry'),
    )
    const described = describeTransaction(
      { chainId: 1, to: usdc, data: encode(key, [alice, 1n]) },
      { descriptors: [broken, all.app] },
    )
    expect(described.intent).toBe('App')
  })
})

describe('batches', () => {
  const key = 'f(uint256 x)'
  const source = sourceOf(descriptorOf(key, { format: { interpolatedIntent: 'Do {x}' }, fields: [raw('x')] }))
  const call = (x: bigint) => ({ chainId: 1, to: contract, data: encode(key, [x]) })
  test('have one sentence of all calls', () => {
    const described = describeBatch([call(1n), call(2n), call(3n)], { descriptors: source })
    expect(described.interpolatedIntent).toBe('Do 1 and Do 2 and Do 3')
    expect(described.calls.map(({ intent }) => intent)).toEqual(['Do', 'Do', 'Do'])
  })
  test('have none if a single call has none', () => {
    const described = describeBatch([call(1n), { chainId: 1, to: bob, data: '0x12345678' }], {
      descriptors: source,
    })
    expect(described.interpolatedIntent).toBeUndefined()
    expect(describeBatch([], { descriptors: source }).interpolatedIntent).toBeUndefined()
  })
})
