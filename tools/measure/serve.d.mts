/** A local server for measured pages. */
export function serve(options: {
  pages: Record<string, (origin: string) => string>
  folders: Record<string, string>
}): Promise<{
  origin: string
  scripts: string[]
  requests: string[]
  forget(): { scripts: string[]; requests: string[] }
  told(): Promise<unknown>
  close(): void
}>
