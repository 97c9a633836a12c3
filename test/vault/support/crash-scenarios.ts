import { expect } from 'vitest'
import { memoryStore, type Store } from '../../../src/vault/shares/store.ts'
import { appId, type Backend, makeToken } from './backend.ts'
import { createDevice, openTab, person } from './device.ts'
import type { Drives } from './drives.ts'
import { killableServer, killableTab } from './killable.ts'
import { user } from './person.ts'
import { createCloud, type RecoveryMethod } from './recovery-methods.ts'

type Person = ReturnType<typeof person>
/** A person with their device, drives and server. */
export interface Setup {
  readonly backend: Backend
  readonly drives: Drives
  readonly store: Store
  readonly token: string
  address: string
}
export const operations = ['creation', 'adding', 'recovery', 'change'] as const
/** Which operation is interrupted, and what is killed. */
export interface Scenario {
  readonly operation: (typeof operations)[number]
  /** The recovery method that the wallet is made with, and the one that it gets. */
  readonly from: RecoveryMethod
  readonly to: RecoveryMethod
  readonly victim: 'vault' | 'server' | 'server that comes back'
}

/** What the person does while something is killed; doing it again completes it. */
const operationRuns: Record<
  Scenario['operation'],
  (me: Person, setup: Setup, scenario: Scenario) => Promise<unknown>
> = {
  creation: (me, setup, { from }) => me.create(from.set(setup.drives)),
  adding: async (me, setup) => {
    await me.createSolana()
    return me.add(setup.address, 'solana', 1)
  },
  recovery: (me, setup, { from }) => me.recover(setup.address, from.use(setup.drives)),
  change: (me, setup, { to }) => me.setRecovery(setup.address, to.set(setup.drives)),
}

const at = ({ backend, token }: Setup, store: Store) =>
  person(openTab(backend, { ...createDevice(), store }), token)

async function begin({ operation, from }: Scenario): Promise<Setup> {
  const { backend, drives } = createCloud()
  const setup: Setup = { backend, drives, store: memoryStore(), token: makeToken(user), address: '' }
  if (operation === 'creation') return setup
  const first = operation === 'recovery' ? memoryStore() : setup.store
  setup.address = (await at(setup, first).create(from.set(drives))).address ?? expect.unreachable('no wallet')
  return setup
}

const killable = {
  vault: (world: Setup, steps?: number) => killableTab({ ...world, fetch: world.backend.fetch }, steps),
  server: (world: Setup, steps?: number) => killableServer({ ...world, fetch: world.backend.fetch }, steps),
  'server that comes back': (world: Setup, steps?: number) =>
    killableServer({ ...world, fetch: world.backend.fetch }, steps, { comesBack: true }),
}

const counts = new Map<string, number>()
/** At how many points a scenario can be killed. */
export async function pointsOf(scenario: Scenario): Promise<number> {
  const { operation, from, to, victim } = scenario
  const name = [operation, from.name, operation === 'change' ? to.name : '', victim].join()
  const known = counts.get(name)
  if (known) return known
  const setup = await begin(scenario)
  const { me, steps } = killable[victim](setup)
  await operationRuns[operation](me, setup, scenario)
  counts.set(name, steps())
  return steps()
}

/** Throws when the wallet is lost, when there is a second one, or when a share is nobody's. */
async function expectWhole(setup: Setup, { operation, from, to }: Scenario): Promise<void> {
  const { backend, drives, store } = setup
  const me = at(setup, store)
  if (operation === 'creation' || operation === 'adding') {
    const { address = '' } = await me.create(from.set(drives))
    if (setup.address) expect(address).toBe(setup.address)
    setup.address = address
  }
  expect(backend.state.roots, 'orphaned roots').toHaveLength(1)
  const root = backend.rootOf(user)
  expect(root.wallets[0]?.address).toBe(setup.address)

  // Until a change is confirmed, the old method counts.
  if (![...root.changes.values()].some(({ confirmed }) => confirmed))
    expect(root.recovery.method, 'the old method is gone too early').toBe(from.method)
  // The method that the server has in force, old or new, must recover the wallet at any moment.
  const inForce = [from, to].filter(({ method }) => method === root.recovery.method)
  const fresh = at(setup, memoryStore())
  let back = await fresh.recover(setup.address, inForce[0]?.use(drives))
  if (back.error && inForce[1]) back = await fresh.recover(setup.address, inForce[1].use(drives))
  expect(back, 'lost: no recovery method opens it').toEqual({ entropyId: setup.address })
  expect(await fresh.sign(setup.address, 'x'), 'lost: it does not sign').toHaveProperty('response')

  if ((await me.connect(setup.address)).error)
    expect(await me.recover(setup.address, inForce[0]?.use(drives))).toEqual({ entropyId: setup.address })
  expect(await me.sign(setup.address, 'x')).toHaveProperty('response')
  for (const record of await store.list(appId, user)) {
    expect(record, 'orphaned shares').toMatchObject({ committed: true, walletId: root.walletId })
    expect(root.sets.has(record.setId)).toBe(true)
  }
}

/** Throws when the operation can't be completed afterwards. */
async function expectEnd(setup: Setup, scenario: Scenario): Promise<void> {
  const { operation, to } = scenario
  const me = at(setup, setup.store)
  expect(await operationRuns[operation](me, setup, scenario)).not.toHaveProperty('error')
  const root = setup.backend.rootOf(user)
  if (operation === 'adding')
    expect(root.wallets.map(({ chainType, index }) => `${chainType} ${index}`)).toEqual([
      'ethereum 0',
      'solana 0',
      'solana 1',
    ])
  if (operation !== 'change') return
  const there = at(setup, memoryStore())
  expect(await there.recover(setup.address, to.use(setup.drives))).toEqual({ entropyId: setup.address })
}

/** What can be killed. */
export const victims = Object.keys(killable) as Scenario['victim'][]

/** Runs a scenario, kills something at one point of it, checks what is left, and completes the operation. */
export async function runScenario(scenario: Scenario, point: number, story: string): Promise<void> {
  const setup = await begin(scenario)
  const { me, died } = killable[scenario.victim](setup, point)
  await Promise.race([operationRuns[scenario.operation](me, setup, scenario), died])
  try {
    await expectWhole(setup, scenario)
    await expectEnd(setup, scenario)
  } catch (cause) {
    const { operation, from, to, victim } = scenario
    throw new Error(`${story}: ${operation}, ${from.name} to ${to.name}, ${victim} killed at ${point}`, {
      cause,
    })
  }
}
