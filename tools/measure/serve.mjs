/** A local server for measured pages: HTML by name, built files compressed as a CDN would, and a stub of the API. */
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { brotli } from './bundle.mjs'
import { answer } from './stub-api.mjs'

const types = { '.js': 'text/javascript', '.json': 'application/json', '.css': 'text/css' }

/**
 * Serves `pages` (path -> function from the server's origin to HTML) and `folders` (path prefix -> folder). `scripts`
 * lists the script files that were asked for, in order, and `requests` everything but documents; `forget()` empties both
 * lists and returns what was in them. A page that asks for `/landed` ends the lists itself: what it asks for afterwards
 * doesn't count, however late whoever watches it hears of that. `told()` resolves with what a page posts to `/told` next.
 */
export async function serve({ pages, folders }) {
  const scripts = []
  const requests = []
  const packed = new Map()
  let landed
  let tell = (_text) => {}

  function file(pathname) {
    const prefix = Object.keys(folders).find((start) => pathname.startsWith(start))
    const found = prefix && path.join(folders[prefix], path.normalize(`/${pathname.slice(prefix.length)}`))
    return found && fs.existsSync(found) && fs.statSync(found).isFile() ? found : undefined
  }
  function send(response, status, type, body, headers = {}) {
    response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, ...headers })
    response.end(body)
  }

  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost')
    if (pathname === '/told') {
      const parts = []
      request.on('data', (part) => parts.push(part))
      request.on('end', () => tell(Buffer.concat(parts).toString()))
      return send(response, 200, 'application/json', '{}')
    }
    request.resume()
    const page = pages[pathname]
    if (page) return send(response, 200, 'text/html', page(`http://${request.headers.host}`))
    if (pathname === '/landed') {
      landed ??= { scripts: [...scripts], requests: [...requests] }
      return send(response, 200, 'application/json', '{}')
    }
    requests.push(pathname)
    const found = file(pathname)
    if (found) {
      if (found.endsWith('.js')) scripts.push(found)
      if (!packed.has(found)) packed.set(found, brotli(fs.readFileSync(found)))
      const type = types[path.extname(found)] ?? 'application/octet-stream'
      return send(response, 200, type, packed.get(found), { 'content-encoding': 'br' })
    }
    const body = answer(request.method, pathname)
    if (body !== undefined) return send(response, 200, 'application/json', JSON.stringify(body))
    send(response, 404, 'application/json', JSON.stringify({ error: `Nothing at ${pathname}` }))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://localhost:${server.address().port}`,
    scripts,
    requests,
    forget() {
      const all = { scripts: scripts.splice(0), requests: requests.splice(0) }
      const asked = landed ?? all
      landed = undefined
      return asked
    },
    told: () =>
      new Promise((resolve) => {
        tell = (text) => resolve(JSON.parse(text))
      }),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
