import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createChainRpc } from '../../../demo/backend/chains/rpc.ts'
import { nodeUrlsOf } from '../../../demo/backend/settings/chain-rpc-urls.ts'
import { defaultLimits } from '../../../demo/backend/settings/limits.ts'
import { startNode } from '../support/lying-node.ts'

describe('nodes of a chain', () => {
  let first: Awaited<ReturnType<typeof startNode>>
  let second: Awaited<ReturnType<typeof startNode>>
  beforeAll(async () => {
    first = await startNode('http://127.0.0.1:1')
    second = await startNode('http://127.0.0.1:1')
  })
  afterAll(() => {
    first?.stop()
    second?.stop()
  })
  afterEach(() => {
    first.honest()
    second.honest()
  })

  const ask = async (urls: readonly string[]) => {
    const limits = { ...defaultLimits, nodePatience: 2_000 }
    const rpc = createChainRpc({ what: 'The chain', urls, chainId: 1, limits })
    return { rpc, said: await rpc.ask('eth_gasPrice', [], rpc.deadline()) }
  }
  const works = (node: typeof first) => {
    node.lies.eth_chainId = { result: '0x1' }
    node.lies.eth_gasPrice = { result: '0x5' }
  }

  test.each<[string, (node: typeof first) => void]>([
    ['is silent', (node) => (node.lies['*'] = 'silent')],
    ['is of another chain', (node) => (node.lies.eth_chainId = { result: '0x2' })],
    ['answers with markup', (node) => (node.lies['*'] = new Response('<html>'))],
    [
      'has too many requests',
      (node) => {
        node.lies.eth_chainId = { result: '0x1' }
        node.lies['*'] = { error: { code: -32_005, message: 'Too many requests' } }
      },
    ],
  ])('nodes: one that %s is replaced by the next, and asked last from then on', async (_, lie) => {
    lie(first)
    works(second)
    const { rpc, said } = await ask([first.url, second.url])
    expect(said).toEqual({ result: '0x5' })
    const before = first.asked.length
    expect(await rpc.ask('eth_gasPrice', [], rpc.deadline())).toEqual({ result: '0x5' })
    expect(first.asked.length).toBe(before)
  })

  test('nodes: a contract’s refusal is an answer, and no other node is asked', async () => {
    works(first)
    first.lies.eth_gasPrice = { error: { code: 3, message: 'execution reverted' } }
    const { said } = await ask([first.url, second.url])
    expect(said).toEqual({ error: { code: 3, message: 'execution reverted' } })
    expect(second.asked).toEqual([])
  })

  test('nodes: where none answers, it is an outage', async () => {
    first.lies['*'] = new Response('<html>')
    second.lies['*'] = { result: '0x2' }
    await expect(ask([first.url, second.url])).rejects.toThrow('The chain could not be')
  })

  test('node settings: a chain has one URL or a list, each once, and an unknown chain has none', () => {
    const urls = {
      1: 'https://one.example',
      10: ['https://a.example', 'https://b.example', 'https://a.example'],
    }
    expect(nodeUrlsOf(urls, 1)).toEqual(['https://one.example'])
    expect(nodeUrlsOf(urls, 10)).toEqual(['https://a.example', 'https://b.example'])
    for (const unknown of [2, 'constructor', '__proto__']) expect(nodeUrlsOf(urls, unknown)).toEqual([])
  })
})
