/**
 * The reference implementation of ERC-7730 beside ours, on random calls of every function that the registry describes. Needs the package
 * @ethereum-sourcify/clear-signing and the registry's descriptors; without them it is skipped, and says so.
 */
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { encodeAbiParameters } from 'viem'
import { expect, test } from 'vitest'
import { getChainInfo } from '../../src/clear-signing/chains.ts'
import {
  createDataProvider,
  createSource,
  type Description,
  describeTransaction,
} from '../../src/clear-signing/index.ts'
import { type AbiType, parseSignature } from '../../src/clear-signing/signature.ts'
import { readCheckout } from '../../tools/clear-signing/checkout.ts'
import { type Rendered, render } from '../../tools/clear-signing/fixtures.ts'
import { limit } from '../support/limit.ts'
import { type Random, seeded } from '../support/random.ts'
import { soak } from '../support/soak.ts'

interface Shown {
  readonly intent?: string | Record<string, string>
  readonly interpolatedIntent?: string
  readonly metadata?: { readonly owner?: string }
  readonly fields?: readonly ShownField[]
  readonly warnings?: readonly { readonly code: string }[]
}
interface ShownField {
  readonly label: string
  readonly value: string
  readonly fields?: readonly ShownField[]
  readonly embeddedCalldata?: { readonly display: Shown }
}
interface Reference {
  format(transaction: object, options: object): Promise<Shown>
}

const name = '@ethereum-sourcify/clear-signing'
const reference = (await import(/* @vite-ignore */ name).catch(() => undefined)) as Reference | undefined
const folder = fileURLToPath(new URL('../../../shared/vectors/erc7730', import.meta.url))
const missing = reference
  ? fs.existsSync(folder)
    ? ''
    : 'the registry’s descriptors are not there'
  : `${name} is not installed`
if (missing) console.log(`Reference implementation of ERC-7730: skipped, ${missing}`)

/** Differences that are meant, each with its reason. */
const reasons = {
  'a date that is none': 'the reference prints NaN',
  'groups within groups': 'the reference refuses them',
  'twenty bytes': 'the reference takes bytes for an address',
  'a long sentence': 'ours falls back to the intent',
} as const

const each = soak(1, 40)
const seed = 20_260_105
test.skipIf(missing)(
  `descriptions: ${each} random calls of every function are what the reference says, but for ${Object.keys(reasons).length} differences (seed ${seed})`,
  { timeout: limit(600_000) },
  async () => {
    const random = seeded(seed)
    const addresses = Array.from({ length: 12 }, (_, at) => `0x${(at + 17).toString(16).repeat(20)}`)
    const tokens = Object.fromEntries(
      addresses
        .slice(0, 5)
        .map((address, at) => [address, { symbol: `TK${at}`, decimals: at * 6, name: 'T' }]),
    )
    const ensNames = { [addresses[6] ?? '']: 'six.eth' }
    const { descriptors } = readCheckout(folder)
    const source = createSource(descriptors)
    const data = createDataProvider({ tokens, ensNames })
    const calls = descriptors.flatMap((each) => {
      const { context, display } = JSON.parse(JSON.stringify(each.descriptor))
      const [place] = context?.contract?.deployments ?? []
      return place ? [{ ...each, place, formats: Object.keys(display?.formats ?? {}) }] : []
    })
    const index = Object.fromEntries(
      calls.map(({ place, path }) => [`eip155:${place.chainId}:${place.address.toLowerCase()}`, path]),
    )
    const options = {
      descriptorResolverOptions: {
        type: 'custom',
        resolver: {
          index: { calldataIndex: index, typedDataIndex: {} },
          fetchDescriptor: async (path: string) =>
            JSON.parse(JSON.stringify(descriptors.find((one) => one.path === path)?.descriptor)),
        },
      },
      externalDataProvider: {
        resolveToken: async (_: number, address: string) => tokens[address] ?? null,
        resolveEnsName: async (address: string) =>
          ensNames[address] ? { name: ensNames[address], typeMatch: true } : null,
        resolveChainInfo: async (chainId: number) => getChainInfo(chainId, {}) ?? null,
      },
    }
    const differences = new Map<string, number>()
    let count = 0
    for (const { place, path, formats } of calls) {
      if (index[`eip155:${place.chainId}:${place.address.toLowerCase()}`] !== path) continue
      for (const key of formats) {
        const signature = parseSignature(key)
        if (!signature) continue
        const inputs = signature.parameters.map((parameter) => toInput(parameter.type, parameter.name))
        for (let round = 0; round < each; round++) {
          const args = inputs.map((input) => randomValue(random, input, addresses))
          const call = {
            chainId: place.chainId,
            to: place.address,
            data: `${signature.selector}${encodeAbiParameters(inputs, args).slice(2)}`,
            value: BigInt(random.whole(1_000)) * 10n ** 15n,
            from: random.pick(addresses),
          }
          const ours = describeTransaction(call, { descriptors: source, dataProvider: data })
          const theirs = await reference?.format(call, options)
          if (!theirs) throw new Error('no description')
          count++
          const reason = compare(ours, theirs)
          if (reason === 'another')
            throw new Error(
              `${path} ${key}\n${JSON.stringify(render(ours))}\n${JSON.stringify(renderShown(theirs))}`,
            )
          if (reason) differences.set(reason, (differences.get(reason) ?? 0) + 1)
        }
      }
    }
    console.log(
      `Reference implementation: ${count} calls; ${[...differences].map(([reason, times]) => `${reason}: ${times}`).join(', ')}`,
    )
    expect(count).toBeGreaterThan(200 * each)
  },
)

function compare(ours: Description, theirs: Shown): keyof typeof reasons | 'another' | undefined {
  const [one, other] = [render(ours), renderShown(theirs)]
  if (JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))) return undefined
  const codes = theirs.warnings?.map(({ code }) => code) ?? []
  if (codes.includes('UNSUPPORTED_NESTED_FIELD_GROUP')) return 'groups within groups'
  if (one.fields.length !== other.fields.length || one.intent !== other.intent || one.owner !== other.owner)
    return 'another'
  const wrong = one.fields.flatMap((field, at) => {
    const theirValue = other.fields[at]?.value
    if (JSON.stringify(field.value) === JSON.stringify(theirValue)) return []
    if (typeof theirValue !== 'string' || typeof field.value !== 'string') return ['another' as const]
    if (theirValue.startsWith('NaN') || /^\+?\d{5,}-/.test(theirValue))
      return ['a date that is none' as const]
    return theirValue.length === 42 && theirValue.toLowerCase() === field.value
      ? ['twenty bytes' as const]
      : ['another' as const]
  })
  if (wrong.length > 0) return wrong.includes('another') ? 'another' : wrong[0]
  return one.interpolatedIntent === undefined ? 'a long sentence' : 'another'
}
const sorted = ({ intent, interpolatedIntent, owner, fields }: Rendered) => [
  intent,
  interpolatedIntent,
  owner,
  fields,
]

function renderShown({ intent = '', interpolatedIntent, metadata, fields = [] }: Shown): Rendered {
  const flat = (list: readonly ShownField[]): Rendered['fields'] =>
    list.flatMap((field) => {
      if (field.fields) return flat(field.fields)
      const display = field.embeddedCalldata?.display
      return [
        {
          label: field.label,
          value: display && !display.warnings?.length ? renderShown(display) : field.value,
        },
      ]
    })
  const words =
    typeof intent === 'string'
      ? intent
      : Object.entries(intent)
          .map(([label, text]) => `${label}: ${text}`)
          .join(', ')
  return {
    intent: words,
    ...(interpolatedIntent !== undefined && { interpolatedIntent }),
    owner: metadata?.owner ?? '',
    fields: flat(fields),
  }
}

interface Input {
  readonly name: string
  readonly type: string
  readonly components?: readonly Input[]
}
function toInput(type: AbiType, own: string): Input {
  if (type.kind === 'value') return { name: own, type: type.text }
  if (type.kind === 'tuple')
    return {
      name: own,
      type: 'tuple',
      components: type.members.map((member) => toInput(member.type, member.name)),
    }
  const inner = toInput(type.of, own)
  return { ...inner, type: `${inner.type}[${type.length ?? ''}]` }
}

function randomValue(random: Random, input: Input, addresses: readonly string[]): unknown {
  const { type, components } = input
  const list = /^(.*)\[(\d*)\]$/.exec(type)
  if (list) {
    const length = list[2] ? Number(list[2]) : random.whole(4)
    return Array.from({ length }, () => randomValue(random, { ...input, type: list[1] ?? '' }, addresses))
  }
  if (components) return components.map((component) => randomValue(random, component, addresses))
  const hex = (bytes: number) =>
    Array.from({ length: bytes }, () => random.whole(256).toString(16).padStart(2, '0')).join('')
  if (type === 'address') return random.pick(addresses)
  if (type === 'bool') return random.chance(0.5)
  if (type === 'string') return random.pick(['', 'abc', 'hello world', '123'])
  if (type === 'bytes') return `0x${hex(random.pick([0, 4, 20, 36, 68]))}`
  const [, kind, size] = /^(bytes|u?int)(\d+)$/.exec(type) ?? []
  if (kind === 'bytes') return `0x${hex(Number(size))}`
  const number = random.pick([
    BigInt(random.whole(5)),
    1_700_000_000n + BigInt(random.whole(1e8)),
    BigInt(random.whole(2 ** 30)) * 10n ** BigInt(random.whole(20)),
    BigInt(`0x${hex(Number(size) / 8)}`),
    BigInt(random.pick(addresses)),
  ])
  return kind === 'int' ? BigInt.asIntN(Number(size), number) : BigInt.asUintN(Number(size), number)
}
