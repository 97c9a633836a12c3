/** The server as a program: what it refuses to start with, and how it ends. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startProgram } from '../../support/program.ts'
import { scratch } from '../../support/scratch.ts'
import { copyFolder } from '../support/world.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(scratch, 'latchkey-program-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function start(name: string, env: Record<string, string>) {
  return startProgram('demo/backend/main.ts', [], {
    APPS_FILE: undefined,
    DEMO: undefined,
    DATABASE_URL: '',
    LATCHKEY_DATA: join(folder, name),
    PORT: '0',
    SMTP_URL: 'smtp://127.0.0.1:1',
    ...env,
  })
}

async function failure(env: Record<string, string>): Promise<string> {
  const child = await start('failing', env)
  const said: string[] = []
  child.stderr.on('data', (chunk) => said.push(String(chunk)))
  const [code] = await once(child, 'close')
  expect(code).toBe(1)
  return said.join('')
}

test('server program: without APPS_FILE it refuses to start, unless DEMO=1 wants the apps of the demo', async () => {
  const refusal = "APPS_FILE is not set: there are no apps to serve. DEMO=1 serves the demo's.\n"
  expect(await failure({})).toBe(refusal)
  expect(await failure({ API_URL: 'https://api.example.com', DEMO: '0' })).toBe(refusal)
})

test('server program: settings of the database and of the drain that are wrong are named', async () => {
  expect(await failure({ DEMO: '1', DATABASE_POOL_SIZE: 'many' })).toMatch(/^DATABASE_POOL_SIZE must be/)
  expect(await failure({ DEMO: '1', DRAIN_TIMEOUT: '-1' })).toMatch(/^DRAIN_TIMEOUT must be/)
})

test('server program: SIGTERM answers what is under way, refuses what is new, and cuts off what takes too long', async () => {
  await copyFolder(join(folder, 'draining/database'))
  const child = await start('draining', { DEMO: '1', DRAIN_TIMEOUT: '8000' })
  try {
    const base = await new Promise<string>((found, failed) => {
      child.once('exit', () => failed(new Error('The program ended')))
      createInterface({ input: child.stdout }).once('line', (line) => found(JSON.parse(line).api))
    })
    for (const probe of ['livez', 'readyz', 'healthz'])
      expect([probe, (await fetch(`${base}/${probe}`)).status]).toEqual([probe, 200])

    const [one, other] = await Promise.all([beginUpload(base), beginUpload(base)])
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    await expect
      .poll(() => fetch(`${base}/livez`, { headers: { connection: 'close' } }).catch(() => 'refused'))
      .toBe('refused')
    one.write('}')
    const [answer] = await once(one, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 .*\r\nconnection: close\r\n/is)
    // The other upload never ends.
    await once(other, 'close')
    expect(await exit).toEqual([0, null])
  } finally {
    child.kill('SIGKILL')
  }
})

/** A request whose body lacks its last byte. */
async function beginUpload(base: string): Promise<Socket> {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(
    [
      'POST /api/v1/passwordless/init HTTP/1.1',
      'host: localhost',
      'privy-app-id: latchkey-demo-open-000001',
      'content-type: application/json',
      'content-length: 2',
      'expect: 100-continue',
      '',
      '{',
    ].join('\r\n'),
  )
  // The server has read the head once it asks for the rest.
  await once(socket, 'data')
  return socket
}
