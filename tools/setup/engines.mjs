/**
 * Brings the engines of other browsers for `npm run soak`: Debian's Firefox, and WebKit with its driver and a display that
 * nobody sees. Where that isn't possible, the soak goes without them and says so.
 */
import { inPath, run } from './run.mjs'

/** Debian's packages, by the program that each of them is wanted for. */
const packages = { 'firefox-esr': 'firefox-esr', WebKitWebDriver: 'webkit2gtk-driver', Xvfb: 'xvfb' }

export async function ensureEngines() {
  const missing = Object.keys(packages).filter((program) => !inPath(program))
  if (missing.length === 0) return
  const names = missing.map((program) => packages[program])
  if (process.getuid?.() !== 0 || !inPath('apt-get')) {
    console.log(
      `Not here: ${names.join(', ')}. Installing them takes root and apt-get; the soak goes without.`,
    )
    return
  }
  console.log(`Installing the Debian packages ${names.join(', ')} (about 400 MB) …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) => run('apt-get', [...args, '-qq'], { quiet: true, env })
  const install = () => apt('install', '-y', '--no-install-recommends', ...names)
  try {
    // Without a list of packages, or with an old one, the first try fails.
    await install().catch(() => apt('update').then(install))
  } catch (error) {
    console.log(`That did not work (${error.message}). The soak goes without them.`)
  }
}
