import { connect, createServer, type Socket } from 'node:net'

/** A network path to a port on this machine. */
export interface TcpProxy {
  port: number
  /** Connections stay open, new ones are accepted, and nothing arrives any more: what a lost route does. */
  silence(): void
  /** New connections are forwarded again. Those from before the silence stay dead, as after a failover. */
  restore(): void
  stop(): Promise<void>
}

/**
 * Forwards a free port to `target`.
 * @param delay milliseconds that each chunk takes to the target
 * @param delayBack milliseconds that each chunk takes back; the same unless given
 */
export async function startTcpProxy(
  target: number,
  { delay = 0, delayBack = delay }: { delay?: number; delayBack?: number } = {},
): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let isSilent = false
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    const path = { isDead: isSilent }
    paths.add(path)
    near.setNoDelay(true)
    far.setNoDelay(true)
    const forward = (from: Socket, to: Socket, delay: number) => {
      sockets.add(from)
      from.on('data', (chunk) => {
        if (path.isDead) return
        if (delay === 0) to.write(chunk)
        else setTimeout(() => to.writable && to.write(chunk), delay)
      })
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        if (!path.isDead) to.destroy()
      })
    }
    forward(near, far, delay)
    forward(far, near, delayBack)
  })
  const paths = new Set<{ isDead: boolean }>()
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port')
  return {
    port: address.port,
    silence() {
      isSilent = true
      for (const path of paths) path.isDead = true
    },
    restore() {
      isSilent = false
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((stopped) => server.close(stopped))
    },
  }
}
