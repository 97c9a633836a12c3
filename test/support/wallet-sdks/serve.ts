/** Serves the page of `page.ts` under the strictest policy, and Coinbase's window on an origin of its own. */
import fs from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { rollup } from 'rollup'
import { program } from '../../../tools/build/program.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))

export interface SdkPages {
  readonly page: string
  readonly keys: string
  close(): Promise<void>
}

/** `connect`: what the page may call besides itself. */
export async function serveSdkPages(connect: string): Promise<SdkPages> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'latchkey-sdks-'))
  const bundle = await rollup({ input: path.join(here, 'page.ts'), external: ['/bare.js'], ...program() })
  await bundle.write({ dir: folder, format: 'es', entryFileNames: 'page.js' })
  await bundle.close()
  await build({
    entryPoints: [path.join(here, 'bare.ts')],
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    outdir: folder,
    define: { global: 'globalThis', 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  })
  const keys = await build({
    entryPoints: [path.join(here, 'keys-page.ts')],
    bundle: true,
    format: 'esm',
    write: false,
    target: 'es2022',
  })
  const policy = [
    ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:"],
    ...[`connect-src 'self' ${connect}`, "require-trusted-types-for 'script'", "trusted-types 'none'"],
  ].join('; ')
  const html = '<!doctype html><title>Page</title><link rel=icon href=data:,><button>Connect</button>'

  const page = await serve(async (name) => {
    if (name !== '/')
      return { type: 'text/javascript', body: await fs.readFile(path.join(folder, path.basename(name))) }
    const headers = { 'content-security-policy': policy }
    return { type: 'text/html', body: `${html}<script type=module src=/page.js></script>`, headers }
  })
  const wallet = await serve(async (name) =>
    name === '/keys.js'
      ? { type: 'text/javascript', body: keys.outputFiles[0]?.text ?? '' }
      : {
          type: 'text/html',
          body: '<!doctype html><title>Keys</title><script type=module src=/keys.js></script>',
        },
  )
  return {
    page: page.url,
    keys: wallet.url,
    async close() {
      await Promise.all([page.close(), wallet.close(), fs.rm(folder, { recursive: true, force: true })])
    },
  }
}

interface Answer {
  readonly type: string
  readonly body: string | Uint8Array
  readonly headers?: Record<string, string>
}

async function serve(answer: (name: string) => Promise<Answer>) {
  const server = createServer(async (request, response) => {
    try {
      const { type, body, headers } = await answer(new URL(request.url ?? '', 'http://page').pathname)
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, ...headers }).end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
