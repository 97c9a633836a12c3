import type { Examples } from '../../dialog/screen.ts'
import type { TokenAction } from '../../ethereum/token-action.ts'
import type { SolanaAction } from '../../solana/actions.ts'
import {
  type Action,
  allowanceWarnings,
  type BalanceChanges,
  type Described,
  type EditableFees,
  type TransactionPreview,
} from '../preview.ts'
import type { ApproveTransactionProps, approveTransaction } from './approve-transaction.tsx'

const ether = { symbol: 'ETH', decimals: 18 }
const recipient = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
const codeOf = '0xe6Cae83BdE06E4c305530e199D7217f42808555B'
const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
/** 0.000001 ETH. */
const unit = 10n ** 12n

const transferPreview: TransactionPreview = {
  origin: 'https://harbor.example',
  wallet: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  network: { name: 'Base', chain: 'eip155:8453' },
  coin: ether,
  value: 250_000n * unit,
  actions: [{ kind: 'transfer', to: recipient, amount: 250_000n * unit }],
  fee: 12n * unit,
  total: 250_012n * unit,
  balance: 1_204_000n * unit,
  isUnderfunded: false,
  warnings: [],
}
const transfer: ApproveTransactionProps = { preview: transferPreview, action: 'send' }

/** The same with another preview. */
const withPreview = (
  change: Partial<TransactionPreview>,
  more: Partial<ApproveTransactionProps> = {},
): ApproveTransactionProps => ({ ...transfer, preview: { ...transferPreview, ...change }, ...more })

/** An app that offers funding. */
const toFund = /* @__PURE__ */ withPreview(
  {
    balance: 100_000n * unit,
    isUnderfunded: true,
    missing: 150_012n * unit,
    warnings: [{ code: 'insufficient-funds', severity: 'danger' }],
  },
  { isFundable: true },
)

const called = {
  value: 0n,
  total: 12n * unit,
  actions: [{ kind: 'call', to: recipient }],
  data: /* @__PURE__ */ `0xa9059cbb${'0'.repeat(24)}e592427a0aece92de3edee1f18e0157c05861564${'0'.repeat(58)}0f4240`,
} satisfies Partial<TransactionPreview>

const tokenCall = (call: TokenAction, more: Partial<TransactionPreview> = {}) =>
  withPreview({
    ...called,
    actions: [{ kind: 'token', call }],
    warnings: allowanceWarnings(call),
    ...more,
  })

const allowance = (change: Partial<TokenAction>): TokenAction => ({
  action: 'approve',
  contract: token,
  party: recipient,
  unlimited: false,
  ...change,
})

const unlimited = /* @__PURE__ */ allowance({ amount: 2n ** 256n - 1n, unlimited: true })

const editable = ({ amount }: { amount: bigint }): ApproveTransactionProps => {
  const asset = { symbol: 'USDC', decimals: 6 }
  const asked = unlimited.amount ?? 0n
  const isAll = amount >= 25_500_000n
  const call = allowance({ amount, unlimited: amount === asked, reach: isAll ? 'all' : 'part' })
  return withPreview({
    ...called,
    actions: [{ kind: 'token', call, asset }],
    allowances: [
      { at: 0, token, spender: recipient, asked, amount, isMaximum: true, once: 25_500_000n, asset },
    ],
    warnings: allowanceWarnings(call),
  })
}

/** A batch of a smart account that gives two allowances, the second by Permit2. */
const batchToEdit = /* @__PURE__ */ (() => {
  const [usdc, weth] = [
    { symbol: 'USDC', decimals: 6 },
    { symbol: 'WETH', decimals: 18 },
  ]
  const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
  const other = '0x4200000000000000000000000000000000000006'
  const first = allowance({ amount: 25_500_000n, reach: 'part', party: permit2 })
  const second = allowance({
    contract: other,
    amount: 2n ** 160n - 1n,
    unlimited: true,
    expires: 1_893_456_000n,
  })
  return withPreview({
    ...called,
    sentence: 'Approve Permit2 to spend 25.5 USDC and approve Pier Exchange to spend all WETH',
    actions: [
      { kind: 'token', call: first, asset: usdc },
      { kind: 'token', call: second, asset: weth },
    ],
    allowances: [
      {
        at: 0,
        token,
        spender: permit2,
        asked: 25_500_000n,
        amount: 25_500_000n,
        isMaximum: false,
        once: 25_500_000n,
        asset: usdc,
      },
      {
        at: 1,
        token: other,
        spender: recipient,
        asked: 2n ** 160n - 1n,
        amount: 2n ** 160n - 1n,
        isMaximum: true,
        once: 140n * 10n ** 16n,
        asset: weth,
        end: {
          asked: 1_893_456_000n,
          now: 1_893_456_000n,
          sooner: [1_890_003_600n, 1_890_086_400n],
        },
      },
    ],
    warnings: allowanceWarnings(second),
  })
})()
const fees: EditableFees = {
  chosen: 'usual',
  levels: [
    { speed: 'slow', fee: 8n * unit },
    { speed: 'usual', fee: 12n * unit },
    { speed: 'fast', fee: 18n * unit },
  ],
  own: { maxFeePerGas: 571_428_571n, maxPriorityFeePerGas: 100_000_000n },
}
const prices = { coin: 2_512.4, tokens: { [token]: 0.9998 } }
const tried = (more: Partial<BalanceChanges> = {}): BalanceChanges => ({
  out: [{ amount: 25_500_000n, token, asset: { symbol: 'USDC', decimals: 6 } }],
  in: [{ amount: 9_850n * unit, asset: ether }],
  allowances: [],
  isComplete: true,
  ...more,
})
/** A swap, with what a trial run says and what it is worth. */
const worthwhile: Partial<TransactionPreview> = {
  ...called,
  fees,
  prices,
  balanceChanges: /* @__PURE__ */ tried(),
}

const described = (change: Partial<Described>): ApproveTransactionProps =>
  withPreview({
    ...called,
    actions: [
      {
        kind: 'described',
        intent: 'Swap',
        sentence: 'Swap 25.5 USDC for at least 0.0069 ETH',
        owner: 'Pier Exchange',
        trust: 'audited',
        auditors: ['Ledger'],
        contract: recipient,
        fields: [
          { label: 'Send', value: '25.5 USDC', token },
          { label: 'Receive at least', value: '0.0069 ETH' },
          {
            label: 'Recipient',
            value: 'ada.eth',
            address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
            source: 'ens',
          },
          { label: 'Fee', value: '0.25 %', group: 'Route 1' },
        ],
        ...change,
      },
    ],
  })

const instruction = (each: SolanaAction): Action => ({ kind: 'instruction', instruction: each })
const bytes = (...values: number[]) => Uint8Array.from(values)
const place = (address: string, signer: boolean, writable: boolean) => ({
  address,
  isResolved: !address.includes('#'),
  signer,
  writable,
})

const solanaWallet = '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK'
const solanaRecipient = 'FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T'
const solanaToken = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const priceInstruction: SolanaAction = {
  kind: 'computeBudget',
  setting: 'unitPrice',
  value: 100_000n,
  instruction: 0,
  isInner: false,
  program: 'ComputeBudget111111111111111111111111111111',
  accounts: [],
  data: bytes(3, 0xa0, 0x86, 1, 0, 0, 0, 0, 0),
}
const sendSol = (to: string, lamports: bigint): SolanaAction => ({
  kind: 'transferSol',
  from: solanaWallet,
  to,
  lamports,
  instruction: 1,
  isInner: false,
  program: '11111111111111111111111111111111',
  accounts: [place(solanaWallet, true, true), place(to, false, true)],
  data: bytes(2, 0, 0, 0, 0, 0x2f, 0x68, 0x59, 0, 0, 0, 0),
})
const sendInstruction = sendSol(solanaRecipient, 1_500_000_000n)
const solana = (change: Partial<TransactionPreview> = {}): ApproveTransactionProps =>
  withPreview({
    wallet: solanaWallet,
    network: { name: 'Solana', chain: 'solana:mainnet' },
    coin: { symbol: 'SOL', decimals: 9 },
    value: 1_500_000_000n,
    fee: 5_000n,
    total: 1_500_005_000n,
    balance: 4_020_000_000n,
    actions: [
      { kind: 'transfer', to: solanaRecipient, amount: 1_500_000_000n },
      instruction(priceInstruction),
      instruction(sendInstruction),
    ],
    ...change,
  })

/** 50 units as people see them, of a token that withholds a part of each transfer. */
const scaledTransfer: SolanaAction = {
  kind: 'transferToken',
  source: `${solanaWallet} #2`,
  destination: `${solanaRecipient} #2`,
  sourceOwner: solanaWallet,
  destinationOwner: solanaRecipient,
  authority: solanaWallet,
  amount: 5_000_000n,
  mint: solanaToken,
  decimals: 6,
  symbol: 'SCLD',
  scale: 10,
  fee: 50_000n,
  instruction: 1,
  isInner: false,
  program: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  accounts: [],
  data: bytes(12, 0x40, 0x4b, 0x4c, 0, 0, 0, 0, 0, 6),
}

const unknownProgram: SolanaAction = {
  kind: 'unknown',
  instruction: 2,
  isInner: false,
  program: 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4',
  accounts: [
    place(solanaWallet, true, true),
    place(`${solanaRecipient} #4`, false, true),
    place(tokenProgram, false, false),
  ],
  data: bytes(0xe5, 0x17, 0xcb, 0x97, 0x7a, 0xe3, 0xad, 0x2a),
}

const dangerous: readonly SolanaAction[] = [
  {
    kind: 'nonce',
    step: 'advance',
    account: solanaRecipient,
    authority: solanaWallet,
    destination: undefined,
    lamports: undefined,
    instruction: 0,
    isInner: false,
    program: '11111111111111111111111111111111',
    accounts: [],
    data: bytes(4, 0, 0, 0),
  },
  {
    kind: 'approveToken',
    account: solanaRecipient,
    delegate: solanaWallet,
    owner: solanaWallet,
    amount: 2n ** 64n - 1n,
    mint: solanaToken,
    decimals: 6,
    scale: 1,
    instruction: 1,
    isInner: false,
    program: tokenProgram,
    accounts: [],
    data: bytes(13, 255, 255, 255, 255, 255, 255, 255, 255, 6),
  },
]

const systemProgram = '11111111111111111111111111111111'
const stakeProgram = 'Stake11111111111111111111111111111111111111'
const strangeProgram = 'Hq9qNnAEWpcyAkFVc2XyzdXbrzYFVEQyGBhJXyYuo2kL'
const newAccount = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
/** What every instruction of a kind has beside its own fields. */
const source = (program: string) => ({
  instruction: 0,
  isInner: false,
  program,
  accounts: [place(solanaWallet, true, true), place(newAccount, false, true)],
  data: bytes(8, 0, 0, 0, 80, 0, 0, 0, 0, 0, 0, 0),
})
const createStrange: SolanaAction = {
  kind: 'createAccount',
  payer: solanaWallet,
  account: newAccount,
  lamports: 1_500_000_000n,
  space: 80n,
  owner: strangeProgram,
  base: solanaWallet,
  ...source(systemProgram),
}
const lockStake: SolanaAction = {
  kind: 'stake',
  step: 'initialize',
  account: newAccount,
  authority: solanaWallet,
  target: undefined,
  role: undefined,
  lamports: undefined,
  lockup: { until: 4_102_444_800n, epoch: 0n, custodian: solanaRecipient },
  ...source(stakeProgram),
}
const createForOther: SolanaAction = {
  kind: 'createTokenAccount',
  payer: solanaWallet,
  account: newAccount,
  owner: solanaRecipient,
  mint: solanaToken,
  tokenProgram,
  isIdempotent: true,
  ...source('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'),
}
const allocateWallet: SolanaAction = {
  kind: 'allocate',
  account: solanaWallet,
  space: 80n,
  owner: undefined,
  ...source(systemProgram),
}

export const examples = {
  transfer: { props: transfer },
  'contract call': { props: withPreview(called) },
  'token transfer': {
    props: tokenCall(
      {
        action: 'transfer',
        contract: token,
        party: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
        amount: 25_000_000n,
        unlimited: false,
      },
      {},
    ),
  },
  'token transfer, known token': {
    props: withPreview({
      ...called,
      actions: [
        {
          kind: 'token',
          call: {
            action: 'transfer',
            contract: token,
            party: recipient,
            amount: 25_500_000n,
            unlimited: false,
          },
          asset: { symbol: 'USDC', decimals: 6 },
        },
      ],
    }),
  },
  'balance changes': {
    props: withPreview({
      ...called,
      balanceChanges: {
        out: [{ token, asset: { symbol: 'USDC', decimals: 6 }, amount: 1_250_000_000n }],
        in: [
          { asset: ether, amount: 412_000n * unit },
          { token: recipient, id: 8_127n, amount: 1n },
        ],
        allowances: [
          {
            kind: 'spender',
            spender: recipient,
            token,
            asset: { symbol: 'USDC', decimals: 6 },
            amount: 50_000_000n,
            isUnlimited: false,
          },
          { kind: 'spender', spender: recipient, token: recipient, isUnlimited: true },
        ],
        isComplete: false,
      },
    }),
  },
  'no balance changes': {
    props: withPreview({
      ...called,
      balanceChanges: { out: [], in: [], allowances: [], isComplete: true },
    }),
  },
  'network without previews, fee claimed': {
    props: withPreview({
      ...called,
      balanceChanges: 'unavailable',
      isFeeClaimed: true,
      warnings: [{ code: 'nodes-differ', severity: 'warning' }],
    }),
  },
  described: { props: described({}) },
  'described by the app': {
    props: described({ trust: 'app', auditors: [], owner: 'Harbor', sentence: undefined }),
  },
  'left out of its description': {
    props: described({
      trust: 'registry',
      auditors: [],
      intent: 'Log in',
      sentence: undefined,
      fields: [
        { label: 'App', value: 'Pier Exchange' },
        { label: 'beneficiary', value: recipient, address: recipient, isUnsaid: true },
        { label: 'amount', value: '1,000,000,000', isUnsaid: true },
      ],
    }),
  },
  'nobody has described it': {
    props: withPreview({
      ...called,
      balanceChanges: { out: [], in: [], allowances: [], isComplete: true },
      warnings: [{ code: 'undescribed', severity: 'warning' }],
    }),
  },
  'nobody can say what it does': {
    props: withPreview({
      ...called,
      balanceChanges: 'unavailable',
      warnings: [{ code: 'not-understood', severity: 'danger' }],
    }),
  },
  'more left behind than what is listed': {
    props: withPreview({
      ...called,
      balanceChanges: {
        out: [],
        in: [],
        allowances: [
          { kind: 'operator', spender: recipient, account: token, isUnlimited: true },
          { kind: 'owner', spender: recipient, account: codeOf, isUnlimited: false },
          { kind: 'code', spender: codeOf, isUnlimited: false },
        ],
        isComplete: true,
      },
      warnings: [
        { code: 'unexplained-change', severity: 'danger', spender: recipient, address: token },
        { code: 'undescribed', severity: 'warning' },
      ],
    }),
  },
  'sent for the wallet by someone else': {
    props: withPreview({
      ...called,
      actions: [
        {
          kind: 'account',
          form: 'forwarded',
          account: transferPreview.wallet,
          to: token,
          isDelegateCall: false,
        },
        {
          kind: 'token',
          call: allowance({ action: 'transfer', amount: 25_500_000n }),
          asset: { symbol: 'USDC', decimals: 6 },
        },
      ],
    }),
  },
  'several assets leave': {
    props: withPreview({
      ...called,
      value: 250_000n * unit,
      total: 250_012n * unit,
      actions: [
        { kind: 'transfer', to: recipient, amount: 250_000n * unit },
        {
          kind: 'token',
          call: allowance({ action: 'transfer', amount: 25_500_000n }),
          asset: { symbol: 'USDC', decimals: 6 },
        },
      ],
      prices,
    }),
  },
  'batch of calls': {
    props: withPreview({
      ...called,
      actions: [
        { kind: 'token', call: unlimited },
        { kind: 'mint', contract: token, to: recipient, amountOrToken: 3n },
        { kind: 'call', to: recipient },
      ],
      warnings: allowanceWarnings(unlimited),
    }),
  },
  'change of control': {
    props: withPreview({
      ...called,
      actions: [
        { kind: 'call', to: token },
        { kind: 'control', name: 'transferOwnership', contract: token, subject: recipient },
      ],
      warnings: [
        { code: 'control-change', severity: 'danger', spender: recipient },
        { code: 'trailing-bytes', severity: 'warning' },
      ],
    }),
  },
  'unlimited allowance': { props: tokenCall(allowance({ amount: 2n ** 256n - 1n, unlimited: true })) },
  'allowance to edit': { props: editable({ amount: unlimited.amount ?? 0n }) },
  'allowance, only this once': { props: editable({ amount: 25_500_000n }) },
  'allowances of a batch to edit': { props: batchToEdit },
  'allowance, own amount': { props: editable({ amount: 5_000_000n }) },
  'contract creation': { props: withPreview({ ...called, actions: [{ kind: 'deploy' }] }) },
  'contract creation with coins': {
    props: withPreview({
      ...called,
      value: 40_000n * unit,
      total: 40_012n * unit,
      actions: [{ kind: 'deploy', coins: 40_000n * unit }],
    }),
  },
  'transfer made by an account': {
    props: withPreview({
      ...called,
      value: 0n,
      coinsOut: 250_000n * unit,
      actions: [
        { kind: 'account', form: 'smart', account: token, isDelegateCall: false },
        { kind: 'transfer', to: recipient, amount: 250_000n * unit, by: token },
      ],
    }),
  },
  'transaction of a Safe with a refund': {
    props: withPreview({
      ...called,
      value: 0n,
      coinsOut: 250_000n * unit,
      actions: [
        { kind: 'account', form: 'safe', account: token, isDelegateCall: false },
        {
          kind: 'refund',
          account: token,
          token,
          asset: { symbol: 'USDC', decimals: 6 },
          most: 4_500_000_000n,
          to: recipient,
        },
        { kind: 'transfer', to: recipient, amount: 250_000n * unit, by: token },
      ],
      warnings: [{ code: 'refund', severity: 'danger', spender: recipient }],
    }),
  },
  'equal transfers of a batch': {
    props: withPreview({
      ...called,
      value: 0n,
      coinsOut: 500_000n * unit,
      actions: [
        { kind: 'transfer', to: recipient, amount: 250_000n * unit, by: token },
        { kind: 'transfer', to: recipient, amount: 250_000n * unit, by: token },
      ],
    }),
  },
  'to sign only': { props: withPreview({ fee: undefined, total: undefined }, { action: 'sign' }) },
  'trial run pending': { props: withPreview({ ...called, balanceChanges: 'waiting' }) },
  'trial run without an answer': { props: withPreview({ balanceChanges: 'unanswered' }) },
  'trial run without an answer, not understood': {
    props: withPreview({
      ...called,
      balanceChanges: 'unanswered',
      warnings: [{ code: 'not-understood', severity: 'danger' }],
    }),
  },
  'trial run that failed': {
    props: withPreview({
      ...called,
      balanceChanges: 'failed',
      warnings: [
        { code: 'reverts', severity: 'danger', reason: 'Pool: EXPIRED' },
        { code: 'undescribed', severity: 'warning' },
      ],
    }),
  },
  'trial run by one node': {
    props: withPreview({ ...worthwhile, balanceChanges: tried({ isSingle: true }) }),
  },
  'trial runs that differ': {
    props: withPreview({
      ...worthwhile,
      balanceChanges: tried({ isDisputed: true, isComplete: false }),
      warnings: [
        { code: 'not-understood', severity: 'danger' },
        { code: 'nodes-differ', severity: 'warning' },
      ],
    }),
  },
  'fee unavailable': { props: withPreview({ fee: undefined, total: undefined, balance: undefined }) },
  'cancels another one': {
    props: withPreview(
      {
        value: 0n,
        total: 12n * unit,
        actions: [{ kind: 'transfer', to: transferPreview.wallet, amount: 0n }],
      },
      {
        title: 'Cancel transaction',
        description:
          'This sends nothing, with a higher fee, in its place. It only works while the other one is not confirmed.',
      },
    ),
  },
  'host words': {
    props: {
      ...transfer,
      title: 'Pay for your berth',
      description: 'Two nights at the north pier.',
      buttonText: 'Pay',
      iconUrl: '/logos/harbor.svg',
      iconName: 'Harbor',
    },
  },
  Solana: { props: solana() },
  'Solana, several programs': {
    props: solana({
      actions: [priceInstruction, sendInstruction, unknownProgram].map(instruction),
    }),
  },
  'Solana, two recipients': {
    props: solana({
      value: 2_000_000_000n,
      total: 2_000_005_000n,
      actions: [sendInstruction, sendSol(solanaToken, 500_000_000n)].map(instruction),
    }),
  },
  'Solana, token with other units and a fee': {
    props: solana({
      value: 0n,
      total: 5_000n,
      actions: [priceInstruction, scaledTransfer].map(instruction),
      balanceChanges: {
        out: [{ amount: 5_000_000n, asset: { symbol: 'SCLD', decimals: 6, scale: 10 }, token: solanaToken }],
        in: [],
        allowances: [],
        isComplete: true,
      },
    }),
  },
  'Solana, swap': {
    props: solana({
      rent: 2_039_280n,
      total: 1_502_044_280n,
      actions: [unknownProgram].map(instruction),
      balanceChanges: {
        out: [{ amount: 1_500_000_000n, asset: { symbol: 'SOL', decimals: 9 } }],
        in: [{ amount: 254_310_000n, asset: { symbol: '', decimals: 6 }, token: solanaToken }],
        allowances: [],
        isComplete: true,
      },
      warnings: [
        { code: 'solana-unknownProgram', severity: 'danger', address: unknownProgram.program },
        { code: 'solana-unknownAccounts', severity: 'danger' },
      ],
    }),
  },
  'Solana, data in the own account': {
    props: solana({
      value: 0n,
      total: 5_000n,
      actions: [instruction(allocateWallet)],
      balanceChanges: {
        out: [],
        in: [],
        allowances: [
          {
            kind: 'data',
            spender: systemProgram,
            account: solanaWallet,
            isUnlimited: false,
            isExplained: true,
          },
        ],
        isComplete: true,
      },
      warnings: [{ code: 'solana-walletAccount', severity: 'danger', address: solanaWallet }],
    }),
  },
  'Solana, account that someone else controls': {
    props: solana({
      actions: [instruction(createStrange)],
      warnings: [{ code: 'solana-strangeAccount', severity: 'danger', address: newAccount }],
    }),
  },
  'Solana, stake locked by someone else': {
    props: solana({
      actions: [
        instruction({ ...createStrange, owner: stakeProgram, space: 200n }),
        instruction({ ...lockStake, instruction: 1 }),
      ],
      balanceChanges: {
        out: [{ amount: 1_500_000_000n, asset: { symbol: 'SOL', decimals: 9 } }],
        in: [],
        allowances: [
          {
            kind: 'custodian',
            spender: solanaRecipient,
            account: newAccount,
            until: 4_102_444_800n,
            isUnlimited: false,
            isExplained: true,
          },
        ],
        isComplete: true,
      },
      warnings: [
        { code: 'solana-lock', severity: 'danger', address: newAccount },
        { code: 'solana-strangeAccount', severity: 'danger', address: newAccount },
      ],
    }),
  },
  'Solana, deposit for an account of someone else': {
    props: solana({
      value: 0n,
      deposits: 2_039_280n,
      total: 2_044_280n,
      actions: [instruction(createForOther)],
      warnings: [{ code: 'solana-otherAccount', severity: 'warning', address: newAccount }],
    }),
  },
  'Solana, well-known program': {
    props: solana({
      value: 0n,
      rent: 2_039_280n,
      total: 2_044_280n,
      actions: [instruction({ ...unknownProgram, accounts: unknownProgram.accounts.slice(2) })],
      balanceChanges: {
        out: [{ amount: 1_500_000_000n, asset: { symbol: 'SOL', decimals: 9 } }],
        in: [{ amount: 254_310_000n, asset: { symbol: 'USDC', decimals: 6 }, token: solanaToken }],
        allowances: [],
        isComplete: true,
      },
      warnings: [{ code: 'solana-knownProgram', severity: 'warning', address: unknownProgram.program }],
    }),
  },
  'Solana, more left behind than what is listed': {
    props: solana({
      value: 0n,
      total: 5_000n,
      actions: [instruction(unknownProgram)],
      balanceChanges: {
        out: [],
        in: [],
        allowances: [
          { kind: 'owner', spender: strangeProgram, account: newAccount, isUnlimited: false },
          { kind: 'delegate', spender: solanaRecipient, token: solanaToken, isUnlimited: true },
          { kind: 'withdrawer', spender: solanaRecipient, account: solanaToken, isUnlimited: false },
        ],
        isComplete: true,
      },
      warnings: [
        { code: 'unexplained-change', severity: 'danger', spender: strangeProgram, address: newAccount },
        { code: 'solana-unknownProgram', severity: 'danger', address: unknownProgram.program },
      ],
    }),
  },
  'Solana, paid by another': {
    props: solana({ fee: undefined, sponsor: solanaRecipient, total: 1_500_000_000n }),
  },
  'Solana, insufficient funds': {
    props: solana({
      balance: 1_000_000_000n,
      isUnderfunded: true,
      missing: 500_005_000n,
      warnings: [{ code: 'solana-insufficientFunds', severity: 'danger' }],
    }),
  },
  'Solana, trial run pending': { props: solana({ balanceChanges: 'waiting' }) },
  'Solana, no trial run': { props: solana({ balanceChanges: 'unavailable' }) },
  'Solana, dangerous': {
    props: solana({
      value: 0n,
      total: 5_000n,
      actions: dangerous.map(instruction),
      warnings: [
        { code: 'solana-durableNonce', severity: 'danger' },
        { code: 'unlimited-allowance', severity: 'danger', spender: solanaWallet },
      ],
    }),
  },
  'Solana, unusual fee': {
    props: solana({ fee: 900_000_000n, total: 2_400_000_000n, feeConcern: 'high' }),
  },
  'Solana, fees beside those of the page': {
    props: solana({
      fees: {
        chosen: 'asked',
        levels: [
          { speed: 'slow', fee: 5_000n },
          { speed: 'usual', fee: 12_000n },
          { speed: 'fast', fee: 41_500n },
        ],
        own: { priority: 9_000n },
      },
      prices: { coin: 152.4, tokens: {} },
    }),
  },
  'Solana, network claimed': { props: solana({ network: { name: 'Devnet', isClaimed: true } }) },
  'fee above its share': {
    props: withPreview({
      value: 3_000n * unit,
      fee: 2_000n * unit,
      total: 5_000n * unit,
      feeConcern: 'share',
    }),
  },
  'allowance for all there is': {
    props: tokenCall(allowance({ amountOrToken: 2n ** 255n - 1n, reach: 'all' })),
  },
  'allowance of unknown reach': { props: tokenCall(allowance({ amountOrToken: 25_000_000n })) },
  preparing: {
    props: withPreview({ fee: undefined, total: undefined, balance: undefined }, { preparing: true }),
  },
  sending: { props: transfer, busy: 'approve' },
  signing: { props: { ...transfer, action: 'sign' }, busy: 'approve' },
  cancelling: { props: transfer, busy: 'cancel' },
  failed: { props: { ...transfer, error: 'An error has occurred, please try again.' } },
  'insufficient funds': {
    props: withPreview({
      balance: 100_000n * unit,
      isUnderfunded: true,
      missing: 150_012n * unit,
      warnings: [{ code: 'insufficient-funds', severity: 'danger' }],
    }),
  },
  'insufficient funds, checking again': {
    props: withPreview({
      balance: 100_000n * unit,
      isUnderfunded: true,
      missing: 150_012n * unit,
      warnings: [{ code: 'insufficient-funds', severity: 'danger' }],
    }),
    busy: 'recheck',
  },
  'insufficient funds, which can be added': { props: toFund },
  'on the way to funding': { props: toFund, busy: 'add-funds' },
  'insufficient funds, checking again in place of adding some': { props: toFund, busy: 'recheck' },
  'too few tokens, which can be added': {
    props: withPreview(
      {
        ...called,
        actions: [
          {
            kind: 'token',
            call: allowance({ action: 'transfer', amount: 25_500_000n }),
            asset: { symbol: 'USDC', decimals: 6 },
          },
        ],
        tokenShortage: { token, asset: { symbol: 'USDC', decimals: 6 }, missing: 5_250_000n },
        warnings: [{ code: 'insufficient-funds', severity: 'danger' }],
      },
      { isFundable: true },
    ),
  },
  'Solana, insufficient funds, which can be added': {
    props: {
      ...solana({
        balance: 1_000_000_000n,
        isUnderfunded: true,
        missing: 500_005_000n,
        warnings: [{ code: 'solana-insufficientFunds', severity: 'danger' }],
      }),
      isFundable: true,
    },
  },
  'several warnings': {
    props: tokenCall(allowance({ amount: 2n ** 256n - 1n, unlimited: true }), {
      balance: 3n * unit,
      isUnderfunded: true,
      missing: 9n * unit,
      warnings: [
        { code: 'insufficient-funds', severity: 'danger' },
        { code: 'unlimited-allowance', severity: 'danger', spender: recipient },
      ],
    }),
  },
  'will likely fail': {
    props: withPreview({
      ...called,
      warnings: [
        {
          code: 'reverts',
          severity: 'danger',
          reason: 'execution reverted: ERC20: transfer amount exceeds balance',
        },
      ],
    }),
  },
  'fees to choose from': { props: withPreview({ fees, prices }) },
  'fees beside those of the page': { props: withPreview({ fees: { ...fees, chosen: 'asked' }, prices }) },
  'own fee': { props: withPreview({ fees: { ...fees, chosen: 'own' }, prices }) },
  'fee below what the network takes': {
    props: withPreview({
      fees: { ...fees, chosen: 'own' },
      warnings: [{ code: 'low-fee', severity: 'warning' }],
    }),
  },
  'fees that are refused': { props: withPreview({ fees }, { notice: 'fees-refused' }) },
  'other fees on their way': {
    props: withPreview(
      { fees: { ...fees, chosen: 'fast' }, fee: undefined, total: undefined },
      { preparing: true },
    ),
  },
  'another app asks': { props: withPreview({ app: 'Harbor' }) },
  'another app with the longest name': {
    props: withPreview({ app: 'Energieversorgungsgenossenschaft Oberland-Süd' }),
  },
  'code for the wallet': {
    props: withPreview({
      value: 0n,
      total: 12n * unit,
      fees,
      actions: [{ kind: 'code', delegate: codeOf, name: 'Simple7702Account' }],
    }),
  },
  'code for the wallet, preparing': {
    props: withPreview(
      {
        value: 0n,
        fee: undefined,
        total: undefined,
        actions: [{ kind: 'code', delegate: codeOf, name: 'Simple7702Account' }],
      },
      { preparing: true },
    ),
  },
  'code is taken back': {
    props: withPreview({
      value: 0n,
      total: 12n * unit,
      actions: [{ kind: 'code' }],
      walletCode: { delegate: codeOf, name: 'Simple7702Account' },
    }),
  },
  'the wallet has code': {
    props: withPreview({ walletCode: { delegate: codeOf, name: 'Simple7702Account' } }),
  },
  'the wallet has code that nobody knows': {
    props: withPreview({
      walletCode: { delegate: recipient },
      warnings: [{ code: 'foreign-code', severity: 'danger', address: recipient }],
    }),
  },
  'counter-values': { props: withPreview(worthwhile) },
  'figures renewed': { props: withPreview(worthwhile, { notice: 'renewed' }) },
  done: { props: { ...transfer, done: true } },
  'longest figures': {
    props: withPreview({
      ...called,
      origin:
        'https://a-very-long-subdomain-for-members-only.accounts.energieversorgung-oberland.example:8443',
      network: { name: 'Hafenkette der Energieversorgung Oberland' },
      coin: { symbol: 'HAFENGULDEN', decimals: 18 },
      value: 123_456_789_123_456_789_123_456_789n,
      fee: 12_345_678_912_345n,
      total: 123_456_789_123_469_134_802_369_134n,
      balance: 987_654_321_123_456_789_123_456_789n,
    }),
  },
} satisfies Examples<typeof approveTransaction>
