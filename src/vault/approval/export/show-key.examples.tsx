import type { Examples } from '../../../dialog/screen.ts'
import type { ShowKeyProps, showKey } from './show-key.tsx'

const rest: ShowKeyProps = {
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  path: "m/44'/60'/0'/0/0",
  phrase: true,
  state: 'ready',
}
const key = { what: 'key', text: `0x${'4c0883a69102937d6231471b5dbb6204'.repeat(2)}` } as const
const phrase = {
  what: 'phrase',
  text: 'legal winner thank year wave sausage worth useful legal winner thank yellow',
} as const

export const examples = {
  loading: { props: { ...rest, state: 'loading' } },
  hidden: { props: rest },
  'key shown': { props: { ...rest, shown: key } },
  'phrase shown': { props: { ...rest, shown: phrase } },
  'hidden again': { props: { ...rest, hidden: true } },
  imported: {
    props: {
      ...rest,
      address: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK',
      path: undefined,
      phrase: false,
    },
  },
  failed: { props: { ...rest, error: true } },
  showing: { props: rest, busy: { show: 'key' } },
  closing: { props: rest, busy: 'close' },
} satisfies Examples<typeof showKey>
