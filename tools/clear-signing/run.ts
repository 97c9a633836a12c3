/**
 * Runs the fixtures of a checkout of the ERC-7730 registry: `npm run clear-signing -- <folder>`. A folder within
 * it runs the fixtures there. Prints each case that differs, with what was expected and what came, then how many pass by the part of the
 * format that they use, and exits 1 if one differs.
 */
import path from 'node:path'
import { findRegistry, readCheckout } from './checkout.ts'
import { listFixtures, type Outcome, type Rendered, runFixture } from './fixtures.ts'
import { tableOfParts } from './parts.ts'

const [folder] = process.argv.slice(2)
if (!folder) {
  console.error('Usage: npm run clear-signing -- <folder of a registry checkout>')
  process.exit(2)
}
const checkout = readCheckout(findRegistry(folder))
for (const [file, reason] of checkout.refused) console.log(`${file}\n  is left out: ${reason}`)

const outcomes: Outcome[] = []
const broken: string[] = []
const below = path.relative(checkout.folder, path.resolve(folder))
for (const file of listFixtures(checkout.folder).filter(
  (each) => below === '' || each.startsWith(`${below}/`),
))
  try {
    outcomes.push(...(await runFixture(checkout, file)))
  } catch (error) {
    broken.push(`${file}\n  can't be run: ${error instanceof Error ? error.message : error}`)
  }

for (const line of broken) console.log(line)
for (const outcome of outcomes) if (!outcome.passes) console.log(explain(outcome))
console.log(['Passed, by the part of the format that a case uses:', ...tableOfParts(outcomes), ''].join('\n'))
const passed = outcomes.filter(({ passes }) => passes).length
console.log(
  `${passed} of ${outcomes.length} pass${broken.length > 0 ? `, ${broken.length} files can't be run` : ''}`,
)
process.exitCode = passed < outcomes.length || broken.length > 0 || outcomes.length === 0 ? 1 : 0

/** Only lines that differ, expected before got. */
function explain({ file, description, expected, got, warnings }: Outcome): string {
  const [wanted, actual] = [linesOf(expected), linesOf(got)]
  const lines: string[] = []
  for (let at = 0; at < Math.max(wanted.length, actual.length); at++) {
    if (wanted[at] === actual[at]) continue
    if (wanted[at] !== undefined) lines.push(`  - ${wanted[at]}`)
    if (actual[at] !== undefined) lines.push(`  + ${actual[at]}`)
  }
  return [`${file}: ${description}`, ...lines, ...warnings.map((each) => `  ! ${each}`)].join('\n')
}

function linesOf({ intent, interpolatedIntent, owner, fields }: Rendered, indent = ''): string[] {
  return [
    `${indent}intent: ${intent}`,
    `${indent}interpolatedIntent: ${interpolatedIntent ?? '(none)'}`,
    `${indent}owner: ${owner}`,
    ...fields.flatMap(({ label, value }) =>
      typeof value === 'string'
        ? [`${indent}${label}: ${value}`]
        : [`${indent}${label}:`, ...linesOf(value, `${indent}  `)],
    ),
  ]
}
