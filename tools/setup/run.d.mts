export declare const root: string
export declare function run(
  program: string,
  args: readonly string[],
  options?: { cwd?: string; env?: NodeJS.ProcessEnv; quiet?: boolean },
): Promise<void>
export declare function inPath(name: string): string | undefined
export declare function isProgram(file: string): boolean
export declare function readJson(file: string): unknown
export declare function writeJson(file: string, value: unknown): void
