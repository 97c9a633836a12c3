import type { Examples } from '../../../dialog/screen.ts'
import type { ImportKeyProps, importKey } from './import-key.tsx'

const rest: ImportKeyProps = { chainType: 'ethereum', appName: 'Sample Store', error: undefined }

export const examples = {
  Ethereum: { props: rest },
  Solana: { props: { ...rest, chainType: 'solana' } },
  'no name': { props: { ...rest, appName: '' } },
  'no key': { props: { ...rest, error: 'invalid' } },
  failed: { props: { ...rest, error: 'failed' } },
  importing: { props: rest, busy: { privateKey: '0x' } },
} satisfies Examples<typeof importKey>
