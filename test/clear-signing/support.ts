/** Descriptors and calls for the tests of clear signing. */
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { encodeFunctionData, parseAbiItem } from 'viem'
import {
  createSource,
  type Description,
  describeTransaction,
  describeTypedData,
  type ProvidedData,
  readDescriptors,
} from '../../src/clear-signing/index.ts'

/** A checkout of the ERC-7730 registry. LATCHKEY_REGISTRY names another one than the published vectors beside the repository. */
export const registryFolder =
  process.env.LATCHKEY_REGISTRY ?? fileURLToPath(new URL('../../../shared/vectors/erc7730', import.meta.url))
export const hasRegistry = fs.existsSync(`${registryFolder}/registry`)

export const contract = '0x1111111111111111111111111111111111111111'
export const alice = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
export const bob = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
export const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
export const dai = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
export const tokens = {
  [usdc.toLowerCase()]: { symbol: 'USDC', decimals: 6, name: 'USD Coin' },
  [dai.toLowerCase()]: { symbol: 'DAI', decimals: 18, name: 'Dai' },
}

export interface Given {
  readonly format?: Record<string, unknown>
  readonly fields?: readonly unknown[]
  readonly metadata?: Record<string, unknown>
  readonly definitions?: Record<string, unknown>
  readonly data?: ProvidedData
  readonly value?: bigint
  readonly from?: string
  readonly chainId?: number
}

/** A descriptor of one function or message type. */
export const descriptorOf = (key: string, given: Given, context?: unknown) => ({
  $schema: '../../specs/erc7730-v2.schema.json',
  context: context ?? { contract: { deployments: [{ chainId: 1, address: contract }] } },
  metadata: { owner: 'Harbor', ...given.metadata },
  display: {
    ...(given.definitions && { definitions: given.definitions }),
    formats: { [key]: { intent: 'Do', ...given.format, fields: given.fields ?? [] } },
  },
})

export const sourceOf = (...descriptors: readonly unknown[]) =>
  createSource(readDescriptors(descriptors, 'registry'))

export const encode = (key: string, args: readonly unknown[]): `0x${string}` =>
  encodeFunctionData({ abi: [parseAbiItem(`function ${key}`)], args } as never)

/** Describes a call of a function with a descriptor of that function. */
export const describeCall = (key: string, args: readonly unknown[], given: Given): Description =>
  describeTransaction(
    {
      chainId: given.chainId ?? 1,
      to: contract,
      data: encode(key, args),
      value: given.value ?? 0n,
      ...(given.from && { from: given.from }),
    },
    { descriptors: sourceOf(descriptorOf(key, given)), dataProvider: given.data ?? { tokens } },
  )

/** Labels with their values, in order. */
export const lines = ({ fields }: Description): string[] =>
  fields.map(
    ({ label, value }) =>
      `${label}: ${typeof value === 'string' ? value : `{${value.intent}: ${lines(value).join('; ')}}`}`,
  )
export const codes = ({ warnings }: Description): string[] => warnings.map(({ code }) => code)

export const domain = { name: 'Harbor', version: '1', chainId: 1, verifyingContract: contract }
const domainTypes = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]
export const typedData = (
  primaryType: string,
  types: Record<string, readonly { name: string; type: string }[]>,
  message: unknown,
  more: Record<string, unknown> = {},
) => ({
  types: { EIP712Domain: domainTypes, ...types },
  primaryType,
  domain: { ...domain, ...more },
  message,
})

export const describeMessage = (data: unknown, ...descriptors: readonly unknown[]): Description =>
  describeTypedData(data, { descriptors: sourceOf(...descriptors), dataProvider: { tokens }, from: alice })

/** All that a description says, as text that can be compared. */
export const everything = (description: Description): string =>
  JSON.stringify(description, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
