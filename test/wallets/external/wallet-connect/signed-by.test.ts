/** Whose signature it is, when the account is a contract and only its chain can tell. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { stringToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Config } from '../../../../src/app/config.ts'
import { isSignedBy, requestNode } from '../../../../src/wallets/external/wallet-connect/node.ts'

/** What the node's contract says; `undefined`: it can't be called. */
let verdict: string | undefined
const server = createServer((request, response) => {
  let text = ''
  request.on('data', (part) => {
    text += part
  })
  request.on('end', () => {
    const { id, method } = JSON.parse(text)
    const result = method === 'eth_chainId' ? '0x1' : method === 'eth_call' ? verdict : '0x'
    const answer = result === undefined ? { error: { code: 3, message: 'execution reverted' } } : { result }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => server.close())

const config = (url?: string) =>
  ({
    host: {
      rpcConfig: { rpcUrls: { 1: url ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}` } },
    },
  }) as unknown as Config
const account = privateKeyToAccount(generatePrivateKey())
const other = privateKeyToAccount(generatePrivateKey())
const data = stringToHex('Hello')
const check = async (signer: typeof account, node = config()) =>
  isSignedBy(node, {
    address: account.address,
    chainId: 1,
    data,
    signature: await signer.signMessage({ message: { raw: data } }),
  })

describe('a signature', () => {
  it('by the account’s own key needs no node', async () => {
    expect(await check(account, config('http://127.0.0.1:1'))).toBe(true)
  })
  it.each([undefined, '0x', '0x00'])('by another key is refused when the chain says %s', async (says) => {
    verdict = says
    expect(await check(other)).toBe(false)
  })
  it('by another key is a contract’s when the chain says so', async () => {
    verdict = '0x01'
    expect(await check(other)).toBe(true)
  })
  it('by another key is not accepted while the chain can’t be asked', async () => {
    await expect(check(other, config('http://127.0.0.1:1'))).rejects.toMatchObject({
      code: 'network_unavailable',
    })
  })
})

it('a node that is gone is 4901, by which libraries know a dead chain', async () => {
  const gone = requestNode(config('http://127.0.0.1:1'), 1, { method: 'eth_blockNumber' })
  await expect(gone).rejects.toMatchObject({ code: 4901 })
})
