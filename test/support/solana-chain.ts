/** A chain of Solana in this process, and connections of web3.js to it that end with it. */

import { Connection } from '@solana/web3.js'
import { type Solana, startSolana } from '../../demo/world/solana/solana.ts'
import { freePort } from './chains.ts'

export interface SolanaChain extends Solana {
  /** A new connection: one remembers blockhashes, which may have expired. */
  connect(): Connection
}

/**
 * Starts a chain. Closing it closes its connections before: web3.js would look for a lost websocket for ever, and asks
 * for the status of what is confirmed already in a promise that nobody hears, so that a failure would end the run.
 */
export async function startSolanaChain(): Promise<SolanaChain> {
  const chain = await startSolana({ port: await freePort(1) })
  const connections: Connection[] = []
  let isClosed = false
  const never = new Promise<never>(() => {})
  const connect = () => {
    const connection = new Connection(chain.url, {
      commitment: 'confirmed',
      async fetch(input, init) {
        try {
          return await fetch(input as string, init as RequestInit)
        } catch (cause) {
          if (isClosed) return never
          throw cause
        }
      },
    } as ConstructorParameters<typeof Connection>[1])
    connections.push(connection)
    return connection
  }
  return {
    ...chain,
    connect,
    async close() {
      isClosed = true
      for (const connection of connections) {
        const { _rpcWebSocket: socket } = connection as unknown as { _rpcWebSocket: RpcWebSocket }
        // An open subscription would connect again.
        socket.connect = () => {}
        socket.setAutoReconnect(false)
        socket.close()
      }
      await chain.close()
    },
  }
}

interface RpcWebSocket {
  connect(): void
  setAutoReconnect(reconnect: boolean): void
  close(): void
}
