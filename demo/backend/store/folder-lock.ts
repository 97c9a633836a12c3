import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises'

/** Folders that this very process has open: its own process id tells nothing about those. */
const openHere = new Set<string>()

interface Owner {
  pid: number
  /** When that process started, as the system counts it; a number that was given out twice is thus no match. */
  started: string
}

/**
 * Makes this process the only one that has a database folder open: PGlite itself lets a second one in and both
 * would destroy the files. The lock is `<folder>.pid`; that of a dead process is taken over.
 * Resolves with the function that gives it back.
 * @throws Error that names the other process
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const refuse = (who: string) =>
    new Error(`The database folder ${folder} is already open in ${who}. Stop it, or use another folder.`)
  if (openHere.has(folder)) throw refuse('this process')
  openHere.add(folder)
  const file = `${folder}.pid`
  try {
    const own = JSON.stringify({ pid: process.pid, started: await startOf(process.pid) } satisfies Owner)
    if (!(await create(file, own))) {
      await alone(`${file}.takeover`, refuse('another process that is starting'), async () => {
        const owner = await readOwner(file)
        if (owner && (await isAlive(owner))) throw refuse(`process ${owner.pid}`)
        await rm(file, { force: true })
        if (!(await create(file, own))) throw refuse('another process that is starting')
      })
    }
    return async () => {
      await rm(file, { force: true })
      openHere.delete(folder)
    }
  } catch (cause) {
    openHere.delete(folder)
    throw cause
  }
}

/** Appears with its whole text or not at all, so that nobody reads a half-written lock. */
async function create(file: string, text: string): Promise<boolean> {
  const draft = `${file}.${process.pid}.${randomUUID()}`
  await writeFile(draft, text, { mode: 0o600 })
  try {
    await link(draft, file)
    return true
  } catch (cause) {
    if (isCode(cause, 'EEXIST')) return false
    throw cause
  } finally {
    await rm(draft, { force: true })
  }
}

/** Two processes that both find a stale lock must not both remove it. */
async function alone(guard: string, busy: Error, work: () => Promise<void>): Promise<void> {
  const enter = () =>
    mkdir(guard).then(
      () => true,
      () => false,
    )
  if (!(await enter())) {
    const since = await stat(guard).then(
      (found) => found.mtimeMs,
      () => 0,
    )
    if (Date.now() - since < 10_000) throw busy
    await rmdir(guard).catch(() => {})
    if (!(await enter())) throw busy
  }
  try {
    await work()
  } finally {
    await rmdir(guard).catch(() => {})
  }
}

/** `undefined` for a file that nobody can have written whole. */
async function readOwner(file: string): Promise<Owner | undefined> {
  try {
    const { pid, started } = JSON.parse(await readFile(file, 'utf8')) as Partial<Owner>
    return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : undefined
  } catch {
    return undefined
  }
}

async function isAlive({ pid, started }: Owner): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (cause) {
    if (isCode(cause, 'ESRCH')) return false
  }
  return (await startOf(pid)) === started
}

/** Where the system does not tell, every living process of that number counts as the same one. */
async function startOf(pid: number): Promise<string> {
  try {
    const [fields, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ])
    return `${boot.trim()}/${fields.slice(fields.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return ''
  }
}

const isCode = (cause: unknown, code: string) =>
  cause instanceof Error && 'code' in cause && cause.code === code
