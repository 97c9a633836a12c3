/** Published malicious requests: each is red or refused before anything is signed, and one that is only a transfer displays all of it. */
import { expect, test } from 'vitest'
import type { ReviewKnowledge } from '../../src/vault/approval/sign/review.ts'
import { type Malicious, maliciousEthereum } from '../corpus/malicious-ethereum.ts'
import { maliciousSolana } from '../corpus/malicious-solana.ts'
import { codesOf, isRed, severityOf, type Told, told, trialRun, wallet } from '../corpus/read.ts'

/** What nobody understands by its bytes alone is the one danger that a trial run takes away. */
const untried: readonly string[] = ['not-understood']
const all = [...maliciousEthereum, ...maliciousSolana]
const signerOf = (each: Malicious) => each.wallet ?? wallet

/** What the vault's own server says of the tokens of an allowance. */
function knowledgeOf({ balances }: Malicious): ReviewKnowledge | undefined {
  if (!balances) return undefined
  const known = new Map(Object.entries(balances).map(([token, balance]) => [token.toLowerCase(), balance]))
  return {
    findFacts: (token) => {
      const balance = known.get(token.toLowerCase())
      return balance === undefined ? undefined : { symbol: 'TOK', decimals: 18, balance }
    },
  }
}

/** As it is read by its bytes, with the figures of its tokens where the server has them. */
const read = (each: Malicious) => told(each.content, signerOf(each), { knowledge: knowledgeOf(each) })

const digits = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

/** Whether the actions that are displayed have all of these values. */
function displays(answer: Told, values: readonly string[]): boolean {
  if ('refused' in answer) return true
  const text = JSON.stringify(answer.displayed, digits).toLowerCase()
  return values.every((value) => text.includes(`"${value.toLowerCase()}"`))
}

test('malicious requests: there are forty at least that are red or refused, each with its source', async () => {
  const harmful = all.filter(({ shows }) => !shows)
  expect(harmful.length).toBeGreaterThanOrEqual(40)
  expect(new Set(all.map(({ title }) => title)).size).toBe(all.length)
  for (const { source } of all) expect(source).toMatch(/^https:\/\/|^issue 39/)
  const rows = await Promise.all(
    all.map(async (each) => {
      const bare = await read(each)
      return { each, bare, isMissed: !isRed(bare) && !(each.shows && displays(bare, each.shows)) }
    }),
  )
  const count = (those: typeof rows) => those.length
  const refused = rows.filter(({ bare }) => 'refused' in bare)
  const missed = rows.filter(({ isMissed }) => isMissed)
  console.log(
    [
      `malicious requests: ${count(rows)}, of which refused ${count(refused)}, red ${count(rows.filter(({ bare }) => isRed(bare))) - count(refused)}, transfers and sales that display all of it ${rows.filter(({ each, bare }) => each.shows && !isRed(bare) && displays(bare, each.shows)).length}, missed ${count(missed)}`,
      ...rows.map(
        ({ each, bare, isMissed }) => `${isMissed ? 'MISSED ' : '       '}${each.title}: ${codesOf(bare)}`,
      ),
    ].join('\n'),
  )
})

test.each(all.filter(({ shows }) => !shows))('malicious request: $title is red or refused', async (each) => {
  const answer = await read(each)
  expect(isRed(answer), codesOf(answer)).toBe(true)
})

test.each(all.filter(({ shows }) => shows))(
  // Their bytes are those of an honest transfer or sale: nothing in them says that the receiver is a thief, or that a price is bad.
  'malicious transfer or sale: $title displays who gets how much',
  async (each) => {
    const answer = await read(each)
    const answered = 'refused' in answer ? answer : answer.displayed
    expect(isRed(answer) || displays(answer, each.shows ?? []), JSON.stringify(answered, digits)).toBe(true)
  },
)

test.each(
  all.filter(({ content }) => content.kind === 'evmTransaction' || content.kind === 'solanaTransaction'),
)('malicious request: a trial run that finds nothing does not make $title less red', async (each) => {
  const bare = await read(each)
  if (!isRed(bare) || 'refused' in bare) return
  const chain = each.content.kind === 'solanaTransaction' ? 'solana:mainnet' : 'eip155:1'
  const tried = await told(each.content, signerOf(each), {
    knowledge: knowledgeOf(each),
    preview: trialRun(chain),
  })
  // What nobody understands by its bytes alone is the one danger that a trial run takes away.
  const dangers = (answer: Told) =>
    'refused' in answer
      ? []
      : answer.warnings
          .filter(({ severity, code }) => severity === 'danger' && !untried.includes(code))
          .map(({ code }) => code)
  expect(dangers(tried)).toEqual(expect.arrayContaining(dangers(bare)))
})

test.each(all.filter(({ trial }) => trial))(
  'malicious request: after an honest trial run $title warns where it is no mere transfer, and is red or displays what leaves',
  async (each) => {
    const { trial = {}, content } = each
    const chain = content.kind === 'solanaTransaction' ? 'solana:mainnet' : 'eip155:1'
    const answer = await told(content, signerOf(each), { preview: trialRun(chain, trial) })
    if (!each.shows) expect(['danger', 'warning'], codesOf(answer)).toContain(severityOf(answer))
    const amounts = trial.out?.map(({ amount }) => String(amount)) ?? []
    const isDisplayed = amounts.length > 0 && displays(answer, amounts)
    expect(isRed(answer) || (isDisplayed && trial.allowances === undefined), codesOf(answer)).toBe(true)
  },
)
