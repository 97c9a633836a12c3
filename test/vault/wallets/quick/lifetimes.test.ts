/**
 * Whole lives of a person, at random: all that can be done to wallets, on three devices in two tabs each, while
 * answers get lost, requests fail and storage is wiped. Every wallet that was ever shown must still sign.
 */
import '../../support/quick-stretching.ts'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { recoverMessageAddress } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { expect, test } from 'vitest'
import { pageLocks } from '../../../../src/vault/shares/locks.ts'
import { limit } from '../../../support/limit.ts'
import { soak } from '../../../support/soak.ts'
import {
  appId,
  type Backend,
  type Call,
  createBackend,
  makeToken,
  type StoredRoot,
} from '../../support/backend.ts'
import { chainOf, createDevice, type Device, type Outcome, openTab, person } from '../../support/device.ts'
import { user } from '../../support/person.ts'

const seed = Number(process.env.LATCHKEY_SEED ?? 1_234_567)
const count = { lives: soak(1, 20), steps: 25 }

/** Mulberry32: the same numbers for the same seed. */
function randomFrom(state: number) {
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (n: number) => Math.floor(next() * n)
  return { next, below, one: <T>(list: readonly T[]): T => list[below(list.length)] as T }
}
type Random = ReturnType<typeof randomFrom>
type Person = ReturnType<typeof person>

const names = ({ wallets }: StoredRoot) =>
  wallets.filter(({ index }) => index === 0).map(({ address }) => address)

/** One thing that a person, or a hostile fate, does. */
async function step(random: Random, backend: Backend, me: Person, device: Device): Promise<Outcome[]> {
  const roots = backend.rootsOf(user)
  const root = roots.length > 0 ? random.one(names(random.one(roots))) : `0x${'1'.repeat(40)}`
  const chain = random.one(['ethereum', 'solana'])
  switch (random.below(11)) {
    case 0:
      return [await me.create()]
    case 1:
      return [await me.createSolana()]
    case 2:
      return Promise.all([me.createOn('ethereum'), me.createOn('solana')])
    case 3:
      return [await me.add(root, chain, random.below(3))]
    case 4:
      return [await me.importKey('ethereum', generatePrivateKey())]
    case 5:
      return Promise.all([me.recover(root), me.recover(root)])
    case 6:
      return [await me.connect(root)]
    case 7:
      return [await me.clear(user)]
    case 8:
      if (random.next() < 0.3)
        for (const record of await device.store.list(appId, user)) await device.store.remove(record)
      return []
    default:
      return [await me.sign(root, 'x')]
  }
}

/** The network as it may be: a request gets lost with all its attempts, or its answers do, or but the first one. */
function spoil(random: Random, backend: Backend): void {
  const actions = new Map<string, { readonly fate: string; attempts: number }>()
  const actionOf = ({ headers }: Call) => {
    const key = headers.get('idempotency-key') ?? ''
    const action = actions.get(key) ?? { fate: draw(random.next()), attempts: 0 }
    actions.set(key, action)
    return action
  }
  const lose = () => Promise.reject(new TypeError('connection reset'))
  backend.faults.before = (call) => {
    const action = actionOf(call)
    action.attempts++
    return action.fate === 'request' ? lose() : undefined
  }
  backend.faults.after = (call) => {
    const { fate, attempts } = actionOf(call)
    return fate === 'answers' || (fate === 'first answer' && attempts === 1) ? lose() : undefined
  }
}
const draw = (chance: number) =>
  chance < 0.05 ? 'request' : chance < 0.2 ? 'answers' : chance < 0.25 ? 'first answer' : 'none'

async function signs(me: Person, root: string, wallet: StoredRoot['wallets'][number]): Promise<boolean> {
  const { chainType, index: hdWalletIndex, address } = wallet
  const message = Buffer.from('x').toString('base64')
  const request =
    chainType === 'solana'
      ? { method: 'signMessage', params: { message } }
      : { method: 'personal_sign', params: ['x', address] }
  const data: unknown = (await me.rpc(root, { chainType, hdWalletIndex }, request)).response?.data
  if (chainType === 'ethereum')
    return (await recoverMessageAddress({ message: 'x', signature: data as `0x${string}` })) === address
  const signature = Buffer.from((data as { signature: string }).signature, 'base64')
  return ed25519.verify(signature, Buffer.from('x'), base58.decode(address), { zip215: false })
}

test(`${count.lives} random lives: no wallet is lost, none is made twice`, {
  timeout: limit(240_000),
}, async () => {
  const total = { steps: 0, wallets: 0, signatures: 0, devices: 0 }
  for (let life = 0; life < count.lives; life++) {
    const random = randomFrom(seed + life)
    const backend = createBackend()
    const token = makeToken(user)
    const devices = [createDevice(), createDevice(), createDevice()]
    const tabs = devices.flatMap((device) => [
      { device, me: person(openTab(backend, device), token) },
      { device, me: person(openTab(backend, { ...device, locks: pageLocks() }), token) },
    ])
    const shown = new Set<string>()
    spoil(random, backend)
    for (let i = 0; i < count.steps; i++, total.steps++) {
      const { me, device } = random.one(tabs)
      for (const { address, publicKey, response } of await step(random, backend, me, device))
        if (!response && (address ?? publicKey)) shown.add(address ?? publicKey ?? '')
    }
    backend.faults.before = undefined
    backend.faults.after = undefined

    const roots = backend.rootsOf(user)
    const wallets = roots.flatMap((root) => root.wallets)
    const where = `seed ${seed}, life ${life}`
    expect(roots.filter(({ secret }) => secret === 'entropy').length, where).toBeLessThanOrEqual(1)
    expect(new Set(wallets.map(({ address }) => address)).size, where).toBe(wallets.length)
    for (const address of shown)
      expect(
        wallets.map((wallet) => wallet.address),
        where,
      ).toContain(address)
    for (const device of [...devices, createDevice()]) {
      const me = person(openTab(backend, device), token)
      for (const root of roots) {
        const name = random.one(names(root))
        if ((await me.connect(name)).error) expect(await me.recover(name), where).toEqual({ entropyId: name })
        for (const wallet of root.wallets) {
          expect(chainOf(wallet.address)).toBe(wallet.chainType)
          expect(await signs(me, name, wallet), where).toBe(true)
          total.signatures++
        }
      }
      const records = await device.store.list(appId, user)
      expect(records.filter(({ committed }) => !committed).length, where).toBeLessThanOrEqual(8)
      const owned = records.filter(
        ({ committed, setId }) => committed && !roots.some(({ sets }) => sets.has(setId)),
      )
      expect(owned, where).toEqual([])
      total.devices++
    }
    total.wallets += wallets.length
  }
  console.log(
    `Lives: ${count.lives} from seed ${seed}, ${total.steps} steps, ${total.wallets} wallets, ` +
      `${total.signatures} signatures on ${total.devices} devices: 0 lost, 0 orphaned`,
  )
  expect(total.wallets).toBeGreaterThan(count.lives)
})
