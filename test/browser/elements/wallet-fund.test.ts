import { expect } from '@open-wc/testing'
import type { WalletFund } from '../../../elements/wallet-fund.ts'
import type { FundWalletOptions, Kit } from '../../../src/kit/api.ts'
import { fakeKit } from './support/fake-kit.ts'
import { clear, headingOf, pressOn, record, until, within } from './support/page.ts'

function place(attributes: Readonly<Record<string, string>> = {}) {
  const opened: FundWalletOptions[] = []
  const kit: Kit = fakeKit()
  const { fundWallet } = kit
  const element = document.createElement('wallet-fund')
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.kit = Object.assign(kit, {
    fundWallet(options: FundWalletOptions = {}) {
      opened.push(options)
      return fundWallet(options)
    },
  })
  document.body.append(element)
  return { element, opened }
}
async function pressThrough(element: WalletFund) {
  await until(() => within(element, '#next') !== null)
  await pressOn(element, '#next')
  await until(() => headingOf(element) === 'Second screen')
  await pressOn(element, '#done')
}

describe('<wallet-fund>', () => {
  afterEach(clear)

  it('funds what its attributes say, resolves with what has come, and says so once', async () => {
    const { element, opened } = place({ amount: '0.05', asset: 'USDC', chain: 'eip155:8453' })
    const seen = record(element, 'lk-fund-status')
    const funding = element.fund()
    await pressThrough(element)
    expect(await funding).to.include({ method: 'manual', status: 'confirmed', chain: 'eip155:8453' })
    const { amount, asset, chain } = opened[0] ?? {}
    expect({ amount, asset, chain }).to.deep.equal({ amount: '0.05', asset: 'USDC', chain: 'eip155:8453' })
    expect(seen.map(({ name }) => name)).to.deep.equal(['lk-fund-status'])
  })

  it('takes what the call says before what its attributes say', async () => {
    const { element, opened } = place({ amount: '0.05', chain: 'eip155:8453' })
    const funding = element.fund({ amount: '1', defaultMethod: 'manual' })
    await pressThrough(element)
    await funding
    const { amount, chain, defaultMethod } = opened[0] ?? {}
    expect({ amount, chain, defaultMethod }).to.deep.equal({
      amount: '1',
      chain: 'eip155:8453',
      defaultMethod: 'manual',
    })
  })

  it('hands on where a provider’s page leads to: by attribute, by property, or by the call itself', async () => {
    const { element, opened } = place({ 'return-url': 'https://app.example/wallet' })
    const fund = async (options?: Parameters<WalletFund['fund']>[0]) => {
      const funding = element.fund(options)
      await pressThrough(element)
      await funding
    }
    expect(element.returnUrl).to.equal('https://app.example/wallet')
    await fund()
    await fund({ returnUrl: 'https://app.example/once' })
    element.returnUrl = 'https://app.example/later'
    await fund()
    element.removeAttribute('return-url')
    element.returnUrl = undefined
    await fund()
    expect(opened.map(({ returnUrl }) => returnUrl)).to.deep.equal([
      'https://app.example/wallet',
      'https://app.example/once',
      'https://app.example/later',
      undefined,
    ])
    expect(opened[3]).not.to.have.property('returnUrl')
  })

  it('reads its attributes as properties, and reflects none of them', () => {
    const { element } = place({ amount: '0.05', asset: 'USDC' })
    expect(element.amount).to.equal('0.05')
    element.chain = 'solana:mainnet'
    expect(element.chain).to.equal('solana:mainnet')
    expect(element.hasAttribute('chain')).to.equal(false)
    element.asset = undefined
    expect(element.asset).to.equal(undefined)
    element.setAttribute('asset', 'native-currency')
    expect(element.asset).to.equal('native-currency')
    element.removeAttribute('amount')
    expect(element.amount).to.equal(undefined)
  })

  it('opens by its attribute', async () => {
    const { element, opened } = place()
    element.open = true
    await pressThrough(element)
    expect(opened.length).to.equal(1)
  })

  it('rejects with the code of leaving when it is closed', async () => {
    const { element } = place()
    const seen = record(element, 'lk-fund-status')
    const code = element.fund().catch((cause) => cause.code)
    await until(() => element.open)
    element.open = false
    expect(await code).to.equal('exited_funding_flow')
    expect(seen).to.deep.equal([])
  })
})
