import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { frameEvents } from '../../../src/protocol/frame/calls.ts'
import { readRequest } from '../../../src/protocol/frame/messages.ts'
import { limit } from '../../support/limit.ts'
import { counted, soak } from '../../support/soak.ts'
import { createBackend, makeToken } from '../support/backend.ts'
import { createDevice, openTab } from '../support/device.ts'
import { openPage } from '../support/frame-channel.ts'
import { hostOrigin } from '../support/page.ts'
import { paths, withWallet } from '../support/person.ts'

const ready = (id: string) => ({ id, event: frameEvents.ready, data: {} })

describe('at random', () => {
  const messages = soak(1_000, 100_000)
  const requests = soak(100, 4_000)
  const wellFormed = soak(300, 10_000)

  test(`${counted(messages)} random messages throw nothing and have no effect`, {
    timeout: limit(240_000),
  }, async () => {
    const door = openPage()
    await door.deliver(ready('first'))
    const text = fc.string({ maxLength: 12 })
    const valid = fc.record({
      id: fc.string({ minLength: 1, maxLength: 20 }),
      event: fc.constantFrom(...Object.values(frameEvents)),
      data: fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
    })
    const notTheParent = fc.oneof(
      fc.record({
        origin: fc.oneof(
          text,
          fc.webUrl(),
          fc.constantFrom('null', '*', '', `${hostOrigin}/`, 'http://localhost:1'),
        ),
      }),
      fc.record({ source: fc.constantFrom({}, null, undefined, globalThis) }),
      fc.record({ ports: fc.array(fc.constant({}), { minLength: 1, maxLength: 2 }) }),
    )
    const spoiled = fc.oneof(
      fc.anything({
        maxDepth: 3,
        withBigInt: true,
        withDate: true,
        withMap: true,
        withTypedArray: true,
        withNullPrototype: true,
      }),
      fc.json({ maxDepth: 2 }),
      text,
      valid.map((message) => ({ ...message, event: message.event.slice(1) })),
      valid.map(({ id: _, ...message }) => message),
      valid.map((message) => ({ ...message, data: [message.data] })),
      valid.map((message) => ({ ...message, more: { constructor: 1 } })),
      valid.map((message) => JSON.stringify(message).slice(0, -1)),
    )
    const input = fc.oneof(
      fc.tuple(
        fc.oneof(
          valid,
          valid.map((message) => JSON.stringify(message)),
        ),
        notTheParent,
      ),
      fc.tuple(
        spoiled.filter((data) => readRequest(data) === undefined),
        fc.constant({}),
      ),
      fc.tuple(spoiled, notTheParent),
    )
    let count = 0
    await fc.assert(
      fc.asyncProperty(input, async ([data, more]) => {
        count++
        await door.deliver(data, more)
        return door.asked.length === 1 && door.posted.length === 1
      }),
      { numRuns: messages, seed: 20_260_101, endOnFailure: true },
    )
    console.log(`Random messages: ${count}, 0 thrown, ${door.asked.length - 1} effects`)
  })

  test(`${counted(requests)} random requests of a person with a wallet get a signature for what is whole, a typed error for the rest`, {
    timeout: limit(120_000),
  }, async () => {
    const { backend, me, address } = await withWallet()
    const methods = [
      ...['personal_sign', 'eth_sign', 'eth_signTypedData_v4', 'eth_signTransaction', 'secp256k1_sign'],
      ...['eth_populateTransactionRequest', 'csw_signUserOperation', 'signMessage', '__proto__', ''],
    ]
    const parameter = fc.oneof(
      fc.constantFrom(address, address.toLowerCase(), `0x${'1'.repeat(40)}`, '0x', `0x${'ab'.repeat(32)}`),
      fc.constantFrom({ types: {}, primaryType: 'x', domain: {}, message: {} }, { chainId: 1, to: address }),
      fc.jsonValue({ maxDepth: 2 }),
    )
    const params = fc.oneof(
      fc.tuple(parameter, fc.constantFrom(address, 'x')),
      fc.array(parameter, { maxLength: 3 }),
      fc.dictionary(fc.string(), parameter),
    )
    const path = fc.record({
      chainType: fc.constantFrom('ethereum', 'ethereum', 'ethereum', 'solana', 'bitcoin'),
      hdWalletIndex: fc.constantFrom<number | string>(0, 0, 0, 1, '2', -1, 'x'),
    })
    const count = { signed: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...methods), params, path, async (method, params, path) => {
        const { error, response } = await me.rpc(address, path, { method, params })
        if (response) count.signed++
        else count.refused++
        expect(error ? [typeof error.message, error.type] : [typeof response?.data]).not.toContain(
          'undefined',
        )
        if (response) expect(methods.slice(0, 5)).toContain(response.method)
      }),
      { numRuns: requests, seed: 3 },
    )
    console.log(`Random requests to a wallet: ${count.signed} signed, ${count.refused} refused with a type`)
    expect(count.signed).toBeLessThan(requests / 10)
    expect(new Set(paths(backend))).toEqual(new Set(['', '/transactions/populate']))
  })

  test(`${counted(wellFormed)} well-formed requests with random data get a typed answer each, and nothing happens`, {
    timeout: limit(120_000),
  }, async () => {
    const backend = createBackend()
    const device = createDevice()
    const vault = openTab(backend, device)
    const names = [
      'accessToken',
      'entropyId',
      'entropyIdVerifier',
      'chainType',
      'hdWalletIndex',
      'request',
      'userId',
      'privateKey',
      'recoveryMethod',
      'recoveryPassword',
      'ethereumAddress',
    ]
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(makeToken('u', { aud: 'other' }), 'ethereum', 0),
    )
    const data = fc
      .dictionary(fc.constantFrom(...names), value)
      .map((read) => Object.assign(Object.create(null), read))
    const events = Object.values(frameEvents).filter((event) => event !== frameEvents.ready)
    let failed = 0
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...events), data, async (event, read) => {
        const answer = await vault.answer({ id: '1', event, data: read })
        if (answer.error) failed++
        else expect(event).toBe(frameEvents.clearMfa)
      }),
      { numRuns: wellFormed, seed: 7 },
    )
    console.log(
      `Random data in well-formed requests: ${counted(wellFormed)}, ${failed} typed errors, ${backend.calls.length} calls to the server`,
    )
    expect(backend.calls).toHaveLength(0)
  })
})
