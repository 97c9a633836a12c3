import type { Examples } from '../../dialog/screen.ts'
import type { OnlyBrowserProps, onlyBrowser } from './only-browser.tsx'

const rest: OnlyBrowserProps = {
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  isNew: true,
  required: false,
  password: true,
}

export const examples = {
  created: { props: rest },
  required: { props: { ...rest, required: true } },
  'passkey alone': { props: { ...rest, password: false } },
  later: { props: { ...rest, isNew: false } },
  'adding a passkey': { props: rest, busy: 'passkey' },
  failed: { props: { ...rest, error: "That didn't work. Try again." } },
} satisfies Examples<typeof onlyBrowser>
