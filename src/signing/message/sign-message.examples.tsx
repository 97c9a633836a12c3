import type { Examples } from '../../dialog/screen.ts'
import type { SignMessageProps, signMessage } from './sign-message.tsx'

const short: SignMessageProps = {
  message: 'Welcome to Harbor.\n\nSign this message to confirm that the wallet is yours.\n\nNonce: 7f3a11c9',
  origin: 'https://harbor.example',
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  cancellable: true,
}

const clauses = /* @__PURE__ */ Array.from(
  { length: 24 },
  (_, i) =>
    `${i + 1}. The member agrees to the rule of the harbour with the number ${100 + i} and to its annexes.`,
)

export const examples = {
  rest: { props: short },
  signing: { props: short, busy: 'sign' },
  cancelling: { props: short, busy: 'cancel' },
  'first of three requests': { props: short, position: { position: 1, count: 3 } },
  'a key may be made from it': {
    props: {
      ...short,
      message: 'Access Harbor Exchange account.\n\nOnly sign this message for a trusted client!',
      concern: 'key',
    },
  },
  'lets somebody act': {
    props: { ...short, message: 'I authorize the harbour master to moor my boat.', concern: 'grant' },
  },
  'names another site': {
    props: { ...short, message: 'I accept the terms of https://elsewhere.example.', concern: 'site' },
  },
  'another app asks': { props: { ...short, app: 'Harbor' } },
  'the wallet has code': {
    props: {
      ...short,
      walletCode: { delegate: '0xe6Cae83BdE06E4c305530e199D7217f42808555B', name: 'Simple7702Account' },
    },
  },
  'the wallet has code that nobody knows': {
    props: { ...short, walletCode: { delegate: '0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B' } },
  },
  failed: { props: { ...short, error: 'An error has occurred, please try again.' } },
  done: { props: { ...short, done: true } },
  'not cancellable': { props: { ...short, cancellable: false } },
  'own words': {
    props: {
      ...short,
      title: 'Confirm the transfer of your berth',
      description: 'The harbour master needs your signature. It costs nothing.',
      buttonText: 'Confirm',
      iconUrl:
        'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"%3E%3Ccircle cx="24" cy="24" r="22" fill="%230E9F8A"/%3E%3C/svg%3E',
    },
  },
  'long message': { props: { ...short, message: /* @__PURE__ */ clauses.join('\n\n') } },
  'invisible characters': {
    props: {
      ...short,
      message: 'Pay 10 to harbor.example\u202Egpj.\nzero\u200Bwidth\u2066, nul \u0000 and a family 👨‍👩‍👧.',
    },
  },
  'bytes, as hex': {
    props: { ...short, message: /* @__PURE__ */ `0x${'4f56e0b3'.repeat(8)}`, concern: 'hash' },
  },
  'longest origin, one word': {
    props: {
      ...short,
      origin:
        'https://a-very-long-subdomain-for-members-only.accounts.energieversorgung-oberland.example:8443',
      message: /* @__PURE__ */ '4f56e0b3'.repeat(40),
      address: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK',
    },
  },
} satisfies Examples<typeof signMessage>
