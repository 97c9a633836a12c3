import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'

export interface Anvil {
  readonly url: string
  readonly chainId: number
  /** Ends it; what it knows is in its state file by then. */
  close(): Promise<void>
}
/** There is no anvil on this machine. */
export class NoAnvil extends Error {}

/** The binary of this platform's package, or the `anvil` on the PATH. */
function findAnvil(): string {
  try {
    return createRequire(import.meta.url).resolve('@foundry-rs/anvil-linux-amd64/bin/anvil')
  } catch {
    return 'anvil'
  }
}

/**
 * A chain of its own for one id, in a process of its own. Throws {@link NoAnvil} where there is no binary for it, and an
 * error that names the port where that is taken.
 * @param options.stateFile where the chain is kept from one run to the next
 */
export async function startAnvil({
  port,
  chainId,
  stateFile,
  binary = findAnvil(),
}: {
  port: number
  chainId: number
  stateFile?: string | undefined
  binary?: string | undefined
}): Promise<Anvil> {
  const taken = `Port ${port}, for chain ${chainId}, is taken. Set LATCHKEY_PORT to another one.`
  // Asked beforehand: another anvil that has the port would answer in the place of this one.
  if (await isTaken(port)) throw new Error(taken)
  const url = `http://localhost:${port}`
  const input = ['--port', String(port), '--chain-id', String(chainId), '--silent']
  if (stateFile) input.push('--state', stateFile, '--state-interval', '2')
  const child = guarded(binary, input)
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(String(chunk)))
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  let over = false
  void ended.then(() => {
    over = true
  })

  for (let tries = 0; ; tries++) {
    if (over || tries > 500) {
      child.kill('SIGKILL')
      const said = output.join('').trim()
      if (child.exitCode === 127 || /not found|ENOENT/.test(said))
        throw new NoAnvil('anvil is neither among the packages of this platform nor on the PATH')
      throw new Error(
        /address already in use/i.test(said)
          ? taken
          : `anvil for chain ${chainId} did not start: ${said || `exit code ${child.exitCode}`}`,
      )
    }
    if ((await chainIdOf(url)) === chainId && !over) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }

  return {
    url,
    chainId,
    async close() {
      child.kill('SIGTERM')
      // It has its state to write; who hangs then is not waited for.
      const slow = setTimeout(() => child.kill('SIGKILL'), 5_000)
      await ended
      clearTimeout(slow)
    },
  }
}

/** Runs a program that ends when this process does, even where that has no time to say so. */
function guarded(binary: string, input: readonly string[]): ChildProcess {
  if (process.platform === 'win32') return spawn(binary, input, { stdio: ['ignore', 'pipe', 'pipe'] })
  // The shell becomes the program; a helper of it waits for the end of our pipe and then ends the program.
  const guard =
    'exec 3<&0; (cat <&3 >/dev/null 2>&1; kill -TERM $$ 2>/dev/null) >/dev/null 2>&1 & exec "$0" "$@" 3<&- </dev/null'
  return spawn('sh', ['-c', guard, binary, ...input], { stdio: ['pipe', 'pipe', 'pipe'] })
}

const isTaken = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(true))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(false)))
  })

async function chainIdOf(url: string): Promise<number | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
    })
    return Number(((await response.json()) as { result?: string }).result)
  } catch {
    return undefined
  }
}
