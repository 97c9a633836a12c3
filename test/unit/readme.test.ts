import fs from 'node:fs'
import { expect, test } from 'vitest'
import { appIdLength } from '../../src/lib/app-id.ts'

const readme = fs.readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

test('the app ids of the examples could be app ids', () => {
  const ids = [...readme.matchAll(/app-id="([^"]*)"/g)].map(([, id]) => id)
  expect(ids.length).toBeGreaterThan(0)
  expect(ids.filter((id) => id?.length !== appIdLength)).toEqual([])
})

test('the example pages run under the policy that the page itself recommends', () => {
  const scripts = [...readme.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag)
  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.filter((tag) => !tag.includes('src='))).toEqual([])
})
