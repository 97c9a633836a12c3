/** Writes NOTICE: the licences of all code of others that we ship. Run after a change of packages: npm run notice. */
import fs from 'node:fs'
import path from 'node:path'
import { readJson, root } from './setup/run.mjs'

/** Packages of which a part was copied into our sources. */
const copied = ['lucide-static', '@web3icons/core']
const rule = `\n${'-'.repeat(80)}\n`

const bundled = readJson(path.join(root, 'dist/third-party.json'))
if (!bundled) {
  console.error('dist/third-party.json is missing. Run: npm run build')
  process.exit(1)
}
const packages = [...bundled, ...copied.map(describe)].map((one) => ({ ...one, text: licenceOf(one) }))

/** Text of a licence -> the packages that carry it. */
const groups = new Map()
for (const { name, version, license, text } of packages) {
  groups.set(text, [...(groups.get(text) ?? []), `${name} ${version} (${license})`])
}
const head = `Latchkey
Copyright 2026 the Latchkey authors
Licensed under the Apache License, Version 2.0; see LICENSE.

The files in dist/ contain code of the packages below, under the licences that follow their names.`
const parts = [...groups].map(([text, names]) => `${names.join('\n')}\n\n${text}`)
fs.writeFileSync(path.join(root, 'NOTICE'), `${[head, ...parts].join(`\n${rule}\n`)}\n`)
console.log(`NOTICE names ${packages.length} packages under ${groups.size} different texts.`)

function describe(name) {
  const { version, license } = manifest(name)
  return { name, version, license }
}

function licenceOf({ name, license }) {
  const folder = path.join(root, 'node_modules', name)
  const file = fs.readdirSync(folder).find((entry) => /^licen[cs]e(\.\w+)?$/i.test(entry))
  if (file) {
    const text = fs.readFileSync(path.join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()
    // Our own LICENSE is the same text, word for word.
    return license === 'Apache-2.0' && text.includes('TERMS AND CONDITIONS') ? 'See LICENSE.' : text
  }
  const { author } = manifest(name)
  return `The package states this licence and no more; its author: ${author?.name ?? author ?? name}.`
}

function manifest(name) {
  return readJson(path.join(root, 'node_modules', name, 'package.json'))
}
