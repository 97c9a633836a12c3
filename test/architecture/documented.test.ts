/** What a host's editor says of a setting. */
import fs from 'node:fs'
import { expect, test } from 'vitest'

test('every setting that a host may give says in TSDoc what it does', () => {
  const source = fs.readFileSync(new URL('../../src/app/config.ts', import.meta.url), 'utf8')
  const [, body = ''] = /export interface HostConfig \{\n([\s\S]*?)\n\}/.exec(source) ?? []
  const lines = body.split('\n')
  const isMember = (line: string) => /^ {2,4}\w+\??: /.test(line)
  const bare = lines.filter((line, at) => isMember(line) && !lines[at - 1]?.trimEnd().endsWith('*/'))
  expect(lines.filter(isMember).length).toBeGreaterThan(40)
  expect(bare).toEqual([])
})
