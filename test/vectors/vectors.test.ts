/** The public vectors in Node. In Chromium the same suites run from vectors.browser.ts. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, test } from 'vitest'
import { suites } from './suites/all.ts'
import { serverSuites } from './suites/server.ts'
import { index, type Load, longest, missing } from './suites/suite.ts'

const folder = fileURLToPath(new URL('../../../shared/vectors/', import.meta.url))
const load: Load = (path) => readFile(folder + path, 'utf8').catch(() => undefined)

const here = (await load(index)) !== undefined
if (!here) console.log(missing)

describe.skipIf(!here)(here ? 'public vectors in Node' : `public vectors in Node (${missing})`, () => {
  for (const suite of [...suites, ...serverSuites])
    test(suite.name, { timeout: longest }, async () => console.log(`Node: ${await suite.run(load)}`))
})
