/** Solana's transactions, drawn at random and run: whatever the wallet loses or lets others control stands on the vault's screen. */
import { getAssociatedTokenAddressSync } from '@solana/spl-token'
import { PACKET_DATA_SIZE, PublicKey, type TransactionInstruction } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { InvalidRequest } from '../../src/lib/invalid-request.ts'
import type { ServerPreview } from '../../src/vault/server/preview.ts'
import { limit } from '../support/limit.ts'
import { seeded } from '../support/random.ts'
import { counted, soak } from '../support/soak.ts'
import { canSign, createSolanaWorld, wallet } from '../support/solana-fuzz.ts'
import { judge, type Verdict } from '../support/solana-oracle.ts'
import { type Drawn, derived, drawTransaction } from '../support/solana-random.ts'
import { says, type VaultScreen } from '../support/vault-screen.ts'

const count = soak(500, 10_000)
const fixedSeed = 20_260_101
const own = wallet.toBase58()
/** Reasons for red that say nothing about what is left. */
const structural: readonly string[] = [
  'solana-severalSigners',
  'solana-durableNonce',
  'solana-insufficientFunds',
  'solana-unknownAccounts',
  'reverts',
  'may-fail',
  'nodes-differ',
]
const world = createSolanaWorld()

interface Fault {
  readonly kind: string
  readonly detail: string
}
interface Tried {
  readonly isRun: boolean
  readonly faults: readonly Fault[]
}

const sol = (lamports: bigint) => {
  const [whole, part] = [lamports / 1_000_000_000n, lamports % 1_000_000_000n]
  const fraction = String(part).padStart(9, '0').replace(/0+$/, '')
  return `${whole.toLocaleString('en')}${fraction && `.${fraction}`} SOL`
}

/** Runs a transaction and reads what the vault has displayed of it. */
async function tryOut(drawn: readonly Drawn[], isDrawn = false): Promise<Tried> {
  const instructions = drawn.map(({ instruction }) => instruction)
  const signers = signersOf(instructions)
  if (instructions.length === 0 || !signers.every((key) => canSign(new PublicKey(key))))
    return { isRun: false, faults: [] }
  let message: Uint8Array
  try {
    message = world.message(instructions)
  } catch {
    return { isRun: false, faults: [] }
  }
  if (message.length + 65 * (signers.length + 1) > PACKET_DATA_SIZE) return { isRun: false, faults: [] }
  const faults: Fault[] = []
  const fault = (kind: string, detail: string) => faults.push({ kind, detail })
  const read = async (how: string, server?: ServerPreview): Promise<VaultScreen | undefined> => {
    try {
      const screen = await world.screen(message, server)
      if (isDrawn) void screen.text
      return screen
    } catch (cause) {
      if (!(cause instanceof InvalidRequest)) fault(`${how}: thrown`, String(cause))
      return undefined
    }
  }
  const server = await world.preview(message).catch((cause: unknown) => {
    fault('preview: thrown', String(cause))
    return undefined
  })
  const bare = await read('bytes')
  const tried = server && (await read('trial', server))
  const { error, before, after } = world.run(instructions)
  world.reset()
  if (error !== undefined || !bare) return { isRun: false, faults }
  const bases = new Map([...derived].map(([address, { base }]) => [address, base.toBase58()]))
  const verdict = judge({ before, after }, own, {
    // Displayed is the most that it may be.
    fee: bare.preview?.fee ?? 0n,
    bases,
    payers: signers.filter(
      (key) =>
        key !== own &&
        after.get(key)?.lamports !== undefined &&
        // Lamports that they pay for an account may come back to them in the same transaction.
        (drawn.some((each) => payerOf(each) === key) ||
          (before.get(key)?.lamports ?? 0n) > (after.get(key)?.lamports ?? 0n)),
    ),
    ata: (mint, owner, program) =>
      getAssociatedTokenAddressSync(
        new PublicKey(mint),
        new PublicKey(owner),
        true,
        new PublicKey(program),
      ).toBase58(),
  })
  const isUnderstood = !bare.preview?.warnings.some(({ code }) =>
    /unknownProgram|not-understood|knownProgram/.test(code),
  )
  hold('bytes', bare, verdict, isUnderstood, fault, drawn)
  if (tried && server) {
    hold('trial', tried, verdict, isUnderstood, fault, drawn)
    if (server.simulation?.outcome !== 'simulated' || server.simulation.status !== 'success')
      fault('trial: not simulated', JSON.stringify(server.simulation, text))
    else {
      const { out, allowances } = server.simulation
      const native = out.filter(({ kind }) => kind === 'native').reduce((sum, { amount }) => sum + amount, 0n)
      const red = redOf(tried)
      if (verdict.lost > native && red.length === 0)
        fault('trial: less SOL than is lost', `${native} < ${verdict.lost}`)
      for (const [mint, amount] of verdict.lostTokens) {
        const said = out.filter(({ token }) => token === mint).reduce((sum, each) => sum + each.amount, 0n)
        if (said !== amount)
          fault('trial: another amount of tokens', `${said} instead of ${amount} of ${mint}`)
      }
      const named = JSON.stringify(allowances, text)
      for (const { what, account, needs } of verdict.events)
        if (
          needs === 'red' &&
          !named.includes(account) &&
          account !== own &&
          !['lost', 'role'].includes(what)
        )
          fault(`trial run misses: ${what}`, `${account} is not in ${named}`)
      for (const each of allowances as readonly { account?: string; spender: string; kind: string }[])
        if (each.account !== undefined && !verdict.touched.has(each.account))
          fault('trial run claims what has not changed', JSON.stringify(each, text))
    }
  }
  return { isRun: true, faults }
}
/** The payer of the account that an instruction creates. */
const payerOf = ({ name, instruction: { keys } }: Drawn): string | undefined =>
  name.startsWith('createAccount')
    ? keys[name.endsWith('AllowPrefund') ? 1 : 0]?.pubkey.toBase58()
    : undefined
/** Lamports that others transfer to the wallet; its own transfers are not set off against them. */
const comesIn = ({ name, instruction: { keys, data } }: Drawn): bigint =>
  name === 'transfer' && keys[1]?.pubkey.equals(wallet) ? data.readBigUInt64LE(4) : 0n
const text = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

const signersOf = (instructions: readonly TransactionInstruction[]) => [
  ...new Set([
    own,
    ...instructions.flatMap(({ keys }) =>
      keys.filter(({ isSigner }) => isSigner).map(({ pubkey }) => pubkey.toBase58()),
    ),
  ]),
]

const redOf = ({ preview }: VaultScreen) =>
  (preview?.warnings ?? []).filter(
    ({ severity, code }) => severity === 'danger' && !structural.includes(code),
  )

/** The words of the screen against what has happened. */
function hold(
  how: string,
  screen: VaultScreen,
  { lost, lostTokens, events, elsewhere, deposited, touched }: Verdict,
  isUnderstood: boolean,
  fault: (kind: string, detail: string) => void,
  drawn: readonly Drawn[],
): void {
  const { preview } = screen
  if (!preview) {
    fault(`${how}: nothing is displayed`, '')
    return
  }
  const red = redOf(screen)
  const weighed = preview.warnings.filter(
    ({ severity, code }) => severity !== 'info' && !structural.includes(code),
  )
  const said = preview.warnings.map(({ code, severity }) => `${severity} ${code}`).join()
  for (const { what, account, to, needs } of events)
    if ((needs === 'red' ? red : weighed).length === 0)
      fault(`${how}: no ${needs === 'red' ? 'red' : 'warning'} of ${what}`, `${account} -> ${to} [${said}]`)
  const deposits = 'deposits' in preview ? ((preview.deposits as bigint | undefined) ?? 0n) : 0n
  const rentOfTokens = drawn.some(({ name }) => name === 'token account' || name === 'strange account')
  const claimed = preview.value + deposits
  if (
    lost > claimed &&
    red.length === 0 &&
    !(rentOfTokens && lost - claimed <= 12_000_000n && how === 'bytes')
  )
    fault(`${how}: less is said to leave than is lost`, `${claimed} < ${lost} [${said}]`)
  if (lost > 0n && red.length === 0 && preview.value > 0n && !says(screen, sol(preview.value)))
    fault(`${how}: the amount doesn't stand on the screen`, sol(preview.value))
  if (preview.rent !== undefined && preview.rent > deposited && isUnderstood)
    fault(`${how}: a deposit for own accounts that is none`, `${preview.rent} > ${deposited} [${said}]`)
  const most = elsewhere + drawn.reduce((sum, each) => sum + comesIn(each), 0n)
  if (isUnderstood && preview.value > most && red.length === 0)
    fault(`${how}: more is said to leave than does`, `${preview.value} > ${most}`)
  for (const [mint, amount] of lostTokens)
    if (red.length === 0 && !saysAmount(screen, amount, drawn))
      fault(`${how}: an amount of tokens isn't said`, `${amount} of ${mint}`)
  if (isUnderstood)
    for (const { code, address, spender } of red) {
      const about = [address, spender].filter((each) => each !== undefined && each !== '')
      // What is taken out of an account may be made up for by another, so that it ends as it was.
      const isOfLoss = lost > 0n && code === 'solana-withdrawal'
      if (about.length > 0 && !isOfLoss && !about.some((each) => touched.has(each ?? '')))
        fault(`${how}: red about a state that isn't left (${code})`, about.join())
    }
}

/** Each transfer stands by itself, so a sum of several needn't, nor what is left of one where tokens are made. */
function saysAmount(screen: VaultScreen, amount: bigint, drawn: readonly Drawn[]): boolean {
  if (drawn.filter(({ name }) => /^token (transfer|burn|mintTo)/.test(name)).length > 1) return true
  const forms = [0, 2, 6, 9].map((decimals) => {
    const scale = 10n ** BigInt(decimals)
    const fraction = String(amount % scale)
      .padStart(decimals, '0')
      .replace(/0+$/, '')
    return `${(amount / scale).toLocaleString('en')}${decimals > 0 && fraction && fraction !== '0' ? `.${fraction}` : ''}`
  })
  return forms.some((form) => says(screen, form))
}

/** Drops instructions as long as the same fault remains. */
async function minimal(drawn: readonly Drawn[], kind: string): Promise<readonly Drawn[]> {
  for (let at = drawn.length - 1; at >= 0; at--) {
    const fewer = drawn.filter((_, place) => place !== at)
    const { faults } = await tryOut(fewer)
    if (faults.some((each) => each.kind === kind)) return minimal(fewer, kind)
  }
  return drawn
}

const written = ({ name, instruction }: Drawn) =>
  `${name} ${instruction.programId.toBase58().slice(0, 8)} ${instruction.data.toString('hex')} (${instruction.keys
    .map(({ pubkey, isSigner }) => nameOf(pubkey) + (isSigner ? '*' : ''))
    .join(' ')})`
const nameOf = (key: PublicKey) => (key.equals(wallet) ? 'WALLET' : key.toBase58().slice(0, 6))

test(
  `what ${counted(count)} random transactions of Solana take, give away or let others control stands on the vault’s screen`,
  async () => {
    const freshSeed = Number(process.env.LATCHKEY_SEED ?? crypto.getRandomValues(new Uint32Array(1))[0] ?? 1)
    const found = new Map<string, { times: number; example: string }>()
    let run = 0
    let told = 0
    const start = performance.now()
    for (const seed of [fixedSeed, freshSeed]) {
      const random = seeded(seed)
      for (let at = 0; at < count / 2; at++) {
        const drawn = drawTransaction(random)
        const { isRun, faults } = await tryOut(drawn, at % 10 === 0)
        if (isRun) run++
        for (const { kind, detail } of faults) {
          const before = found.get(kind)
          if (before) before.times++
          else {
            const least = await minimal(drawn, kind)
            const again = (await tryOut(least)).faults.find((each) => each.kind === kind)
            found.set(kind, {
              times: 1,
              example: `seed ${seed}, number ${at}: ${again?.detail ?? detail}\n      ${least.map(written).join('\n      ')}`,
            })
          }
          told++
        }
      }
    }
    console.log(
      `fuzz Solana effects: ${count} transactions (seeds ${fixedSeed}, ${freshSeed}), ${run} succeeded, ${told} faults, ${Math.round(performance.now() - start)} ms`,
    )
    const report = [...found].map(([kind, { times, example }]) => `${kind} (${times}): ${example}`)
    expect(report.join('\n')).toBe('')
    expect(run).toBeGreaterThan(count / 4)
  },
  limit(1_800_000),
)
