/** The thirteen formats of ERC-7730: a value with its parameters as text, and what a screen needs beside the text. */
import { checksumAddress } from '../ethereum/address.ts'
import {
  type Leaf,
  parseNumber,
  rawText,
  readAddress,
  readNumber,
  type Value,
} from '../ethereum/calls/values.ts'
import type { Plain } from '../lib/plain.ts'
import { getChainInfo } from './chains.ts'
import type { AddressKind, NativeCurrency } from './data.ts'
import { isToken } from './data.ts'
import { type DescribedField, type DescriptionWarning, type Format, warning } from './description.ts'
import { getProperty, lookUp } from './descriptor.ts'
import { parseInteroperable } from './interoperable.ts'
import { MAX_DECIMALS, MAX_LABEL, MAX_NAME, MAX_SYMBOL } from './limits.ts'
import type { SlicedBytes } from './paths.ts'
import type { Parameters } from './scope.ts'
import { hasUnseen, shortText, visibleText } from './text.ts'

export type Formatted = Pick<
  DescribedField,
  'address' | 'name' | 'token' | 'isAboveThreshold' | 'encryption'
> & {
  readonly text: string
  readonly warnings?: readonly DescriptionWarning[]
}
type Formatter = (value: Leaf, parameters: Parameters) => Formatted

const formatters: Readonly<Record<Exclude<Format, 'calldata'>, Formatter>> = {
  raw: formatRaw,
  amount: formatAmount,
  tokenAmount: formatTokenAmount,
  nftName: formatNftName,
  date: formatDate,
  duration: formatDuration,
  unit: formatUnit,
  enum: formatEnum,
  chainId: formatChainId,
  addressName: formatAddressName,
  tokenTicker: formatTokenTicker,
  interoperableAddressName: formatInteroperable,
}

export const isFormat = (name: unknown): name is Format =>
  typeof name === 'string' && (name === 'calldata' || Object.hasOwn(formatters, name))

export const formatValue = (
  format: Exclude<Format, 'calldata'>,
  value: Leaf,
  parameters: Parameters,
): Formatted => formatters[format](value, parameters)

/** Sliced bytes as the type that a format takes. */
export function typeSlice({ hex }: SlicedBytes, format: Format): Leaf {
  switch (format) {
    case 'addressName':
    case 'tokenTicker':
      return hex.length >= 42
        ? { kind: 'address', type: 'bytes', hex: `0x${hex.slice(-40)}` }
        : { kind: 'bytes', type: 'bytes', hex }
    case 'raw':
    case 'calldata':
    case 'interoperableAddressName':
      return { kind: 'bytes', type: 'bytes', hex }
    default: {
      const value = readNumber({ kind: 'bytes', type: 'bytes', hex })
      return value === undefined
        ? { kind: 'bytes', type: 'bytes', hex }
        : { kind: 'number', type: 'bytes', value }
    }
  }
}

export const asValue = (value: Value | SlicedBytes | undefined): Value | undefined =>
  value?.kind === 'sliced' ? { kind: 'bytes', type: 'bytes', hex: value.hex } : value

/** A value in its natural form; marks stand for characters that nobody could see. */
export function formatRaw(value: Leaf): Formatted {
  const raw = rawText(value)
  if (value.kind === 'address') return { text: raw, address: raw }
  if (value.kind !== 'text') return { text: raw }
  // Lines and tabs are usual in a message; they have marks as well, for a value is one line.
  const isForged = hasUnseen(raw.replace(/[\n\t]/g, ''))
  return { text: visibleText(raw), ...(isForged && { warnings: [warning('hidden-characters')] }) }
}

const withWarning = (value: Leaf, ...warnings: readonly DescriptionWarning[]): Formatted => {
  const formatted = formatRaw(value)
  return { ...formatted, warnings: [...(formatted.warnings ?? []), ...warnings] }
}
const wrongType = (value: Leaf, format: Format): Formatted =>
  withWarning(value, warning('wrong-type', { format, type: value.type }))

/** An amount in units, exactly: no rounding, no separators. */
export function decimalText(amount: bigint, decimals: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = decimals > 0 ? digits.slice(-decimals).replace(/0+$/, '') : ''
  return `${amount < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`
}

const amountText = (amount: bigint, { decimals, symbol }: NativeCurrency) =>
  `${decimalText(amount, decimals)} ${shortText(symbol, MAX_SYMBOL)}`

function nativeCurrency({ scope }: Parameters, chainId: number): NativeCurrency | undefined {
  const { nativeCurrency: native } = getChainInfo(chainId, scope.session.data) ?? {}
  if (isToken(native)) return native
  scope.session.need({ kind: 'chain', chainId })
  return undefined
}

function formatAmount(value: Leaf, parameters: Parameters): Formatted {
  if (value.kind !== 'number') return wrongType(value, 'amount')
  const { chainId } = parameters.scope.container
  const native = chainId === undefined ? undefined : nativeCurrency(parameters, chainId)
  if (chainId === undefined || !native) return withWarning(value, warning('unknown-chain'))
  return {
    text: amountText(value.value, native),
    token: { chainId, symbol: shortText(native.symbol, MAX_SYMBOL), decimals: native.decimals },
  }
}

function formatTokenAmount(value: Leaf, parameters: Parameters): Formatted {
  if (value.kind !== 'number') return wrongType(value, 'tokenAmount')
  const { scope } = parameters
  const chainId = readChainId(parameters)
  const own = parameters.constant('token') ?? parameters.constant('tokenPath')
  // `$.metadata.token` is the token itself, for contracts that don't say it.
  const ticker = getProperty(own, 'ticker')
  const decimals = getProperty(own, 'decimals')
  const described = { symbol: ticker, decimals }
  if (typeof ticker === 'string' && isToken(described) && described.decimals <= MAX_DECIMALS)
    return tokenText(value.value, { ...described, chainId: chainId ?? 0, address: undefined }, parameters)
  if (chainId === undefined)
    return withWarning(value, warning('unresolved-parameter', { parameter: 'chainId' }))
  const address = readAddress(asValue(parameters.value('token', 'tokenPath')))
  if (!address) return withWarning(value, warning('unknown-token'))
  const isNative = parameters
    .values('nativeCurrencyAddress')
    .some((each) => readAddress(asValue(each)) === address)
  if (isNative) {
    const native = nativeCurrency(parameters, chainId)
    if (!native) return withWarning(value, warning('unknown-chain'))
    return tokenText(value.value, { ...native, chainId, address: undefined }, parameters)
  }
  const token = scope.session.data.token?.(chainId, address)
  if (!isToken(token)) {
    scope.session.need({ kind: 'token', chainId, address })
    const shown = checksumAddress(address.slice(2))
    return {
      text: rawText(value),
      address: shown,
      warnings: [warning('unknown-token', { address: shown, chainId })],
    }
  }
  return tokenText(value.value, { ...token, chainId, address }, parameters)
}

function tokenText(
  amount: bigint,
  token: NativeCurrency & { readonly chainId: number; readonly address: string | undefined },
  parameters: Parameters,
): Formatted {
  const symbol = shortText(token.symbol, MAX_SYMBOL)
  const threshold = readNumber(asValue(parameters.value('threshold', 'threshold')))
  const message = parameters.constant('message')
  const isAboveThreshold = threshold !== undefined && amount >= threshold
  const words = typeof message === 'string' && message !== '' ? shortText(message, MAX_SYMBOL) : 'Unlimited'
  return {
    text: isAboveThreshold ? `${words} ${symbol}` : amountText(amount, token),
    token: {
      chainId: token.chainId,
      ...(token.address && { address: checksumAddress(token.address.slice(2)) }),
      symbol,
      decimals: token.decimals,
    },
    ...(isAboveThreshold && { isAboveThreshold }),
    ...(hasUnseen(token.symbol) && { warnings: [warning('hidden-characters')] }),
  }
}

/** The chain that a format's parameters name, or else the request's; `undefined` if it can't be told. */
export function readChainId(parameters: Parameters): number | undefined {
  if (!parameters.has('chainId', 'chainIdPath')) return parameters.scope.container.chainId
  const id = readNumber(asValue(parameters.value('chainId', 'chainIdPath')))
  return id !== undefined && id > 0n && id <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(id) : undefined
}

function formatNftName(value: Leaf, parameters: Parameters): Formatted {
  if (value.kind !== 'number') return wrongType(value, 'nftName')
  const { session, container } = parameters.scope
  const address = readAddress(asValue(parameters.value('collection', 'collectionPath')))
  if (!address || container.chainId === undefined)
    return withWarning(value, warning('unresolved-parameter', { parameter: 'collection' }))
  const shown = checksumAddress(address.slice(2))
  const name = session.data.nftCollectionName?.(container.chainId, address)
  if (typeof name !== 'string') {
    session.need({ kind: 'nftCollectionName', chainId: container.chainId, address })
    return {
      text: rawText(value),
      address: shown,
      warnings: [warning('unknown-collection', { address: shown })],
    }
  }
  const text = shortText(name, MAX_NAME)
  return { text: `${text} #${value.value}`, address: shown, name: { text, source: 'collection' } }
}

/** The latest second that a date can be, and the last of the year 9999: later ones are no dates that a person reads. */
const LAST_SECOND = 253_402_300_799n

function formatDate(value: Leaf, parameters: Parameters): Formatted {
  if (value.kind !== 'number') return wrongType(value, 'date')
  const encoding = parameters.constant('encoding')
  if (encoding === 'timestamp') return dateText(value, value.value)
  if (encoding !== 'blockheight') return withWarning(value, warning('unknown-encoding'))
  const { session, container } = parameters.scope
  const { chainId } = container
  const seconds = chainId === undefined ? undefined : session.data.blockTimestamp?.(chainId, value.value)
  if (!Number.isSafeInteger(seconds)) {
    if (chainId !== undefined) session.need({ kind: 'blockTimestamp', chainId, height: String(value.value) })
    return withWarning(value, warning('unknown-block'))
  }
  return dateText(value, BigInt(seconds as number))
}

function dateText(value: Leaf, seconds: bigint): Formatted {
  if (seconds < 0n || seconds > LAST_SECOND) return withWarning(value, warning('date-out-of-range'))
  const text = new Date(Number(seconds) * 1000).toISOString()
  return { text: `${text.slice(0, 10)} ${text.slice(11, 19)}Z` }
}

function formatDuration(value: Leaf): Formatted {
  if (value.kind !== 'number') return wrongType(value, 'duration')
  const seconds = value.value < 0n ? -value.value : value.value
  const [hours, minutes, rest] = [seconds / 3600n, (seconds % 3600n) / 60n, seconds % 60n].map((part) =>
    String(part).padStart(2, '0'),
  )
  return { text: `${value.value < 0n ? '-' : ''}${hours}:${minutes}:${rest}` }
}

/** By the power of ten. */
const prefixes = new Map(
  ['y', 'z', 'a', 'f', 'p', 'n', 'µ', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'].map((sign, at) => [
    (at - 8) * 3,
    sign,
  ]),
)

function formatUnit(value: Leaf, parameters: Parameters): Formatted {
  if (value.kind !== 'number') return wrongType(value, 'unit')
  const base = parameters.constant('base')
  const decimals = Number(parseNumber(parameters.constant('decimals') ?? 0))
  if (!(decimals >= 0 && decimals <= MAX_DECIMALS))
    return withWarning(value, warning('unresolved-parameter', { parameter: 'decimals' }))
  const unit = typeof base === 'string' ? shortText(base, MAX_SYMBOL) : ''
  if (parameters.constant('prefix') !== true || value.value === 0n)
    return { text: `${decimalText(value.value, decimals)}${unit}` }
  const digits = (value.value < 0n ? -value.value : value.value).toString().length
  const exponent = Math.floor((digits - 1 - decimals) / 3) * 3
  const power = Math.min(24, Math.max(-24, exponent))
  // Moving the point to the right of the number multiplies it, which has no fraction.
  const shift = decimals + power
  const text = shift >= 0 ? decimalText(value.value, shift) : String(value.value * 10n ** BigInt(-shift))
  return { text: `${text}${prefixes.get(power) ?? ''}${unit}` }
}

function formatEnum(value: Leaf, parameters: Parameters): Formatted {
  const { scope } = parameters
  const reference = parameters.literal('$ref')
  const entries = typeof reference === 'string' ? lookUp(scope.descriptor, reference) : undefined
  const key = rawText(value)
  const label = getProperty(entries, key) ?? caseless(entries, key)
  if (typeof label !== 'string') return withWarning(value, warning('unknown-enum'))
  return {
    text: shortText(label, MAX_LABEL),
    ...(hasUnseen(label) && { warnings: [warning('hidden-characters')] }),
  }
}

/** Some descriptors write `True`, and addresses with their checksum or without. */
function caseless(entries: Plain | undefined, key: string): Plain | undefined {
  if (typeof entries !== 'object' || entries === null || Array.isArray(entries)) return undefined
  const found = Object.entries(entries).find(([each]) => each.toLowerCase() === key.toLowerCase())
  return found?.[1]
}

function formatChainId(value: Leaf, { scope }: Parameters): Formatted {
  if (value.kind !== 'number') return wrongType(value, 'chainId')
  const chainId = value.value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value.value) : undefined
  const name = chainId === undefined ? undefined : getChainInfo(chainId, scope.session.data)?.name
  if (typeof name === 'string') return { text: shortText(name, MAX_NAME) }
  if (chainId !== undefined && chainId > 0) scope.session.need({ kind: 'chain', chainId })
  return withWarning(value, warning('unknown-chain'))
}

function formatAddressName(value: Leaf, parameters: Parameters): Formatted {
  const hex = value.kind === 'number' ? readAddress(value) : value.kind === 'address' ? value.hex : undefined
  if (!hex) return wrongType(value, 'addressName')
  return nameOf(hex, parameters)
}

function nameOf(
  hex: string,
  parameters: Parameters,
  chainId = parameters.scope.container.chainId,
): Formatted {
  const { scope } = parameters
  const address = checksumAddress(hex.slice(2))
  const isSender = parameters.values('senderAddress').some((each) => readAddress(asValue(each)) === hex)
  if (isSender) {
    const { from } = scope.container
    return {
      text: 'Sender',
      address: from ? checksumAddress(from.slice(2)) : address,
      name: { text: 'Sender', source: 'sender' },
    }
  }
  const warnings = kindWarnings(hex, parameters, chainId)
  if (chainId === undefined) return { text: address, address, warnings }
  const found = findName(hex, parameters, chainId)
  if (!found) {
    scope.session.need({ kind: 'addressName', chainId, address: hex })
    return { text: address, address, warnings }
  }
  if (hasUnseen(found.name)) warnings.push(warning('hidden-characters'))
  const text = shortText(found.name, MAX_NAME)
  return { text, address, name: { text, source: found.source }, warnings }
}

/** A name of a source that the descriptor accepts, in its order. A name that looks like an address is none. */
function findName(hex: string, parameters: Parameters, chainId: number) {
  const sources = parameters.constant('sources')
  const { data } = parameters.scope.session
  const tables = { local: data.addressName, ens: data.ensName }
  for (const source of ['local', 'ens'] as const) {
    if (Array.isArray(sources) && !sources.includes(source)) continue
    const name = tables[source]?.(chainId, hex)
    if (typeof name === 'string' && name !== '' && !/^0x[0-9a-f]{6,}/i.test(name)) return { name, source }
  }
  return undefined
}

/** A warning if the address is known to be something else than the descriptor expects. */
function kindWarnings(
  hex: string,
  parameters: Parameters,
  chainId: number | undefined,
): DescriptionWarning[] {
  const types = parameters.constant('types')
  const kinds = chainId === undefined ? undefined : parameters.scope.session.data.addressKinds?.(chainId, hex)
  if (!Array.isArray(types) || !kinds?.length) return []
  if (kinds.some((kind: AddressKind) => types.includes(kind))) return []
  const expected = types.filter((type: Plain) => typeof type === 'string').join()
  return [warning('address-type', { expected: shortText(expected, MAX_LABEL), known: kinds.join() })]
}

function formatTokenTicker(value: Leaf, parameters: Parameters): Formatted {
  const address =
    value.kind === 'address' ? value.hex : value.kind === 'number' ? readAddress(value) : undefined
  if (!address) return wrongType(value, 'tokenTicker')
  const { session } = parameters.scope
  const shown = checksumAddress(address.slice(2))
  const chainId = readChainId(parameters)
  if (chainId === undefined)
    return {
      text: shown,
      address: shown,
      warnings: [warning('unresolved-parameter', { parameter: 'chainId' })],
    }
  const token = session.data.token?.(chainId, address)
  if (!isToken(token)) {
    session.need({ kind: 'token', chainId, address })
    return { text: shown, address: shown, warnings: [warning('unknown-token', { address: shown, chainId })] }
  }
  const symbol = shortText(token.symbol, MAX_SYMBOL)
  return {
    text: symbol,
    address: shown,
    name: { text: symbol, source: 'token' },
    token: { chainId, address: shown, symbol, decimals: token.decimals },
    ...(hasUnseen(token.symbol) && { warnings: [warning('hidden-characters')] }),
  }
}

function formatInteroperable(value: Leaf, parameters: Parameters): Formatted {
  if (value.kind !== 'bytes') return wrongType(value, 'interoperableAddressName')
  const parsed = parseInteroperable(value.hex)
  if (!parsed)
    return withWarning(value, warning('wrong-type', { format: 'interoperableAddressName', type: value.type }))
  const { address, chain, checksum, ethereum, chainId } = parsed
  const plain = `${address}@${chain}#${checksum}`
  if (!ethereum) return { text: plain, ...(address && { address }) }
  const named = nameOf(ethereum, parameters, chainId)
  if (!named.name) return { ...named, text: plain }
  // A name may come to mean another address: it has no checksum (ERC-7828).
  return { ...named, text: named.name.source === 'sender' ? named.text : `${named.text}@${chain}` }
}
