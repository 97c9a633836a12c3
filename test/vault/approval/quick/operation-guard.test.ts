/** Messages and typed data that would approve an operation of the user's smart wallet, unread: the vault refuses them, whatever the page says. */
import '../../support/quick-stretching.ts'
// Loaded beforehand, so that no test waits for what the vault loads lazily.
import '../../../../src/vault/approval/sign/user-operation/guard.ts'
import { recoverMessageAddress, stringToHex } from 'viem'
import { expect, test } from 'vitest'
import { systemClock } from '../../../../src/lib/clock.ts'
import type { ApprovalRequests } from '../../../../src/protocol/frame/approval.ts'
import { sign } from '../../../../src/vault/approval/sign/flow.ts'
import { createContext } from '../../../../src/vault/create-context.ts'
import type { SmartAccountKind } from '../../../../src/wallets/smart/account-codec.ts'
import { loadSmartAccountCodec } from '../../../../src/wallets/smart/accounts/features.ts'
import { approvalOf } from '../../support/approval.ts'
import { partsOf, settings } from '../../support/device.ts'
import { recoveryMethodOf, withRecoveryMethod } from '../../support/recovery-methods.ts'

type Hex = `0x${string}`
const hash: Hex = `0x${'4f56e0b3'.repeat(8)}`
const message = (text: string) => ({ kind: 'message', message: text })
const safe = await loadSmartAccountCodec('safe')
const payload = safe.toOperationPayload(
  {
    sender: `0x${'5a'.repeat(20)}`,
    nonce: 0n,
    callData: '0x1234',
    callGasLimit: 1n,
    verificationGasLimit: 1n,
    preVerificationGas: 1n,
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n,
    signature: '0x',
  },
  1,
)
const safeOperation = {
  kind: 'typedData',
  typedData: payload.type === 'typedData' ? payload.typedData : undefined,
}

interface Case {
  /** The smart wallet that the user has linked. */
  readonly kind?: SmartAccountKind | 'brand_new'
  /** It is that of another key. */
  readonly isForeign?: boolean
  readonly content?: object
  /** The server doesn't answer. */
  readonly isDown?: boolean
}

/** A request before a user of a strict app. */
async function review({ kind, isForeign = false, content = message(hash), isDown = false }: Case) {
  const { backend, device, token, address } = await withRecoveryMethod(recoveryMethodOf('automatic'))
  const codec = kind && kind !== 'brand_new' ? await loadSmartAccountCodec(kind) : undefined
  const smart = isForeign
    ? `0x${'ee'.repeat(20)}`
    : (codec?.getAddress(address as Hex) ?? `0x${'aa'.repeat(20)}`)
  let asked = 0
  const fetch: typeof backend.fetch = async (input, init) => {
    if (!new URL(String(input)).pathname.endsWith('/users/me')) return backend.fetch(input, init)
    asked++
    if (isDown) return Response.json({ error: 'Not now' }, { status: 503 })
    const linked = kind ? [{ type: 'smart_wallet', address: smart, smart_wallet_type: kind }] : []
    return Response.json({
      user: { linked_accounts: [{ type: 'email', address: 'a@b.example' }, ...linked] },
    })
  }
  const strict = { ...settings, vault: 'strict', rawSigning: false } as const
  const vault = createContext({ settings: strict, fetch, clock: systemClock, ...partsOf(device) })
  const root = { chainType: 'ethereum', address }
  const approval = approvalOf<'sign'>(vault, token, {
    root,
    walletIndex: 0,
    address,
    ...content,
    ...('account' in content && codec
      ? { account: { kind, version: codec.version, address: smart, chainId: 1 } }
      : {}),
  } as ApprovalRequests['sign'])
  const done = sign(approval.cx)
  done.catch(() => {})
  return { ...approval, done, address: address as Hex, asked: () => asked }
}

test.each<[string, Case]>([
  ['of a light account', { kind: 'light_account' }],
  ["of thirdweb's account", { kind: 'thirdweb' }],
  ['of a Kernel account', { kind: 'kernel' }],
  ["of Biconomy's account", { kind: 'biconomy' }],
  ['of a Nexus account', { kind: 'nexus' }],
  ['of a kind that this version does not know', { kind: 'brand_new' }],
  ['as 32 bytes of text', { kind: 'light_account', content: message('Sign in to Harbor, number 123456') }],
  ['of a Safe, as typed data', { kind: 'safe', content: safeOperation }],
])('a possible operation %s is refused before anything is displayed', async (_, given) => {
  const { done, seen } = await review(given)
  await expect(done).rejects.toThrow("operation of the user's smart wallet")
  expect(seen).toEqual([])
})

test('a hash that may be an operation is not displayed while the server cannot say whose it is', async () => {
  const { done, seen } = await review({ kind: 'light_account', isDown: true })
  await expect(done).rejects.toThrow()
  expect(seen).toEqual([])
})

test.each<[string, Case]>([
  ['without a smart wallet', {}],
  ['whose smart wallet belongs to another key', { kind: 'light_account', isForeign: true }],
  ['whose smart wallet takes the owner’s bare hash alone', { kind: 'coinbase_smart_wallet' }],
  ['whose Safe takes typed data alone', { kind: 'safe' }],
])('a hash is signed as a message by a wallet %s, once it was read', async (_, given) => {
  const { done, act, address } = await review(given)
  await act(['sign-message', 'sign'])
  const { signed } = (await done) as { signed: Hex }
  expect(await recoverMessageAddress({ message: { raw: hash }, signature: signed })).toBe(address)
})

test.each<[string, Case]>([
  ['a longer message', { kind: 'light_account', content: message(stringToHex('x'.repeat(33))) }],
  [
    'a hash for which the account itself vouches',
    { kind: 'light_account', content: { ...message(hash), account: {} } },
  ],
])('%s is asked about nowhere, and displayed', async (_, given) => {
  const { done, act, asked } = await review(given)
  await act(['sign-message', 'sign'])
  expect(await done).toMatchObject({ signed: expect.stringMatching(/^0x/) })
  expect(asked()).toBe(0)
})
