/** Lets browser tests read the public test vectors, which lie beside the repository; where they are absent, 404. */
import fs from 'node:fs'
import path from 'node:path'

const prefix = '/__vectors__/'

export function vectorFiles(rootDir) {
  const folder = path.resolve(rootDir, '../shared/vectors')
  return (context, next) => {
    if (!context.path.startsWith(prefix)) return next()
    const file = path.join(
      folder,
      path.normalize(`/${decodeURIComponent(context.path.slice(prefix.length))}`),
    )
    if (!fs.existsSync(file) || !fs.statSync(file).isFile()) {
      context.status = 404
      return undefined
    }
    context.type = path.extname(file) || 'text'
    context.body = fs.readFileSync(file)
    return undefined
  }
}
