import { readSiwsMessage } from '../../../demo/backend/login/siws/message.ts'
import { read, type Suite, same } from './suite.ts'

interface Pair {
  readonly parsed: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Sign-In-With-Solana messages, as the backend reads them. */
export const siws: Suite = {
  name: 'Sign-In-With-Solana, reading',
  async run(load) {
    const pairs = Object.entries(await read<Record<string, Pair>>(load, 'siws/signin-pairs.json'))
    for (const [name, { parsed, text }] of pairs) {
      const said = Object.entries(readSiwsMessage(text) ?? {}).sort()
      same(JSON.stringify(said), JSON.stringify(Object.entries(parsed).sort()), name)
    }
    return `SIWS: ${pairs.length} texts read`
  },
}
