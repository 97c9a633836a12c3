/** A checkout of the ERC-7730 registry: its descriptors with all that they include, and its fixtures. */
import fs from 'node:fs'
import path from 'node:path'
import type { Candidate } from '../../src/clear-signing/index.ts'
import { mergeIncludes } from '../../src/clear-signing/index.ts'

export interface CheckoutDescriptor extends Candidate {
  readonly path: string
  /** The file as it is, which auditors sign. */
  readonly raw: unknown
  readonly includes: boolean
}
export interface Checkout {
  readonly folder: string
  readonly descriptors: readonly CheckoutDescriptor[]
  /** Descriptors that can't be used, by path, with the reason. */
  readonly refused: ReadonlyMap<string, string>
}

/** The folder that has `registry/`: the one named, or one above it. Ends the program if there is none. */
export function findRegistry(folder: string): string {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    if (fs.existsSync(path.join(at, 'registry'))) return at
    if (at !== path.dirname(at)) continue
    console.error(`There is no folder registry/ in ${folder}, nor above it`)
    process.exit(2)
  }
}

/** Reads all descriptors below `registry/` and `ercs/`. */
export function readCheckout(folder: string): Checkout {
  const refused = new Map<string, string>()
  const descriptors = [...listFiles(folder, 'registry'), ...listFiles(folder, 'ercs')]
    .filter(isDescriptor)
    .flatMap((file): CheckoutDescriptor[] => {
      try {
        return [readDescriptorFile(folder, file)]
      } catch (error) {
        refused.set(file, error instanceof Error ? error.message : String(error))
        return []
      }
    })
  return { folder, descriptors, refused }
}

const isDescriptor = (file: string): boolean =>
  /^(calldata|eip712)-.*\.json$/.test(path.posix.basename(file)) &&
  !/\/(tests|testsv2|sigs)\//.test(file) &&
  !file.endsWith('.tests.json')

export function listFiles(folder: string, name: string): string[] {
  const place = path.join(folder, name)
  if (!fs.existsSync(place)) return []
  return fs
    .readdirSync(place, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const file = `${name}/${entry.name}`
      if (entry.isDirectory()) return entry.name.startsWith('.') ? [] : listFiles(folder, file)
      return [file]
    })
}

const readJson = (file: string): unknown => JSON.parse(fs.readFileSync(file, 'utf8'))

/** One descriptor with what it includes. `file` is relative to the folder of the registry. */
export function readDescriptorFile(folder: string, file: string): CheckoutDescriptor {
  const raw = readJson(path.join(folder, file))
  let includes = false
  const descriptor = mergeIncludes(raw, file, (include, from) => {
    includes = true
    const place = /^https?:\/\//.test(include) ? placeOf(folder, include) : beside(from, include)
    if (!place || place.startsWith('..') || !fs.existsSync(path.join(folder, place))) return undefined
    return { raw: readJson(path.join(folder, place)), place }
  })
  return { descriptor, raw, includes, origin: 'registry', auditors: [], path: file }
}

const beside = (from: string, include: string) =>
  path.posix.normalize(path.posix.join(path.posix.dirname(from), include))

/** The file of the checkout that an address of the registry means: owner, repository and branch come before it. */
function placeOf(folder: string, address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const parts = new URL(address).pathname.split('/').filter((part) => part && part !== '..')
  const places = parts.map((_, at) => parts.slice(at).join('/'))
  return places.find((place) => /^(registry|ercs)\//.test(place) && fs.existsSync(path.join(folder, place)))
}
