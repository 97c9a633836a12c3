/** What a trial run has found, held against the actions that a screen displays. */
import { describe, expect, test } from 'vitest'
import type { Action, AllowanceChange, BalanceChange, TransactionPreview } from '../../src/signing/preview.ts'
import {
  type Explained,
  trialWarnings,
  unexplainedChanges,
  withExplanations,
} from '../../src/signing/transaction/explain.ts'
import type { ActionDetail } from '../../src/solana/actions.ts'

const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const thief = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const other = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
const coin = { symbol: 'ETH', decimals: 18 }

interface Given {
  actions?: readonly Action[]
  allowances?: readonly AllowanceChange[]
  out?: readonly BalanceChange[]
  value?: bigint
  rent?: bigint
}
const given = ({ actions = [], allowances = [], out = [], value = 0n, rent = 0n }: Given): Explained => ({
  actions,
  balanceChanges: { out, in: [], allowances, isComplete: true },
  value,
  rent,
  wallet,
  coin,
})
const spender = (more: Partial<AllowanceChange> = {}): AllowanceChange => ({
  kind: 'spender',
  spender: thief,
  token,
  amount: 5n,
  isUnlimited: false,
  ...more,
})
const approval = (more: object = {}): Action => ({
  kind: 'token',
  call: { action: 'approve', party: thief, contract: token, amount: 5n, unlimited: false, ...more },
})
const approveAll: Action = {
  kind: 'token',
  call: { action: 'approveAll', party: thief, contract: token, unlimited: true },
}
const instruction = (detail: ActionDetail): Action => ({
  kind: 'instruction',
  instruction: {
    instruction: 0,
    isInner: false,
    program: 'program',
    accounts: [],
    data: new Uint8Array(),
    ...detail,
  },
})
const isExplained = (change: AllowanceChange, action: Action) =>
  unexplainedChanges(given({ actions: [action], allowances: [change] })).length === 0

describe('an allowance after a trial run', () => {
  test.each<[string, Partial<AllowanceChange>, Action]>([
    ['of the amount that an action names', {}, approval()],
    ['of less than an action names', { amount: 4n }, approval()],
    ['for the same address in another case', { spender: thief.toLowerCase() }, approval()],
    [
      'without limit that an action says',
      { isUnlimited: true, amount: 2n ** 256n - 1n },
      approval({ unlimited: true }),
    ],
    ['of everything', { isUnlimited: true, amount: 1n }, approveAll],
    [
      'of the one token with a number',
      { id: 9n, amount: 1n },
      approval({ amount: undefined, amountOrToken: 9n }),
    ],
    [
      'of an operator whom a delegation names',
      { kind: 'operator', token: undefined, account: token },
      { kind: 'delegation', delegate: thief },
    ],
    [
      'of an owner whom a change of control names',
      { kind: 'owner', token: undefined, account: token },
      { kind: 'control', name: 'transferOwnership', contract: token, subject: thief },
    ],
    ['by code that an action names', { kind: 'code', token: undefined }, { kind: 'code', delegate: thief }],
  ])('%s is explained', (_, change, action) => {
    expect(isExplained(spender(change), action)).toBe(true)
  })

  test.each<[string, Partial<AllowanceChange>, Action]>([
    ['of more than an action names', { amount: 6n }, approval()],
    ['without limit, where an action names an amount', { isUnlimited: true }, approval()],
    ['of an amount that nobody says', { amount: undefined }, approval()],
    ['for somebody else', { spender: other }, approval()],
    ['of another token', { token: other }, approval()],
    ['of a token with another number', { id: 8n }, approval({ amount: undefined, amountOrToken: 9n })],
    ['of an operator, where an action names an amount', { kind: 'operator', amount: undefined }, approval()],
    ['of another operator', { kind: 'operator', spender: other }, { kind: 'delegation', delegate: thief }],
    ['of an operator whom a delegation leaves open', { kind: 'operator' }, { kind: 'delegation' }],
    [
      'of an owner at another contract',
      { kind: 'owner', token: undefined, account: other },
      { kind: 'control', name: 'x', contract: token, subject: thief },
    ],
    ['by other code', { kind: 'code', spender: other }, { kind: 'code', delegate: thief }],
    ['beside a contract call', {}, { kind: 'call', to: token }],
    ['that another account gives', {}, Object.assign(approval(), { by: other })],
  ])('%s is red', (_, change, action) => {
    expect(unexplainedChanges(given({ actions: [action], allowances: [spender(change)] }))).toMatchObject([
      { code: 'unexplained-change', severity: 'danger', spender: change.spender ?? thief },
    ])
  })

  test('is marked where an action says it, and only there', () => {
    const changes = withExplanations(
      given({ actions: [approval()], allowances: [spender(), spender({ token: other, isExplained: true })] }),
    )
    expect(changes).toMatchObject({ allowances: [{ isExplained: true }, { token: other }] })
    expect(changes).not.toMatchObject({ allowances: [{}, { isExplained: true }] })
  })
})

describe('a role on Solana after a trial run', () => {
  const [account, mint] = ['account', 'mint']
  const role = (kind: AllowanceChange['kind'], amount?: bigint): AllowanceChange => ({
    kind,
    account,
    spender: thief,
    amount,
    isUnlimited: amount === undefined,
  })
  const approve = (amount: bigint) =>
    instruction({ kind: 'approveToken', account, delegate: thief, owner: wallet, amount, mint, decimals: 6 })
  const set = (role: 'accountOwner' | 'closeAccount' | 'mintTokens', where = account) =>
    instruction({ kind: 'setAuthority', account: where, role, current: wallet, next: thief })
  const create = instruction({
    kind: 'createTokenAccount',
    payer: wallet,
    account,
    owner: thief,
    mint,
    tokenProgram: 'tokens',
    isIdempotent: true,
  })
  const nonce = (authority: string) =>
    instruction({
      kind: 'nonce',
      step: 'initialize',
      account,
      authority,
      destination: undefined,
      lamports: undefined,
    })
  const stake = (role: 'staker' | 'withdrawer') =>
    instruction({
      kind: 'stake',
      step: 'authorize',
      account,
      authority: wallet,
      target: thief,
      role,
      lamports: undefined,
    })

  test.each<[string, AllowanceChange, Action]>([
    ['delegate', role('delegate', 5n), approve(5n)],
    ['delegate of everything', role('delegate'), approve(2n ** 64n - 1n)],
    ['owner', role('owner'), set('accountOwner')],
    ['owner of an account that is paid for', role('owner'), create],
    ['close authority', role('closeAuthority'), set('closeAccount')],
    ['nonce authority', role('nonceAuthority'), nonce(thief)],
    ['withdrawer', role('withdrawer'), stake('withdrawer')],
  ])('%s: explained by the instruction that names it', (_, change, action) => {
    expect(isExplained(change, action)).toBe(true)
  })

  test.each<[string, AllowanceChange, Action]>([
    ['delegate of more', role('delegate', 6n), approve(5n)],
    ['delegate of everything, beside an amount', role('delegate'), approve(5n)],
    ['owner, beside another role', role('owner'), set('closeAccount')],
    ['owner of another account', role('owner'), set('accountOwner', 'elsewhere')],
    ['nonce authority, beside another name', role('nonceAuthority'), nonce(wallet)],
    ['withdrawer, beside a staker', role('withdrawer'), stake('staker')],
    ['custodian, beside a withdrawer', role('custodian'), stake('withdrawer')],
    ['program, beside a memo', role('program'), instruction({ kind: 'memo', text: `${account} ${thief}` })],
    ['data, beside nothing of the account', role('data'), approve(5n)],
  ])('%s: red', (_, change, action) => {
    expect(isExplained(change, action)).toBe(false)
  })
})

describe('what leaves in a trial run', () => {
  const transfer: Action = { kind: 'transfer', to: thief, amount: 7n }
  const send = (more: object = {}): Action => ({
    kind: 'token',
    call: { action: 'transfer', party: thief, contract: token, amount: 5n, unlimited: false, ...more },
  })
  const isSaid = (change: BalanceChange, actions: readonly Action[], more: Given = {}) =>
    unexplainedChanges(given({ actions, out: [change], ...more })).length === 0

  test.each<[string, BalanceChange, readonly Action[], Given, boolean]>([
    ['coins that a transfer names', { amount: 7n }, [transfer], { value: 7n }, true],
    ['more coins than a transfer names', { amount: 8n }, [transfer], { value: 7n }, false],
    ['tokens that two transfers name', { token, amount: 10n }, [send(), send()], {}, true],
    ['more tokens than two transfers name', { token, amount: 11n }, [send(), send()], {}, false],
    ['tokens of another contract', { token: other, amount: 1n }, [send()], {}, false],
    ['tokens beside a transfer of coins', { token, amount: 1n }, [transfer], { value: 7n }, false],
    [
      'the one token that a transfer names',
      { token, id: 3n, amount: 1n },
      [send({ amount: undefined, token: 3n })],
      {},
      true,
    ],
    [
      'one token beside another',
      { token, id: 4n, amount: 1n },
      [send({ amount: undefined, token: 3n })],
      {},
      false,
    ],
    ['tokens that somebody else’s transfer names', { token, amount: 5n }, [send({ from: other })], {}, false],
    ['tokens beside a contract call', { token, amount: 99n }, [{ kind: 'call', to: token }], {}, true],
    ['tokens beside new code alone', { token, amount: 1n }, [{ kind: 'code', delegate: other }], {}, false],
  ])('%s', (_, change, actions, more, expected) => {
    expect(isSaid(change, actions, more)).toBe(expected)
  })

  const sol = (lamports: bigint) => instruction({ kind: 'transferSol', from: wallet, to: thief, lamports })
  test.each<[string, BalanceChange, readonly Action[], Given, boolean]>([
    ['lamports with the rent', { amount: 9n }, [sol(7n)], { value: 7n, rent: 2n }, true],
    [
      'lamports that are said twice in one transfer',
      { amount: 14n },
      [transfer, sol(7n)],
      { value: 7n },
      false,
    ],
    ['lamports beside an unknown instruction', { amount: 99n }, [instruction({ kind: 'unknown' })], {}, true],
  ])('%s', (_, change, actions, more, expected) => {
    expect(isSaid(change, actions, more)).toBe(expected)
  })
})

describe('a trial run', () => {
  type Given = Pick<TransactionPreview, 'actions' | 'balanceChanges'>
  const done = { out: [], in: [], allowances: [], isComplete: true }
  const call: Action = { kind: 'call', to: token }
  const codes = (more: Partial<Given>) =>
    trialWarnings({ actions: [], balanceChanges: done, wallet, ...more }).map(
      ({ code, severity }) => `${code} ${severity}`,
    )

  test.each<[string, Partial<Given>, readonly string[]]>([
    ['of a call without words: a caution', { actions: [call] }, ['undescribed warning']],
    [
      'that leaves things out, of a call without words: red',
      { actions: [call], balanceChanges: { ...done, isComplete: false } },
      ['not-understood danger'],
    ],
    [
      'that the network can’t make, of a call without words: red',
      { actions: [call], balanceChanges: 'unavailable' },
      ['not-understood danger'],
    ],
    [
      'that isn’t there, of a call without words: red',
      { actions: [call], balanceChanges: undefined },
      ['not-understood danger'],
    ],
    [
      'that isn’t there, of a call by what may be an account: red',
      {
        actions: [{ kind: 'account', form: 'smart', account: token, isDelegateCall: false }],
        balanceChanges: undefined,
      },
      ['not-understood danger'],
    ],
    [
      'that failed, of a call without words: a caution beside the failure',
      { actions: [call], balanceChanges: 'failed' },
      ['undescribed warning'],
    ],
    [
      'that is waited for, of a call without words: nothing yet',
      { actions: [call], balanceChanges: 'waiting' },
      [],
    ],
    [
      'about which two nodes differ, of a call without words: red',
      { actions: [call], balanceChanges: { ...done, isDisputed: true } },
      ['not-understood danger'],
    ],
    [
      'without an answer, of a call without words that is said to fail: red',
      { actions: [call], balanceChanges: 'unanswered' },
      ['not-understood danger'],
    ],
    ['of an action with words: nothing', { actions: [approval()] }, []],
    [
      'that isn’t there, of an action with words: nothing',
      { actions: [approval()], balanceChanges: undefined },
      [],
    ],
  ])('%s', (_, more, expected) => {
    expect(codes(more)).toEqual(expected)
  })
})
