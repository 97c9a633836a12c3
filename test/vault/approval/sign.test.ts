/** What the page brings while the frame still reads what it brought before. */
import '../support/quick-stretching.ts'
import { expect, test } from 'vitest'
import type { Store } from '../../../src/lib/store.ts'
import type { ApprovalRequests } from '../../../src/protocol/frame/approval.ts'
import { sign } from '../../../src/vault/approval/sign/flow.ts'
import { approvalOf, vaultOn } from '../support/approval.ts'
import { recoveryMethodOf, withRecoveryMethod } from '../support/recovery-methods.ts'

type Asked = ApprovalRequests['sign']

test.each([
  ['at once', undefined],
  ['later', () => new Promise((resolve) => setTimeout(resolve, 50))],
])('a request that is prepared %s is one that the person can agree to', async (_, time) => {
  const { backend, device, token, address } = await withRecoveryMethod(recoveryMethodOf('automatic'))
  const ready: Asked = {
    ...{ root: { chainType: 'ethereum', address }, chainType: 'ethereum', walletIndex: 0, address },
    ...{ action: 'sign', request: { method: 'personal_sign', params: ['0x6869', address] } },
  }
  const { cx, act, seen } = approvalOf<'sign'>(vaultOn(backend, device), token, {
    ...ready,
    state: 'preparing',
  })
  const done = sign(cx)
  if (time) await time()
  ;(cx.asked as Store<Asked>).set(ready)
  // Shown without a way to agree, and then with one.
  await expect.poll(() => seen.length).toBe(2)
  await act(['sign-message', 'sign'])
  expect(await done).toMatchObject({ signed: expect.stringMatching(/^0x[\da-f]{130}$/) })
})
