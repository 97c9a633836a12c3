/** What is displayed changes whenever what is signed does, or the data are refused. */
import fs from 'node:fs'
import { hashTypedData, parseTransaction } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  createSource,
  type Description,
  describeTransaction,
  describeTypedData,
  type TransactionInput,
} from '../../src/clear-signing/index.ts'
import { readCheckout } from '../../tools/clear-signing/checkout.ts'
import { type Fixture, listFixtures } from '../../tools/clear-signing/fixtures.ts'
import { limit } from '../support/limit.ts'
import { type Random, seeded } from '../support/random.ts'
import { counted, soak } from '../support/soak.ts'
import {
  alice,
  bob,
  contract,
  descriptorOf,
  encode,
  everything,
  hasRegistry,
  registryFolder,
  sourceOf,
  tokens,
  typedData,
  usdc,
} from './support.ts'

const rounds = soak(2_000, 100_000)
const seed = 20_260_103

/** One or two bits, a byte, or a whole word of the data; or bytes more or less at its end. */
function mutate(random: Random, data: string): string {
  const bytes = data.slice(2)
  const flip = (text: string) => {
    const at = random.whole(text.length)
    const digit = Number.parseInt(text[at] ?? '0', 16) ^ (1 << random.whole(4))
    return text.slice(0, at) + digit.toString(16) + text.slice(at + 1)
  }
  const word = () => {
    const at = 8 + 64 * random.whole(Math.max(1, (bytes.length - 8) / 64))
    const put = random.pick(['0'.repeat(64), 'f'.repeat(64), `${'0'.repeat(63)}1`, '20'.padStart(64, '0')])
    return bytes.slice(0, at) + put + bytes.slice(at + 64)
  }
  const changed = random.weighted<() => string>([
    [6, () => flip(bytes)],
    [2, () => flip(flip(bytes))],
    [3, word],
    [1, () => `${bytes}${random.pick(['00', '01', '0'.repeat(64)])}`],
    [1, () => bytes.slice(0, -2)],
  ])
  return `0x${changed()}`
}

/** The parts that a screen draws: words, fields with their values, actions, and what could not be described. */
const displayed = ({ intent, owner, fields, warnings }: Description): string =>
  everything({ intent, owner, fields, warnings } as unknown as Description)

describe('mutations', () => {
  const key =
    'trade((address token,uint256 amount,uint48 until)[] parts,address to,bool exact,bytes4 tag,string note,bytes data,int64 shift)'
  const args = [
    [
      { token: usdc, amount: 5_000_000n, until: 1_800_000_000n },
      { token: bob, amount: 7n, until: 1_900_000_000n },
    ],
    alice,
    true,
    '0x11223344',
    'hello',
    '0xbeef',
    -3n,
  ]
  const fields = [
    {
      path: 'parts.[]',
      fields: [
        { path: 'token', label: 'Token', format: 'addressName' },
        {
          path: 'amount',
          label: 'Amount',
          format: 'tokenAmount',
          params: { tokenPath: 'token', threshold: '0xffffffffffffffff' },
        },
        { path: 'until', label: 'Until', format: 'date', params: { encoding: 'timestamp' } },
      ],
    },
    { path: 'to', label: 'To', format: 'addressName' },
    { path: 'exact', label: 'Exact', format: 'raw' },
    { path: 'tag', label: 'Tag', format: 'raw' },
    { path: 'note', label: 'Note', format: 'raw' },
    { path: 'data', label: 'Data', format: 'raw' },
    { path: 'shift', label: 'Shift', format: 'raw' },
    { path: '@.value', label: 'Value', format: 'amount' },
    { path: '@.to', label: 'Contract', format: 'addressName' },
  ]
  const descriptors = sourceOf(descriptorOf(key, { fields }))
  const dataProvider = { tokens, addressNames: { [alice]: 'Alice' } }
  const describeData = (data: string, more: Partial<TransactionInput> = {}) =>
    describeTransaction({ chainId: 1, to: contract, data, value: 5n, ...more }, { descriptors, dataProvider })

  test(`a call: its fields change with each of ${counted(rounds)} mutations, or it is refused (seed ${seed})`, {
    timeout: limit(300_000),
  }, () => {
    const random = seeded(seed)
    const data = encode(key, args)
    const original = displayed(describeData(data))
    let refused = 0
    for (let round = 0; round < rounds; round++) {
      const changed = mutate(random, data)
      if (changed === data) continue
      const described = describeData(changed)
      if (!described.isDescribed) refused++
      if (displayed(described) === original && described.trailing === '0x')
        throw new Error(`displayed the same: ${changed}`)
      if (!described.isDescribed && described.fields.length > 0)
        throw new Error(`fields of refused data: ${changed}`)
    }
    console.log(`Mutations of a call: ${rounds}, ${refused} refused, 0 displayed the same`)
    expect(refused).toBeGreaterThan(rounds / 20)
    expect(refused).toBeLessThan(rounds)
    for (const more of [{ value: 6n }, { to: bob }, { chainId: 10 }])
      expect(displayed(describeData(data, more))).not.toBe(original)
  })

  const typed = (message: unknown, more: Record<string, unknown> = {}) =>
    typedData(
      'Order',
      {
        Order: [
          { name: 'maker', type: 'address' },
          { name: 'parts', type: 'Part[]' },
          { name: 'note', type: 'string' },
          { name: 'ok', type: 'bool' },
          { name: 'tag', type: 'bytes' },
        ],
        Part: [
          { name: 'token', type: 'address' },
          { name: 'amount', type: 'uint256' },
        ],
      },
      message,
      more,
    )
  const message = {
    maker: alice,
    parts: [
      { token: usdc, amount: '5000000' },
      { token: bob, amount: '7' },
    ],
    note: 'hello',
    ok: true,
    tag: '0xbeef',
  }
  const orderKey =
    'Order(address maker,Part[] parts,string note,bool ok,bytes tag)Part(address token,uint256 amount)'
  const orderFields = [
    { path: 'maker', label: 'Maker', format: 'addressName' },
    {
      path: 'parts.[]',
      fields: [
        { path: 'token', label: 'Token', format: 'addressName' },
        { path: 'amount', label: 'Amount', format: 'tokenAmount', params: { tokenPath: 'token' } },
      ],
    },
    { path: 'note', label: 'Note', format: 'raw' },
    { path: 'ok', label: 'Ok', format: 'raw' },
    { path: 'tag', label: 'Tag', format: 'raw' },
  ]
  const messages = sourceOf(
    descriptorOf(
      orderKey,
      { fields: orderFields },
      { eip712: { deployments: [{ chainId: 1, address: contract }] } },
    ),
  )
  const messageRounds = soak(400, 20_000)

  test(`typed data: its fields change with each of ${counted(messageRounds)} changes of its hash (seed ${seed})`, {
    timeout: limit(300_000),
  }, () => {
    const random = seeded(seed)
    const of = (data: unknown) => displayed(describeTypedData(data, { descriptors: messages, dataProvider }))
    const seen = new Map([[hashTypedData(typed(message) as never), of(typed(message))]])
    for (let round = 0; round < messageRounds; round++) {
      const data = typed(changeMessage(random, message))
      const hash = hashTypedData(data as never)
      const shown = of(data)
      expect(seen.get(hash) ?? shown).toBe(shown)
      seen.set(hash, shown)
    }
    expect(new Set(seen.values()).size).toBe(seen.size)
    expect(seen.size).toBeGreaterThan(messageRounds / 2)
  })

  function changeMessage(random: Random, original: typeof message): unknown {
    const copy = structuredClone(original)
    const address = () => `0x${Array.from({ length: 40 }, () => random.whole(16).toString(16)).join('')}`
    const part = random.pick(copy.parts)
    random.pick<() => unknown>([
      () => {
        copy.maker = address()
      },
      () => {
        part.token = random.chance(0.3) ? usdc : address()
      },
      () => {
        part.amount = String(BigInt(Math.floor(random.next() * 2 ** 50)) << BigInt(random.whole(200)))
      },
      () => {
        copy.note =
          random.pick(['hello ', 'Hello', 'h\u200Bello', 'hello\u202E', 'hello⟦U+202E⟧', '']) +
          random.whole(1_000)
      },
      () => {
        copy.ok = !copy.ok
        copy.note += random.whole(1_000)
      },
      () => {
        copy.tag = `0x${random
          .whole(2 ** 30)
          .toString(16)
          .padStart(8, '0')}`
      },
      () => {
        copy.parts.push({ token: usdc, amount: String(random.whole(2 ** 30)) })
      },
      () => {
        copy.parts.reverse()
        part.amount = String(random.whole(2 ** 30))
      },
    ])()
    return copy
  }
})

describe.skipIf(!hasRegistry)('mutations of the registry’s fixtures', () => {
  const each = soak(10, 400)
  test(`calls: all that is kept of them changes with each of ${each} mutations of every fixture (seed ${seed})`, {
    timeout: limit(600_000),
  }, () => {
    const random = seeded(seed)
    const checkout = readCheckout(registryFolder)
    const descriptors = createSource(checkout.descriptors)
    let calls = 0
    for (const file of listFixtures(registryFolder)) {
      const { tests, dataProvider = {} } = JSON.parse(
        fs.readFileSync(`${registryFolder}/${file}`, 'utf8'),
      ) as Fixture
      for (const one of tests) {
        if (!('rawTx' in one)) continue
        const { chainId = 0, to, data = '0x', value = 0n } = parseTransaction(one.rawTx)
        const of = (changed: string) =>
          everything(
            describeTransaction({ chainId, to, data: changed, value }, { descriptors, dataProvider }),
          )
        const original = of(data)
        calls++
        for (let round = 0; round < each; round++) {
          const changed = mutate(random, data)
          if (changed !== data && of(changed) === original)
            throw new Error(`described the same: ${file} ${changed}`)
        }
      }
    }
    expect(calls).toBeGreaterThan(100)
    console.log(`Mutations of fixtures: ${calls} calls, ${each} each, 0 described the same`)
  })
})
