import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readAmount, sumOf, toDigits } from '../../../demo/backend/ramps/amounts.ts'
import { symbolOf } from '../../../demo/backend/ramps/assets.ts'
import { moonpayCodesByKind, shortCodes } from '../../../demo/backend/ramps/compatible.ts'
import { failureOf } from '../../../demo/backend/ramps/provider.ts'
import { coinbaseNetworks } from '../../../demo/backend/ramps/providers/coinbase.ts'
import { moonpayCodes } from '../../../demo/backend/ramps/providers/moonpay.ts'
import { assertRampSettings, rampsOf, rampViews } from '../../../demo/backend/ramps/ramps.ts'
import { type AppSettings, readApps } from '../../../demo/backend/settings/app.ts'
import { rampSettings } from '../support/ramps-world.ts'

const sellers = { origin: 'http://localhost:1' }
const open = (settings: AppSettings) => rampsOf(readApps([settings]).all[0] as never)
const fail = (settings: AppSettings) => {
  try {
    assertRampSettings(readApps([settings]).all)
  } catch (cause) {
    return (cause as Error).message
  }
  return 'no error'
}

describe('settings of on-ramps', () => {
  test('defaults: without hosts of one’s own the providers’ real ones are used, by the kind of keys', async () => {
    const settings = (pk: string, sk: string) => ({
      ...rampSettings(sellers),
      onRamps: { providers: { moonpay: { publishableKey: pk, secretKey: sk } } },
    })
    const order = {
      reference: 'lk1',
      method: 'card' as const,
      address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
      chain: 'eip155:1',
      asset: 'USDC',
      amount: '25',
      currency: 'EUR',
    }
    const buyer = { userId: 'u', ip: undefined, email: undefined, phone: undefined }
    const addressWith = async (kind: string) => {
      const [ramp] = open(settings(`pk_${kind}_12345678`, `sk_${kind}_12345678`))
      return (await ramp?.start(order, {}, buyer, {} as never))?.opening.url.split('?')[0]
    }
    expect(await addressWith('live')).toBe('https://buy.moonpay.com')
    expect(await addressWith('test')).toBe('https://buy-sandbox.moonpay.com')
  })

  test.each([
    ['an unknown provider', { stripe: {} }, "App 'latchkey-test-ramps-00001': onRamps.providers.stripe: "],
    ['a missing key', { moonpay: { publishableKey: 'pk_test_1234' } }, 'onRamps.providers.moonpay.secretKey'],
    [
      'a secret key in the place of the publishable one',
      { moonpay: { publishableKey: 'sk_live_hunter2x', secretKey: 'sk_live_hunter2x' } },
      'moonpay.publishableKey: must begin with pk_test_ or pk_live_',
    ],
    [
      'keys of two kinds',
      { moonpay: { publishableKey: 'pk_test_12345678', secretKey: 'sk_live_hunter2x' } },
      'has a key of the sandbox beside a live one',
    ],
    [
      'a webhook key that is too short',
      { moonpay: { publishableKey: 'pk_test_12345678', secretKey: 'sk_test_12345678', webhookKey: 'short' } },
      'moonpay.webhookKey: must have 16 characters or more',
    ],
    [
      'a host with a query',
      {
        moonpay: {
          publishableKey: 'pk_test_12345678',
          secretKey: 'sk_test_12345678',
          hosts: { buy: 'https://x.example/?a' },
        },
      },
      'moonpay.hosts.buy: must be an address',
    ],
    [
      'no method',
      { moonpay: { publishableKey: 'pk_test_12345678', secretKey: 'sk_test_12345678', methods: [] } },
      'moonpay.methods',
    ],
    [
      'a setting that is none',
      { moonpay: { publishableKey: 'pk_test_12345678', secretKey: 'sk_test_12345678', sandbox: true } },
      'moonpay.sandbox',
    ],
    [
      'a private key that is none',
      {
        'coinbase-onramp': {
          keyName: 'key-name-1',
          privateKey: 'hunter2x',
          projectId: 'project-1',
          sandbox: true,
        },
      },
      'coinbase-onramp.privateKey: must be 64 bytes in base64',
    ],
    [
      'no word on the sandbox',
      { 'coinbase-onramp': { keyName: 'key-name-1', privateKey: 'hunter2x', projectId: 'project-1' } },
      'coinbase-onramp.sandbox',
    ],
  ])('start: %s refuses to start, by its name and without its value', (_, providers, message) => {
    const said = fail({ ...rampSettings(sellers), onRamps: { providers } as never })
    expect(said).toContain(message)
    expect(said).not.toContain('hunter2')
  })

  test('keys: Ed25519 in base64 and in PEM, and P-256 in both forms of PEM, are taken', () => {
    const one = (privateKey: string) => fail(rampSettings(sellers, { coinbase: { privateKey } }))
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const ed = generateKeyPairSync('ed25519').privateKey
    expect(one(ec.export({ format: 'pem', type: 'sec1' }) as string)).toBe('no error')
    expect(one(ec.export({ format: 'pem', type: 'pkcs8' }) as string)).toBe('no error')
    expect(one(ed.export({ format: 'pem', type: 'pkcs8' }) as string)).toBe('no error')
    const other = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey
    expect(one(other.export({ format: 'pem', type: 'pkcs8' }) as string)).toContain('privateKey: must be')
  })

  test('configuration: what a page reads of the providers has no key in it', () => {
    const settings = rampSettings(sellers)
    const [app] = readApps([settings]).all
    const text = JSON.stringify(rampViews(app as never))
    expect(JSON.parse(text)).toMatchObject([
      { id: 'moonpay', name: 'MoonPay', methods: ['card', 'bank-transfer'], is_sandbox: true },
      {
        id: 'coinbase-onramp',
        name: 'Coinbase',
        methods: ['card', 'exchange', 'apple-pay'],
        is_sandbox: true,
      },
    ])
    const sold = rampViews(app as never).map(({ sells }) => sells)
    for (const sells of sold) {
      expect(sells).toContainEqual({ chain: 'eip155:8453', asset: 'USDC' })
      expect(sells.map(({ chain }) => chain)).not.toContain('eip155:59144')
    }
    expect(sold[1]).not.toContainEqual({ chain: 'eip155:42161', asset: 'USDC' })
    for (const provider of Object.values(settings.onRamps?.providers ?? {}))
      for (const name of ['secretKey', 'webhookKey', 'privateKey', 'webhookSecret', 'publishableKey'])
        if (typeof provider[name] === 'string') expect(text).not.toContain(provider[name])
  })
})

describe('tables of on-ramps', () => {
  test('MoonPay: the codes of the specification, by chain', () => {
    expect(moonpayCodes).toEqual({
      'eip155:1': ['ETH_ETHEREUM', 'USDC_ETHEREUM'],
      'eip155:42161': ['ETH_ARBITRUM', 'USDC_ARBITRUM'],
      'eip155:8453': ['ETH_BASE', 'USDC_BASE'],
      'eip155:137': ['MATIC_POLYGON', 'USDC_POLYGON'],
      'eip155:43114': ['AVAX_CCHAIN'],
      'eip155:42220': ['CELO_CELO'],
      'solana:mainnet': ['SOL', 'USDC_SOL'],
    })
    const all: readonly string[] = [...moonpayCodesByKind.ethereum, ...moonpayCodesByKind.solana]
    for (const code of Object.values(moonpayCodes).flat()) expect(all).toContain(code)
    expect(Object.keys(shortCodes).sort()).toEqual(
      ['CELO', 'CUSD', 'DAI', 'ETH', 'FIL', 'MATIC', 'USDC', 'USDT', 'WBTC', 'WETH'].sort(),
    )
    for (const code of Object.values(shortCodes)) expect(moonpayCodesByKind.ethereum).toContain(code)
    expect(moonpayCodesByKind.ethereum).toHaveLength(23)
  })

  test('Coinbase: Ethereum, Base, Optimism, Polygon, Arbitrum and Solana, and USDC on all but Arbitrum', () => {
    expect(coinbaseNetworks).toEqual({
      'eip155:1': 'ethereum',
      'eip155:10': 'optimism',
      'eip155:137': 'polygon',
      'eip155:8453': 'base',
      'eip155:42161': 'arbitrum',
      'solana:mainnet': 'solana',
    })
    const ramp = open(rampSettings(sellers)).find(({ id }) => id === 'coinbase-onramp')
    const without = Object.keys(coinbaseNetworks).filter((chain) => !ramp?.product(chain, 'USDC'))
    expect(without).toEqual(['eip155:42161'])
    expect(ramp?.product('eip155:137', 'native-currency')).toBe('POL on polygon')
    expect(ramp?.product('eip155:56', 'native-currency')).toBeUndefined()
  })

  test('symbols: each chain of both tables has one', () => {
    for (const chain of [...Object.keys(moonpayCodes), ...Object.keys(coinbaseNetworks)])
      expect(symbolOf(chain, 'native-currency'), chain).toMatch(/^[A-Z]{3,4}$/)
  })
})

describe('amounts of on-ramps', () => {
  test.each([
    ['0.05', '0.05'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['007.10', '7.1'],
    ['0.000000000000000001', '0.000000000000000001'],
    ['0.0000000000000000010', '0.000000000000000001'],
    ['0', undefined],
    ['0.0', undefined],
    ['.', undefined],
    ['', undefined],
    ['1.2.3', undefined],
    ['1e5', undefined],
    ['-1', undefined],
    ['+1', undefined],
    ['0x10', undefined],
    ['Infinity', undefined],
    ['0.0000000000000000001', undefined],
    [`1${'0'.repeat(40)}`, undefined],
  ])('amount: %j is read as %j', (text, amount) => {
    expect(readAmount(text, 18)).toBe(amount)
  })

  test('numbers: those of JSON become digits, however small', () => {
    expect(toDigits(0.1)).toBe('0.1')
    expect(toDigits(1e-7)).toBe('0.0000001')
    expect(toDigits(1.5e-10)).toBe('0.00000000015')
    expect(toDigits('12.50')).toBe('12.50')
    for (const other of [-1, Number.NaN, Number.POSITIVE_INFINITY, 1e22, '1e5', 'x', null, undefined])
      expect(toDigits(other)).toBeUndefined()
    expect(sumOf(['1.70', '0.43', '2.37'])).toBe('4.50')
    expect(sumOf([])).toBe('0')
    expect(sumOf(['1', '0.1'])).toBe('1.1')
  })

  test.each([
    ['card_declined', 'declined'],
    ['payment_authorization_declined', 'declined'],
    ['FAILURE_REASON_CARD_INSUFFICIENT_BALANCE', 'funds'],
    ['3ds_authentication_failed', 'authorization'],
    ['customer_region_not_supported', 'region'],
    ['ERROR_CODE_GUEST_TRANSACTION_LIMIT', 'limit'],
    ['fraud_suspected', 'risk'],
    ['kyc_failed', 'verification'],
    ['quote_expired', 'expired'],
    ['cancelled_by_customer', 'canceled'],
    ['refunded', 'refunded'],
    ['a reason of tomorrow', 'unknown'],
    [undefined, 'unknown'],
  ])('failure: %s means %s', (text, failure) => {
    expect(failureOf(text)).toBe(failure)
  })
})
