import { edit, entryOf, readPhone } from '../../../src/ui/fields/phone-field/rules.ts'
import { read, type Suite } from './suite.ts'

interface Example {
  readonly country: string
  readonly national: string
  readonly e164: string
}

/** Two numbers differ by the version of the metadata. */
const enough = 0.998

export const phone: Suite = {
  name: 'phone numbers of every country, as they are typed, stored and pasted',
  async run(load) {
    const examples = await read<Example[]>(load, 'phone/example-numbers.json')
    const ways: Record<string, (example: Example) => string | undefined> = {
      read: ({ e164 }) => numberOf(readPhone(e164, 'US')),
      typed({ country, national, e164 }) {
        // Numbers of no country can only be typed with their calling code.
        const start = entryOf('', country === '001' ? 'US' : (country as 'US'))
        let at = { ...start, caret: 0 }
        for (const key of country === '001' ? e164 : national) {
          const text = at.text + key
          at = edit(at.text, { country: at.country, text, caret: text.length }, 'typed')
        }
        return numberOf(readPhone(at.text, at.country))
      },
      pasted({ e164 }) {
        const at = edit('', { country: 'US', text: e164, caret: e164.length }, 'whole')
        return numberOf(readPhone(at.text, at.country))
      },
    }
    const counts = Object.entries(ways).map(([way, numberFrom]) => {
      const right = examples.filter((example) => numberFrom(example) === example.e164).length
      if (right < examples.length * enough)
        throw new Error(`Only ${right} of ${examples.length} numbers came through when ${way}`)
      return `${right} ${way}`
    })
    return `phone: of ${examples.length} numbers ${counts.join(', ')}`
  },
}

const numberOf = (reading: ReturnType<typeof readPhone>) => ('e164' in reading ? reading.e164 : undefined)
