import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { recoverMessageAddress } from 'viem'

/** Whether the key of an address of either chain has signed a statement. */
export async function proven(address: string, message: string, proof: unknown): Promise<boolean> {
  try {
    if (address.startsWith('0x'))
      return (await recoverMessageAddress({ message, signature: proof as `0x${string}` })) === address
    const signature = Buffer.from(String(proof), 'base64url')
    return ed25519.verify(signature, Buffer.from(message), base58.decode(address), { zip215: false })
  } catch {
    return false
  }
}

const lines = (title: string, values: Record<string, string | number>) =>
  [title, ...Object.entries(values).map(([name, value]) => `${name}: ${value}`)].join('\n')

export const statementOf = {
  created: (app: string, user: string, address: string, wallet: string) =>
    lines('Latchkey embedded wallet', { app, user, address, wallet }),
  added: (
    app: string,
    user: string,
    wallet: string,
    more: { chain: string; index: number; address: string },
  ) => lines('Latchkey wallet added', { app, user, wallet, ...more }),
  device: (app: string, user: string, wallet: string, set: string) =>
    lines('Latchkey device added', { app, user, wallet, set }),
  confirmed: (app: string, user: string, wallet: string, change: string) =>
    lines('Latchkey recovery confirmed', { app, user, wallet, change }),
  change: (app: string, user: string, wallet: string, change: string, method: string, text: string) => {
    const hash = createHash('sha256').update(text).digest('hex')
    return lines('Latchkey recovery change', { app, user, wallet, change, method, package: hash })
  },
}
