/**
 * The reference implementation of ERC-7730 beside ours, on random calls and messages of all functions and types that the registry describes. Needs the package
 * @ethereum-sourcify/clear-signing and the registry's descriptors; without them it is skipped, and says so.
 */
import { encodeAbiParameters, keccak256, toHex } from 'viem'
import { expect, test } from 'vitest'
import { getChainInfo } from '../../src/clear-signing/chains.ts'
import {
  createDataProvider,
  createSource,
  type Description,
  describeTransaction,
  describeTypedData,
} from '../../src/clear-signing/index.ts'
import { type AbiType, parseSignature } from '../../src/ethereum/calls/signature.ts'
import { readCheckout } from '../../tools/clear-signing/checkout.ts'
import { type Rendered, render } from '../../tools/clear-signing/fixtures.ts'
import { limit } from '../support/limit.ts'
import { type Random, seeded } from '../support/random.ts'
import { counted, soak } from '../support/soak.ts'
import { hasRegistry, registryFolder } from './support.ts'

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
  formatTypedData(data: object, options: object): Promise<Shown>
}

const name = '@ethereum-sourcify/clear-signing'
const reference = (await import(/* @vite-ignore */ name).catch(() => undefined)) as Reference | undefined
const theirs = reference as Reference
const missing = reference
  ? hasRegistry
    ? ''
    : 'the registry’s descriptors are not there'
  : `${name} is not installed`
if (missing) console.log(`Reference implementation of ERC-7730: skipped, ${missing}`)

/** Differences that are meant: who is right, and why. */
const reasons = {
  'a date that is none':
    'the reference prints NaN or a year of many digits; ours is the number, with a warning',
  'groups within groups': 'the reference refuses a group within a group, which the format allows',
  'twenty bytes':
    'the reference takes bytes of an address’s length for an address; ours are bytes, in lower case',
} as const

/** One function, or one type of message, that a descriptor describes. */
interface Described {
  readonly name: string
  both(random: Random): Promise<readonly [ours: Description, theirs: Shown]>
}

const cases = soak(300, 10_000)
const seed = 20_260_105
test.skipIf(missing)(
  `descriptions: ${counted(cases)} random calls and messages are what the reference says, but for ${Object.keys(reasons).length} differences (seed ${seed})`,
  { timeout: limit(900_000) },
  async () => {
    const random = seeded(seed)
    // Evenly, so that a short run has some of every part of the registry.
    const all = random.shuffled([...describedCalls(), ...describedMessages()])
    const differences = new Map<keyof typeof reasons, number>()
    let described = 0
    for (let at = 0; at < cases; at++) {
      const { name, both } = all[at % all.length] as Described
      const [ours, theirs] = await both(random)
      if (ours.isDescribed) described++
      const reason = compare(ours, theirs)
      if (reason === 'another')
        throw new Error(`${name}\n${JSON.stringify(render(ours))}\n${JSON.stringify(renderShown(theirs))}`)
      if (reason) differences.set(reason, (differences.get(reason) ?? 0) + 1)
    }
    const different = [...differences.values()].reduce((sum, times) => sum + times, 0)
    console.log(
      [
        `Reference implementation: ${counted(cases)} cases of ${all.length} functions and messages, ${cases - different} the same`,
        ...Object.entries(reasons).map(
          ([reason, why]) =>
            `  ${reason.padEnd(22)}${String(differences.get(reason as keyof typeof reasons) ?? 0).padStart(6)}  ${why}`,
        ),
      ].join('\n'),
    )
    expect(all.length).toBeGreaterThan(300)
    // Two that both describe nothing say the same as well.
    expect(described).toBeGreaterThan(cases * 0.9)
    // A comparison that finds most of it different compares nothing.
    expect(different).toBeLessThan(cases / 5)
  },
)

const addresses = Array.from({ length: 12 }, (_, at) => `0x${(at + 17).toString(16).repeat(20)}`)
const tokens = Object.fromEntries(
  addresses.slice(0, 5).map((address, at) => [address, { symbol: `TK${at}`, decimals: at * 6, name: 'T' }]),
)
const ensNames: Record<string, string> = { [addresses[6] ?? '']: 'six.eth' }
const dataProvider = createDataProvider({ tokens, ensNames })
const external = {
  resolveToken: async (_: number, address: string) => tokens[address] ?? null,
  resolveEnsName: async (address: string) =>
    ensNames[address] ? { name: ensNames[address], typeMatch: true } : null,
  resolveChainInfo: async (chainId: number) => getChainInfo(chainId, {}) ?? null,
}

interface Deployment {
  readonly chainId: number
  readonly address: string
}
const placeOf = ({ chainId, address }: Deployment) => `eip155:${chainId}:${address.toLowerCase()}`

/** What the reference needs to find one descriptor. */
const optionsFor = (index: object, descriptor: unknown) => ({
  descriptorResolverOptions: {
    type: 'custom',
    resolver: {
      index: { calldataIndex: {}, typedDataIndex: {}, ...index },
      fetchDescriptor: async () => structuredClone(descriptor),
    },
  },
  externalDataProvider: external,
})

function describedCalls(): Described[] {
  const { descriptors } = readCheckout(registryFolder)
  const source = createSource(descriptors)
  const described = descriptors.flatMap((each) => {
    const { context, display } = JSON.parse(JSON.stringify(each.descriptor))
    const place: Deployment | undefined = context?.contract?.deployments?.[0]
    return place ? [{ ...each, place, formats: Object.keys(display?.formats ?? {}) }] : []
  })
  // Of several descriptors for one contract the reference knows one.
  const index = Object.fromEntries(described.map(({ place, path }) => [placeOf(place), path]))
  const options = {
    ...optionsFor({}, undefined),
    descriptorResolverOptions: {
      type: 'custom',
      resolver: {
        index: { calldataIndex: index, typedDataIndex: {} },
        fetchDescriptor: async (path: string) =>
          JSON.parse(JSON.stringify(descriptors.find((one) => one.path === path)?.descriptor)),
      },
    },
  }
  return described
    .filter(({ place, path }) => index[placeOf(place)] === path)
    .flatMap(({ place, path, formats }) =>
      formats.flatMap((key): Described[] => {
        const signature = parseSignature(key)
        if (!signature) return []
        const inputs = signature.parameters.map(({ type, name }) => toInput(type, name))
        return [
          {
            name: `${path} ${key}`,
            async both(random) {
              const args = inputs.map((input) => randomValue(random, input, addresses))
              const call = {
                chainId: place.chainId,
                to: place.address,
                data: `${signature.selector}${encodeAbiParameters(inputs, args).slice(2)}`,
                value: BigInt(random.whole(1_000)) * 10n ** 15n,
                from: random.pick(addresses),
              }
              return [
                describeTransaction(call, { descriptors: source, dataProvider }),
                await theirs.format(call, options),
              ]
            },
          },
        ]
      }),
    )
}

/** Messages of each type that a descriptor names by its `encodeType`, for the first place that it is bound to. */
function describedMessages(): Described[] {
  const { descriptors } = readCheckout(registryFolder)
  return descriptors.flatMap((each) => {
    const descriptor = JSON.parse(JSON.stringify(each.descriptor))
    const { deployments, domain = {} } = descriptor.context?.eip712 ?? {}
    const place: Deployment | undefined = deployments?.[0]
    if (!place) return []
    const source = createSource([each])
    return Object.keys(descriptor.display?.formats ?? {}).flatMap((key): Described[] => {
      const types = readTypes(key)
      const primaryType = Object.keys(types)[0] ?? ''
      // Names with a colon are no identifiers, and the packages for typed data differ in what they make of them.
      if (!/^\w+$/.test(primaryType)) return []
      const full = { ...domain, chainId: place.chainId, verifyingContract: place.address }
      const domainTypes = domainMembers.filter(({ name }) => Object.hasOwn(full, name))
      const options = optionsFor(
        {
          typedDataIndex: {
            [placeOf(place)]: {
              [primaryType]: [{ path: each.path, encodeTypeHashes: [keccak256(toHex(key))] }],
            },
          },
        },
        descriptor,
      )
      return [
        {
          name: `${each.path} ${key}`,
          async both(random) {
            const data = {
              types: { EIP712Domain: domainTypes, ...types },
              primaryType,
              domain: full,
              message: randomMessage(random, types, primaryType),
            }
            const from = random.pick(addresses)
            return [
              describeTypedData(data, { descriptors: source, dataProvider, from }),
              await theirs.formatTypedData({ account: from, ...data }, options),
            ]
          },
        },
      ]
    })
  })
}
const domainMembers = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

type Types = Record<string, { readonly name: string; readonly type: string }[]>
/** The types of an `encodeType`, the primary one first. */
const readTypes = (key: string): Types =>
  Object.fromEntries(
    [...key.matchAll(/([^(),]+)\(([^)]*)\)/g)].map(([, name = '', members = '']) => [
      name,
      members
        .split(',')
        .filter(Boolean)
        .map((member) => {
          const [type = '', own = ''] = member.trim().split(/\s+/)
          return { name: own, type }
        }),
    ]),
  )

function randomMessage(random: Random, types: Types, name: string): Record<string, unknown> {
  const randomOf = (type: string): unknown => {
    const list = /^(.*)\[(\d*)\]$/.exec(type)
    if (list) {
      const length = list[2] ? Number(list[2]) : random.whole(4)
      return Array.from({ length }, () => randomOf(list[1] ?? ''))
    }
    if (types[type]) return randomMessage(random, types, type)
    const value = randomValue(random, { name: '', type }, addresses)
    return typeof value === 'bigint' ? String(value) : value
  }
  return Object.fromEntries((types[name] ?? []).map((member) => [member.name, randomOf(member.type)]))
}

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
  return 'another'
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
