/** Bundles pages as hosts do: with Vite as it comes. */
import fs from 'node:fs'
import path from 'node:path'
import { build } from 'vite'

/** Placeholder for the address that the page is served from, which is not known when it is built. */
const origin = 'https://origin.invalid'

/**
 * Builds a page into `folder` and returns its HTML as a function of the origin that serves it.
 *
 * `body` is the page's markup, `script` the source of its only module, `dist` the folder of the built package, from which
 * `latchkey/…` is taken, and `base` the path under which the files of `folder` are served.
 */
export async function buildHostPage({ body, script, dist, folder, base }) {
  fs.rmSync(folder, { recursive: true, force: true })
  const source = path.join(folder, 'source')
  fs.mkdirSync(source, { recursive: true })
  fs.writeFileSync(path.join(source, 'index.html'), body(origin))
  fs.writeFileSync(path.join(source, 'main.js'), script)
  await build({
    root: source,
    base,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: [{ find: /^latchkey\/(.+)$/, replacement: `${dist}/$1.js` }] },
    build: { outDir: folder, emptyOutDir: false, target: 'es2022' },
  })
  fs.rmSync(source, { recursive: true })
  const html = fs.readFileSync(path.join(folder, 'index.html'), 'utf8')
  return (served) => html.replaceAll(origin, served)
}
