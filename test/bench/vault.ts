/** How long people wait for the vault, through its real frame and against the demo's backend. */
import { chromium, type Page } from 'playwright-core'
import { frameEvents, recoveryMethods } from '../../src/protocol/frame/calls.ts'
import { vaultLimits } from '../../src/vault/limits.ts'
import { findChromium } from '../../tools/chromium.mjs'
import { unmodified as appId } from '../e2e/support/apps.ts'
import { startDemo } from '../e2e/support/demo.ts'
import { type Figure, median, timesOf } from './figures.ts'
import { ask, hostPage, logIn, named, openFrame, stretchBare } from './vault-frame.ts'

const times = 50
/** Passwords are stretched for each of these people three times; and the server allows few guesses. */
const passwords = 15
const budgets = { create: 500, connect: 100, sign: 10, recovery: 1.5 }

export async function vaultFigures(): Promise<Figure[]> {
  const { demo, stop } = await startDemo()
  const { path: executablePath, args } = findChromium()
  const browser = await chromium.launch({ executablePath, args })
  const host = await hostPage()
  try {
    const tokens = await logIn(demo, appId, times + passwords)
    const page = await openFrame(browser, host.address, demo, appId)
    const creations: number[] = []
    let address = ''
    for (const accessToken of tokens.slice(0, times)) {
      const { took, data } = await ask(page, frameEvents.createWallet, { accessToken })
      creations.push(took)
      address = String(data.address)
    }
    const accessToken = tokens[times - 1] ?? ''
    const connections: number[] = []
    for (let turn = 0; turn < times; turn++)
      connections.push((await ask(page, frameEvents.connectWallet, named(accessToken, address))).took)
    return [
      timesOf('create a wallet', creations, budgets.create),
      timesOf('connect', connections, budgets.connect),
      ...(await signatureFigures(page, accessToken, address)),
      ...(await recoveryFigures(
        page,
        await openFrame(browser, host.address, demo, appId),
        tokens.slice(times),
      )),
    ]
  } finally {
    await browser.close()
    host.close()
    await stop()
  }
}

/** Each method that signs. */
async function signatureFigures(page: Page, accessToken: string, address: string): Promise<Figure[]> {
  const wallet = named(accessToken, address)
  await ask(page, frameEvents.addWallet, { ...wallet, chainType: 'solana', hdWalletIndex: 0 })
  const domain = { name: 'Bench', chainId: 1 }
  const types = {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Note: [{ name: 'turn', type: 'uint256' }],
  }
  const transaction = (turn: number) => ({
    from: address,
    to: address,
    value: '0x1',
    chainId: 1,
    nonce: turn,
    gasLimit: '0x5208',
    maxFeePerGas: '0x77359400',
    maxPriorityFeePerGas: '0x3b9aca00',
    type: 2,
  })
  const methods: [method: string, params: (turn: number) => unknown][] = [
    ['personal_sign', (turn) => [`Message ${turn}`, address]],
    ['eth_signTypedData_v4', (turn) => [address, { types, primaryType: 'Note', domain, message: { turn } }]],
    ['eth_signTransaction', (turn) => [transaction(turn)]],
    ['signMessage', (turn) => ({ message: btoa(`Message ${turn}`) })],
  ]
  const figures: Figure[] = []
  for (const [method, params] of methods) {
    const took: number[] = []
    for (let turn = 0; turn < times; turn++) {
      const request = { method, params: params(turn) }
      const chainType = method === 'signMessage' ? 'solana' : 'ethereum'
      const path = { chainType, requesterAppId: appId, hdWalletIndex: 0 }
      took.push((await ask(page, frameEvents.walletRpc, { ...wallet, ...path, request })).took)
    }
    figures.push(timesOf(method, took, budgets.sign))
  }
  return figures
}

/** Recovery by password on a second device, alternating with the bare stretching of the same password. */
async function recoveryFigures(first: Page, second: Page, tokens: readonly string[]): Promise<Figure[]> {
  const recoveryPassword = 'a password for the bench'
  const bare: number[] = []
  const whole: number[] = []
  for (const accessToken of tokens) {
    const wish = { recoveryMethod: recoveryMethods.password, recoveryPassword }
    const { data } = await ask(first, frameEvents.createWallet, { accessToken, ...wish })
    const wallet = named(accessToken, String(data.address))
    bare.push(await stretchBare(second, recoveryPassword, vaultLimits.passwordRounds))
    whole.push((await ask(second, frameEvents.recoverWallet, { ...wallet, recoveryPassword })).took)
  }
  const ratio = median(whole) / median(bare)
  return [
    timesOf(`PBKDF2, ${vaultLimits.passwordRounds} rounds, alone`, bare),
    timesOf('recovery by password', whole),
    { what: 'recovery by password, times that', value: ratio, unit: '×', budget: budgets.recovery },
  ]
}
