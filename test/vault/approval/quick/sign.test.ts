/** What is done while a person reads what they are asked to sign, and what the page brings meanwhile. */
import '../../support/quick-stretching.ts'
import { afterEach, expect, test, vi } from 'vitest'
import type { Store } from '../../../../src/lib/store.ts'
import type { ApprovalRequests } from '../../../../src/protocol/frame/approval.ts'
import { sign } from '../../../../src/vault/approval/sign/flow.ts'
import { vaultLimits } from '../../../../src/vault/limits.ts'
import type { DeviceRecord } from '../../../../src/vault/shares/store.ts'
import { ownSignIn } from '../../../support/own-sign-in.ts'
import { approvalOf, vaultOn } from '../../support/approval.ts'
import { sentCode } from '../../support/backend.ts'
import { keysOf } from '../../support/device.ts'
import { user } from '../../support/person.ts'
import { recoveryMethodOf, withRecoveryMethod } from '../../support/recovery-methods.ts'

type Asked = ApprovalRequests['sign']

afterEach(() => void vi.restoreAllMocks())

test.each([
  ['at once', false],
  ['after it was shown', true],
])('a request that is prepared %s is one that the person can agree to', async (_, isShown) => {
  const { backend, device, token, address } = await withRecoveryMethod(recoveryMethodOf('automatic'))
  const ready: Asked = {
    kind: 'evmTransaction',
    root: { chainType: 'ethereum', address },
    walletIndex: 0,
    address,
    action: 'sign',
    transaction: {
      from: address,
      to: `0x${'ab'.repeat(20)}`,
      value: '0x1',
      chainId: 1,
      nonce: 0,
      type: 2,
      gasLimit: '0x5208',
      maxFeePerGas: '0x1',
      maxPriorityFeePerGas: '0x1',
    },
  }
  const { cx, act, seen } = approvalOf<'sign'>(vaultOn(backend, device), token, {
    ...ready,
    state: 'preparing',
  })
  const done = sign(cx)
  if (isShown) await expect.poll(() => seen.length).toBe(1)
  ;(cx.asked as Store<Asked>).set(ready)
  // Shown without a way to agree, and then, once its trial run is over, with one.
  await expect.poll(() => seen.length).toBeGreaterThan(1)
  await act(['approve-transaction', 'approve'])
  expect(await done).toMatchObject({ signed: expect.stringMatching(/^0x02[\da-f]+$/) })
})

/** Somebody who is shown a message, on a device whose storage gives what `stored` makes of it, and has read it until all is ready. */
async function readingMessage(
  stored: (records: readonly DeviceRecord[]) => readonly DeviceRecord[] = (all) => all,
) {
  const { backend, device, token, address } = await withRecoveryMethod(recoveryMethodOf('automatic'))
  let read = 0
  const { store } = device
  const counted = {
    ...device,
    keys: keysOf(store),
    store: {
      ...store,
      async list(app: string, user: string) {
        read++
        return stored(await store.list(app, user))
      },
    },
  }
  const vault = vaultOn(backend, counted)
  const release = vi.spyOn(vault.releases, 'set')
  const opened = vi.spyOn(crypto.subtle, 'decrypt')
  const signed = vi.spyOn(crypto.subtle, 'deriveBits')
  const { cx, act } = approvalOf<'sign'>(vault, token, {
    root: { chainType: 'ethereum', address },
    kind: 'message',
    walletIndex: 0,
    address,
    message: ownSignIn('https://host.example', address),
  })
  const done = sign(cx)
  // The last that is done ahead is that roots of nobody's are derived.
  await expect.poll(() => release.mock.calls.length * signed.mock.calls.length).toBe(vaultLimits.warmUps)
  const asked = () => ({ server: backend.calls.length, device: read, opened: opened.mock.calls.length })
  return { vault, backend, asked, act, done }
}
const aSignature = { signed: expect.stringMatching(/^0x[\da-f]{130}$/) }

test('what is signed waits after the press for neither the server nor the storage, and no share is opened before it', async () => {
  const { asked, act, done } = await readingMessage()
  const before = asked()
  expect(before.opened).toBe(0)
  await act(['sign-message', 'sign'])
  expect(await done).toMatchObject(aSignature)
  expect(asked()).toEqual({ ...before, opened: 2 })
})

test('a share that was damaged when it was read ahead is read again', async () => {
  let times = 0
  const { act, done } = await readingMessage((records) =>
    times++ > 0
      ? records
      : records.map((record) => ({ ...record, share: `${record.share.slice(0, -4)}AAAA` })),
  )
  await act(['sign-message', 'sign'])
  expect(await done).toMatchObject(aSignature)
})

test('what was released ahead is not used once the session of that time has ended', async () => {
  const { vault, backend, asked, act, done } = await readingMessage()
  const before = asked()
  vault.releases.forget(user)
  await act(['sign-message', 'sign'])
  expect(await done).toMatchObject(aSignature)
  expect(backend.calls.slice(before.server).map(({ path }) => path)).toEqual([
    expect.stringMatching(/\/auth_share$/),
  ])
})

test('signing: an account that is frozen meanwhile is opened in the window, and its user agrees once', async () => {
  const { backend, device, token, address } = await withRecoveryMethod(recoveryMethodOf('automatic'))
  const vault = vaultOn(backend, device)
  const { cx, act, trace } = approvalOf<'sign'>(vault, token, {
    root: { chainType: 'ethereum', address },
    kind: 'message',
    walletIndex: 0,
    address,
    message: ownSignIn('https://host.example', address),
  })
  backend.state.frozen.add(user)
  const done = sign(cx)
  await act(
    ['sign-message', 'sign'],
    ['account-frozen', 'confirm'],
    ['enter-code', { code: sentCode((await vault.device()).thumbprint) }],
  )
  expect(await done).toMatchObject({ signed: expect.stringMatching(/^0x[\da-f]{130}$/) })
  expect([...new Set(trace())]).toEqual(['frame sign-message', 'window account-frozen', 'window enter-code'])
})
