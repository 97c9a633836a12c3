import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { WalletsOfPage } from './browser.ts'

export type { DemoWallets, WalletsOfPage } from './browser.ts'

let made: Promise<string> | undefined

/** The wallets of {@link WalletsOfPage} as one script for a page. */
export function bundleWallets(): Promise<string> {
  made ??= build({
    entryPoints: [join(dirname(fileURLToPath(import.meta.url)), 'browser.ts')],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    minify: true,
    write: false,
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? '')
  return made
}

/** The same with its settings in it, to be run before anything else of a page is (Playwright's `addInitScript`). */
export async function walletsScript(settings: WalletsOfPage): Promise<string> {
  return `window.__wallets = ${JSON.stringify(settings)};\n${await bundleWallets()}`
}
