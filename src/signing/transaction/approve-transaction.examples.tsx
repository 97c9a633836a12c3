import type { Examples } from '../../dialog/screen.ts'
import type { ApproveTransactionProps, approveTransaction } from './approve-transaction.tsx'

const transfer: ApproveTransactionProps = {
  origin: 'https://harbor.example',
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  chain: 'Base',
  to: '0xE592427A0AEce92De3Edee1F18E0157C05861564',
  value: '0.25 ETH',
  fee: '0.000012 ETH',
  total: '0.250012 ETH',
  action: 'send',
}

const call: ApproveTransactionProps = {
  ...transfer,
  value: '0 ETH',
  total: '0.000012 ETH',
  data: /* @__PURE__ */ `0xa9059cbb${'0'.repeat(24)}e592427a0aece92de3edee1f18e0157c05861564${'0'.repeat(58)}0f4240`,
}

const solana: ApproveTransactionProps = {
  ...transfer,
  address: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK',
  chain: 'Solana',
  to: 'FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T',
  value: '1.5 SOL',
  fee: '0.000005 SOL',
  total: '1.500005 SOL',
  instructions: [
    { program: 'ComputeBudget111111111111111111111111111111', accounts: 0 },
    { program: '11111111111111111111111111111111', accounts: 2 },
    { program: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', accounts: 1 },
  ],
}

export const examples = {
  transfer: { props: transfer },
  'contract call': { props: call },
  'named call': {
    props: {
      ...call,
      value: '',
      call: {
        action: 'transfer',
        contract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
        party: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
        amount: 25_000_000n,
        unlimited: false,
      },
    },
  },
  'unlimited allowance': {
    props: {
      ...call,
      value: '',
      call: {
        action: 'approve',
        contract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
        party: '0xE592427A0AEce92De3Edee1F18E0157C05861564',
        amount: 2n ** 256n - 1n,
        unlimited: true,
      },
    },
  },
  'contract creation': { props: { ...call, to: undefined } },
  'to sign only': { props: { ...transfer, action: 'sign', fee: undefined, total: undefined } },
  'fee unavailable': { props: { ...transfer, fee: undefined, total: undefined } },
  Solana: { props: solana },
  'Solana, several programs': { props: { ...solana, to: undefined, value: '', total: undefined } },
  preparing: { props: { ...transfer, fee: undefined, total: undefined, preparing: true } },
  sending: { props: transfer, busy: 'approve' },
  signing: { props: { ...transfer, action: 'sign' }, busy: 'approve' },
  cancelling: { props: transfer, busy: 'cancel' },
  failed: { props: { ...transfer, error: 'Insufficient balance' } },
  'will likely fail': {
    props: {
      ...call,
      error: 'There was an error preparing your transaction. Your transaction request will likely fail.',
      reason: { code: 3, message: 'execution reverted: ERC20: transfer amount exceeds balance' },
    },
  },
  done: { props: { ...transfer, done: true } },
  'longest figures': {
    props: {
      ...call,
      origin:
        'https://a-very-long-subdomain-for-members-only.accounts.energieversorgung-oberland.example:8443',
      chain: 'Hafenkette der Energieversorgung Oberland',
      value: '123,456,789.123456789123456789 HAFENGULDEN',
      fee: '0.000012345678912345 HAFENGULDEN',
      total: '123,456,789.123469134802369134 HAFENGULDEN',
    },
  },
} satisfies Examples<typeof approveTransaction>
