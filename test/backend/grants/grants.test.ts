/** Permissions: how they come about, what they count, and how they end. */
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { parseTransaction, recoverTransactionAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { grantAmounts, grants, grantUses } from '../../../demo/backend/grants/tables.ts'
import type { AppSettings } from '../../../demo/backend/settings/app.ts'
import { canonicalJson } from '../../../src/lib/canonical-json.ts'
import { limit } from '../../support/limit.ts'
import { verdict } from '../support/embedded-world.ts'
import { startFakeChain } from '../support/fake-chain.ts'
import {
  createActing,
  Grantor,
  openEthereumKey,
  type PermissionSettings,
  SignerKey,
  verdictOf,
} from '../support/grants-world.ts'
import { days, minutes, seconds, site, startWorld, stores, type World } from '../support/world.ts'

const signer = new SignerKey()
const to = privateKeyToAccount(generatePrivateKey()).address
const appId = 'latchkey-test-granting-01'
const plain: PermissionSettings = {
  id: 'daily',
  signer: { name: 'Harbor', publicKey: signer.pem },
  purpose: 'Pays for your mooring each day',
  allow: [{ chain: 'eip155:1', transfer: 'native', to: [to] }],
  limits: [
    {
      chain: 'eip155:1',
      asset: 'native',
      symbol: 'ETH',
      decimals: 18,
      perTransaction: '1',
      perWindow: '3',
      windowSeconds: 600,
      total: '5',
    },
  ],
  days: 2,
  simulate: 'off',
}
const app: AppSettings = {
  id: appId,
  name: 'Harbor',
  allowedDomains: [site],
  permissions: [
    plain,
    { ...plain, id: 'ten', maxUses: 10 },
    {
      ...plain,
      id: 'sol',
      allow: [{ chain: 'solana:mainnet', transfer: 'native' }],
      limits: [{ ...plain.limits[0], chain: 'solana:mainnet', decimals: 9, symbol: 'SOL' } as never],
    },
  ],
  accessTokenLife: 86_400,
}
const half = { to, value: '500000000000000000' }

describe.each(stores)('permissions on $name', (store) => {
  let world: World
  let node: Awaited<ReturnType<typeof startFakeChain>>
  let acting: ReturnType<typeof createActing>
  const limits = {
    grantSettleEvery: 50,
    grantCallsPerMinute: 5_000,
    previewNodeTime: limit(120_000),
    previewComparison: 0,
  }
  beforeAll(async () => {
    node = await startFakeChain()
    world = await startWorld(store, {
      moreApps: [app, { ...app, id: 'latchkey-test-granting-02', permissions: [] }],
      outside: { chainRpcUrls: { 1: node.url }, solanaRpcUrls: {} },
      limits: { ...limits, blockAnswerLife: 0 },
    })
    acting = createActing(world, appId, signer)
  })
  afterAll(async () => {
    await world?.stop()
    node?.stop()
  })
  beforeEach(() => {
    node.chain.refuses = undefined
    node.chain.holds = undefined
  })

  const isDelegated = async ({ vault, key }: Grantor) => {
    const { body } = await vault.page().get('users/me')
    const user = body.user ?? body
    return user.linked_accounts.find((each: { address?: string }) => each.address === key.address)?.delegated
  }

  test('grants: the vault reads terms and key from the server, and the account says delegated', async () => {
    const grantor = await Grantor.open(world, appId)
    const { status, body } = await grantor.review()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      address: grantor.key.address,
      chain_type: 'ethereum',
      terms: {
        permission: 'daily',
        signer: { name: 'Harbor' },
        purpose: 'Pays for your mooring each day',
        chains: ['eip155:1'],
        limits: [{ asset: 'native', per_transaction: `1${'0'.repeat(18)}`, total: `5${'0'.repeat(18)}` }],
        days: 2,
        max_uses: null,
      },
    })
    expect(await isDelegated(grantor)).toBe(false)
    await grantor.granted()
    expect(await isDelegated(grantor)).toBe(true)
    expect(verdict(await grantor.grant())).toEqual([400, 'already_delegated'])
  })

  test.each([
    ['no statement', (_terms: object, of: Grantor) => [undefined, of]],
    [
      'a statement of other terms',
      (terms: object, of: Grantor) => [of.statement({ ...terms, days: 90 } as never), of],
    ],
  ])('grants: %s is not approval', async (_, make) => {
    const grantor = await Grantor.open(world, appId)
    const { body } = await grantor.review()
    const [statement] = make(body.terms, grantor) as [string | undefined]
    const answer = await grantor.vault.unshown(grantor.path, grantor.body(body.key), statement)
    expect(verdict(answer)).toEqual([403, 'approval_required'])
  })

  test('grants: a page without the vault’s key gives none', async () => {
    const grantor = await Grantor.open(world, appId)
    const { body } = await grantor.review()
    const answer = await grantor.vault.page().post(grantor.path, grantor.body(body.key))
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(await isDelegated(grantor)).toBe(false)
  })

  test('grants: another key than the wallet’s, and halves for another wallet, are refused', async () => {
    const grantor = await Grantor.open(world, appId)
    const { body } = await grantor.review()
    const statement = grantor.statement(body.terms)
    const foreign = grantor.body(body.key, undefined, openEthereumKey().secret)
    expect(verdict(await grantor.vault.unshown(grantor.path, foreign, statement))).toEqual([
      400,
      'invalid_data',
    ])
    const damaged = { ...grantor.body(body.key), share: 'A'.repeat(43) }
    expect(verdict(await grantor.vault.unshown(grantor.path, damaged, statement))).toEqual([
      400,
      'invalid_data',
    ])
    const stranger = await Grantor.open(world, appId)
    const theirs = await stranger.vault.unshown(`embedded_wallets/${grantor.key.address}/grants/review`)
    expect(verdict(theirs)).toEqual([404, 'linked_account_not_found'])
  })

  test('grants: an app without permissions, an unknown one and one for other wallets are refused', async () => {
    const none = await Grantor.open(world, 'latchkey-test-granting-02')
    expect(verdict(await none.review())).toEqual([403, 'feature_not_enabled'])
    const grantor = await Grantor.open(world, appId)
    expect(verdict(await grantor.review('yearly'))).toEqual([403, 'feature_not_enabled'])
    expect(verdict(await grantor.review('sol'))).toEqual([400, 'not_supported'])
  })

  test('grants: the signer’s transaction is the wallet’s own, and stands in the user’s log', async () => {
    const grantor = await Grantor.open(world, appId)
    const id = await grantor.granted()
    const answer = await acting.send(id, half)
    expect(answer).toMatchObject({
      status: 200,
      body: { use: { status: 'sent', chain: 'eip155:1', target: to } },
    })
    const raw = node.sent.at(-1)?.raw as never
    expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(grantor.key.address)
    expect(parseTransaction(raw)).toMatchObject({ chainId: 1, value: 5n * 10n ** 17n, type: 'eip1559' })
    const { body } = await grantor.vault.page().get('grants')
    expect(body.grants).toHaveLength(1)
    expect(body.grants[0]).toMatchObject({
      id,
      status: 'active',
      uses: 1,
      latest: [{ hash: answer.body.use.hash, target: to, status: 'sent' }],
    })
    expect(BigInt(body.grants[0].spent[0].total)).toBeGreaterThan(5n * 10n ** 17n)
    expect((await acting.find('daily', grantor.key.address)).body.grants[0].id).toBe(id)
  })

  test.each([0, 1, 2])('grants: a transaction of type %i is signed as that', async (type) => {
    const grantor = await Grantor.open(world, appId)
    const id = await grantor.granted()
    expect(verdictOf(await acting.send(id, { ...half, type })), world.logged.join('\n')).toBe('ok')
    const names = ['legacy', 'eip2930', 'eip1559']
    const raw = node.sent.at(-1)?.raw as never
    expect(parseTransaction(raw).type).toBe(names[type])
    expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(grantor.key.address)
  })

  test('grants: each limit holds, with fees, and a window lets in again what its time has passed', async () => {
    const grantor = await Grantor.open(world, appId)
    const id = await grantor.granted()
    expect(verdictOf(await acting.send(id, { to, value: `1${'0'.repeat(18)}` }))).toBe('per_transaction')
    const most = { to, value: String(10n ** 18n - 10n ** 15n) }
    for (let at = 0; at < 3; at++) expect(verdictOf(await acting.send(id, most))).toBe('ok')
    expect(verdictOf(await acting.send(id, most))).toBe('per_window')
    world.clock.pass(seconds(601))
    expect(verdictOf(await acting.send(id, most))).toBe('ok')
    expect(verdictOf(await acting.send(id, most))).toBe('ok')
    expect(verdictOf(await acting.send(id, most))).toBe('total')
    expect(verdictOf(await acting.send(id, { to, value: '1' }))).toBe('ok')
  })

  test('grants: a clock that goes back opens no window again', async () => {
    const grantor = await Grantor.open(world, appId)
    const id = await grantor.granted()
    const most = { to, value: String(10n ** 18n - 10n ** 15n) }
    world.clock.pass(minutes(30))
    for (let at = 0; at < 3; at++) expect(verdictOf(await acting.send(id, most))).toBe('ok')
    world.clock.pass(-minutes(25))
    expect(verdictOf(await acting.send(id, most))).toBe('per_window')
    world.clock.pass(minutes(25))
  })

  test('grants: the same key and request is one transaction; another request with the key is refused', async () => {
    const grantor = await Grantor.open(world, appId)
    const id = await grantor.granted('ten')
    const named = { idempotency_key: randomUUID() }
    const before = node.sent.length
    const answers = await Promise.all(Array.from({ length: 20 }, () => acting.send(id, half, named)))
    expect(new Set(answers.map(({ body }) => body.use.id)).size).toBe(1)
    expect(node.sent.length - before).toBe(1)
    // A later attempt has another expiry, and is the same request.
    world.clock.pass(seconds(5))
    const again = await acting.send(id, half, named)
    expect(again.body.use).toMatchObject({ id: answers[0]?.body.use.id, status: 'sent' })
    expect(verdictOf(await acting.send(id, { to, value: '2' }, named))).toBe('resource_conflict')
  })

  test('grants: one that its user stops is over with the next request, and its key is gone', async () => {
    const grantor = await Grantor.open(world, appId)
    const id = await grantor.granted()
    expect(verdictOf(await acting.send(id, half))).toBe('ok')
    const page = grantor.vault.page()
    expect((await page.post(`grants/${id}/revoke`)).status).toBe(200)
    expect((await page.post(`grants/${id}/revoke`)).status).toBe(200)
    expect(verdictOf(await acting.send(id, half))).toBe('ended')
    expect(await isDelegated(grantor)).toBe(false)
    const [row] = await world.backend.database.select().from(grants).where(eq(grants.id, id))
    expect([row?.encryptedShare, row?.sealedShare, row?.endedBy]).toEqual([null, null, 'user'])
    const stranger = await Grantor.open(world, appId)
    expect((await stranger.vault.page().post(`grants/${id}/revoke`)).status).toBe(404)
    expect(await grantor.granted()).not.toBe(id)
  })

  /** The stored uses of a grant, and what is counted for them. */
  async function countedOf(id: string) {
    const { database } = world.backend
    const uses = await database.select().from(grantUses).where(eq(grantUses.grantId, id))
    const amounts = await database.select().from(grantAmounts).where(eq(grantAmounts.grantId, id))
    const countedFor = amounts.filter(({ amount }) => BigInt(amount) > 0n).map(({ useId }) => useId)
    return { uses, signed: uses.filter(({ raw }) => raw !== null), countedFor }
  }
  type Sent = Awaited<ReturnType<typeof acting.send>>
  /** Each request is a transaction that was signed, sent and counted, or is refused and counts nothing: never both, and never neither. */
  async function expectSettled(id: string, answers: readonly Sent[], before: number) {
    const finished = answers.filter(({ status }) => status === 200).map(({ body }) => body.use.hash)
    for (const each of answers) expect(['ok', 'ended']).toContain(verdictOf(each))
    const { uses, signed, countedFor } = await countedOf(id)
    expect(signed.map(({ hash }) => hash).sort()).toEqual([...finished].sort())
    expect(
      node.sent
        .slice(before)
        .map(({ hash }) => hash)
        .sort(),
    ).toEqual([...finished].sort())
    expect([...countedFor].sort()).toEqual(signed.map(({ id: use }) => use).sort())
    expect(uses.filter(({ raw, status }) => raw === null && status !== 'dropped')).toEqual([])
    expect(new Set(node.sent.slice(before).map(({ nonce }) => nonce)).size).toBe(finished.length)
    return finished
  }
  const one = { to, value: '1' }
  const stop = (grantor: Grantor, id: string) => grantor.vault.page().post(`grants/${id}/revoke`)

  test('grants: no request that begins after the stop is acknowledged is signed, whatever is under way', async () => {
    const grantor = await Grantor.open(world, appId)
    const id = await grantor.granted()
    const before = node.sent.length
    const answers: (Sent & { readonly isLate: boolean })[] = []
    let stopped: number | undefined
    let stopping: Promise<void> | undefined
    /** Sends one request after the other, until some have begun after the stop. */
    async function sendOn(): Promise<void> {
      for (let late = 0; late < 3; ) {
        const isLate = stopped !== undefined
        if (isLate) late++
        answers.push({ isLate, ...(await acting.send(id, one)) })
        if (answers.length === 4)
          stopping = stop(grantor, id).then(({ status }) => {
            stopped = status
          })
      }
    }
    await Promise.all(Array.from({ length: 6 }, sendOn))
    await stopping
    expect(stopped).toBe(200)
    const after = answers.filter(({ isLate }) => isLate)
    expect(after).toHaveLength(18)
    expect(after.map(verdictOf)).toEqual(after.map(() => 'ended'))
    const finished = await expectSettled(id, answers, before)
    expect(finished.length).toBeGreaterThanOrEqual(4)
  })

  /** Holds all calls of a method at the node. */
  function hold(method: string) {
    let arrived = () => {}
    let release = () => {}
    const reached = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const until = new Promise<void>((resolve) => {
      release = resolve
    })
    node.chain.holds = { method, until, arrived }
    return {
      reached,
      release() {
        node.chain.holds = undefined
        release()
      },
    }
  }

  test('grants: a stop while a transaction is prepared refuses it, and those that wait behind it', async () => {
    const grantor = await Grantor.open(world, appId)
    const id = await grantor.granted()
    const before = node.sent.length
    const held = hold('eth_getTransactionCount')
    const early = Array.from({ length: 5 }, () => acting.send(id, one))
    await held.reached
    expect((await stop(grantor, id)).status).toBe(200)
    const late = await acting.send(id, one)
    held.release()
    const answers = [...(await Promise.all(early)), late]
    expect(answers.map(verdictOf)).toEqual(answers.map(() => 'ended'))
    expect(await expectSettled(id, answers, before)).toEqual([])
  })

  test('grants: a stop while signed transactions are sent lets those finish, counted once, and refuses what comes after it', async () => {
    const grantor = await Grantor.open(world, appId)
    const id = await grantor.granted()
    const before = node.sent.length
    const held = hold('eth_sendRawTransaction')
    const keys = Array.from({ length: 5 }, () => ({ idempotency_key: randomUUID() }))
    const early = keys.map((named) => acting.send(id, one, named))
    await held.reached
    expect((await stop(grantor, id)).status).toBe(200)
    const late = await acting.send(id, one)
    held.release()
    const answers = [...(await Promise.all(early)), late]
    expect(verdictOf(late)).toBe('ended')
    const finished = await expectSettled(id, answers, before)
    expect(finished.length).toBeGreaterThanOrEqual(1)
    // The result of a request that was lost on its way is still told, and nothing more is sent for it.
    for (const [at, named] of keys.entries()) {
      const first = answers[at]
      const again = await acting.send(id, one, named)
      expect(again.body.use?.hash ?? undefined).toBe(first?.status === 200 ? first.body.use.hash : undefined)
    }
    expect(node.sent.length - before).toBe(finished.length)
  })

  test('grants: the wire’s own call ends all of them, and says so where there is none', async () => {
    const grantor = await Grantor.open(world, appId)
    const id = await grantor.granted()
    const page = grantor.vault.page()
    const ended = await page.post('wallets/revoke')
    expect([ended.status, typeof ended.body.message]).toEqual([200, 'string'])
    expect(verdictOf(await acting.send(id, half))).toBe('ended')
    expect(verdict(await page.post('wallets/revoke'))).toEqual([400, 'user_has_not_delegated_wallet'])
  })

  test('grants: time ends them, and the account says so after the sweep', async () => {
    const grantor = await Grantor.open(world, appId)
    const id = await grantor.granted()
    world.clock.pass(days(2) - seconds(1))
    expect(verdictOf(await acting.send(id, half))).toBe('ok')
    world.clock.pass(seconds(1))
    expect(verdictOf(await acting.send(id, half))).toBe('ended')
  })

  test('grants: what a node refuses, or doesn’t answer, stays counted and is sent again', async () => {
    const grantor = await Grantor.open(world, appId)
    const id = await grantor.granted()
    node.chain.refuses = { code: -32000, message: 'insufficient funds for gas * price + value' }
    const refused = (await acting.send(id, half)).body.use
    expect(refused.status).toBe('refused')
    node.chain.refuses = 'silent'
    const silent = (await acting.send(id, half)).body.use
    expect(silent.status).toBe('unknown')
    const { spent } = (await acting.status(id)).body
    expect(BigInt(spent[0].total)).toBeGreaterThan(10n ** 18n)
    node.chain.refuses = undefined
    const before = node.sent.length
    world.clock.pass(minutes(1))
    await vi.waitFor(() =>
      expect(node.sent.slice(before).map(({ hash }) => hash)).toEqual(
        expect.arrayContaining([refused.hash, silent.hash]),
      ),
    )
  })

  test('grants: what a process has reserved and not signed before it ended is given back', async () => {
    const grantor = await Grantor.open(world, appId)
    const id = await grantor.granted()
    const first = (await acting.send(id, half)).body.use
    const lost = (await acting.send(id, half)).body.use
    const spent = async () => BigInt((await acting.status(id)).body.spent[0].total)
    const all = await spent()
    await world.backend.database
      .update(grantUses)
      .set({ status: 'reserved', hash: null, raw: null })
      .where(eq(grantUses.id, lost.id))
    world.clock.pass(minutes(1))
    await vi.waitFor(async () => expect(await spent()).toBeLessThan(all))
    expect((await acting.send(id, half)).body.use.status).toBe('sent')
    const nonces = await world.backend.database
      .select({ id: grantUses.id, nonce: grantUses.nonce, status: grantUses.status })
      .from(grantUses)
      .where(eq(grantUses.grantId, id))
    const of = (use: string) => nonces.find((each) => each.id === use)
    expect(of(lost.id)?.status).toBe('dropped')
    expect(Number(of(first.id)?.nonce)).toBeLessThan(Number(of(lost.id)?.nonce))
  })

  test('grants: the user’s log says what became of a transaction', async () => {
    const grantor = await Grantor.open(world, appId)
    const id = await grantor.granted()
    const { hash } = (await acting.send(id, half)).body.use
    node.chain.receipts[hash] = { status: '0x1', block: node.chain.height - 12 }
    world.clock.pass(minutes(1))
    await vi.waitFor(async () => {
      const { body } = await grantor.vault.page().get('grants')
      expect(body.grants[0].latest[0]).toMatchObject({ hash, status: 'confirmed' })
    })
  })

  test('grants: a frozen user’s and a removed user’s are over', async () => {
    const frozen = await Grantor.open(world, appId)
    const id = await frozen.granted()
    await vi.waitFor(() =>
      expect(
        world.mailbox.messages().some(({ subject }) => subject === 'A server can use your wallet at Harbor'),
      ).toBe(true),
    )
    await world.backend.database.execute(
      `update users set frozen_at = ${world.clock.now} where id = '${frozen.vault.userId}'` as never,
    )
    expect(verdictOf(await acting.send(id, half))).toBe('account')
    const removed = await Grantor.open(world, appId)
    const other = await removed.granted()
    await world.backend.database.execute(`delete from users where id = '${removed.vault.userId}'` as never)
    expect(verdictOf(await acting.send(other, half))).toBe('invalid_credentials')
  })

  test('grants: a request is for its own signer, path, app and time alone', async () => {
    const grantor = await Grantor.open(world, appId)
    const id = await grantor.granted()
    const body = {
      app: appId,
      grant: id,
      idempotency_key: randomUUID(),
      chain: 'eip155:1',
      transaction: half,
    }
    const right = { ...body, expires_at: acting.soon() }
    const text = canonicalJson(right)
    const send = (wrong: object) => acting.post('transactions', right, wrong)
    const stranger = new SignerKey()
    expect(verdictOf(await send({ signature: stranger.sign('/api/v1/grants/transactions', text) }))).toBe(
      'invalid_credentials',
    )
    expect(verdictOf(await send({ path: '/api/v1/grants/status' }))).toBe('invalid_credentials')
    expect(verdictOf(await send({ signature: '' }))).toBe('invalid_credentials')
    for (const expires_at of [acting.soon() - 31, acting.soon() + 31])
      expect(verdictOf(await acting.post('transactions', { ...body, expires_at }))).toBe(
        'invalid_credentials',
      )
    expect(verdictOf(await acting.post('transactions', { ...right, app: 'latchkey-test-granting-02' }))).toBe(
      'invalid_credentials',
    )
    expect(verdictOf(await acting.post('transactions', { ...right, grant: randomUUID() }))).toBe(
      'invalid_credentials',
    )
    const wrongForms = [
      JSON.stringify(right),
      ` ${text}`,
      `${text}\n`,
      text.replace('"app"', '"\\u0061pp"'),
      text.replace('{"app"', '{"app":"x","app"'),
      text.replace(/"expires_at":(\d+)/, '"expires_at":$1.0'),
      text.replace('}', ',"extra":1}'),
      // Canonical in every other way: a reader that drops a key reads something else than was signed.
      text.replace('"transaction":{', '"transaction":{"__proto__":"0x1",'),
      text.replace('"transaction":{', '"transaction":{"constructor":"0x1",'),
      text.replace('{"app"', '{"__proto__":1,"app"'),
      text.replace('"grant"', '"constructor":1,"grant"'),
      `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    ]
    for (const form of wrongForms) expect(verdictOf(await send({ text: form }))).toBe('invalid_data')
    expect(verdictOf(await send({}))).toBe('ok')
  })
})

describe.each(stores)('permissions at once on $name', (store) => {
  let world: World
  let node: Awaited<ReturnType<typeof startFakeChain>>
  let acting: ReturnType<typeof createActing>
  beforeAll(async () => {
    node = await startFakeChain()
    world = await startWorld(store, {
      moreApps: [app],
      outside: { chainRpcUrls: { 1: node.url }, solanaRpcUrls: {} },
      limits: {
        grantCallsPerMinute: 5_000,
        previewNodeTime: limit(120_000),
        previewComparison: 0,
        blockAnswerLife: 60_000,
        metadataLife: 60_000,
      },
    })
    acting = createActing(world, appId, signer)
  })
  afterAll(async () => {
    await world?.stop()
    node?.stop()
  })

  test('grants: of 1,000 requests at once against a limit of 10 uses, exactly 10 are signed', async () => {
    const grantor = await Grantor.open(world, appId)
    const id = await grantor.granted('ten')
    const before = node.sent.length
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, () => acting.send(id, { to, value: '1' })),
    )
    const verdicts = answers.map(verdictOf)
    expect(verdicts.filter((each) => each === 'ok')).toHaveLength(10)
    expect(new Set(verdicts)).toEqual(new Set(['ok', 'max_uses']))
    const raws = node.sent.slice(before)
    expect(raws).toHaveLength(10)
    expect(new Set(raws.map(({ nonce }) => nonce)).size).toBe(10)
  })

  test('grants: of 50 requests at once the amounts together stay within the window', async () => {
    const grantor = await Grantor.open(world, appId)
    const id = await grantor.granted()
    const answers = await Promise.all(Array.from({ length: 50 }, () => acting.send(id, half)))
    expect(answers.filter((each) => each.status === 200)).toHaveLength(5)
  })
})
