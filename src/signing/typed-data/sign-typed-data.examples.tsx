import type { Examples } from '../../dialog/screen.ts'
import type { TypedField } from '../../ui/wallet/typed-data/fields.ts'
import type { Action } from '../preview.ts'
import { type SignTypedDataProps, type signTypedData, spender } from './sign-typed-data.tsx'

const owner = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'

const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

const field = (name: string, type: string, value: TypedField['value']): TypedField => ({ name, type, value })

const mail: SignTypedDataProps = {
  origin: 'https://harbor.example',
  address: owner,
  domain: { name: 'Harbor Mail', version: '1', chain: 'Base', contract: token },
  primaryType: 'Letter',
  fields: [
    field('from', 'Person', [field('name', 'string', 'Ada'), field('wallet', 'address', owner)]),
    field('to', 'Person', [field('name', 'string', 'Grace'), field('wallet', 'address', spender)]),
    field('contents', 'string', 'See you at the pier.'),
  ],
  cancellable: true,
}

const permit: SignTypedDataProps = {
  ...mail,
  domain: { name: 'USD Coin', version: '2', chain: 'Ethereum', contract: token },
  primaryType: 'Permit',
  fields: [
    field('owner', 'address', owner),
    field('spender', 'address', spender),
    field(
      'value',
      'uint256',
      '115792089237316195423570985008687907853269984665640564039457584007913129639935',
    ),
    field('nonce', 'uint256', '0'),
    field('deadline', 'uint256', '1893456000'),
  ],
}

const usdc = { symbol: 'USDC', decimals: 6 }

const short: SignTypedDataProps = {
  ...mail,
  domain: { name: 'Harbor' },
  primaryType: 'Berth',
  fields: [field('number', 'uint8', '7'), field('reserved', 'bool', 'true')],
}

const deep = (level: number): TypedField =>
  level === 0 ? field('leaf', 'bytes4', '0x7f3a11c9') : field(`level${level}`, 'Node', [deep(level - 1)])

const allowed = (amount: bigint, unlimited: boolean): Action => ({
  kind: 'token',
  call: { action: 'approve', contract: token, party: spender, amount, unlimited, expires: 1_893_456_000n },
})

export const examples = {
  'several allowances': {
    props: {
      ...permit,
      primaryType: 'PermitBatch',
      actions: [/* @__PURE__ */ allowed(25_000_000n, false), /* @__PURE__ */ allowed(2n ** 160n - 1n, true)],
      warnings: [
        { code: 'unlimited-allowance', severity: 'danger', spender },
        { code: 'allowance', severity: 'warning', spender },
      ],
    },
  },
  'authorization taken back': {
    props: {
      ...mail,
      domain: { name: 'USD Coin', version: '2', chain: 'Ethereum', contract: token },
      primaryType: 'CancelAuthorization',
      fields: [field('authorizer', 'address', owner), field('nonce', 'bytes32', `0x${'7f'.repeat(32)}`)],
      actions: [{ kind: 'revocation', contract: token }],
    },
  },
  order: {
    props: {
      ...mail,
      domain: { name: 'Seaport', version: '1.6', chain: 'Ethereum', contract: token },
      primaryType: 'OrderComponents',
      actions: [
        { kind: 'order', gives: [{ token, amount: 1n, number: 7n }], gets: [], expires: 1_893_456_000n },
      ],
      warnings: [{ code: 'sell-order-without-price', severity: 'danger' }],
    },
  },
  'Safe transaction': {
    props: {
      ...mail,
      primaryType: 'SafeTx',
      actions: [
        { kind: 'account', form: 'safe', account: token, to: spender, isDelegateCall: true },
        { kind: 'call', to: spender },
      ],
      warnings: [
        { code: 'safe-transaction', severity: 'warning' },
        { code: 'delegate-call', severity: 'danger', spender },
      ],
    },
  },
  'acts for the account': {
    props: {
      ...mail,
      primaryType: 'Delegation',
      actions: [{ kind: 'delegation', delegate: spender }],
      warnings: [{ code: 'delegation', severity: 'warning', spender }],
    },
  },
  'votes for the account': {
    props: {
      ...mail,
      primaryType: 'Delegation',
      actions: [{ kind: 'delegation', delegate: spender, only: 'votes' }],
      warnings: [{ code: 'votes-delegation', severity: 'warning', spender }],
    },
  },
  'money that an app pays out': {
    props: {
      ...mail,
      primaryType: 'HyperliquidTransaction:UsdSend',
      actions: [{ kind: 'payment', to: spender, amount: '1000000.5', token: 'USDC' }],
      warnings: [{ code: 'signed-transfer', severity: 'warning', spender }],
    },
  },
  rest: { props: mail },
  'nobody has described it': {
    props: { ...mail, warnings: [{ code: 'undescribed', severity: 'warning' }] },
  },
  short: { props: short },
  'a permit without a limit': { props: permit },
  'a wrapped message': {
    props: {
      ...mail,
      primaryType: 'SafeMessage',
      fields: [field('message', 'bytes', '0x48656c6c6f2c20426f6221')],
      held: 'Hello, Bob!',
    },
  },
  'a hash that lets an agent act': {
    props: {
      ...mail,
      primaryType: 'Agent',
      fields: [
        field('source', 'string', 'a'),
        field('connectionId', 'bytes32', /* @__PURE__ */ `0x${'4f56e0b3'.repeat(8)}`),
      ],
    },
  },
  'a key may be made from it': {
    props: {
      ...mail,
      primaryType: 'Harbor',
      fields: [field('action', 'string', 'Harbor STARK Key')],
      givesKey: true,
    },
  },
  'a permit with a limit': {
    props: {
      ...permit,
      permit: {
        action: 'approve',
        contract: token,
        party: spender,
        amount: 25_000_000n,
        unlimited: false,
      },
    },
  },
  'a permit to edit': {
    props: {
      ...permit,
      permit: {
        action: 'approve',
        contract: token,
        party: spender,
        amount: 2n ** 256n - 1n,
        unlimited: true,
        reach: 'all',
      },
      permitAsset: usdc,
      allowances: [
        {
          at: 0,
          token,
          spender,
          asked: 2n ** 256n - 1n,
          amount: 2n ** 256n - 1n,
          isMaximum: true,
          once: 25_500_000n,
          asset: usdc,
        },
      ],
    },
  },
  'a permit whose amount is sent along': {
    props: {
      ...permit,
      permit: {
        action: 'approve',
        contract: token,
        party: spender,
        amount: 25_000_000n,
        unlimited: false,
        reach: 'part',
      },
      permitAsset: usdc,
      allowanceNote: 'sentAlong',
    },
  },
  'a permit without an amount': {
    props: {
      ...permit,
      domain: { name: 'Dai Stablecoin', version: '1', chain: 'Ethereum', contract: token },
      fields: [
        field('holder', 'address', owner),
        field('spender', 'address', spender),
        field('nonce', 'uint256', '0'),
        field('expiry', 'uint256', '0'),
        field('allowed', 'bool', 'true'),
      ],
      permit: { action: 'approve', contract: token, party: spender, unlimited: true },
      allowanceNote: 'noAmount',
    },
  },
  'nothing about the domain': { props: { ...short, domain: {} } },
  signing: { props: short, busy: 'sign' },
  cancelling: { props: short, busy: 'cancel' },
  'the wallet has code': {
    props: {
      ...mail,
      walletCode: { delegate: '0xe6Cae83BdE06E4c305530e199D7217f42808555B', name: 'Simple7702Account' },
    },
  },
  failed: { props: { ...mail, error: 'An error has occurred, please try again.' } },
  done: { props: { ...short, done: true } },
  'not cancellable': { props: { ...mail, cancellable: false } },
  'own words': {
    props: {
      ...mail,
      title: 'Confirm your berth',
      description: 'The harbour master needs your signature. It costs nothing.',
      buttonText: 'Confirm',
      iconUrl:
        'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"%3E%3Ccircle cx="24" cy="24" r="22" fill="%230E9F8A"/%3E%3C/svg%3E',
    },
  },
  'another app asks': { props: { ...mail, app: 'Harbor' } },
  'lists, empty ones and invisible characters': {
    props: {
      ...mail,
      domain: { name: 'Har\u202Ebor', chain: 'Base' },
      primaryType: 'Order',
      fields: [
        field('items', 'Item[]', [
          field('0', 'Item', [field('id', 'uint256', '12'), field('note', 'string', 'zero\u200Bwidth')]),
          field('1', 'Item', [field('id', 'uint256', '13'), field('note', 'string', '')]),
        ]),
        field('fees', 'uint256[]', []),
        field('data', 'bytes', /* @__PURE__ */ `0x${'4f56e0b3'.repeat(24)}`),
        field('validTo', 'uint32', '4294967295'),
      ],
    },
  },
  'thirty levels': { props: { ...mail, primaryType: 'Tree', fields: [/* @__PURE__ */ deep(30)] } },
  'longest words': {
    props: {
      ...mail,
      origin:
        'https://a-very-long-subdomain-for-members-only.accounts.energieversorgung-oberland.example:8443',
      domain: {
        name: 'Donaudampfschifffahrtsgesellschaftskapitänsmützenverleih',
        version: '2026.08.1-hafenverwaltung',
        chain: 'Hafenkette der Energieversorgung Oberland (id 7777777)',
        contract: token,
        salt: /* @__PURE__ */ `0x${'4f56e0b3'.repeat(8)}`,
      },
      primaryType: 'DonaudampfschifffahrtsgesellschaftskapitänsmützenverleihVertrag',
      fields: [
        field('anExtremelyLongFieldNameThatSomebodyHasThoughtOf', 'ZuständigkeitErgänzungsVerordnung', [
          field('stringThatGoesOnAndOn', 'string', /* @__PURE__ */ 'Aye. '.repeat(60)),
        ]),
      ],
    },
  },
} satisfies Examples<typeof signTypedData>
