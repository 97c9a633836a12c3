import { expect } from 'vitest'
import { memoryStore, type Store } from '../../../src/vault/shares/store.ts'
import { appId, type Backend, makeToken } from './backend.ts'
import { createDevice, openTab, person } from './device.ts'
import type { Drives } from './drives.ts'
import { mortalServer, mortalTab } from './killed-tab.ts'
import { user } from './person.ts'
import { createCloud, type Way } from './recovery-methods.ts'

type Person = ReturnType<typeof person>
/** A person with their device, drives and server. */
export interface Life {
  readonly backend: Backend
  readonly drives: Drives
  readonly store: Store
  readonly token: string
  address: string
}
export const deeds = ['creation', 'adding', 'recovery', 'change'] as const
/** What is done while what is killed. */
export interface Scenario {
  readonly deed: (typeof deeds)[number]
  /** The way of recovery that the wallet is made with, and the one that it gets. */
  readonly from: Way
  readonly to: Way
  readonly victim: 'vault' | 'server' | 'server that comes back'
}

/** What the person does while something is killed. Done again, it comes to its end. */
const doings: Record<Scenario['deed'], (me: Person, life: Life, scenario: Scenario) => Promise<unknown>> = {
  creation: (me, life, { from }) => me.create(from.set(life.drives)),
  adding: async (me, life) => {
    await me.createSolana()
    return me.add(life.address, 'solana', 1)
  },
  recovery: (me, life, { from }) => me.recover(life.address, from.use(life.drives)),
  change: (me, life, { to }) => me.setRecovery(life.address, to.set(life.drives)),
}

const at = ({ backend, token }: Life, store: Store) =>
  person(openTab(backend, { ...createDevice(), store }), token)

async function begin({ deed, from }: Scenario): Promise<Life> {
  const { backend, drives } = createCloud()
  const life: Life = { backend, drives, store: memoryStore(), token: makeToken(user), address: '' }
  if (deed === 'creation') return life
  const first = deed === 'recovery' ? memoryStore() : life.store
  life.address = (await at(life, first).create(from.set(drives))).address ?? expect.unreachable('no wallet')
  return life
}

const mortals = {
  vault: (world: Life, steps?: number) => mortalTab({ ...world, fetch: world.backend.fetch }, steps),
  server: (world: Life, steps?: number) => mortalServer({ ...world, fetch: world.backend.fetch }, steps),
  'server that comes back': (world: Life, steps?: number) =>
    mortalServer({ ...world, fetch: world.backend.fetch }, steps, { comesBack: true }),
}

const counts = new Map<string, number>()
/** At how many points a scenario can be killed. */
export async function pointsOf(scenario: Scenario): Promise<number> {
  const { deed, from, to, victim } = scenario
  const name = [deed, from.name, deed === 'change' ? to.name : '', victim].join()
  const known = counts.get(name)
  if (known) return known
  const life = await begin(scenario)
  const { me, steps } = mortals[victim](life)
  await doings[deed](me, life, scenario)
  counts.set(name, steps())
  return steps()
}

/** After whatever happened. Throws when the wallet is lost, when there is a second one, or when a share is nobody's. */
async function expectWhole(life: Life, { deed, from, to }: Scenario): Promise<void> {
  const { backend, drives, store } = life
  const me = at(life, store)
  if (deed === 'creation' || deed === 'adding') {
    const { address = '' } = await me.create(from.set(drives))
    if (life.address) expect(address).toBe(life.address)
    life.address = address
  }
  expect(backend.state.roots, 'orphaned roots').toHaveLength(1)
  const root = backend.rootOf(user)
  expect(root.wallets[0]?.address).toBe(life.address)

  // Until a change is confirmed, it is the old way that counts.
  if (![...root.changes.values()].some(({ confirmed }) => confirmed))
    expect(root.recovery.method, 'the old way is gone too early').toBe(from.method)
  // The way that the server has in force brings it back, be it the old or the new one, and that at this very moment.
  const inForce = [from, to].filter(({ method }) => method === root.recovery.method)
  const fresh = at(life, memoryStore())
  let back = await fresh.recover(life.address, inForce[0]?.use(drives))
  if (back.error && inForce[1]) back = await fresh.recover(life.address, inForce[1].use(drives))
  expect(back, 'lost: no way of recovery opens it').toEqual({ entropyId: life.address })
  expect(await fresh.sign(life.address, 'x'), 'lost: it does not sign').toHaveProperty('response')

  if ((await me.connect(life.address)).error)
    expect(await me.recover(life.address, inForce[0]?.use(drives))).toEqual({ entropyId: life.address })
  expect(await me.sign(life.address, 'x')).toHaveProperty('response')
  for (const record of await store.list(appId, user)) {
    expect(record, 'orphaned shares').toMatchObject({ committed: true, walletId: root.walletId })
    expect(root.sets.has(record.setId)).toBe(true)
  }
}

/** And all goes on from there. */
async function expectEnd(life: Life, scenario: Scenario): Promise<void> {
  const { deed, to } = scenario
  const me = at(life, life.store)
  expect(await doings[deed](me, life, scenario)).not.toHaveProperty('error')
  const root = life.backend.rootOf(user)
  if (deed === 'adding')
    expect(root.wallets.map(({ chainType, index }) => `${chainType} ${index}`)).toEqual([
      'ethereum 0',
      'solana 0',
      'solana 1',
    ])
  if (deed !== 'change') return
  const there = at(life, memoryStore())
  expect(await there.recover(life.address, to.use(life.drives))).toEqual({ entropyId: life.address })
}

/** What can be killed. */
export const victims = Object.keys(mortals) as Scenario['victim'][]

/** One life: something is killed at a point of it, all is looked after, and it goes on. */
export async function live(scenario: Scenario, point: number, story: string): Promise<void> {
  const life = await begin(scenario)
  const { me, died } = mortals[scenario.victim](life, point)
  await Promise.race([doings[scenario.deed](me, life, scenario), died])
  try {
    await expectWhole(life, scenario)
    await expectEnd(life, scenario)
  } catch (cause) {
    const { deed, from, to, victim } = scenario
    throw new Error(`${story}: ${deed}, ${from.name} to ${to.name}, ${victim} killed at ${point}`, { cause })
  }
}
