/** A new device that another device, a passkey of the vault or an external wallet speaks for, and what the others are asked. */
import '../../support/quick-stretching.ts'
import { describe, expect, test, vi } from 'vitest'
import { Closed } from '../../../../src/dialog/stage.ts'
import { approveDevice } from '../../../../src/vault/approval/approve-device/flow.ts'
import { recover } from '../../../../src/vault/approval/recover/flow.ts'
import { vaultPasskeys } from '../../../../src/vault/approval/vault-passkeys/flow.ts'
import { approvalOf, vaultOn } from '../../support/approval.ts'
import { appId } from '../../support/backend.ts'
import { createDevice } from '../../support/device.ts'
import { user, withWallet } from '../../support/person.ts'
import { assertionOf } from '../../support/server/device-proofs.ts'

const ended = (work: Promise<unknown>) => work.then(String, (cause: unknown) => cause)

/** A user with a wallet on one device, and another browser of theirs whose login enrols nothing. */
async function twoDevices() {
  const world = await withWallet()
  const { backend, token, address } = world
  backend.state.options.loginEnrols = false
  const device = createDevice()
  const there = vaultOn(backend, device)
  const here = vaultOn(backend, world.device)
  const root = { chainType: 'ethereum', address } as const
  const asking = () => approvalOf<'recover'>(there, token, { root, address })
  const approving = (id?: string) => approvalOf<'approve-device'>(here, token, id === undefined ? {} : { id })
  const managing = (action: 'add' | 'manage') => approvalOf<'vault-passkeys'>(here, token, { action })
  const kept = async () => (await device.store.list(appId, user)).length
  const by = () => backend.state.devices.map(({ enrolledBy }) => enrolledBy)
  const request = () => backend.state.requests.at(-1)
  return { ...world, there, here, asking, approving, managing, kept, by, request }
}

describe('approval on another device', () => {
  /** Waits until the new device says how its request has ended. */
  const told = ({ seen }: { seen: readonly { props: Record<string, unknown> }[] }, state: string) =>
    vi.waitFor(() => expect(seen.at(-1)?.props.state).toBe(state))

  async function waiting() {
    const world = await twoDevices()
    Object.assign(world.backend.state.options, { approves: true, reachable: true })
    const there = world.asking()
    const done = ended(recover(there.cx))
    await there.act(['choose-factor', { chosen: 0 }], { on: 'device-approval' })
    return { ...world, asked: there, done }
  }

  test('device approval: it is offered first, and enrols once the number is chosen on the other device', async () => {
    const { asked, done, approving, kept, by } = await waiting()
    const factors = asked.seen.find(({ screen }) => screen === 'choose-factor')?.props.factors
    expect(factors).toMatchObject([{ type: 'device' }, { type: 'email' }])
    expect(asked.seen.find(({ screen }) => screen === 'device-approval')?.props).toMatchObject({
      state: 'pending',
      number: '42',
    })
    const other = approving()
    const approved = approveDevice(other.cx)
    await other.act(['approve-device', { number: '42' }], ['device-answered', 'close'])
    expect(await approved).toEqual({ outcome: 'approved' })
    expect(other.risks).toEqual(['high'])
    expect(await done).toBe('[object Object]')
    expect(await kept()).toBe(1)
    expect(by()).toEqual(['login', 'device'])
  })

  test('device approval: a wrong number denies the request, and both sides say so', async () => {
    const { asked, done, approving, by, kept } = await waiting()
    const other = approving()
    const approved = approveDevice(other.cx)
    await other.act(['approve-device', { number: '17' }], ['device-answered', 'close'])
    expect(await approved).toEqual({ outcome: 'denied' })
    expect(other.seen.at(-1)?.props).toEqual({ outcome: 'wrong' })
    await told(asked, 'denied')
    await asked.act(['device-approval', 'back'], ['choose-factor', 'back'])
    expect(await done).toBeInstanceOf(Closed)
    expect([await kept(), by()]).toEqual([0, ['login']])
  })

  test('device approval: "This isn’t me" denies, and a new request can be made', async () => {
    const { asked, approving, request, done, by } = await waiting()
    const other = approving()
    const denied = approveDevice(other.cx)
    await other.act(['approve-device', 'deny'], ['device-answered', 'close'])
    expect(await denied).toEqual({ outcome: 'denied' })
    const first = request()
    await told(asked, 'denied')
    await asked.act(['device-approval', 'again'])
    await asked.act({ on: 'device-approval' })
    expect(request()?.id).not.toBe(first?.id)
    const again = approving()
    const approved = approveDevice(again.cx)
    await again.act(['approve-device', { number: '42' }], { close: 'device-answered' })
    expect(await approved).toEqual({ outcome: 'approved' })
    await done
    expect(by()).toEqual(['login', 'device'])
  })

  test('device approval: a request that ends by itself is said to have ended', async () => {
    const { asked, request, done } = await waiting()
    const stored = request()
    if (stored) stored.status = 'expired'
    await told(asked, 'expired')
    await asked.act(['device-approval', 'back'], ['choose-factor', 'back'])
    expect(await done).toBeInstanceOf(Closed)
  })

  test('device approval: closing the window of either side changes nothing', async () => {
    const { asked, approving, request, done, kept, by } = await waiting()
    const other = approving()
    const left = ended(approveDevice(other.cx))
    await other.act({ close: 'approve-device' })
    expect(await left).toBeInstanceOf(Closed)
    expect(request()?.status).toBe('pending')
    await asked.act({ close: 'device-approval' })
    expect(await done).toBeInstanceOf(Closed)
    expect([await kept(), by()]).toEqual([0, ['login']])
  })

  test('device approval: without a request there is nothing to approve', async () => {
    const { approving } = await twoDevices()
    const other = approving()
    const done = approveDevice(other.cx)
    await other.act(['device-answered', 'close'])
    expect(await done).toEqual({ outcome: 'none' })
  })

  test('device approval: a device that is not enrolled can approve nothing, not even itself', async () => {
    const { there, token, request, asked } = await waiting()
    const self = approvalOf<'approve-device'>(there, token, {})
    expect(await ended(approveDevice(self.cx))).toMatchObject({ type: 'enrolment_required' })
    expect(request()?.status).toBe('pending')
    await asked.act({ close: 'device-approval' })
  })
})

describe('a passkey of the vault', () => {
  test('vault passkey: it is added in the window, and enrols another device', async () => {
    const { managing, asking, backend, by, kept } = await twoDevices()
    const adding = managing('add')
    const added = vaultPasskeys(adding.cx)
    await adding.act(['vault-passkey', { passkey: assertionOf('cred-1') }])
    expect(await added).toEqual({ passkeys: 1 })
    expect(adding.risks).toEqual(['high'])
    backend.state.options.reachable = false
    const { cx, act, trace } = asking()
    const done = recover(cx)
    await act(['vault-passkey', { passkey: assertionOf('cred-1') }])
    expect(await done).toEqual({ recovered: true })
    expect(trace()).toEqual(['window vault-passkey'])
    expect(await kept()).toBe(1)
    expect(by()).toEqual(['login', 'passkey'])
  })

  test('vault passkey: what the browser refuses is said, and the next press has a challenge of its own', async () => {
    const { asking, backend } = await twoDevices()
    backend.state.options.reachable = false
    backend.state.passkeys.push({ id: 'cred-1', user })
    const { cx, act, errorsOn } = asking()
    const done = ended(recover(cx))
    await act(
      ['vault-passkey', { refused: 'declined' }],
      ['vault-passkey', { passkey: assertionOf('other') }],
    )
    await act(['vault-passkey', 'back'])
    expect(await done).toBeInstanceOf(Closed)
    expect(errorsOn('vault-passkey')).toEqual([undefined, 'declined', 'wrong'])
    const begun = backend.asked.filter(({ call }) => call.path === '/devices/enroll/passkey')
    expect(begun.length).toBeGreaterThanOrEqual(3)
  })

  test('vault passkeys: they are listed and removed in the window', async () => {
    const { managing, backend } = await twoDevices()
    backend.state.passkeys.push({ id: 'cred-1', user }, { id: 'cred-2', user })
    const { cx, act, seen } = managing('manage')
    const done = vaultPasskeys(cx)
    await act(['vault-passkeys', { remove: 'cred-1' }], ['remove-vault-passkey', 'remove'])
    await act(['vault-passkeys', { remove: 'cred-2' }], ['remove-vault-passkey', 'back'])
    await act(['vault-passkeys', 'close'])
    expect(await done).toEqual({ passkeys: 1 })
    expect(backend.state.passkeys.map(({ id }) => id)).toEqual(['cred-2'])
    expect(seen.every(({ place }) => place === 'window')).toBe(true)
  })

  test('vault passkeys: turning back adds none', async () => {
    const { managing, backend } = await twoDevices()
    const { cx, act } = managing('add')
    const done = ended(vaultPasskeys(cx))
    await act(['vault-passkey', 'back'])
    expect(await done).toBeInstanceOf(Closed)
    expect(backend.state.passkeys).toEqual([])
  })
})

describe('an external wallet', () => {
  test('external wallet: its signature of the message for this device enrols it', async () => {
    const { asking, backend, there, by } = await twoDevices()
    const wallet = { chainType: 'ethereum', address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' }
    Object.assign(backend.state.options, { reachable: false, wallet })
    const { cx, act, errorsOn, seen } = asking()
    const done = recover(cx)
    await act(['wallet-proof', { refused: 'another' }], ['wallet-proof', { signature: 'signed: something' }])
    const { thumbprint } = await there.device()
    expect(seen.at(-1)?.props.message).toContain(thumbprint)
    await act(['wallet-proof', { signature: `signed: ${seen.at(-1)?.props.message}` }])
    expect(await done).toEqual({ recovered: true })
    expect(errorsOn('wallet-proof')).toEqual([undefined, 'another', 'wrong'])
    expect(by()).toEqual(['login', 'wallet'])
  })
})
