/**
 * A suite of public vectors that runs wherever WebCrypto is: in Node under vitest, in Chromium under Web Test Runner.
 * It knows neither; it reads files through `load`, throws at the first vector that does not hold, and gives a line
 * with its counts.
 */
export type Load = (path: string) => Promise<string | undefined>
export interface Suite {
  readonly name: string
  run(load: Load): Promise<string>
}

/** The file that says whether the vectors are here at all. */
export const index = 'README.md'
export const missing = 'vectors are not here: skipped'
/** Some vectors stretch keys for a long time on purpose. Milliseconds. */
export const longest = 180_000

/** Reads a file of vectors. The shape is the file's own: a wrong one fails the suite. */
export async function read<T>(load: Load, path: string): Promise<T> {
  const text = await load(path)
  if (text === undefined) throw new Error(`${path} is missing`)
  return JSON.parse(text) as T
}

export const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
export const toHex = (bytes: ArrayBuffer | Uint8Array): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')

export function same(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) throw new Error(`${what}: ${String(actual)} instead of ${String(expected)}`)
}

/** Holds that `work` throws or rejects. */
export async function refused(work: () => unknown, what: string): Promise<void> {
  try {
    await work()
  } catch {
    return
  }
  throw new Error(`${what}: accepted`)
}

/** The shape of a Wycheproof file. */
export interface Wycheproof<G, T> {
  readonly testGroups: readonly (G & { readonly tests: readonly (WycheproofTest & T)[] })[]
}
export interface WycheproofTest {
  readonly tcId: number
  readonly comment: string
  readonly flags: readonly string[]
  readonly result: 'valid' | 'invalid' | 'acceptable'
}
