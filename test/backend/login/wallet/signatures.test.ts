import { ed25519 } from '@noble/curves/ed25519.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChain } from '../../../support/chains.ts'
import { crowd } from '../../../support/soak.ts'
import {
  newAccount,
  newSolanaAccount,
  otherApp,
  refused,
  startWalletWorld,
  verdict,
  WalletClient,
} from '../../support/wallet-world.ts'
import { minutes, newAddress, seconds, site, stores, type World } from '../../support/world.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const hex32 = (value: bigint) => value.toString(16).padStart(64, '0')
/** The other signature that fits: anybody can make it of the first. */
function turnedOver(signature: string): string {
  const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`)
  return `${signature.slice(0, 66)}${hex32(s)}${signature.endsWith('1b') ? '1c' : '1b'}`
}

type Case = (client: WalletClient, world: World) => Promise<object>
const iso = (world: World, later: number) => new Date(world.clock.now + later).toISOString()
const at = (world: World, later: number) => new Date(world.clock.now + later)

/** What is wrong with a login with Ethereum, and how it is made so. */
const ethereum: Record<string, Case> = {
  'another domain': (c) => c.signed(newAccount(), { change: (m) => ({ ...m, domain: 'evil.example' }) }),
  'another domain in all places': (c) =>
    c.signed(newAccount(), {
      change: (m) => ({ ...m, domain: 'evil.example', uri: 'https://evil.example' }),
    }),
  'a subdomain': (c) => c.signed(newAccount(), { change: (m) => ({ ...m, domain: 'www.localhost:3000' }) }),
  'a page of the app that is not this one': (c) =>
    c.signed(newAccount(), { change: (m) => ({ ...m, domain: 'app.example', uri: 'https://app.example' }) }),
  'another port': (c) => c.signed(newAccount(), { change: (m) => ({ ...m, domain: 'localhost:3001' }) }),
  'another port in all places': (c) =>
    c.signed(newAccount(), {
      change: (m) => ({ ...m, domain: 'localhost:3001', uri: 'http://localhost:3001' }),
    }),
  'no port': (c) => c.signed(newAccount(), { change: (m) => ({ ...m, domain: 'localhost' }) }),
  'a letter that looks alike': (c) =>
    c.signed(newAccount(), { edit: (t) => t.replace('localhost:3000 wants', 'lоcalhost:3000 wants') }),
  'a domain in capitals': (c) =>
    c.signed(newAccount(), { edit: (t) => t.replace('localhost:3000 wants', 'LOCALHOST:3000 wants') }),
  'a domain with a user before it': (c) =>
    c.signed(newAccount(), { edit: (t) => t.replace('localhost:3000 wants', 'x@localhost:3000 wants') }),
  'a user in the address of the page': (c) =>
    c.signed(newAccount(), { edit: (t) => t.replace(`URI: ${site}`, 'URI: http://x@localhost:3000') }),
  'another scheme': (c) => c.signed(newAccount(), { change: (m) => ({ ...m, scheme: 'https' }) }),
  'another address of a page': (c) =>
    c.signed(newAccount(), { change: (m) => ({ ...m, uri: 'https://localhost:3000' }) }),
  'an address of no page': (c) => c.signed(newAccount(), { change: (m) => ({ ...m, uri: 'urn:login' }) }),
  'another version': (c) => c.signed(newAccount(), { edit: (t) => t.replace('Version: 1', 'Version: 2') }),
  'another chain beside the message': async (c) => ({
    ...(await c.signed(newAccount())),
    chainId: 'eip155:8453',
  }),
  'another chain in the message': (c) => c.signed(newAccount(), { change: (m) => ({ ...m, chainId: 137 }) }),
  'a nonce that nobody was given': (c) => c.signed(newAccount(), { nonce: 'f'.repeat(24) }),
  'a nonce of another address': async (c) =>
    c.signed(newAccount(), { nonce: await c.nonce('siwe', newAccount().address) }),
  'a nonce for Solana': async (c) =>
    c.signed(newAccount(), { nonce: await c.nonce('siws', newSolanaAccount().address) }),
  'a nonce of another app': async (c, world) => {
    const account = newAccount()
    const elsewhere = new WalletClient(world, { appId: otherApp.id })
    return c.signed(account, { nonce: await elsewhere.nonce('siwe', account.address) })
  },
  'a nonce of another page': async (c, world) => {
    const account = newAccount()
    const elsewhere = new WalletClient(world, { origin: 'http://localhost:3999' })
    return c.signed(account, { nonce: await elsewhere.nonce('siwe', account.address) })
  },
  'a nonce that is over': async (c, world) => {
    const account = newAccount()
    const nonce = await c.nonce('siwe', account.address)
    world.clock.pass(minutes(10))
    return c.signed(account, { nonce })
  },
  'a time that is over': (c, w) =>
    c.signed(newAccount(), { change: (m) => ({ ...m, expirationTime: at(w, 0) }) }),
  'a date of the future': (c, w) =>
    c.signed(newAccount(), { change: (m) => ({ ...m, issuedAt: at(w, minutes(5) + 1) }) }),
  'a date before it was asked': (c, w) =>
    c.signed(newAccount(), { change: (m) => ({ ...m, issuedAt: at(w, -minutes(5) - 1) }) }),
  'a date to begin with': (c, w) =>
    c.signed(newAccount(), { change: (m) => ({ ...m, notBefore: at(w, seconds(31)) }) }),
  'a day that is none': (c) =>
    c.signed(newAccount(), { edit: (t) => t.replace(/Issued At: \S+/, 'Issued At: 2026-02-30T12:00:00Z') }),
  'a signature by somebody else': (c) => c.signed(newAccount(), { signer: newAccount() }),
  'a signature that was turned over': (c) => c.signed(newAccount(), { signature: turnedOver }),
  'a signature of another text': async (c) => ({
    ...(await c.signed(newAccount())),
    message: (await c.signed(newAccount())).message,
  }),
  'an address in small letters': (c) =>
    c.signed(newAccount(), { edit: (t) => t.replace(/^0x\w{40}$/m, (a) => a.toLowerCase()) }),
  'a line before': (c) => c.signed(newAccount(), { edit: (t) => `Hello\n${t}` }),
  'a line after': (c) => c.signed(newAccount(), { edit: (t) => `${t}\nand more` }),
  'a field twice': (c) => c.signed(newAccount(), { edit: (t) => t.replace(/(Nonce: .*)/, '$1\n$1') }),
  'another order': (c) =>
    c.signed(newAccount(), { edit: (t) => t.replace(/(Version: 1)\n(Chain ID: 1)/, '$2\n$1') }),
  'lines of Windows': (c) => c.signed(newAccount(), { edit: (t) => t.replaceAll('\n', '\r\n') }),
  'a field in the place of the statement': (c) =>
    c.signed(newAccount(), { change: (m) => ({ ...m, statement: 'URI: https://evil.example' }) }),
  'a message without end': (c) => c.signed(newAccount(), { edit: (t) => t + '\n- https://x'.repeat(2_000) }),
  'a message for Solana': (c) =>
    c.signed(newAccount(), { edit: (t) => t.replace('Ethereum account', 'Solana account') }),
}
for (const [index, signature] of [
  ...['', '0x', '0x12', '0x123', '0xzz', 'signature', `0x${'0'.repeat(130)}`, `0x${'f'.repeat(130)}`],
  ...[`0x${'0'.repeat(128)}1b`, `0x${hex32(1n)}${hex32(0n)}1b`, `0x${hex32(ORDER)}${hex32(1n)}1b`],
  ...[`0x${'6492'.repeat(16)}`, `0x${'00'.repeat(20_000)}`],
].entries())
  ethereum[`no signature (${index + 1}: ${signature.slice(0, 12)})`] = (c) =>
    c.signed(newAccount(), { signature: () => signature })

const L = ed25519.Point.Fn.ORDER
/** The same for Solana. */
const solana: Record<string, Case> = {
  'another domain': (c) =>
    c.solana(newSolanaAccount(), { change: (m) => ({ ...m, domain: 'evil.example' }) }),
  'another port': (c) =>
    c.solana(newSolanaAccount(), { change: (m) => ({ ...m, domain: 'localhost:3001' }) }),
  'another page': (c) =>
    c.solana(newSolanaAccount(), {
      change: (m) => ({ ...m, domain: 'app.example', uri: 'https://app.example' }),
    }),
  'a letter that looks alike': (c) =>
    c.solana(newSolanaAccount(), { edit: (t) => t.replace('localhost:3000 wants', 'lоcalhost:3000 wants') }),
  'no address of a page': (c) => c.solana(newSolanaAccount(), { change: (m) => ({ ...m, uri: undefined }) }),
  'no version': (c) => c.solana(newSolanaAccount(), { change: (m) => ({ ...m, version: undefined }) }),
  'no nonce': (c) => c.solana(newSolanaAccount(), { change: (m) => ({ ...m, nonce: undefined }) }),
  'no date': (c) => c.solana(newSolanaAccount(), { change: (m) => ({ ...m, issuedAt: undefined }) }),
  'no chain': (c) => c.solana(newSolanaAccount(), { change: (m) => ({ ...m, chainId: undefined }) }),
  'another chain': (c) => c.solana(newSolanaAccount(), { change: (m) => ({ ...m, chainId: 'devnet' }) }),
  'a nonce that nobody was given': (c) => c.solana(newSolanaAccount(), { nonce: 'f'.repeat(24) }),
  'a nonce of another address': async (c) =>
    c.solana(newSolanaAccount(), { nonce: await c.nonce('siws', newSolanaAccount().address) }),
  'a nonce for Ethereum': async (c) =>
    c.solana(newSolanaAccount(), { nonce: await c.nonce('siwe', newAccount().address) }),
  'a nonce that is over': async (c, world) => {
    const account = newSolanaAccount()
    const nonce = await c.nonce('siws', account.address)
    world.clock.pass(minutes(10))
    return c.solana(account, { nonce })
  },
  'a time that is over': (c, w) =>
    c.solana(newSolanaAccount(), { change: (m) => ({ ...m, expirationTime: iso(w, 0) }) }),
  'a date of the future': (c, w) =>
    c.solana(newSolanaAccount(), { change: (m) => ({ ...m, issuedAt: iso(w, minutes(5) + 1) }) }),
  'a date to begin with': (c, w) =>
    c.solana(newSolanaAccount(), { change: (m) => ({ ...m, notBefore: iso(w, seconds(31)) }) }),
  'a signature by somebody else': (c) => c.solana(newSolanaAccount(), { signer: newSolanaAccount() }),
  'a signature with a bigger number that fits': (c) =>
    c.solana(newSolanaAccount(), {
      signature(right) {
        const bytes = Buffer.from(right, 'base64')
        const s = BigInt(`0x${Buffer.from(bytes.subarray(32).toReversed()).toString('hex')}`) + L
        const bigger = Buffer.from(hex32(s), 'hex').toReversed()
        return Buffer.concat([bytes.subarray(0, 32), bigger]).toString('base64')
      },
    }),
  'a signature in base64url': (c) =>
    c.solana(newSolanaAccount(), { signature: (right) => `${right.slice(0, -4)}_-==` }),
  'a signature in hex': (c) =>
    c.solana(newSolanaAccount(), { signature: (right) => Buffer.from(right, 'base64').toString('hex') }),
  'an empty signature': (c) => c.solana(newSolanaAccount(), { signature: () => '' }),
  'a key of small order, for which one signature fits every text': async (c) => {
    const address = '11111111111111111111111111111111'
    const nonce = await c.nonce('siws', address)
    const zero = Buffer.concat([Buffer.from([1]), Buffer.alloc(63)])
    return c.solana({ address, sign: () => zero.toString('base64') }, { nonce })
  },
  'a line after': (c) => c.solana(newSolanaAccount(), { edit: (t) => `${t}\nand more` }),
  'a field twice': (c) => c.solana(newSolanaAccount(), { edit: (t) => t.replace(/(Nonce: .*)/, '$1\n$1') }),
  'a message for Ethereum': (c) =>
    c.solana(newSolanaAccount(), { edit: (t) => t.replace('Solana account', 'Ethereum account') }),
}

describe.each(stores)('what a wallet signed, on $name', (store) => {
  let world: World
  let chain: Awaited<ReturnType<typeof startChain>>
  beforeAll(async () => {
    chain = await startChain(1)
    world = await startWalletWorld(store, {
      outside: { chainRpcUrls: { 1: chain.url, 8453: chain.url } },
      limits: { startsPerIpMinute: 100_000, startsPerIpHour: 100_000 },
    })
  })
  afterAll(async () => {
    await world?.stop()
    await chain?.close()
  })
  const page = (options = {}) => new WalletClient(world, options)

  test.each(Object.keys(ethereum))('by Ethereum with %s is refused', async (name) => {
    const client = page()
    const answer = await client.enter('siwe', (await ethereum[name]?.(client, world)) ?? {})
    expect(verdict(answer)).toEqual(refused)
  })
  test.each(Object.keys(solana))('by Solana with %s is refused', async (name) => {
    const client = page()
    const answer = await client.enter('siws', (await solana[name]?.(client, world)) ?? {})
    expect(verdict(answer)).toEqual(refused)
  })

  test('a refused message has used its nonce up', async () => {
    const account = newAccount()
    const client = page()
    const nonce = await client.nonce('siwe', account.address)
    const forged = await client.signed(account, { nonce, signer: newAccount() })
    expect(verdict(await client.enter('siwe', forged))).toEqual(refused)
    expect(verdict(await client.enter('siwe', await client.signed(account, { nonce })))).toEqual(refused)
  })

  test.each(['siwe', 'siws'] as const)('%s: a message is good once, at login and at link', async (kind) => {
    const client = page()
    const make = () => (kind === 'siwe' ? client.signed(newAccount()) : client.solana(newSolanaAccount()))
    const login = await make()
    expect((await client.enter(kind, login)).status).toBe(200)
    expect(verdict(await page().enter(kind, login))).toEqual(refused)
    const link = await make()
    expect((await client.post(`${kind}/link`, link)).status).toBe(200)
    expect(verdict(await client.post(`${kind}/link`, link))).toEqual(refused)
    expect(verdict(await page().enter(kind, link))).toEqual(refused)
  })

  test.each(['siwe', 'siws'] as const)(
    `%s: of ${crowd} who post one message at once, one is let in`,
    async (kind) => {
      const client = page()
      const signed =
        kind === 'siwe' ? await client.signed(newAccount()) : await client.solana(newSolanaAccount())
      const answers = await Promise.all(
        Array.from({ length: crowd }, () => client.post(`${kind}/authenticate`, signed)),
      )
      const statuses = answers.map(({ status }) => status).sort()
      expect(statuses).toEqual([200, ...Array<number>(crowd - 1).fill(401)])
      console.log(`${kind}: ${crowd} parallel uses of one nonce: 1 winner`)
    },
  )

  test('what a page may write its own way is no reason to refuse', async () => {
    const ways: Parameters<WalletClient['signed']>[1][] = [
      {},
      { change: (m) => ({ ...m, uri: `${m.uri}/account?tab=1#top` }) },
      { change: (m) => ({ ...m, scheme: 'http' }) },
      { change: ({ statement: _, resources: __, ...m }) => m },
      { change: (m) => ({ ...m, statement: 'Ich melde mich an: é, 日本語.' }) },
      { change: (m) => ({ ...m, requestId: 'r-1', notBefore: at(world, seconds(30)) }) },
      { change: (m) => ({ ...m, issuedAt: at(world, -minutes(5)), expirationTime: at(world, 1) }) },
      { change: (m) => ({ ...m, issuedAt: at(world, minutes(5)) }) },
      { edit: (t) => t.replaceAll('.000Z', 'Z') },
      { signature: (right) => right.replace(/1b$/, '00').replace(/1c$/, '01') },
    ]
    for (const [index, way] of ways.entries()) {
      const client = page()
      const answer = await client.enter('siwe', await client.signed(newAccount(), way))
      expect([index, verdict(answer)]).toEqual([index, { status: 200, code: undefined }])
    }
    const client = page()
    const plain = await client.solana(newSolanaAccount(), {
      change: ({ statement: _, resources: __, ...m }) => ({ ...m, chainId: 'solana:mainnet' }),
    })
    expect((await client.enter('siws', plain)).status).toBe(200)
  })

  test('a page on another allowed origin, and a program that is no page, sign for their own page', async () => {
    const there = page({ origin: 'https://shop.app.example' })
    expect((await there.enter('siwe', await there.signed(newAccount()))).status).toBe(200)
    const program = page({ origin: null })
    expect((await program.enter('siwe', await program.signed(newAccount()))).status).toBe(200)
    const elsewhere = await program.signed(newAccount(), {
      change: (m) => ({ ...m, domain: 'evil.example', uri: 'https://evil.example' }),
    })
    expect(verdict(await program.enter('siwe', elsewhere))).toEqual(refused)
    const evil = page({ origin: 'https://app.example.evil.example' })
    expect(verdict(await evil.post('siwe/init', { address: newAccount().address }))).toEqual({
      status: 403,
      code: 'invalid_origin',
    })
  })

  test('a nonce that began in a session serves a login after that session, and no other session', async () => {
    const client = page()
    await client.login(newAddress())
    const account = newAccount()
    const [one, two] = [await client.signed(account), await client.signed(account)]
    const other = page()
    await other.login(newAddress())
    expect(verdict(await other.enter('siwe', one))).toEqual(refused)
    client.token = undefined
    expect((await client.enter('siwe', two)).status).toBe(200)
  })
})
