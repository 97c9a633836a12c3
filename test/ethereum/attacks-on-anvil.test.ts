/**
 * Thefts of the kinds in attacks.test.ts, carried out: each is read on the vault's own screen, signed with the wallet's key and sent, and
 * the thief then takes what he can. What left, and who gave it, is what the screen says.
 *
 * Not carried out here, since what takes the money is no contract of ours: the agents and payments of Hyperliquid, whose chain takes the
 * signature; signed messages, which need the contract or site that accepts them; typed data of Morpho, Comet, Aave, votes and Safes, whose
 * contracts check signatures (the calls that give the same power are here).
 */
import { type Address, getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Anvil } from '../../demo/world/chains/anvil.ts'
import { createSource, readDescriptors } from '../../src/clear-signing/index.ts'
import { descriptorOf } from '../clear-signing/support.ts'
import { startChain } from '../support/chains.ts'
import {
  accounts,
  argument,
  type Call,
  callOf,
  carriedOut,
  contract,
  createWorld,
  encode,
  faultsOf,
  hashOf,
  own,
  plus,
  requestOf,
  type Step,
  shownOf,
  store,
  strangers,
  wallet,
  word,
} from '../support/ethereum-fuzz.ts'
import { readVaultScreen, says } from '../support/vault-screen.ts'

const ether = 10n ** 18n
const [thief] = strangers
const [account] = accounts

let anvil: Anvil
let world: Awaited<ReturnType<typeof createWorld>>
beforeAll(async () => {
  anvil = await startChain(1)
  world = await createWorld(anvil.url)
  for (const [address, code] of banks) await world.place(address, code, 10_000n * ether)
})
afterAll(() => anvil?.close())

const coins = (amount: bigint): Step => ({ kind: 'coins', to: 0, amount })
const by = (index: number, form: number, ...steps: readonly Step[]): Step => ({
  kind: 'account',
  account: index,
  form,
  passes: 0n,
  steps,
})

async function carriesOut(step: Step) {
  const call = callOf(step, wallet)
  const shown = await shownOf(call)
  const [effects] = await world.run([call])
  if (!effects?.ok) throw new Error('The chain refused it')
  expect(faultsOf(step, effects, shown)).toEqual([])
  return { effects, shown }
}

/** By the number of the form; the account 0 is the wallet, which calls itself (EIP-7702). */
const forms = [
  'executeBatch',
  'execute of a list',
  'executeBatch of three lists',
  'a batch of modules',
  'aggregate3Value',
  'a Safe that runs a list',
  'multiSend',
  ...Array.from({ length: 4 }, (_, at) => `multicall of execute, form ${at + 7}`),
  'execute',
  'execTransactionFromModule',
  'executeUserOp',
  'execute with an operation',
  'a single call of modules',
  'execTransaction of a Safe',
]
const ways = forms.flatMap((name, form) => [
  [`${name}, by the wallet itself`, form, 0] as const,
  [`${name}, by an account`, form, 1] as const,
])

describe('coins that calls within calls take', () => {
  test.each(ways)('%s: 100 ETH leave whoever the screen names', async (_, form, payer) => {
    // Forms without coins hold several calls of execute.
    const steps = form >= 7 && form <= 10 ? [coins(99n * ether), coins(ether)] : [coins(100n * ether)]
    const { effects } = await carriesOut(by(payer, form, ...steps))
    expect(effects.coins.get(thief.toLowerCase())).toBe(100n * ether)
    expect(effects.coins.get((own[payer] as Address).toLowerCase())).toBe(-100n * ether)
  })

  test.each(ways.filter(([, form]) => form < 11))(
    '%s: ten equal transfers leave, and ten are displayed',
    async (_, form, payer) => {
      const { effects, shown } = await carriesOut(
        by(payer, form, ...Array.from({ length: 10 }, () => coins(ether))),
      )
      expect(effects.coins.get(thief.toLowerCase())).toBe(10n * ether)
      expect(shown.preview.actions.filter(({ kind }) => kind === 'transfer')).toHaveLength(10)
    },
  )

  test.each(ways.filter(([, form]) => form < 11))(
    '%s: one wei and then 100 ETH leave, and both are displayed',
    async (_, form, payer) => {
      const { effects, shown } = await carriesOut(by(payer, form, coins(1n), coins(100n * ether)))
      expect(effects.coins.get(thief.toLowerCase())).toBe(100n * ether + 1n)
      expect(shown.preview.actions.filter(({ kind }) => kind === 'transfer')).toHaveLength(2)
    },
  )

  test.each([2, 3, 4, 5, 6])(
    '%i accounts within one another: what the last one sends is displayed',
    async (depth) => {
      let step = by(1, 11, coins(100n * ether))
      for (let level = 1; level < depth; level++) step = by(1 + (level % 3), level % 7, step)
      const { effects } = await carriesOut(step)
      expect(effects.coins.get(thief.toLowerCase())).toBe(100n * ether)
    },
  )

  test.each(['a', 'b', 'c'].flatMap((_, index) => [0, 1, 2].map((form) => [index, form] as const)))(
    'foreign code that runs as a part of account %i, form %i: what it takes is under a danger',
    async (index, form) => {
      const { effects, shown } = await carriesOut({ kind: 'library', account: index, form })
      expect(effects.coins.get((strangers[3] as string).toLowerCase())).toBe(7n)
      expect(shown.preview.warnings.map(({ code }) => code)).toContain('delegate-call')
    },
  )
})

describe('refunds of a Safe', () => {
  test.each(
    [0, 1, 2].flatMap((token) => [
      [['tokens', 'other tokens', 'coins'][token], 5, token] as const,
      [['tokens', 'other tokens', 'coins'][token], 16, token] as const,
    ]),
  )('in %s, form %i: what the thief gets is within what the screen says, in red', async (_, form, token) => {
    const { effects, shown } = await carriesOut({
      ...by(1, form, coins(1n)),
      refund: { base: 100_000n, gas: 200_000n, price: 10n ** 9n, token, to: 0 },
    } as Step)
    const gained =
      token === 2
        ? (effects.coins.get(thief.toLowerCase()) ?? 0n) - 1n
        : [...effects.tokens].find(([name]) => name.endsWith(thief.toLowerCase()))?.[1]
    expect(gained).toBeGreaterThan(0n)
    expect(shown.preview.warnings.map(({ code }) => code)).toContain('refund')
  })
})

test.each([1n, ether, 100n * ether])(
  'a contract that is created with %i wei: the screen has the amount',
  async (amount) => {
    const { effects } = await carriesOut({ kind: 'creation', amount })
    expect(effects.coins.get(wallet.toLowerCase())).toBe(-amount)
  },
)

/** Functions by which whoever calls lets somebody act, and the word of the call data that says whom. */
const granting: Readonly<Record<string, { readonly args: readonly unknown[]; readonly who: string }>> = {
  'authorizeOperator(address)': { args: [thief], who: argument(0) },
  'approveDelegation(address,uint256)': { args: [thief, 100n * ether], who: argument(0) },
  'allow(address,bool)': { args: [thief, true], who: argument(0) },
  'setAuthorization(address,bool)': { args: [thief, true], who: argument(0) },
  'setup(address[],uint256,address,bytes,address,address,uint256,address)': {
    args: [[thief], 1n, wallet, '0x', wallet, wallet, 0n, wallet],
    who: word(plus('36', argument(0))),
  },
  'hope(address)': { args: [thief], who: argument(0) },
  'rely(address)': { args: [thief], who: argument(0) },
  'delegate(address)': { args: [thief], who: argument(0) },
  'transferOwnership(address)': { args: [thief], who: argument(0) },
  'grantRole(bytes32,address)': { args: [`0x${'00'.repeat(32)}`, thief], who: argument(1) },
  'enableModule(address)': { args: [thief], who: argument(0) },
  'addOwnerWithThreshold(address,uint256)': { args: [thief, 1n], who: argument(0) },
  'setOwner(bytes32,address)': { args: [`0x${'11'.repeat(32)}`, thief], who: argument(1) },
  'upgradeTo(address)': { args: [thief], who: argument(0) },
  'approve(address,uint256)': { args: [thief, 100n * ether], who: argument(0) },
  'increaseAllowance(address,uint256)': { args: [thief, 100n * ether], who: argument(0) },
  'setApprovalForAll(address,bool)': { args: [thief, true], who: argument(0) },
  // Names that nobody knows.
  'welcome(address)': { args: [thief], who: argument(0) },
  'claimReward(uint256,address)': { args: [5n, thief], who: argument(1) },
}
const names = Object.keys(granting)
/** Holds coins for others, and pays those of an owner to whomever he has let act. */
const bankCode = contract({
  ...Object.fromEntries(
    Object.entries(granting).map(([name, { who }]) => [name, store(hashOf('CALLER', who), '1')]),
  ),
  'take(address)': `${hashOf(argument(0), 'CALLER')} SLOAD ISZERO @fail JUMPI
    0 0 0 0 ${100n * ether} CALLER GAS CALL ISZERO @fail JUMPI`,
})
/** One for each function and way, so that no grant comes from another test. */
const bankOf = (name: number, way: number): Address =>
  getAddress(`0xba${(name * 16 + way).toString(16).padStart(4, '0')}${'b'.repeat(34)}`)
const carriers = [
  ['asked alone', wallet, undefined],
  ['in a batch of the wallet itself', wallet, 0],
  ['by an account', account, 11],
  ['in a batch of modules, by an account', account, 3],
] as const
const banks = new Map<Address, Hex>(
  [...names, ''].flatMap((_, name) => carriers.map((__, way) => [bankOf(name, way), bankCode] as const)),
)

const take = (bank: Address, owner: Address): Call => ({
  to: bank,
  value: 0n,
  data: encode('take(address)', owner),
})

describe('calls that let somebody act', () => {
  test.each(
    names.flatMap((name, index) =>
      carriers.map(([words, owner, form], way) => [name, words, index, way, owner, form] as const),
    ),
  )(
    '%s, %s: the thief takes 100 ETH afterwards, and the screen has named him under a caution',
    async (name, _, index, way, owner, form) => {
      const bank = bankOf(index, way)
      const grant: Call = { to: bank, value: 0n, data: encode(name, ...(granting[name]?.args ?? [])) }
      const call: Call =
        form === undefined ? grant : { to: owner, value: 0n, data: carriedOut(form, [grant], undefined) }
      const screen = await readVaultScreen(requestOf(call))
      expect((await world.runAs(thief, take(bank, owner))).ok).toBe(false)
      const [granted] = await world.run([call])
      expect(granted?.ok).toBe(true)
      const taken = await world.runAs(thief, take(bank, owner))
      expect(taken.ok).toBe(true)
      expect(taken.coins.get(thief.toLowerCase())).toBeGreaterThan(99n * ether)
      expect(screen.warnings.some(({ severity }) => severity !== 'info')).toBe(true)
      // Nobody can tell what the words of an unknown function are: the bytes are a press away.
      const isKnown = !/^(welcome|claimReward)/.test(name)
      expect(says(screen, isKnown ? thief : bank)).toBe(true)
    },
  )

  test.each<[string, readonly unknown[]]>([
    ['no fields', []],
    ['a field that is never visible', [{ path: 'who', label: 'To', format: 'raw', visible: 'never' }]],
    [
      'a field that is left out for the thief',
      [{ path: 'who', label: 'To', format: 'raw', visible: { ifNotIn: [thief] } }],
    ],
    [
      'a field that has to be the thief',
      [{ path: 'who', label: 'To', format: 'raw', visible: { mustMatch: [thief] } }],
    ],
  ])('a descriptor with %s hides nothing of a theft', async (_, fields) => {
    const bank = bankOf(names.length, 0)
    const key = 'welcome(address who)'
    const descriptor = descriptorOf(
      key,
      { format: { intent: 'Log in' }, fields },
      { contract: { deployments: [{ chainId: 1, address: bank }] } },
    )
    const call: Call = { to: bank, value: 0n, data: encode(key, thief) }
    const screen = await readVaultScreen(requestOf(call), {
      knowledge: { descriptors: [createSource(readDescriptors([descriptor], 'registry'))] },
    })
    await world.run([call])
    expect((await world.runAs(thief, take(bank, wallet))).ok).toBe(true)
    expect(says(screen, thief)).toBe(true)
  })
})
