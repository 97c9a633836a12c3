/** The key that signs for a user on Farcaster, and consent to permissions by unmodified clients: the vault against the server itself. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { base64urlnopad, hex } from '@scure/base'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Closed } from '../../../src/dialog/stage.ts'
import { type Clock, systemClock } from '../../../src/lib/clock.ts'
import { limits } from '../../../src/lib/limits.ts'
import { frameEvents, recoveryMethods } from '../../../src/protocol/frame/calls.ts'
import { sign } from '../../../src/vault/approval/sign/flow.ts'
import { createContext } from '../../../src/vault/create-context.ts'
import { createVault } from '../../../src/vault/entry/vault.ts'
import { readToken } from '../../../src/vault/token.ts'
import { createWallet } from '../../../src/vault/wallets/create-wallet.ts'
import { importWallet } from '../../../src/vault/wallets/import-wallet.ts'
import { newIp } from '../../backend/support/client.ts'
import { Vault } from '../../backend/support/embedded-world.ts'
import {
  FarcasterClient,
  type FarcasterWorld,
  farcasterApp,
  startFarcasterWorld,
} from '../../backend/support/farcaster-world.ts'
import { apiUrl, site, stores, vaultOrigin } from '../../backend/support/world.ts'
import { limit } from '../../support/limit.ts'
import { approvalOf } from '../support/approval.ts'
import { createDevice, partsOf, settings } from '../support/device.ts'

const [store] = stores
let fids = 9_500
const hash = base64urlnopad.encode(new Uint8Array(20).fill(7))

describe('signers on Farcaster in the vault', { timeout: limit(60_000) }, () => {
  let world: FarcasterWorld
  beforeAll(async () => {
    world = await startFarcasterWorld(store)
  })
  afterAll(() => world?.stop())

  /** A user with a Farcaster account, whose wallet is in their browser; `mode`: of the app, as the vault knows it. */
  async function user(mode: 'strict' | 'compatible' = 'compatible', key?: string) {
    const fid = ++fids
    const login = await Vault.open(world, { appId: farcasterApp })
    const text = login.token ?? ''
    const page = new FarcasterClient(world)
    page.token = text
    const channel = await page.open()
    await world.approve(channel.uri, fid)
    const { message, signature } = (await page.status(channel.token)).body
    await page.post('farcaster/link', { channel_token: channel.token, message, signature, fid })
    const ip = newIp()
    const clock: Clock = {
      now: () => world.clock.now,
      sleep: (ms, signal) => systemClock.sleep(ms >= limits.requestTimeout ? ms : ms / 100, signal),
    }
    const fetch = async (input: string, init: RequestInit = {}) => {
      const headers = { ...(init.headers as Record<string, string>), origin: vaultOrigin }
      const connection = { incoming: { socket: { remoteAddress: ip } } }
      return world.backend.api.request(new URL(input).href, { ...init, headers } as RequestInit, connection)
    }
    const own = { ...settings, appId: farcasterApp, apiUrl, allowedOrigins: [site], vault: mode } as const
    const parts = { settings: own, fetch, clock, ...partsOf(createDevice()) }
    const cx = createContext({ approves: true, ...parts })
    const token = readToken(text, farcasterApp, world.clock.now)
    const address = key
      ? await importWallet(cx, token, 'ethereum', key)
      : await createWallet(cx, token, 'ethereum', { method: recoveryMethods.automatic })
    const frame = createVault(parts)
    const ask = async (event: string, data: object) => {
      const answer = await frame.answer({ id: 'id-1', event, data: { accessToken: text, ...data } })
      return answer.error ?? (answer.data as Record<string, unknown>)
    }
    const init = (more = {}) =>
      ask(frameEvents.initFarcasterSigner, {
        address,
        hdWalletIndex: null,
        mfaCode: null,
        mfaMethod: null,
        relyingParty: site,
        ...more,
      })
    const signHash = (of = hash) =>
      ask(frameEvents.signFarcaster, {
        address,
        hdWalletIndex: null,
        payload: { hash: of },
        fid: BigInt(fid),
      })
    const approval = (over = {}) =>
      approvalOf<'sign'>(
        cx,
        text,
        {
          kind: 'farcasterMessage',
          root: { chainType: 'ethereum', address },
          walletIndex: 0,
          address,
          hash,
          ...over,
        },
        farcasterApp,
      )
    return { fid, page, address, init, signHash, approval }
  }
  const isSigned = (publicKey: unknown, signature: unknown) =>
    ed25519.verify(
      base64urlnopad.decode(String(signature)),
      base64urlnopad.decode(hash),
      hex.decode(String(publicKey).slice(2)),
    )

  test('signer: an unmodified client asks for it, the user approves, and a hash is signed with that very key', async () => {
    const { fid, init, signHash, page } = await user()
    const asked = await init()
    expect(asked).toMatchObject({
      public_key: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      status: 'pending_approval',
      signer_approval_url: expect.stringContaining('token='),
    })
    const key = (asked as Record<string, string>).public_key
    await world.decideSigner(String((asked as Record<string, string>).signer_approval_url), fid)
    const status = () => page.post('farcaster/signer/status', { ed25519_public_key: key })
    await status()
    expect((await status()).body).toEqual({ public_key: key, status: 'approved', fid })
    expect(await init()).toEqual({ public_key: key, status: 'approved', fid })
    const signed = (await signHash()) as { hash: string; signature: string }
    expect(signed.hash).toBe(hash)
    expect(isSigned(key, signed.signature)).toBe(true)
  })

  test('signer: users have different keys, and one of them the same each time', async () => {
    const [one, other] = [await user(), await user()]
    const keyOf = async ({ init }: typeof one) => ((await init()) as Record<string, unknown>).public_key
    expect(await keyOf(one)).toBe(await keyOf(one))
    expect(await keyOf(one)).not.toBe(await keyOf(other))
  })

  test.each([
    ['of 19 bytes', base64urlnopad.encode(new Uint8Array(19))],
    ['of 32 bytes, as transactions have', base64urlnopad.encode(new Uint8Array(32))],
    ['with padding', `${hash}=`],
    ['in hex', '07'.repeat(20)],
    ['that is a text', 'Latchkey wallet login with a'],
  ])('signer: a hash %s is not signed', async (_, wrong) => {
    const { signHash } = await user()
    expect(await signHash(wrong)).toMatchObject({ type: 'invalid_request_arguments' })
  })

  test('signer: an imported key has none', async () => {
    const { init, signHash } = await user('compatible', `0x${'4b'.repeat(32)}`)
    expect(await init()).toMatchObject({ type: 'invalid_request_arguments' })
    expect(await signHash()).toMatchObject({ type: 'invalid_request_arguments' })
  })

  test('signer, strict app: a page may ask for the key, and has nothing signed unseen', async () => {
    const { init, signHash } = await user('strict')
    expect(await init()).toMatchObject({ status: 'pending_approval' })
    expect(await signHash()).toMatchObject({ type: 'error', message: expect.stringMatching(/approve|asks/i) })
  })

  test('signer, strict app: the vault’s own window asks, says that only a fingerprint is known, and signs', async () => {
    const { init, approval } = await user('strict')
    const key = ((await init()) as Record<string, unknown>).public_key
    const asked = approval()
    const done = sign(asked.cx)
    await asked.act({ on: 'sign-message' })
    const shown = asked.seen.findLast(({ screen }) => screen === 'sign-message')
    expect(shown).toMatchObject({ place: 'window', props: { title: 'Sign for Farcaster', message: hash } })
    await asked.act(['sign-message', 'sign'])
    const { signed } = (await done) as { signed: { hash: string; signature: string } }
    expect(isSigned(key, signed.signature)).toBe(true)
    expect(asked.risks).toEqual(['high'])
    const refused = approval()
    const cancelled = sign(refused.cx)
    await refused.act(['sign-message', 'cancel'])
    await expect(cancelled).rejects.toBeInstanceOf(Closed)
  })

  test('signer, strict app: what is no hash opens no window', async () => {
    const { approval } = await user('strict')
    const asked = approval({ hash: 'aGVsbG8' })
    await expect(sign(asked.cx)).rejects.toMatchObject({ name: 'InvalidRequest' })
    expect(asked.risks).toEqual([])
  })
})
