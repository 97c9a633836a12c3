import type { Examples } from '../../dialog/screen.ts'
import type { SignAuthorizationProps, signAuthorization } from './sign-authorization.tsx'

const delegate = '0xe6Cae83BdE06E4c305530e199D7217f42808555B'
const added: SignAuthorizationProps = {
  origin: 'https://harbor.example',
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  chain: 'eip155:8453',
  network: 'Base',
  action: { kind: 'code', delegate, name: 'Simple7702Account' },
  nonce: 12n,
  warnings: [],
  cancellable: true,
}
const taken: SignAuthorizationProps = {
  ...added,
  action: { kind: 'code' },
  walletCode: { delegate, name: 'Simple7702Account' },
}

export const examples = {
  rest: { props: added },
  signing: { props: added, busy: 'sign' },
  cancelling: { props: added, busy: 'cancel' },
  failed: { props: { ...added, error: 'An error has occurred, please try again.' } },
  done: { props: { ...added, done: true } },
  'taken back': { props: taken },
  'other code there': {
    props: {
      ...added,
      walletCode: { delegate: '0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B' },
      warnings: [{ code: 'foreign-code', severity: 'danger' }],
    },
  },
  'valid later': {
    props: { ...added, nonce: 90n, warnings: [{ code: 'later-code', severity: 'danger' }] },
  },
  'not cancellable': { props: { ...added, cancellable: false } },
} satisfies Examples<typeof signAuthorization>
