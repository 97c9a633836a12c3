import { siwsMessage } from '../../../src/protocol/siws-message.ts'
import { read, type Suite, same } from './suite.ts'

interface Pair {
  readonly parsed: Parameters<typeof siwsMessage>[0]
  readonly text: string
}

/** Sign-In-With-Solana messages, as the kit builds them. */
export const siwsBuilding: Suite = {
  name: 'Sign-In-With-Solana, building',
  async run(load) {
    const pairs = Object.entries(await read<Record<string, Pair>>(load, 'siws/signin-pairs.json'))
    for (const [name, { parsed, text }] of pairs) same(siwsMessage(parsed), text, name)
    return `SIWS: ${pairs.length} texts built`
  },
}
