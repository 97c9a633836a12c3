/** The public vectors in Chromium, under Web Test Runner, which serves them from `/__vectors__/`. */
import { suites } from './suites/all.ts'
import { index, type Load, longest, missing } from './suites/suite.ts'

const load: Load = async (path) => {
  const response = await fetch(`/__vectors__/${path}`)
  return response.ok ? response.text() : undefined
}
const here = (await load(index)) !== undefined
if (!here) console.log(missing)

const words = here ? describe : describe.skip
words(here ? 'public vectors in the browser' : `public vectors in the browser (${missing})`, function () {
  this.timeout(longest)
  for (const suite of suites) it(suite.name, async () => console.log(`Chromium: ${await suite.run(load)}`))
})
