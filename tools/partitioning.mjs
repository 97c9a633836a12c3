/**
 * How to start Chromium with storage partitioning, as ordinary browsers have it. Playwright switches it off together
 * with other features, and then a frame of another site has no storage at all.
 */
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { chromiumRecord, findChromium } from './chromium.mjs'

const { version } = createRequire(import.meta.url)('playwright-core/package.json')
const known = path.join(path.dirname(chromiumRecord), `playwright-${version}-features.txt`)

/** Launch options for Playwright. */
export async function partitionedLaunch() {
  const { path: executablePath, args } = findChromium()
  const usual = await usualSwitch(executablePath, args)
  const kept = usual.replace(/(=|,)ThirdPartyStoragePartitioning(?=,|$)/, (_, before) =>
    before === '=' ? '=' : '',
  )
  return { executablePath, ignoreDefaultArgs: [usual], args: [...args, kept.replace('=,', '=')] }
}

/** The `--disable-features=…` that Playwright passes; asked of a started browser once per version. */
async function usualSwitch(executablePath, args) {
  if (fs.existsSync(known)) return fs.readFileSync(known, 'utf8')
  const server = await chromium.launchServer({ executablePath, args })
  const usual = server.process().spawnargs.find((arg) => arg.startsWith('--disable-features='))
  await server.close()
  if (!usual?.includes('ThirdPartyStoragePartitioning')) {
    throw new Error(
      `Playwright ${version} no longer switches partitioning off by --disable-features: see ${import.meta.url}`,
    )
  }
  fs.writeFileSync(known, usual)
  return usual
}
