/** Keeps account of the packages whose code ends up in what we ship, and says under which licences they are. */
import fs from 'node:fs'
import path from 'node:path'
import license from 'rollup-plugin-license'

/** Under these a package may be shipped; one of several that a package offers is enough. */
const allowed = '(MIT OR ISC OR BSD-2-Clause OR BSD-3-Clause OR 0BSD OR Apache-2.0 OR CC0-1.0)'

/** Packages from which a part was copied into our sources. */
const copied = ['lucide-static', '@web3icons/core']

/** `name@version` -> what rollup-plugin-license found of the package, in all outputs of this build. */
const bundled = new Map()

/** A plugin that notes every package that is still in the bundle after tree-shaking, and refuses licences that are not allowed. */
export const noteThirdParty = (root) =>
  license({
    cwd: path.resolve(root),
    thirdParty: {
      multipleVersions: true,
      allow: { test: allowed, failOnUnlicensed: true, failOnViolation: true },
      output(dependencies) {
        for (const found of dependencies) bundled.set(`${found.name}@${found.version}`, found)
      },
    },
  })

/** All packages noted so far, by name. */
export const thirdParty = () =>
  [...bundled].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, found]) => found)

/** The text of NOTICE: the licences of all code of others that we ship, each text once. */
export function notice(root) {
  const groups = new Map()
  for (const found of [
    ...thirdParty(),
    ...copied.map((name) => readPackage(path.join(root, 'node_modules', name))),
  ]) {
    const text = textOf(found)
    groups.set(text, [...(groups.get(text) ?? []), `${found.name} ${found.version} (${found.license})`])
  }
  const parts = [...groups].map(([text, names]) => `${names.join('\n')}\n\n${text}`)
  return `${[head, ...parts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

const head = `Latchkey
Copyright 2026 the Latchkey authors
Licensed under the Apache License, Version 2.0; see LICENSE.

The files in dist/ contain code of the packages below, under the licences that follow their names.`

function textOf({ name, author, license, licenseText, noticeText }) {
  const text = licenseText?.replaceAll('\r\n', '\n').trim()
  // Our own LICENSE is the same text, word for word.
  const isOurs = license === 'Apache-2.0' && text?.includes('TERMS AND CONDITIONS')
  const unstated = `The package states this licence and no more; its author: ${author?.name ?? author ?? name}.`
  const parts = [isOurs ? 'See LICENSE.' : (text ?? unstated), noticeText?.replaceAll('\r\n', '\n').trim()]
  return parts.filter(Boolean).join('\n\n')
}

function readPackage(folder) {
  const { name, version, license, author } = JSON.parse(
    fs.readFileSync(path.join(folder, 'package.json'), 'utf8'),
  )
  const file = fs.readdirSync(folder).find((entry) => /^licen[cs]e(\.\w+)?$/i.test(entry))
  const licenseText = file && fs.readFileSync(path.join(folder, file), 'utf8')
  return { name, version, license, author, licenseText }
}
