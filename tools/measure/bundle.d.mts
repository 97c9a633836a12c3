/** The addresses that a module imports: at once, and later by `import()`. */
export function importsOf(file: string): { atOnce: string[]; later: string[] }
/** The file and all that it imports at once, and they in turn. */
export function closureOf(file: string): Set<string>
export function sizesOf(file: string): { raw: number; gzip: number; brotli: number }
export function brotli(bytes: Uint8Array): Buffer
