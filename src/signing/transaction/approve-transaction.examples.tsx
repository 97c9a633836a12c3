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
    {
      program: 'ComputeBudget111111111111111111111111111111',
      accounts: [],
      data: '0x03a086010000000000',
      action: { name: 'computePrice', facts: [{ label: 'price', text: '100000' }] },
    },
    {
      program: '11111111111111111111111111111111',
      accounts: [
        { address: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK', signer: true, writable: true },
        { address: 'FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T', signer: false, writable: true },
      ],
      data: '0x02000000002f685900000000',
      action: {
        name: 'transferSol',
        facts: [
          { label: 'from', address: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK' },
          { label: 'recipient', address: 'FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T' },
          { label: 'amount', text: '1.5 SOL' },
        ],
      },
    },
  ],
}

const unknownProgram: NonNullable<ApproveTransactionProps['instructions']>[number] = {
  program: 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4',
  accounts: [
    { address: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK', signer: true, writable: true },
    { address: 'FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T #4', signer: false, writable: true },
    { address: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', signer: false, writable: false },
  ],
  data: /* @__PURE__ */ `0x${'e517cb977ae3ad2a'.repeat(6)}`,
}

const dangerous: NonNullable<ApproveTransactionProps['instructions']> = [
  {
    program: '11111111111111111111111111111111',
    accounts: [],
    data: '0x04000000',
    action: {
      name: 'advanceNonce',
      danger: 'nonce',
      facts: [{ label: 'account', address: 'FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T' }],
    },
  },
  {
    program: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    accounts: [],
    data: '0x0dffffffffffffffff06',
    action: {
      name: 'approveToken',
      danger: 'approve',
      facts: [
        { label: 'account', address: 'FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T' },
        { label: 'spender', address: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK' },
        { label: 'amount', text: '18,446,744,073,709.551615' },
      ],
    },
  },
]

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
  'Solana, several programs': {
    props: { ...solana, to: undefined, instructions: [...(solana.instructions ?? []), unknownProgram] },
  },
  'Solana, dangerous': {
    props: { ...solana, to: undefined, value: '', total: '0.000005 SOL', instructions: dangerous },
  },
  'Solana, unusual fee': {
    props: { ...solana, fee: '0.9 SOL', total: '2.4 SOL', feeConcern: 'high' },
  },
  'fee above its share': {
    props: { ...transfer, value: '0.003 ETH', fee: '0.002 ETH', total: '0.005 ETH', feeConcern: 'share' },
  },
  'allowance for all there is': {
    props: {
      ...call,
      value: '',
      call: {
        action: 'approve',
        contract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
        party: '0xE592427A0AEce92De3Edee1F18E0157C05861564',
        amountOrToken: 2n ** 255n - 1n,
        unlimited: false,
        reach: 'all',
      },
    },
  },
  'allowance of unknown reach': {
    props: {
      ...call,
      value: '',
      call: {
        action: 'approve',
        contract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
        party: '0xE592427A0AEce92De3Edee1F18E0157C05861564',
        amountOrToken: 25_000_000n,
        unlimited: false,
      },
    },
  },
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
