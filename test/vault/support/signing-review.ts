import { type Clock, systemClock } from '../../../src/lib/clock.ts'
import type { ApprovalRequests } from '../../../src/protocol/frame/approval.ts'
import { sign } from '../../../src/vault/approval/sign/flow.ts'
import { createContext } from '../../../src/vault/create-context.ts'
import { approvalOf } from './approval.ts'
import { partsOf, settings } from './device.ts'
import { recoveryMethodOf, withRecoveryMethod } from './recovery-methods.ts'

/** A reply of the vault's own server to a call; `undefined` leaves the call to the stand-in. */
export type ReplyTo = (
  path: string,
  body: Record<string, unknown>,
) => Response | undefined | Promise<Response | undefined>
interface ReviewOptions {
  /** Settings of the app, beside a strict vault. */
  app?: object
  clock?: Clock
}

/** A request to sign before a user of a strict vault, in real time, with replies of the server that a test decides. */
export async function reviewSigning(
  requestOf: (address: string) => object,
  reply: ReplyTo,
  { app = {}, clock = systemClock }: ReviewOptions = {},
) {
  const { backend, device, token, address } = await withRecoveryMethod(recoveryMethodOf('automatic'))
  const fetch: typeof backend.fetch = async (input, init) => {
    const path = new URL(String(input)).pathname.replace('/api/v1/embedded_wallets', '')
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : {}
    return (await reply(path, body)) ?? backend.fetch(input, init)
  }
  const strict = { ...settings, ...app, vault: 'strict' } as const
  const vault = createContext({ settings: strict, fetch, clock, ...partsOf(device) })
  const request = { root: { chainType: 'ethereum', address }, walletIndex: 0, address, ...requestOf(address) }
  const approval = approvalOf<'sign'>(vault, token, request as ApprovalRequests['sign'])
  return { ...approval, done: sign(approval.cx), address }
}

/** The request to send a transaction with these fields. */
export const transactionOf = (fields: object) => (from: string) => ({
  kind: 'evmTransaction',
  action: 'send',
  transaction: {
    from,
    value: '0x0',
    chainId: 1,
    nonce: 0,
    type: 2,
    gasLimit: '0x5208',
    maxFeePerGas: '0x1',
    maxPriorityFeePerGas: '0x1',
    ...fields,
  },
})

/** A refusal of a server that does not support a call. */
export const notSupported = (): Response =>
  Response.json({ error: 'no', code: 'not_supported' }, { status: 400 })
