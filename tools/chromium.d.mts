/** Where the set-up writes its choice. */
export const chromiumRecord: string
/** The program's path and the switches to start it with. Throws when the set-up has not run. */
export function findChromium(): { path: string; args: string[] }
/** The same engine without the browser's own windows; Chromium where there is none. */
export function findHeadlessShell(): { path: string; args: string[] }
/** What the program says of itself, or undefined when it does not start. */
export function chromiumVersion(program: { path: string }): string | undefined
