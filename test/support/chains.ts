import { createServer } from 'node:net'
import { type Anvil, startAnvil } from '../../demo/world/chains/anvil.ts'

/** A port that nobody has, and whose `more` followers nobody has either. */
export async function freePort(more = 0): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 40_000)
    const all = await Promise.all(Array.from({ length: more + 1 }, (_, at) => isFree(port + at)))
    if (!all.includes(false)) return port
  }
}
const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })

/** A fresh chain with this id; close it in the end. */
export async function startChain(chainId = 1): Promise<Anvil> {
  return startAnvil({ port: await freePort(), chainId })
}
