/** A chain with accounts, batches and tokens whose code carries out what calls ask for, and random calls of them. */
import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import {
  type Address,
  createTestClient,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  getAddress,
  type Hex,
  http,
  keccak256,
  parseAbi,
  publicActions,
  toFunctionSelector,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { addWords, createTranslate } from '../../src/copy/copy.ts'
import { en } from '../../src/copy/en/index.ts'
import type { View } from '../../src/dialog/screen.ts'
import type { SignRequest } from '../../src/protocol/frame/sign-request.ts'
import type { TransactionPreview } from '../../src/signing/preview.ts'
import { readSignRequest } from '../../src/vault/approval/sign/kinds.ts'
import { assemble } from '../ethereum/support/token-code.ts'

addWords(en)

const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const owner = privateKeyToAccount(key)
export const chainId = 1
export const wallet: Address = owner.address
const at = (digits: string) => getAddress(`0x${digits.repeat(40 / digits.length)}`)
/** Accounts and contracts that hold something of the user's. */
export const accounts = [at('a1'), at('a2'), at('a3')] as const
/** The address of Safe's own contract, which alone may run as a part of an account. */
const multiSendAt: Address = '0x40A2aCCbd92BCA938b02010E17A5b8929b49130D'
const library = at('1b')
const stub = at('5b')
export const coins = [at('c1'), at('c2')] as const
const numbered = at('c7')
const several = at('c5')
export const strangers = [at('e1'), at('e2'), at('e3'), at('e4')] as const
export const own: readonly Address[] = [wallet, ...accounts]
const zero = at('00')

/* Code: variables are words of memory, and calls are copied behind them. */
export const argument = (index: number) => `${4 + 32 * index} CALLDATALOAD`
const get = (name: number) => `${name * 32} MLOAD`
const set = (name: number, value: string) => `${value} ${name * 32} MSTORE`
export const plus = (...terms: string[]) => terms.reduce((sum, term) => `${sum} ${term} ADD`)
const minus = (from: string, less: string) => `${less} ${from} SUB`
export const word = (place: string) => `${place} CALLDATALOAD`
let labels = 0
const label = () => `l${labels++}`

/** Calls with the bytes at a place of the call data; `operation` 1 is a delegate call. */
function carryOut(to: string, value: string, place: string, length: string, operation = '0', gas = 'GAS') {
  const [delegate, done] = [label(), label()]
  const result = (call: string) => set(14, call)
  return `${set(11, place)} ${set(12, length)} ${set(15, gas)} ${get(12)} ${get(11)} 2048 CALLDATACOPY
    ${operation} @${delegate} JUMPI
    ${result(`0 0 ${get(12)} 2048 ${value} ${to} ${get(15)} CALL`)} @${done} JUMP
    :${delegate} ${result(`0 0 ${get(12)} 2048 ${to} ${get(15)} DELEGATECALL`)}
    :${done}`
}
const orFail = `${get(14)} ISZERO @fail JUMPI`
function forEach(count: string, body: string) {
  const [next, end] = [label(), label()]
  return `${set(1, '0')} :${next} ${count} ${get(1)} LT ISZERO @${end} JUMPI ${body}
    ${set(1, plus(get(1), '1'))} @${next} JUMP :${end}`
}
/** A list of structs that begins at a place: which of their words is the value. */
const structs = (base: string, { value, data }: { value?: number; data: number }) => `
  ${set(2, base)}
  ${forEach(
    word(get(2)),
    `${set(3, plus(get(2), '32', word(plus(get(2), '32', `${get(1)} 32 MUL`))))}
    ${set(4, plus(get(3), word(plus(get(3), String(data * 32)))))}
    ${carryOut(word(get(3)), value === undefined ? '0' : word(plus(get(3), String(value * 32))), plus(get(4), '32'), word(get(4)))}
    ${orFail}`,
  )}`
const lists = (values: boolean) => `
  ${set(2, plus('4', argument(0)))} ${set(5, plus('4', argument(values ? 2 : 1)))}
  ${values ? set(6, plus('4', argument(1))) : ''}
  ${forEach(
    word(get(2)),
    `${set(4, plus(get(5), '32', word(plus(get(5), '32', `${get(1)} 32 MUL`))))}
    ${carryOut(
      word(plus(get(2), '32', `${get(1)} 32 MUL`)),
      values ? word(plus(get(6), '32', `${get(1)} 32 MUL`)) : '0',
      plus(get(4), '32'),
      word(get(4)),
    )} ${orFail}`,
  )}`
const ownCalls = (index: number) => `
  ${set(2, plus('4', argument(index)))}
  ${forEach(
    word(get(2)),
    `${set(4, plus(get(2), '32', word(plus(get(2), '32', `${get(1)} 32 MUL`))))}
    ${carryOut('ADDRESS', '0', plus(get(4), '32'), word(get(4)), '1')} ${orFail}`,
  )}`
const single = (operation: string) => `
  ${set(4, plus('4', argument(2)))}
  ${carryOut(argument(0), argument(1), plus(get(4), '32'), word(get(4)), operation)} ${orFail}`
const modes = () => {
  const [one, code, end] = [label(), label(), label()]
  const kind = `${argument(0)} 248 SHR`
  const target = `${word(plus(get(4), '32'))} 96 SHR`
  return `${set(4, plus('4', argument(1)))}
    ${kind} ISZERO @${one} JUMPI ${kind} 255 EQ @${code} JUMPI
    ${structs(plus(get(4), '32', word(plus(get(4), '32'))), { value: 1, data: 2 })} @${end} JUMP
    :${one} ${carryOut(target, word(plus(get(4), '52')), plus(get(4), '84'), minus(word(get(4)), '52'))} ${orFail} @${end} JUMP
    :${code} ${carryOut(target, '0', plus(get(4), '52'), minus(word(get(4)), '20'), '1')} ${orFail}
    :${end}`
}
const packedList = () => {
  const [next, end] = [label(), label()]
  return `${set(2, plus('4', argument(0)))} ${set(3, plus(get(2), word(get(2))))} ${set(1, get(2))}
    :${next} ${get(3)} ${get(1)} LT ISZERO @${end} JUMPI
    ${set(5, plus(get(1), '32'))}
    ${carryOut(
      `${word(plus(get(5), '1'))} 96 SHR`,
      word(plus(get(5), '21')),
      plus(get(5), '85'),
      word(plus(get(5), '53')),
      `${word(get(5))} 248 SHR`,
    )} ${orFail}
    ${set(1, plus(get(1), '85', get(12)))} @${next} JUMP :${end}`
}
/** As Safe.sol does it: with a price, the inner call has its own gas and may fail, and its gas is paid back. */
const safe = () => {
  const [free, paid, token, own, done, cheap] = [label(), label(), label(), label(), label(), label()]
  const transfer = `0x${toFunctionSelector('transfer(address,uint256)').slice(2).padEnd(64, '0')}`
  return `${set(4, plus('4', argument(2)))} ${argument(6)} ISZERO @${free} JUMPI
    ${set(7, 'GAS')}
    ${carryOut(argument(0), argument(1), plus(get(4), '32'), word(get(4)), argument(3), argument(4))}
    ${set(7, plus(minus(get(7), 'GAS'), argument(5)))}
    ${set(8, argument(8))} ${get(8)} @${paid} JUMPI ${set(8, 'ORIGIN')}
    :${paid} ${argument(7)} @${token} JUMPI
    ${set(9, argument(6))} GASPRICE ${argument(6)} LT @${cheap} JUMPI ${set(9, 'GASPRICE')} :${cheap}
    0 0 0 0 ${get(7)} ${get(9)} MUL ${get(8)} GAS CALL ISZERO @fail JUMPI @${done} JUMP
    :${token} ${transfer} 2048 MSTORE ${get(8)} 2052 MSTORE ${get(7)} ${argument(6)} MUL 2084 MSTORE
    0 0 68 2048 0 ${argument(7)} GAS CALL ISZERO @fail JUMPI @${done} JUMP
    :${free} ${carryOut(argument(0), argument(1), plus(get(4), '32'), word(get(4)), argument(3))} ${orFail}
    :${done} :${own}`
}

/** Code with these functions; any other call stops at once. */
export function contract(functions: Readonly<Record<string, string>>): Hex {
  const entries = Object.entries(functions)
  return assemble(`
    CALLDATASIZE ISZERO @stop JUMPI 0 CALLDATALOAD 224 SHR 0 MSTORE
    ${entries.map(([name], index) => `${get(0)} ${BigInt(toFunctionSelector(name))} EQ @f${index} JUMPI`).join('\n')}
    :stop STOP :fail 0 0 REVERT
    ${entries.map(([, body], index) => `:f${index} ${body} STOP`).join('\n')}`)
}

const accountCode = contract({
  'execute(address,uint256,bytes)': single('0'),
  'execute(address,uint256,bytes,uint8)': single(argument(3)),
  'execTransactionFromModule(address,uint256,bytes,uint8)': single(argument(3)),
  'executeUserOp(address,uint256,bytes,uint8)': single(argument(3)),
  'executeBatch((address,uint256,bytes)[])': structs(plus('4', argument(0)), { value: 1, data: 2 }),
  'execute((address,uint256,bytes)[])': structs(plus('4', argument(0)), { value: 1, data: 2 }),
  'executeBatch(address[],uint256[],bytes[])': lists(true),
  'executeBatch(address[],bytes[])': lists(false),
  'execute(bytes32,bytes)': modes(),
  'multicall(bytes[])': ownCalls(0),
  'multicall(uint256,bytes[])': ownCalls(1),
  'multicall(bytes32,bytes[])': ownCalls(1),
  'aggregate((address,bytes)[])': structs(plus('4', argument(0)), { data: 1 }),
  'tryAggregate(bool,(address,bytes)[])': structs(plus('4', argument(1)), { data: 1 }),
  'aggregate3((address,bool,bytes)[])': structs(plus('4', argument(0)), { data: 2 }),
  'aggregate3Value((address,bool,uint256,bytes)[])': structs(plus('4', argument(0)), { value: 2, data: 3 }),
  'multiSend(bytes)': packedList(),
  'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)': safe(),
})
/** Code that gives seven wei away, as a part of whoever runs it. */
const libraryCode = assemble(`0 0 0 0 7 ${strangers[3]} GAS CALL POP STOP`)

export const hashOf = (...words: string[]) =>
  `${words.map((each, index) => `${each} ${1024 + 32 * index} MSTORE`).join(' ')} ${32 * words.length} 1024 KECCAK256`
export const store = (slot: string, value: string) => `${set(20, value)} ${get(20)} ${slot} SSTORE`
const move = (from: string, to: string, amount: string) => `
  ${amount} ${from} SLOAD LT @fail JUMPI
  ${store(from, minus(`${from} SLOAD`, amount))} ${store(to, plus(`${to} SLOAD`, amount))}`
const OPERATOR = '1'
const HOLDING = '2'
const numberSlot = (id: string) => `${1n << 200n} ${id} ADD`
const approvalSlot = (id: string) => `${1n << 201n} ${id} ADD`
const coinCode = contract({
  'transfer(address,uint256)': move('CALLER', argument(0), argument(1)),
  'approve(address,uint256)': store(hashOf('CALLER', argument(0)), argument(1)),
  'increaseAllowance(address,uint256)': `${set(3, hashOf('CALLER', argument(0)))}
    ${store(get(3), plus(`${get(3)} SLOAD`, argument(1)))}`,
  'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)': store(
    hashOf(argument(0), argument(1)),
    argument(2),
  ),
  'transferFrom(address,address,uint256)': move(argument(0), argument(1), argument(2)),
})
const numberedCode = contract({
  'approve(address,uint256)': store(approvalSlot(argument(1)), argument(0)),
  'transferFrom(address,address,uint256)': store(numberSlot(argument(2)), argument(1)),
  'safeTransferFrom(address,address,uint256)': store(numberSlot(argument(2)), argument(1)),
  'safeTransferFrom(address,address,uint256,bytes)': store(numberSlot(argument(2)), argument(1)),
  'setApprovalForAll(address,bool)': store(hashOf('CALLER', argument(0), OPERATOR), argument(1)),
})
const severalCode = contract({
  'safeTransferFrom(address,address,uint256,uint256,bytes)': move(
    hashOf(argument(0), argument(2), HOLDING),
    hashOf(argument(1), argument(2), HOLDING),
    argument(3),
  ),
  'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)': `
    ${set(2, plus('4', argument(2)))} ${set(5, plus('4', argument(3)))}
    ${forEach(
      word(get(2)),
      `${set(6, word(plus(get(2), '32', `${get(1)} 32 MUL`)))} ${set(7, word(plus(get(5), '32', `${get(1)} 32 MUL`)))}
      ${move(hashOf(argument(0), get(6), HOLDING), hashOf(argument(1), get(6), HOLDING), get(7))}`,
    )}`,
  'setApprovalForAll(address,bool)': store(hashOf('CALLER', argument(0), OPERATOR), argument(1)),
})

/* What is asked for, as a tree. */
export type Step =
  | { readonly kind: 'coins'; readonly to: number; readonly amount: bigint }
  | { readonly kind: 'unknown'; readonly amount: bigint; readonly hasStranger: boolean; readonly to: number }
  | {
      readonly kind: 'transfer' | 'transferFrom'
      readonly token: number
      readonly to: number
      readonly amount: bigint
    }
  | {
      readonly kind: 'approve' | 'increase' | 'permit'
      readonly token: number
      readonly to: number
      readonly amount: bigint
    }
  | { readonly kind: 'number'; readonly form: number; readonly to: number; readonly id: bigint }
  | {
      readonly kind: 'several'
      readonly to: number
      readonly items: readonly (readonly [id: number, amount: bigint])[]
    }
  | { readonly kind: 'all'; readonly token: number; readonly to: number; readonly isOn: boolean }
  | { readonly kind: 'library'; readonly account: number; readonly form: number }
  | {
      readonly kind: 'account'
      readonly account: number
      readonly form: number
      readonly passes: bigint
      readonly refund?: Refund | undefined
      readonly steps: readonly Step[]
    }
  | { readonly kind: 'creation'; readonly amount: bigint }
interface Refund {
  readonly base: bigint
  readonly gas: bigint
  readonly price: bigint
  readonly token: number
  readonly to: number
}

const recipient = fc.nat(strangers.length - 2)
const amount = fc.oneof(fc.constantFrom(1n, 10n ** 18n, 100n * 10n ** 18n), fc.bigInt(1n, 10n ** 21n))
const leaf: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('coins' as const), to: recipient, amount }) },
  fc.record({
    kind: fc.constant('unknown' as const),
    amount: fc.oneof(fc.constant(0n), amount),
    hasStranger: fc.boolean(),
    to: recipient,
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('transfer' as const, 'transferFrom' as const),
      token: fc.nat(1),
      to: recipient,
      amount,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('approve' as const, 'increase' as const, 'permit' as const),
      token: fc.nat(1),
      to: recipient,
      amount: fc.oneof(amount, fc.constantFrom(0n, 2n ** 256n - 1n)),
    }),
  },
  fc.record({
    kind: fc.constant('number' as const),
    form: fc.nat(2),
    to: recipient,
    // Without bias: a number that moves twice to one holder would change nothing.
    id: fc.noBias(fc.bigInt(2n ** 40n, 2n ** 60n)),
  }),
  fc.record({
    kind: fc.constant('several' as const),
    to: recipient,
    items: fc.array(fc.tuple(fc.nat(3), amount), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('all' as const), token: fc.nat(1), to: recipient, isOn: fc.boolean() }),
  fc.record({ kind: fc.constant('library' as const), account: fc.nat(2), form: fc.nat(2) }),
)
const refund: fc.Arbitrary<Refund> = fc.record({
  base: fc.bigInt(0n, 100_000n),
  gas: fc.bigInt(0n, 200_000n),
  price: fc.constantFrom(1n, 5n, 10n ** 9n, 10n ** 12n),
  token: fc.nat(2),
  to: fc.nat(strangers.length - 1),
})
/** Forms with a refund, and those which hold one call alone. */
const forms = 19
const nested = (depth: number): fc.Arbitrary<Step> =>
  depth === 0
    ? leaf
    : fc.oneof(
        { weight: 2, arbitrary: leaf },
        {
          weight: 3,
          arbitrary: fc.record({
            kind: fc.constant('account' as const),
            account: fc.nat(own.length - 1),
            form: fc.nat(forms - 1),
            passes: fc.oneof({ weight: 3, arbitrary: fc.constant(0n) }, amount),
            refund: fc.option(refund, { nil: undefined, freq: 2 }),
            steps: fc.array(nested(depth - 1), { minLength: 1, maxLength: 3 }),
          }),
        },
      )
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: nested(4) },
  fc.record({ kind: fc.constant('creation' as const), amount: fc.oneof(fc.constant(0n), amount) }),
)

const abi = parseAbi([
  'function execute(address,uint256,bytes)',
  'function execTransactionFromModule(address,uint256,bytes,uint8)',
  'function executeUserOp(address,uint256,bytes,uint8)',
  'function multicall(bytes[])',
  'function executeBatch(address[],bytes[])',
  'function multiSend(bytes)',
  'function execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
  'function transfer(address,uint256)',
  'function transferFrom(address,address,uint256)',
  'function approve(address,uint256)',
  'function increaseAllowance(address,uint256)',
  'function permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
  'function safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
  'function setApprovalForAll(address,bool)',
  'function authorizeOperator(address)',
])
/** A function by its whole signature, where its name has several. */
export const encode = (signature: string, ...args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as readonly string[]), args } as never)
const call = (functionName: string, ...args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi, functionName, args } as never)

export interface Call {
  readonly to?: Address | undefined
  readonly value: bigint
  readonly data: Hex
}
const to = (index: number) => strangers[index] ?? strangers[0]
const coin = (index: number) => coins[index] ?? coins[0]

/** The call for a step, made by an account. */
export function callOf(step: Step, from: Address): Call {
  const plain = (target: Address, data: Hex): Call => ({ to: target, value: 0n, data })
  switch (step.kind) {
    case 'coins':
      return { to: to(step.to), value: step.amount, data: '0x' }
    case 'unknown':
      return {
        to: step.hasStranger ? to(step.to) : stub,
        value: step.amount,
        data: step.hasStranger ? '0xdeadbeef' : call('authorizeOperator', to(step.to)),
      }
    case 'transfer':
      return plain(coin(step.token), call('transfer', to(step.to), step.amount))
    case 'transferFrom':
      return plain(coin(step.token), call('transferFrom', from, to(step.to), step.amount))
    case 'approve':
      return plain(coin(step.token), call('approve', to(step.to), step.amount))
    case 'increase':
      return plain(coin(step.token), call('increaseAllowance', to(step.to), step.amount))
    case 'permit':
      return plain(
        coin(step.token),
        call(
          'permit',
          from,
          to(step.to),
          step.amount,
          2n ** 40n,
          27,
          `0x${'11'.repeat(32)}`,
          `0x${'22'.repeat(32)}`,
        ),
      )
    case 'number': {
      const args = [from, to(step.to), step.id] as const
      if (step.form === 0) return plain(numbered, call('transferFrom', ...args))
      return step.form === 1
        ? plain(numbered, encode('safeTransferFrom(address,address,uint256)', ...args))
        : plain(numbered, encode('safeTransferFrom(address,address,uint256,bytes)', ...args, '0x'))
    }
    case 'several': {
      const [first] = step.items
      return step.items.length === 1 && first
        ? plain(
            several,
            encode(
              'safeTransferFrom(address,address,uint256,uint256,bytes)',
              from,
              to(step.to),
              BigInt(first[0]),
              first[1],
              '0x',
            ),
          )
        : plain(
            several,
            call(
              'safeBatchTransferFrom',
              from,
              to(step.to),
              step.items.map(([id]) => BigInt(id)),
              step.items.map(([, figure]) => figure),
              '0x',
            ),
          )
    }
    case 'all':
      return plain(step.token === 0 ? numbered : several, call('setApprovalForAll', to(step.to), step.isOn))
    case 'library': {
      const account = accounts[step.account] ?? accounts[0]
      const inner = [library, 0n, '0x', 1] as const
      if (step.form === 0) return plain(account, call('execTransactionFromModule', ...inner))
      return step.form === 1
        ? plain(account, call('execTransaction', ...inner, 0n, 0n, 0n, zero, zero, '0x'))
        : plain(
            account,
            encode('execute(bytes32,bytes)', `0xff${'00'.repeat(31)}`, encodePacked(['address'], [library])),
          )
    }
    case 'creation':
      return { value: step.amount, data: '0x00' }
    case 'account': {
      const account = own[step.account] ?? wallet
      const calls = step.steps.map((inner) => callOf(inner, account))
      return {
        to: account,
        value: account === from ? 0n : step.passes,
        data: carriedOut(step.form, calls, step.refund),
      }
    }
  }
}

const target = (each: Call) => each.to ?? zero
const tuples = (calls: readonly Call[]) =>
  calls.map((each) => ({ to: target(each), value: each.value, data: each.data }))
const tuple = '(address to,uint256 value,bytes data)[]'
/** Without coins of its own: the ways that can't carry any take a call of `execute` for those that do. */
const withoutValue = (calls: readonly Call[]) => calls.every(({ value }) => value === 0n)
const packed = (calls: readonly Call[]): Hex =>
  `0x${calls
    .map((each) =>
      encodePacked(
        ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
        [0, target(each), each.value, BigInt((each.data.length - 2) / 2), each.data],
      ).slice(2),
    )
    .join('')}`

/** Calls as an account carries them out, in one of the forms. */
export function carriedOut(form: number, calls: readonly Call[], paid: Refund | undefined): Hex {
  const [one] = calls
  const isOne = calls.length === 1 && one !== undefined
  const three = (way: number): Hex => {
    const mode = (kind: string) => `0x${kind}${'00'.repeat(31)}` as const
    switch (way) {
      case 0:
        return encode(`executeBatch(${tuple})`, tuples(calls))
      case 1:
        return encode(`execute(${tuple})`, tuples(calls))
      case 2:
        return encode(
          'executeBatch(address[],uint256[],bytes[])',
          calls.map(target),
          calls.map(({ value }) => value),
          calls.map(({ data }) => data),
        )
      case 3:
        return encode(
          'execute(bytes32,bytes)',
          mode('01'),
          encodeAbiParameters(
            [
              {
                type: 'tuple[]',
                components: [
                  { name: 'to', type: 'address' },
                  { name: 'value', type: 'uint256' },
                  { name: 'data', type: 'bytes' },
                ],
              },
            ],
            [tuples(calls)],
          ),
        )
      case 4:
        return encode(
          'aggregate3Value((address to,bool may,uint256 value,bytes data)[])',
          tuples(calls).map((each) => ({ ...each, may: false })),
        )
      case 5: {
        const direct = [multiSendAt, 0n, call('multiSend', packed(calls)), 1] as const
        return paid
          ? call('execTransaction', ...direct, ...refundOf(paid), '0x')
          : call('execTransaction', ...direct, 0n, 0n, 0n, zero, zero, '0x')
      }
      default:
        return call('multiSend', packed(calls))
    }
  }
  if (form < 7) return three(form)
  if (withoutValue(calls) && form < 11) {
    const pairs = calls.map((each) => ({ to: target(each), data: each.data, may: false }))
    if (form === 7)
      return call(
        'executeBatch',
        calls.map(target),
        calls.map(({ data }) => data),
      )
    if (form === 8) return encode('aggregate((address to,bytes data)[])', pairs)
    if (form === 9) return encode('tryAggregate(bool,(address to,bytes data)[])', true, pairs)
    return encode('aggregate3((address to,bool may,bytes data)[])', pairs)
  }
  if (isOne) {
    const inner = [target(one), one.value, one.data] as const
    if (form === 11) return call('execute', ...inner)
    if (form === 12) return call('execTransactionFromModule', ...inner, 0)
    if (form === 13) return call('executeUserOp', ...inner, 0)
    if (form === 14) return encode('execute(address,uint256,bytes,uint8)', ...inner, 0)
    if (form === 15)
      return encode(
        'execute(bytes32,bytes)',
        `0x${'00'.repeat(32)}`,
        encodePacked(['address', 'uint256', 'bytes'], [...inner]),
      )
    return paid
      ? call('execTransaction', ...inner, 0, ...refundOf(paid), '0x')
      : call('execTransaction', ...inner, 0, 0n, 0n, 0n, zero, zero, '0x')
  }
  const each = calls.map((inner) => call('execute', target(inner), inner.value, inner.data))
  if (form % 3 === 0) return call('multicall', each)
  return form % 3 === 1
    ? encode('multicall(uint256,bytes[])', 2n ** 40n, each)
    : encode('multicall(bytes32,bytes[])', `0x${'00'.repeat(32)}`, each)
}
const refundOf = ({ base, gas, price, token, to: receiver }: Refund) => [
  gas,
  base,
  price,
  token === 2 ? zero : coin(token),
  receiver === 3 ? zero : to(receiver),
]

/* What the vault's screen says of it. */
export interface Shown {
  /** Without spaces. */
  readonly text: string
  readonly preview: TransactionPreview
}
const styles = createCache({ key: 'lk' })
/** What is asked of the vault. */
export const requestOf = ({ to: receiver, value, data }: Call): SignRequest =>
  ({
    kind: 'evmTransaction',
    root: { chainType: 'ethereum', address: wallet },
    walletIndex: 0,
    address: wallet,
    action: 'send',
    transaction: {
      ...(receiver && { to: receiver }),
      chainId,
      nonce: '0x1',
      gasLimit: '0x30d40',
      maxFeePerGas: '0x3b9aca00',
      maxPriorityFeePerGas: '0x1',
      value: toHex(value),
      data,
    },
  }) as unknown as SignRequest

/** What the screen displays once it is open as a whole. */
export async function shownOf(asked: Call): Promise<Shown> {
  const review = await readSignRequest(
    requestOf(asked),
    { origin: 'https://host.example' },
    createTranslate(),
  )
  const view = review.screen.view as View<object, unknown>
  // No server answers.
  const read = review.confirmed?.(undefined) ?? review.props
  const props = { ...read, done: true, busy: undefined, answer: () => {} }
  const screen = createElement(view as (drawn: object) => ReturnType<typeof view>, props)
  const text = renderToStaticMarkup(createElement(CacheProvider, { value: styles }, screen))
    .replace(/<style[\s\S]*?<\/style>/g, '')
    .replace(/<svg[\s\S]*?<\/svg>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x27;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/[\p{Cf}]/gu, '')
    .replace(/\s+/g, '')
  const { preview } = read as { readonly preview: TransactionPreview }
  return { text, preview }
}

/* The chain. */
export interface Effects {
  readonly ok: boolean
  /** Without what the network took. */
  readonly coins: ReadonlyMap<string, bigint>
  /** Tokens that came to or left somebody, by token, number if it has one, and holder. */
  readonly tokens: ReadonlyMap<string, bigint>
  /** Who may take what afterwards and could not, or not as much, before: token, holder, party. */
  readonly grants: ReadonlyMap<string, bigint>
}
const lower = (text: string) => text.toLowerCase()
const slot = (words: readonly (string | bigint)[]) =>
  keccak256(`0x${words.map((each) => BigInt(each).toString(16).padStart(64, '0')).join('')}`)
const everybody = [...own, ...strangers]
/** What a word of a token's storage is. */
const slots = new Map<string, { readonly kind: 'tokens' | 'grants'; readonly name: string }>()
for (const holder of everybody) {
  for (const token of coins) {
    slots.set(`${lower(token)} ${toHex(BigInt(holder), { size: 32 })}`, {
      kind: 'tokens',
      name: lower(`${token} ${holder}`),
    })
    for (const party of everybody)
      slots.set(`${lower(token)} ${slot([holder, party])}`, {
        kind: 'grants',
        name: lower(`${token} ${holder} ${party}`),
      })
  }
  for (const token of [numbered, several])
    for (const party of everybody)
      slots.set(`${lower(token)} ${slot([holder, party, 1n])}`, {
        kind: 'grants',
        name: lower(`${token} ${holder} ${party}`),
      })
  for (let id = 0n; id < 4n; id++)
    slots.set(`${lower(several)} ${slot([holder, id, 2n])}`, {
      kind: 'tokens',
      name: lower(`${several}#${id} ${holder}`),
    })
}

type State = Readonly<
  Record<string, { readonly balance?: string; readonly storage?: Readonly<Record<string, string>> }>
>

export async function createWorld(url: string) {
  const chain = createTestClient({ mode: 'anvil', transport: http(url, { timeout: 60_000 }) }).extend(
    publicActions,
  )
  const ask = (method: string, params: readonly unknown[]): Promise<unknown> =>
    chain.request({ method, params } as never)
  const code = async (address: Address, bytecode: Hex) => chain.setCode({ address, bytecode })
  await chain.setAutomine(false)
  for (const account of [...accounts, multiSendAt]) await code(account, accountCode)
  // The wallet carries out calls to itself with the code of an account (EIP-7702).
  await code(wallet, `0xef0100${accounts[0].slice(2)}`)
  await code(library, libraryCode)
  await code(stub, '0x00')
  for (const token of coins) await code(token, coinCode)
  await code(numbered, numberedCode)
  await code(several, severalCode)
  for (const holder of own) {
    await chain.setBalance({ address: holder, value: 2n ** 110n })
    const much = toHex(2n ** 120n, { size: 32 })
    for (const token of coins)
      await chain.setStorageAt({ address: token, index: toHex(BigInt(holder), { size: 32 }), value: much })
    for (let id = 0n; id < 4n; id++)
      await chain.setStorageAt({ address: several, index: slot([holder, id, 2n]), value: much })
  }
  await chain.mine({ blocks: 1 })
  let nonce = await chain.getTransactionCount({ address: wallet })

  /** Signs and sends calls in blocks of many, and says what each has changed. */
  async function run(calls: readonly Call[]): Promise<readonly Effects[]> {
    const hashes: Hex[] = []
    for (const { to: receiver, value, data } of calls) {
      const raw = await owner.signTransaction({
        chainId,
        type: 'eip1559',
        nonce: nonce++,
        gas: 3_000_000n,
        maxFeePerGas: 10n ** 10n,
        maxPriorityFeePerGas: 1n,
        ...(receiver && { to: receiver }),
        value,
        data,
      })
      hashes.push(await chain.sendRawTransaction({ serializedTransaction: raw }))
      if (hashes.length % 8 === 0) await chain.mine({ blocks: 1 })
    }
    await chain.mine({ blocks: 1 })
    const found: Effects[] = []
    for (const hash of hashes) found.push(await effectsOf(hash))
    return found
  }

  async function effectsOf(hash: Hex): Promise<Effects> {
    const receipt = await chain.getTransactionReceipt({ hash })
    const { pre, post } = (await ask('debug_traceTransaction', [
      hash,
      { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
    ])) as { pre: State; post: State }
    const moved = new Map<string, bigint>()
    const tokens = new Map<string, bigint>()
    const grants = new Map<string, bigint>()
    for (const holder of [...everybody, stub].map(lower)) {
      const after = post[holder]?.balance
      const fee = holder === lower(wallet) ? receipt.gasUsed * receipt.effectiveGasPrice : 0n
      const change = (after === undefined ? 0n : BigInt(after) - BigInt(pre[holder]?.balance ?? 0)) + fee
      if (change !== 0n) moved.set(holder, change)
    }
    for (const token of [...coins, numbered, several].map(lower)) {
      const [before, after] = [pre[token]?.storage ?? {}, post[token]?.storage ?? {}]
      for (const place of new Set([...Object.keys(before), ...Object.keys(after)])) {
        const [old, now] = [BigInt(before[place] ?? 0), BigInt(after[place] ?? 0)]
        const known = slots.get(`${token} ${place}`)
        if (known?.kind === 'tokens') tokens.set(known.name, now - old)
        else if (known) {
          if (now > old) grants.set(known.name, now)
        } else if (BigInt(place) >> 200n === 1n)
          tokens.set(lower(`${token}#${BigInt(place) - (1n << 200n)} ${toHex(now, { size: 20 })}`), 1n)
        else throw new Error(`An unknown word of ${token}: ${place}`)
      }
    }
    return { ok: receipt.status === 'success', coins: moved, tokens, grants }
  }
  /** Somebody else calls, who needs no key on this chain. */
  async function runAs(from: Address, { to: receiver, value, data }: Call): Promise<Effects> {
    await chain.impersonateAccount({ address: from })
    await chain.setBalance({ address: from, value: 10n ** 18n })
    const request = {
      from,
      value: toHex(value),
      data,
      gas: toHex(3_000_000),
      ...(receiver && { to: receiver }),
    }
    const hash = await ask('eth_sendTransaction', [request])
    await chain.mine({ blocks: 1 })
    return effectsOf(hash as Hex)
  }
  /** Puts code at an address, with coins of its own. */
  async function place(address: Address, bytecode: Hex, value = 0n) {
    await code(address, bytecode)
    await chain.setBalance({ address, value })
  }
  return { run, runAs, place }
}

/* What happened, held against what is displayed. */
export interface Fault {
  readonly kind: string
  readonly detail: string
}
interface Sums {
  /** By receiver, and by token, number and receiver. */
  readonly coins: Map<string, bigint>
  readonly tokens: Map<string, bigint>
  readonly mostCoins: Map<string, bigint>
  readonly mostTokens: Map<string, bigint>
  readonly all: bigint
}
const address = '(0x[0-9a-fA-F]{40})'
const add = (sums: Map<string, bigint>, name: string, more: bigint) =>
  sums.set(name, (sums.get(name) ?? 0n) + more)
const whole = (figure: string) => BigInt(figure.replaceAll(',', ''))
function weiOf(figure: string): bigint {
  const [units = '0', rest = ''] = figure.replaceAll(',', '').split('.')
  return BigInt(units) * 10n ** 18n + BigInt(rest.padEnd(18, '0'))
}

function sumsOf(text: string): Sums {
  const [sent, tokens, mostCoins, mostTokens] = [new Map(), new Map(), new Map(), new Map()] as [
    Map<string, bigint>,
    Map<string, bigint>,
    Map<string, bigint>,
    Map<string, bigint>,
  ]
  for (const [, figure = '', receiver = ''] of text.matchAll(
    new RegExp(`Amount([\\d,.]+)ETHTo${address}`, 'g'),
  ))
    add(sent, lower(receiver), weiOf(figure))
  for (const [, receiver = '', figure = ''] of text.matchAll(
    new RegExp(`ActionContractcallTo${address}Sentalong([\\d,.]+)ETH`, 'g'),
  ))
    add(sent, lower(receiver), weiOf(figure))
  let along = 0n
  for (const [, figure = ''] of text.matchAll(/Sentalong([\d,.]+)ETH/g)) along += weiOf(figure)
  for (const [, figure = '', unit, token = '', receiver = lower(wallet)] of text.matchAll(
    new RegExp(
      `ActionRefundforsendingitUpto([\\d,.]+)(ETH|smallestunits)(?:Tokencontract${address})?To(?:${address})?`,
      'g',
    ),
  )) {
    if (unit === 'ETH') add(mostCoins, lower(receiver), weiOf(figure))
    else add(mostTokens, lower(`${token} ${receiver}`), whole(figure))
  }
  for (const [, receiver = '', token = '', figure, id, either] of text.matchAll(
    new RegExp(
      `Recipient${address}Tokencontract${address}(?:Amount([\\d,]+)smallestunitsOnlythetoken'scontractsayshowmanyofthesemakeonetoken\\.)?(?:Tokennumber(\\d+))?(?:Amountortokennumber(\\d+))?`,
      'g',
    ),
  )) {
    const isNumbered = lower(token) === lower(numbered)
    const number = isNumbered ? (id ?? either) : id
    const units = isNumbered ? 1n : whole(figure ?? either ?? '0')
    add(tokens, lower(`${token}${number === undefined ? '' : `#${number}`} ${receiver}`), units)
  }
  const all = [...sent.values()].reduce((sum, each) => sum + each, along)
  return { coins: sent, tokens, mostCoins, mostTokens, all }
}

const some = (step: Step, is: (step: Step) => boolean): boolean =>
  is(step) || (step.kind === 'account' && step.steps.some((inner) => some(inner, is)))

/** The ways in which a screen doesn't say what happened. */
export function faultsOf(step: Step, effects: Effects, { text, preview }: Shown): readonly Fault[] {
  const faults: Fault[] = []
  const sums = sumsOf(text)
  const codes = preview.warnings.map(({ code, severity }) => `${severity} ${code}`)
  // Nobody is said to see all of what is nested deeper than the vault reads, if it says so in red.
  const hasCut = preview.warnings.some(({ code }) => code === 'too-large')
  const isCut = hasCut && codes.some((code) => /^danger (too-large|not-understood)$/.test(code))
  const cut = hasCut ? ' beneath a cut' : ''
  const fault = (kind: string, detail: string) => {
    if (!isCut) faults.push({ kind: `${kind}${cut}`, detail })
  }
  // The inner call of a Safe that pays for itself may fail, and the payment stays.
  const isExact = !text.includes('Refundforsendingit')
  const compare = (
    what: string,
    gained: ReadonlyMap<string, bigint>,
    shown: ReadonlyMap<string, bigint>,
    most: ReadonlyMap<string, bigint>,
    names: Iterable<string>,
  ) => {
    for (const name of new Set(names)) {
      const [real, said, up] = [gained.get(name) ?? 0n, shown.get(name) ?? 0n, most.get(name) ?? 0n]
      if (real > said + up)
        fault(`${what} that left are missing`, `${name}: ${real} left, ${said} shown, refund up to ${up}`)
      else if (real < said && isExact)
        fault(`${what} are claimed that stayed`, `${name}: ${real} left, ${said} shown`)
    }
  }
  const outside = [...strangers.slice(0, 3), stub].map(lower)
  compare('coins', effects.coins, sums.coins, sums.mostCoins, outside)
  const isOutside = (name: string) => outside.some((each) => name.endsWith(each))
  compare(
    'tokens',
    effects.tokens,
    sums.tokens,
    sums.mostTokens,
    [...effects.tokens.keys(), ...sums.tokens.keys()].filter(isOutside),
  )

  const headline = weiOf(/−([\d,.]+)ETH/.exec(text)?.[1] ?? '0')
  const left = outside.reduce((sum, each) => sum + (effects.coins.get(each) ?? 0n), 0n)
  const walletLost = -(effects.coins.get(lower(wallet)) ?? 0n)
  const most = left > walletLost ? left : walletLost
  const given = some(step, ({ kind }) => kind === 'library') ? 1_000n : 0n
  const refunds = [...sums.mostCoins.values()].reduce((sum, each) => sum + each, 0n)
  if (headline + given < most)
    fault(
      headline + refunds + given < most ? 'headline below what left' : 'headline without the refund',
      `${headline} of ${most}`,
    )
  if (headline > sums.all + refunds)
    fault('headline above what is listed', `${headline} of ${sums.all + refunds}`)

  const rows = text.split(/(?=Action[A-Z])|(?=Amount[\d,.]+ETHTo)/)
  for (const [name, now] of effects.grants) {
    const [token = '', holder = '', party = ''] = name.split(' ')
    const about = rows.filter((row) => lower(row).includes(`spender${party}tokencontract${token}`))
    const isAll = ![...coins].map(lower).includes(token)
    const enough = isAll
      ? about.some((row) => row.startsWith('ActionAllowmovingalltokens'))
      : about.some((row) => row.includes('AmountMaximum')) ||
        about.reduce((sum, row) => sum + whole(/Amount([\d,]+)smallest/.exec(row)?.[1] ?? '0'), 0n) >= now ||
        about.some((row) => row.startsWith('ActionAllow'))
    if (!enough) fault('allowance is missing', `${name}: ${now}`)
    else if (holder !== lower(wallet) && !about.some((row) => lower(row).includes(holder)))
      fault('allowance without the account whose tokens they are', name)
    if (!codes.some((code) => /^(danger|warning) (unlimited-)?allowance/.test(code)))
      fault('allowance without a caution', name)
  }

  const isUndescribed = text.includes('ActionContractcall')
  if (isUndescribed && !codes.some((code) => /(undescribed|not-understood|delegate-call)$/.test(code)))
    fault('undescribed call without a caution', codes.join(', '))
  if (some(step, ({ kind }) => kind === 'library') && !codes.includes('danger delegate-call'))
    fault('delegate call without danger', codes.join(', '))
  // Without a receiver it comes back to whoever sends the transaction, which is the wallet.
  const refunded = [...sums.mostCoins.keys(), ...sums.mostTokens.keys()]
  if (refunded.some(isOutside) && !codes.includes('danger refund'))
    fault('refund without danger', codes.join(', '))
  if (step.kind === 'creation') {
    if (!text.includes('Contractcreation')) fault('creation is missing', text)
    if (step.amount !== sums.all) fault('coins of a creation', `${step.amount}, ${sums.all} shown`)
  }
  return faults
}

/** The same with less in it, the smallest first. */
export function simpler(step: Step): readonly Step[] {
  if (step.kind !== 'account') return []
  const { refund: paid, ...bare } = step
  return [
    ...step.steps,
    ...(step.steps.length > 1
      ? step.steps.map((_, left) => ({ ...step, steps: step.steps.filter((__, at) => at !== left) }))
      : []),
    ...(paid ? [bare] : []),
    ...(step.passes > 0n ? [{ ...step, passes: 0n }] : []),
    ...step.steps.flatMap((inner, at) =>
      simpler(inner).map((less) => ({ ...step, steps: step.steps.map((old, i) => (i === at ? less : old)) })),
    ),
  ]
}
