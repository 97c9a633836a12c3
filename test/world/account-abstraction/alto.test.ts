/**
 * Operations of the kit through an unmodified alto, a bundler that others run. It is under the GPL, so no run has it unless it is installed
 * outside of this repository: `NODE_PATH=<folder>/node_modules`, with @pimlico/alto 0.0.20.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseEther } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entryPointAddresses } from '../../../demo/world/account-abstraction/contracts.ts'
import { anvilKeys } from '../../../demo/world/wallet/accounts.ts'
import { createNode } from '../../../src/ethereum/rpc.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { createCodec } from '../../../src/wallets/smart/accounts/thirdweb.ts'
import { createBundler } from '../../../src/wallets/smart/bundler.ts'
import { freePort } from '../../support/free-port.ts'
import { limit } from '../../support/limit.ts'
import { soaking } from '../../support/soak.ts'
import { createAccount } from '../../wallets/smart/support/account.ts'
import { newAddress, newOwner, type StandIns, startStandIns } from './support/stand-ins.ts'

/** The program of the package; `undefined` where it is not installed. */
const program = (() => {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('@pimlico/alto')), 'cli/alto.js')
  } catch {
    return undefined
  }
})()
const missing = !soaking
  ? 'it is part of the long run'
  : program === undefined
    ? 'the package is not installed'
    : undefined

const minutes = 60_000
const title = missing ? `alto is skipped: ${missing}` : 'operations through alto'
describe.skipIf(missing !== undefined)(title, () => {
  let world: StandIns
  let alto: ChildProcess | undefined
  let url = ''
  const nodeAt = (at: string) =>
    createNode({ url: at, fetch: (input, init) => fetch(input, init), clock: systemClock })
  beforeAll(
    async () => {
      world = await startStandIns()
      const [, , , executor, utility] = anvilKeys
      for (const key of [executor, utility])
        await world.tester.setBalance({ address: privateKeyToAddress(key), value: parseEther('1000') })
      const port = await freePort()
      url = `http://127.0.0.1:${port}`
      const options: Readonly<Record<string, string>> = {
        entrypoints: entryPointAddresses['0.7'],
        'executor-private-keys': executor,
        'utility-private-key': utility,
        'min-balance': '0',
        'rpc-url': world.chain.url,
        'network-name': 'local',
        // anvil has no tracer by which opcodes are judged.
        'safe-mode': 'false',
        'log-level': 'error',
        port: String(port),
      }
      const input = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
      alto = spawn(process.execPath, [program ?? '', 'run', ...input], { stdio: ['ignore', 'pipe', 'pipe'] })
      const output: string[] = []
      for (const stream of [alto.stdout, alto.stderr])
        stream?.on('data', (chunk) => output.push(String(chunk)))
      const answers = () => nodeAt(url).ask('eth_supportedEntryPoints', [], { retries: false })
      await expect
        .poll(() => (alto?.exitCode === null ? answers().catch(() => undefined) : output.join('')), {
          timeout: limit(2 * minutes),
          interval: 500,
        })
        .toEqual([entryPointAddresses['0.7']])
    },
    limit(4 * minutes),
  )
  afterAll(async () => {
    alto?.kill()
    await world?.close()
  })

  it.each([
    ['the account pays for', false],
    ['the sponsor pays for', true],
  ])(
    'includes the operation that %s: first with the deployment, then a batch',
    async (_, isSponsored) => {
      const key = newOwner()
      const cx = world.contextOf(createCodec(), key.address, { isSponsored })
      const account = createAccount({ ...cx, bundler: createBundler({ url, node: nodeAt(url) }) }, key)
      await world.tester.setBalance({ address: account.address, value: parseEther('1') })
      const to = newAddress()
      const send = (...values: readonly bigint[]) =>
        account.send(values.map((value) => ({ to, value, data: '0x' })))
      expect(await send(5n)).toMatchObject({
        prepared: { deploysAccount: true },
        change: { status: 'confirmed', transactionHash: expect.stringMatching(/^0x[\da-f]{64}$/) },
      })
      expect(await send(1n, 2n)).toMatchObject({ change: { status: 'confirmed' } })
      expect(await world.client.getBalance({ address: to })).toBe(8n)
    },
    limit(2 * minutes),
  )

  it('refuses an operation that another key has signed, in the words that the user reads', async () => {
    const key = newOwner()
    const cx = world.contextOf(createCodec(), key.address)
    const account = createAccount({ ...cx, bundler: createBundler({ url, node: nodeAt(url) }) }, key)
    await world.tester.setBalance({ address: account.address, value: parseEther('1') })
    const prepared = await account.prepare([{ to: newAddress(), value: 1n, data: '0x' }])
    await expect(account.submit(prepared, newOwner())).rejects.toMatchObject({
      code: 'user_operation_signature_invalid',
    })
  })
})
