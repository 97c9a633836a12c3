/** Ordinary requests of well-known apps: how many of them the vault warns about, that none but a reviewed few is red, and why each other warning is right. */
import { decodeFunctionData, parseAbi } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { createSource, type DescriptorSource } from '../../src/clear-signing/index.ts'
import { readCheckout } from '../../tools/clear-signing/checkout.ts'
import { hasRegistry, registryFolder } from '../clear-signing/support.ts'
import { cautioned } from '../corpus/cautioned.ts'
import { justified } from '../corpus/justified.ts'
import { type Call, type Ordinary, ordinaryEthereum } from '../corpus/ordinary-ethereum.ts'
import { ordinarySolana } from '../corpus/ordinary-solana.ts'
import { codesOf, isRed, learn, severityOf, type Told, told, trialRun, type Words } from '../corpus/read.ts'
import { solanaTransaction, solanaWallet } from '../corpus/solana.ts'
import tokens from '../corpus/tokens.json' with { type: 'json' }

const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const nft = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D'
const grants = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
])

/** The allowance of a call that is one, as a trial run finds it. */
function allowancesOf({ to, data }: Call) {
  try {
    const { functionName, args } = decodeFunctionData({ abi: grants, data: data as `0x${string}` })
    if (functionName === 'setApprovalForAll')
      return args[1] ? [{ kind: 'all', token: to, spender: args[0], isUnlimited: true }] : []
    const [spender, amount] = functionName === 'approve' ? args : [args[1], args[2]]
    return amount === 0n
      ? []
      : [{ kind: 'amount', token: to, spender, amount, isUnlimited: amount >= 2n ** 255n }]
  } catch {
    return []
  }
}

/** A transfer says all that leaves by itself, so a run shows nothing that has to be made up for it. */
const gives = ['swap', 'deposit', 'bridge', 'order', 'trade', 'sale']
const gains = ['swap', 'withdraw', 'claim', 'loan', 'deposit']
/** The obvious effect of a request, as a trial run finds it. */
function effectOf(kind: string, value: bigint) {
  const coin = value > 0n ? [{ kind: 'native', amount: value }] : []
  const token = [{ kind: 'erc20', token: usdc, amount: 25_000_000n }]
  return {
    out: coin.length > 0 || !gives.includes(kind) ? coin : token,
    in:
      kind === 'mint'
        ? [{ kind: 'erc721', token: nft, id: 7n, amount: 1n }]
        : gains.includes(kind)
          ? token
          : [],
    tokens: { [usdc]: { symbol: 'USDC', decimals: 6 } },
  }
}

type Row = {
  readonly title: string
  readonly call?: Call | undefined
  readonly kind: string
  readonly isSolana: boolean
  readonly plain: Told
  readonly bare: Told
  readonly described?: Told
}
const rows: Row[] = []
let descriptors: DescriptorSource | undefined

/** What a token's contract says, as the server asks it. */
const figures = new Map(tokens.map(({ chainId, address, ...more }) => [`${chainId} ${address}`, more]))
const figuresOf = (chainId: number, contract: string) => figures.get(`${chainId} ${contract.toLowerCase()}`)

async function readEthereum(each: Ordinary, words: Words): Promise<Row> {
  const { call, content, wallet, kind, title } = each
  const preview =
    call &&
    trialRun(`eip155:${call.chainId}`, { ...effectOf(kind, call.value), allowances: allowancesOf(call) })
  return {
    title,
    kind,
    call,
    isSolana: false,
    plain: await told(content, wallet, { preview }),
    bare: await told(content, wallet),
    described: await told(content, wallet, { preview, knowledge: await learn(content, wallet, words) }),
  }
}

beforeAll(async () => {
  descriptors = hasRegistry ? createSource(readCheckout(registryFolder).descriptors) : undefined
  for (const each of ordinaryEthereum) rows.push(await readEthereum(each, { descriptors, token: figuresOf }))
  for (const { title, kind, instructions } of ordinarySolana) {
    const content = solanaTransaction(...instructions)
    const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
    const token = [{ kind: 'token', token: mint, amount: 25_000_000n }]
    const preview = trialRun('solana:mainnet', {
      // The network's own staking moves no token.
      out: gives.includes(kind) && !title.startsWith('native staking') ? token : [],
      in: gains.includes(kind) ? token : [],
      tokens: { [mint]: { symbol: 'USDC', decimals: 6 } },
    })
    const wallet = solanaWallet.toBase58()
    rows.push({
      title,
      kind,
      isSolana: true,
      plain: await told(content, wallet, { preview }),
      bare: await told(content, wallet),
    })
  }
}, 120_000)

test('ordinary requests: there are two hundred at least, sixty of them on Solana, each with its source and a title of its own', () => {
  const all = [...ordinaryEthereum, ...ordinarySolana]
  expect(all.length).toBeGreaterThanOrEqual(200)
  expect(ordinarySolana.length).toBeGreaterThanOrEqual(60)
  const titles = all.map(({ title }) => title)
  expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([])
  for (const { source } of all) expect(source).toMatch(/^https:\/\/|^registry\/|^rabbitholegg\//)
})

test('ordinary requests: after a trial run that succeeds, none is red beyond the reviewed ones', () => {
  console.log(report())
  const red = rows
    .filter(({ plain }) => isRed(plain))
    .map(({ title, plain }) => [title, codesOf(plain)] as const)
  const unknown = red.filter(([title]) => !Object.hasOwn(justified, title))
  expect(unknown).toEqual([])
})

test('ordinary requests: every reviewed one is still red, so the list has no excuse that nobody needs', () => {
  const red = new Set(rows.filter(({ plain }) => isRed(plain)).map(({ title }) => title))
  expect(Object.keys(justified).filter((title) => !red.has(title))).toEqual([])
})

const isUndescribed = ({ call, described }: Row) =>
  described !== undefined &&
  codesOf(described) === 'warning undescribed' &&
  call !== undefined &&
  descriptors?.calls(call.chainId, call.to).length === 0
const isKnownProgram = ({ isSolana, plain }: Row) =>
  isSolana && /^warning solana-knownProgram(, info solana-close)?$/.test(codesOf(plain))

test.skipIf(!hasRegistry)(
  'ordinary requests (skipped without shared/vectors/erc7730): with all words at hand, each warning is of a contract that none describes, of a program that is known by name alone, or a reviewed one',
  () => {
    const warned = rows.filter(
      ({ plain, described = plain }) => !isRed(described) && codesOf(described) !== 'none',
    )
    const unknown = warned.filter(
      (row) => !isUndescribed(row) && !isKnownProgram(row) && !Object.hasOwn(cautioned, row.title),
    )
    expect(unknown.map(({ title, plain, described = plain }) => [title, codesOf(described)])).toEqual([])
    const titles = new Set(warned.map(({ title }) => title))
    expect(Object.keys(cautioned).filter((title) => !titles.has(title))).toEqual([])
    const count = (those: readonly Row[]) => those.length
    console.log(
      `of ${count(rows)} ordinary requests ${count(rows.filter(({ plain, described = plain }) => codesOf(described) === 'none'))} have no warning, ${count(rows.filter(({ plain, described = plain }) => isRed(described)))} are red, ${count(warned)} warn: ${count(warned.filter(isUndescribed))} of a contract that none describes, ${count(warned.filter(isKnownProgram))} of a program known by name, ${Object.keys(cautioned).length} reviewed`,
    )
  },
)

const severities = ['refused', 'danger', 'warning', 'info', 'none'] as const
function report(): string {
  const line = (name: string, of: readonly Row[], told: (row: Row) => Told | undefined) => {
    const counts = severities.map(
      (severity) =>
        of.filter((row) => {
          const answer = told(row)
          return answer && severityOf(answer) === severity
        }).length,
    )
    return `${name.padEnd(34)}${counts.map((count) => String(count).padStart(9)).join('')}`
  }
  const codes = new Map<string, number>()
  for (const { plain } of rows)
    for (const code of new Set(codesOf(plain).split(', '))) codes.set(code, (codes.get(code) ?? 0) + 1)
  const table = (of: readonly Row[], chain: string) =>
    [...new Set(of.map(({ kind }) => kind))].sort().map((kind) =>
      line(
        `${chain} ${kind} (${of.filter((row) => row.kind === kind).length})`,
        of.filter((row) => row.kind === kind),
        ({ plain }) => plain,
      ),
    )
  const evm = rows.filter(({ isSolana }) => !isSolana)
  const solana = rows.filter(({ isSolana }) => isSolana)
  return [
    `${rows.length} ordinary requests: ${evm.length} on EVM chains, ${solana.length} on Solana`,
    `${''.padEnd(34)}${severities.map((severity) => severity.padStart(9)).join('')}`,
    ...table(evm, 'EVM'),
    ...table(solana, 'Solana'),
    line('EVM, after a trial run', evm, ({ plain }) => plain),
    line('EVM, with the registry as well', evm, ({ described }) => described),
    line('EVM, without a trial run', evm, ({ bare }) => bare),
    line('Solana, after a trial run', solana, ({ plain }) => plain),
    line('Solana, without a trial run', solana, ({ bare }) => bare),
    ...[...codes]
      .sort(([, a], [, b]) => b - a)
      .map(([code, count]) => `${String(count).padStart(5)} ${code}`),
    ...rows
      .filter(({ plain, described }) => described && codesOf(described) !== codesOf(plain))
      .map(
        ({ title, plain, described }) =>
          `WITH THE REGISTRY ${title}: ${codesOf(plain)} -> ${described && codesOf(described)}`,
      ),
    ...rows.filter(({ plain }) => isRed(plain)).map(({ title, plain }) => `RED ${title}: ${codesOf(plain)}`),
  ].join('\n')
}
