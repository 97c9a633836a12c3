/**
 * Puts the numbers of `src/core/limits.ts` where they are used. Left as one object, all of them would be carried by
 * every page: no bundler takes an object apart that several files share.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { transform } from 'esbuild'

export function inlineLimits(root) {
  const file = path.join(root, 'src/core/limits.ts')
  let limits = {}
  return {
    name: 'inline-limits',
    async buildStart() {
      const { code } = await transform(readFileSync(file, 'utf8'), { loader: 'ts', format: 'esm' })
      limits = (await import(`data:text/javascript,${encodeURIComponent(code)}`)).limits
    },
    transform(code, id) {
      if (id === file || id.includes('/node_modules/') || !code.includes('limits.')) return null
      const inlined = code.replace(/\blimits\.(\w+)\b/g, (whole, name) =>
        typeof limits[name] === 'number' ? String(limits[name]) : whole,
      )
      return inlined === code ? null : { code: inlined, map: null }
    },
  }
}
