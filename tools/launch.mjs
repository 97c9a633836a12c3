/**
 * How the tests start Chromium: Playwright's switches with another list of features that are off. Without the windows
 * that Chromium prepares below its address bar, which nobody sees here, a new page takes half the work. Playwright also
 * switches storage partitioning off, and then a frame of another site has no storage at all, unlike in ordinary browsers.
 */
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { chromiumRecord, findChromium, findHeadlessShell } from './chromium.mjs'

const { version } = createRequire(import.meta.url)('playwright-core/package.json')
const known = path.join(path.dirname(chromiumRecord), `playwright-${version}-features.txt`)
const addressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup']

/**
 * Launch options for Playwright. `whole`: Chromium itself, which knows who has the window's focus, has a clipboard and
 * may keep storage from frames of other sites; without it the headless shell, which does none of that with less work.
 * `partitioned`: storage by site, as ordinary browsers have it.
 */
export async function launchOptions({ whole = false, partitioned = false } = {}) {
  const { path: executablePath, args } = whole ? findChromium() : findHeadlessShell()
  const usual = await usualSwitch(executablePath, args)
  const [name, list] = usual.split('=')
  const off = list.split(',').filter((feature) => !partitioned || feature !== 'ThirdPartyStoragePartitioning')
  return {
    executablePath,
    ignoreDefaultArgs: [usual],
    args: [...args, `${name}=${[...off, ...addressBar].join(',')}`],
  }
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
