/**
 * The four attacks that showed what was wrong with a vault that a host page commands. Each of them succeeds on the vault of the time
 * before devices had keys and people approved in the vault's own pages.
 */
import { hashMessage } from 'viem'
import { DeviceKey } from '../backend/support/device-key.ts'
import { expect, test } from './support/demo.ts'
import {
  appOf,
  heardBy,
  lootIn,
  minute,
  modes,
  newVictim,
  Outsider,
  say,
  stateOf,
  type Victim,
} from './support/hostile-site.ts'
import { untilDrawnFor, untilIdle } from './support/idle.ts'

// One after the other, so that one worker has a site for all of them.
test.describe.configure({ mode: 'default' })

const rootOf = ({ token: accessToken, address: entropyId }: Victim) => ({
  accessToken,
  entropyId,
  entropyIdVerifier: 'ethereum-address-verifier',
})
const rpc = (victim: Victim, method: string, params: unknown) =>
  say(victim.page, 'privy:wallets:rpc', {
    ...rootOf(victim),
    chainType: 'ethereum',
    hdWalletIndex: 0,
    request: { method, params },
  })
const parts = ['auth_share', 'recovery/package', 'recovery/key_material'] as const

test('a hidden frame does not make a wallet with a password recover by itself, and who has its token and forges an Origin gets no share', async ({
  hostileSite: site,
  context,
}) => {
  const victim = await newVictim(site, context, 'compatible')
  const own = { ...rootOf(victim), recoveryMethod: 'user-passcode', recoveryPassword: 'harbor-tide&Lantern7' }
  await say(victim.page, 'privy:wallets:set-recovery', own)
  site.pass(11 * minute)
  await say(victim.page, 'privy:wallets:set-recovery', { ...rootOf(victim), recoveryMethod: 'privy' })
  const got: string[] = []
  for (const key of [null, new DeviceKey()]) {
    const outsider = new Outsider(site, victim.mode, victim.token, key)
    for (const part of parts) {
      const body = part === 'auth_share' ? { set_ids: victim.setIds } : {}
      got.push((await outsider.post(`embedded_wallets/${victim.address}/${part}`, body)).text)
    }
  }
  const recovery = (await stateOf(site, victim))?.recovery.join()
  expect.soft(recovery).toContain('user-passcode')
  expect.soft(recovery).not.toContain('privy')
  expect(lootIn(got, victim.address)).toEqual([])
})

test('a hidden frame signs no message @soak', async ({ hostileSite: site, context }) => {
  const victim = await newVictim(site, context, 'strict')
  await rpc(victim, 'personal_sign', ['0x6869', victim.address])
  expect(lootIn(await heardBy(victim.page), victim.address)).toEqual([])
})

for (const mode of modes)
  test(`a bare hash stands for no statement of the vault in a ${mode} app${mode === 'strict' ? '' : ' @soak'}`, async ({
    hostileSite: site,
    context,
  }) => {
    const victim = await newVictim(site, context, mode)
    const statement = ['Latchkey recovery change', `app: ${appOf[mode]}`, 'user: x', 'method: privy'].join(
      '\n',
    )
    await rpc(victim, 'secp256k1_sign', [hashMessage(statement)])
    await rpc(victim, 'eth_sign', [victim.address, hashMessage(statement)])
    await rpc(victim, 'personal_sign', [statement, victim.address])
    expect(lootIn(await heardBy(victim.page), victim.address)).toEqual([])
  })

test('a press on a masked frame of 44 pixels puts no key on the clipboard @soak', async ({
  hostileSite: site,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.host })
  const victim = await newVictim(site, context, 'strict')
  const { page, address, token } = victim
  const query = new URLSearchParams({
    client_id: '',
    caid: '',
    primaryAddress: address,
    address,
    walletIndex: '0',
    width: '360px',
    phrase_export: 'true',
    background: '#ffffff',
    accent: '#4f46e5',
    foregroundAccent: '#ffffff',
  })
  await page.evaluate(
    (src) => {
      const frame = document.createElement('iframe')
      Object.assign(frame, { src, height: '44', width: '360', allow: 'clipboard-write' })
      frame.style.cssText =
        'position:fixed;left:40px;top:40px;border:0;mask-image:linear-gradient(transparent,transparent)'
      document.body.append(frame)
      const button = document.createElement('button')
      button.textContent = 'Win a prize'
      button.style.cssText = 'position:fixed;left:40px;top:40px;width:360px;height:44px;z-index:-1'
      document.body.append(button)
    },
    `${site.pages('strict')}/export?${query}#token=${token}`,
  )
  // The token alone opens no key: the frame has nothing to press.
  const advice = page.frameLocator('iframe[width="360"]').getByText(/only in a window of your wallet/)
  await untilDrawnFor(advice, 1_000)
  await page.mouse.click(220, 62)
  await untilIdle(page)
  await page.bringToFront()
  await page.mouse.click(600, 500)
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(lootIn([copied], address)).toEqual([])
})
