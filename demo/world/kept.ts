import { readFile, rename, writeFile } from 'node:fs/promises'

/** Things by name that outlive a restart. */
export interface Kept<T> {
  readonly all: Map<string, T>
  /** Resolves once everything is in the file as it is now. */
  save(): Promise<void>
}

/**
 * Things in memory, and in a file where one is named.
 * @throws Error that names the file when it can't be read
 */
export async function openKept<T>(file: string | undefined): Promise<Kept<T>> {
  if (file === undefined) return { all: new Map(), save: async () => {} }
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return '[]'
    throw cause
  })
  let entries: [string, T][]
  try {
    entries = JSON.parse(text)
  } catch (cause) {
    throw new Error(`${file} is damaged. Delete it to start with an empty state.`, { cause })
  }
  const all = new Map(entries)
  let saving = Promise.resolve()
  return {
    all,
    save() {
      // One after the other, and each in one step: a process that is killed in between leaves the last complete file.
      const next = saving.then(async () => {
        await writeFile(`${file}.new`, JSON.stringify([...all]), { mode: 0o600 })
        await rename(`${file}.new`, file)
      })
      saving = next.catch(() => {})
      return next
    },
  }
}
