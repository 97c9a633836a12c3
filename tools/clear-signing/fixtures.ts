/** Fixtures of the ERC-7730 registry (`registry/<entity>/testsv2`): what a request has to be described as. */
import fs from 'node:fs'
import path from 'node:path'
import { parseTransaction, recoverTransactionAddress } from 'viem'
import {
  createSource,
  type DescribedField,
  type Description,
  describeTransaction,
  describeTypedData,
  type ProvidedData,
} from '../../src/clear-signing/index.ts'
import { type Checkout, type CheckoutDescriptor, listFiles, readDescriptorFile } from './checkout.ts'
import { type Part, readParts } from './parts.ts'

export interface Rendered {
  readonly intent: string
  readonly interpolatedIntent?: string
  readonly owner: string
  readonly fields: readonly { readonly label: string; readonly value: string | Rendered }[]
}
export interface Fixture {
  readonly descriptor: string
  readonly dataProvider?: ProvidedData
  readonly tests: readonly (
    | {
        readonly description: string
        readonly rawTx: `0x${string}`
        readonly from?: string
        readonly expected: Rendered
      }
    | {
        readonly description: string
        readonly data: unknown
        readonly from?: string
        readonly expected: Rendered
      }
  )[]
}
export interface Outcome {
  readonly file: string
  readonly description: string
  readonly expected: Rendered
  readonly got: Rendered
  readonly passes: boolean
  readonly warnings: readonly string[]
  /** The parts of the format that it uses. */
  readonly parts: ReadonlySet<Part>
}

/** The part of a description that fixtures have. */
export function render(description: Description): Rendered {
  const { intent, interpolatedIntent, owner, fields } = description
  return {
    intent,
    ...(interpolatedIntent !== undefined && { interpolatedIntent }),
    owner,
    fields: fields.map(({ label, value }: DescribedField) => ({
      label,
      value: typeof value === 'string' ? value : render(value),
    })),
  }
}

export const listFixtures = (folder: string): string[] =>
  listFiles(folder, 'registry').filter((file) => file.includes('/testsv2/') && file.endsWith('.json'))

/** Runs all cases of a fixture. Calls within calls find the descriptors of the whole checkout, after the fixture's own. */
export async function runFixture(checkout: Checkout, file: string): Promise<Outcome[]> {
  const fixture = JSON.parse(fs.readFileSync(path.join(checkout.folder, file), 'utf8')) as Fixture
  const named = path.posix.normalize(path.posix.join(path.posix.dirname(file), fixture.descriptor))
  const own = readDescriptorFile(checkout.folder, named)
  const source = createSource([own, ...checkout.descriptors.filter((each) => each.path !== named)])
  const options = { descriptors: source, dataProvider: fixture.dataProvider ?? {} }
  const known = new Map<string | undefined, CheckoutDescriptor>(
    [...checkout.descriptors, own].map((each) => [each.path, each]),
  )
  const outcomes: Outcome[] = []
  for (const test of fixture.tests) {
    const description =
      'rawTx' in test
        ? describeTransaction(await readTransaction(test.rawTx, test.from), options)
        : describeTypedData(test.data, { ...options, from: test.from ?? unsigned })
    const got = render(description)
    outcomes.push({
      file,
      description: test.description,
      expected: test.expected,
      got,
      passes: isSame(test.expected, got),
      warnings: description.warnings.map(({ code, data }) => `${code} ${JSON.stringify(data)}`),
      parts: readParts(description, known.get(description.descriptor?.path), primaryTypeOf(test)),
    })
  }
  return outcomes
}

function primaryTypeOf(test: Fixture['tests'][number]): string | undefined {
  if ('rawTx' in test) return undefined
  const { primaryType } = test.data as { primaryType?: unknown }
  return String(primaryType)
}

/** Fixtures of typed data don't say who signs. */
const unsigned = '0x0000000000000000000000000000000000000000'

async function readTransaction(raw: `0x${string}`, from: string | undefined) {
  const { chainId = 0, to, data, value } = parseTransaction(raw)
  return { chainId, to: to ?? undefined, data, value, from: from ?? (await senderOf(raw)) }
}

async function senderOf(raw: `0x${string}`): Promise<string | undefined> {
  try {
    return await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })
  } catch {
    return undefined
  }
}

/** Whether everything that is expected is there, in its order, and nothing else. */
export function isSame(expected: Rendered, got: Rendered): boolean {
  const same = (one: string | Rendered | undefined, other: string | Rendered | undefined): boolean =>
    typeof one === 'object' && typeof other === 'object' ? isSame(one, other) : one === other
  return (
    expected.intent === got.intent &&
    expected.owner === got.owner &&
    expected.interpolatedIntent === got.interpolatedIntent &&
    expected.fields.length === got.fields.length &&
    expected.fields.every(
      ({ label, value }, at) => label === got.fields[at]?.label && same(value, got.fields[at]?.value),
    )
  )
}
