import type { Examples } from '../../dialog/screen.ts'
import { allowanceWarnings, type TransactionPreview } from '../preview.ts'
import { type OperationFacts, toOperationPreview } from '../user-operation/preview.ts'
import type { ApproveCallsProps, approveCalls } from './approve-calls.tsx'
import { toAtomicPreview, toCallsPreview } from './preview.ts'

const ether = { symbol: 'ETH', decimals: 18 }
const dollars = { symbol: 'USDC', decimals: 6 }
const router = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
/** 0.000001 ETH. */
const unit = 10n ** 12n

const base: TransactionPreview = {
  origin: 'https://harbor.example',
  wallet: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  network: { name: 'Base', chain: 'eip155:8453' },
  coin: ether,
  value: 0n,
  actions: [],
  fee: 12n * unit,
  total: 12n * unit,
  balance: 1_204_000n * unit,
  isUnderfunded: false,
  warnings: [],
}
const walletCode = {
  delegate: '0xe6Cae83BdE06E4c305530e199D7217f42808555B',
  name: 'Simple7702Account',
}
const allowance = {
  action: 'approve',
  contract: token,
  party: router,
  unlimited: false,
  amount: 25_500_000n,
} as const
const approval: TransactionPreview = {
  ...base,
  balanceChanges: {
    out: [],
    in: [],
    allowances: [
      { kind: 'spender', spender: router, token, asset: dollars, amount: 25_500_000n, isUnlimited: false },
    ],
    isComplete: true,
  },
  actions: [{ kind: 'token', call: allowance, asset: dollars }],
  warnings: /* @__PURE__ */ allowanceWarnings(allowance),
  data: /* @__PURE__ */ `0x095ea7b3${'0'.repeat(24)}e592427a0aece92de3edee1f18e0157c05861564${'0'.repeat(57)}1851960`,
}
const swap: TransactionPreview = {
  ...base,
  fee: 31n * unit,
  total: 31n * unit,
  actions: [{ kind: 'call', to: router }],
  data: /* @__PURE__ */ `0x414bf389${'0'.repeat(128)}`,
  balanceChanges: {
    out: [{ token, asset: dollars, amount: 25_500_000n }],
    in: [{ asset: ether, amount: 8_100n * unit }],
    allowances: [],
    isComplete: true,
  },
}
const gift: TransactionPreview = {
  ...base,
  value: 4_000n * unit,
  total: 4_012n * unit,
  actions: [{ kind: 'transfer', to: router, amount: 4_000n * unit }],
  balanceChanges: {
    out: [{ asset: ether, amount: 4_000n * unit }],
    in: [],
    allowances: [],
    isComplete: true,
  },
}
const props = (
  calls: readonly TransactionPreview[],
  more: Partial<ApproveCallsProps> = {},
): ApproveCallsProps => ({
  preview: toCallsPreview(calls),
  ...more,
})
const without = ({
  fee: _,
  total: __,
  balance: ___,
  balanceChanges: ____,
  ...call
}: TransactionPreview): TransactionPreview => call

/** The calls of a smart wallet, which have no fees of their own. */
const gasTank = { name: 'Gas Tank', isNamedByApp: true }
function operation(calls: readonly TransactionPreview[], facts: Partial<OperationFacts>) {
  const each = calls.map(({ fee: _, total: __, ...call }) => call)
  return toOperationPreview(each, { deploysAccount: false, ...facts })
}

export const examples = {
  'an approval and a swap': { props: /* @__PURE__ */ props([approval, swap]) },
  'three calls, the last one sends coins': { props: /* @__PURE__ */ props([approval, swap, gift]) },
  'one call': { props: /* @__PURE__ */ props([gift]) },
  preparing: {
    props: { preview: /* @__PURE__ */ toCallsPreview([approval, swap].map(without)), preparing: true },
  },
  'the later call will likely fail': {
    props: /* @__PURE__ */ props([
      approval,
      { ...swap, warnings: [{ code: 'reverts', severity: 'danger', reason: 'Too little received' }] },
    ]),
  },
  "the wallet can't pay all of them": {
    props: /* @__PURE__ */ props([
      approval,
      swap,
      { ...gift, value: 2_000_000n * unit, total: 2_000_012n * unit },
    ]),
  },
  'according to this page': {
    props: /* @__PURE__ */ props([approval, swap].map((each) => ({ ...each, isFeeClaimed: true }))),
  },
  signing: { props: /* @__PURE__ */ props([approval, swap]), busy: 'approve' },
  signed: { props: /* @__PURE__ */ props([approval, swap], { done: true }) },
  'all or none': {
    props: { preview: /* @__PURE__ */ toAtomicPreview({ ...base, walletCode }, [approval, swap]) },
  },
  'all or none, with code for the wallet': {
    props: {
      preview: /* @__PURE__ */ toAtomicPreview({ ...base, actions: [{ kind: 'code', ...walletCode }] }, [
        approval,
        swap,
      ]),
    },
  },
  'a smart wallet, sponsored': {
    props: { preview: /* @__PURE__ */ operation([approval, swap], { sponsor: gasTank }) },
  },
  'a smart wallet, sponsored by a contract of the app': {
    props: {
      preview: /* @__PURE__ */ operation([approval, swap], {
        sponsor: { ...gasTank, address: router },
      }),
    },
  },
  "a smart wallet, whose fee goes through a contract that the app doesn't name": {
    props: {
      preview: /* @__PURE__ */ operation([approval, swap], {
        fee: 48n * unit,
        sponsor: { address: router, isNamedByApp: false },
      }),
    },
  },
  'a smart wallet, whose fee goes through a contract that may charge it in tokens': {
    props: {
      preview: /* @__PURE__ */ operation([gift], {
        fee: 48n * unit,
        sponsor: {
          address: router,
          isNamedByApp: false,
          mayTake: [
            { token, asset: dollars, amount: 1_250_000_000n, isUnlimited: false },
            { token: router, amount: (1n << 256n) - 1n, isUnlimited: true },
            { token, asset: { ...dollars, symbol: 'DAI' }, isUnlimited: false },
          ],
        },
      }),
    },
  },
  'a smart wallet, whose fee goes through a contract of which nobody says what it may charge': {
    props: {
      preview: /* @__PURE__ */ operation([gift], {
        fee: 48n * unit,
        sponsor: { address: router, isNamedByApp: false, mayTake: 'unread' },
      }),
    },
  },
  'a smart wallet pays for itself': {
    props: { preview: /* @__PURE__ */ operation([approval, gift], { fee: 48n * unit }) },
  },
  'the first transfer of a smart wallet': {
    props: {
      preview: /* @__PURE__ */ operation([gift], { sponsor: gasTank, deploysAccount: true }),
    },
  },
  "a smart wallet can't pay": {
    props: { preview: /* @__PURE__ */ operation([gift], { fee: 4_000_000n * unit }) },
  },
  'a smart wallet, preparing': {
    props: { preview: /* @__PURE__ */ operation([approval, swap].map(without), {}), preparing: true },
  },
  'a smart wallet, signing': {
    props: { preview: /* @__PURE__ */ operation([approval, swap], { sponsor: gasTank }) },
    busy: 'approve',
  },
} satisfies Examples<typeof approveCalls>
