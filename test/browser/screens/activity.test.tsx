/** What the screens of activity and balances show and answer. */
import { expect } from '@open-wc/testing'
import { examples as balancesExamples } from '../../../src/balances/wallet-balances.examples.tsx'
import { type WalletBalancesProps, walletBalances } from '../../../src/balances/wallet-balances.tsx'
import { examples as detailExamples } from '../../../src/signing/activity/activity-detail.examples.tsx'
import { type ActivityDetailProps, activityDetail } from '../../../src/signing/activity/activity-detail.tsx'
import { examples as listExamples } from '../../../src/signing/activity/activity-list.examples.tsx'
import { activityList } from '../../../src/signing/activity/activity-list.tsx'
import { violationsIn } from './axe.ts'
import { type Mounted, mount, painted, unmountAll } from './mount.tsx'

const body = ({ find }: Mounted) => find('[part=body]').textContent ?? ''
const buttons = ({ all }: Mounted) => all('[part=footer] button').map((each) => each.textContent)
function press({ all }: Mounted, words: string) {
  const found = all('button').find((each) => each.textContent?.includes(words))
  if (!found) throw new Error(`There is no button '${words}'`)
  found.click()
}

afterEach(unmountAll)

describe('activity list', () => {
  it('groups what is pending and what is done, each with its state in words', async () => {
    const screen = mount()
    await screen.ask(activityList, listExamples.full.props)
    expect(screen.all('h3').map((each) => each.textContent)).to.deep.equal(['Pending', 'Done'])
    const rows = screen.all('[part=row]').map((each) => each.textContent ?? '')
    expect(rows.length).to.equal(7)
    expect(rows[0]).to.contain('Transfer').and.contain('0.25 ETH').and.contain('Base').and.contain('Pending')
    expect(rows[3]).to.contain('Contract call').and.contain('Failed').and.contain('Arbitrum One')
  })

  it('answers with the transaction that is pressed, once', async () => {
    const screen = mount()
    await screen.ask(activityList, listExamples.full.props)
    press(screen, '1,250 USDC')
    press(screen, '0.25 ETH')
    await painted()
    expect(screen.answers).to.deep.equal([{ entry: 'd1' }])
  })

  it('says that there is nothing yet', async () => {
    const screen = mount()
    await screen.ask(activityList, listExamples.empty.props)
    expect(body(screen)).to.contain('What you send from this browser will be here.')
    expect(screen.all('[part=row]').length).to.equal(0)
  })

  it('has a way back only where it was opened from another screen', async () => {
    const screen = mount()
    await screen.ask(activityList, listExamples.full.props)
    expect(screen.all('button').some((each) => each.ariaLabel === 'Back')).to.equal(false)
    await screen.ask(activityList, listExamples['from the settings'].props)
    expect(screen.all('button').some((each) => each.ariaLabel === 'Back')).to.equal(true)
  })
})

describe('activity detail', () => {
  const show = async (props: ActivityDetailProps) => {
    const screen = mount()
    await screen.ask(activityDetail, props)
    return screen
  }

  it('shows amount, recipient, network and hash, with a link to the explorer', async () => {
    const { props } = detailExamples.pending
    const screen = await show(props)
    for (const words of ['Transfer', "hasn't confirmed it yet", '0.25 ETH', 'Base'])
      expect(body(screen)).to.contain(words)
    expect(screen.all('[part=address]').map((each) => each.textContent)).to.include(props.to)
    expect(screen.find<HTMLAnchorElement>('a').href).to.equal(props.explorerUrl)
    expect(screen.all('button').some((each) => each.ariaLabel === 'Copy transaction hash')).to.equal(true)
  })

  it('offers to speed up and to cancel what is pending, and answers once', async () => {
    const screen = await show(detailExamples.pending.props)
    expect(buttons(screen)).to.deep.equal(['Speed up', 'Cancel transaction'])
    press(screen, 'Speed up')
    press(screen, 'Cancel transaction')
    await painted()
    expect(screen.answers).to.deep.equal(['speed-up'])
  })

  it('offers to send a dropped one again, and nothing for what is decided', async () => {
    const screen = await show(detailExamples.dropped.props)
    expect(buttons(screen)).to.deep.equal(['Send again'])
    await screen.ask(activityDetail, detailExamples.confirmed.props)
    expect(buttons(screen)).to.deep.equal([])
  })

  it('shows why it failed, with hidden characters made visible, and what took its place', async () => {
    const screen = await show({ ...detailExamples.failed.props, reason: 'not\u202etoday' })
    expect(body(screen)).not.to.contain('\u202e')
    await screen.ask(activityDetail, detailExamples.replaced.props)
    expect(body(screen)).to.contain('Another transaction of this wallet was confirmed in its place.')
    expect(body(screen)).to.contain('Replaced by')
  })

  it('announces a failed action as an alert', async () => {
    const screen = await show(detailExamples['sending again has failed'].props)
    await painted()
    expect(screen.root.querySelector('[role=alert]')?.textContent).to.contain("You're not connected")
  })
})

describe('balances', () => {
  const show = async (props: WalletBalancesProps) => {
    const screen = mount()
    await screen.ask(walletBalances, props)
    return screen
  }
  const rows = ({ all }: Mounted) => all('[part=row]').map((each) => each.textContent)

  it('shows what each wallet holds on each network', async () => {
    const screen = await show(balancesExamples.full.props)
    expect(screen.all('h3').map((each) => each.textContent)).to.deep.equal([
      'Ethereum wallet · 0x71C7…976F',
      'Solana wallet · 7EqQ…wJeK',
    ])
    expect(rows(screen)).to.deep.equal([
      'ETHEthereum1.25',
      'USDCEthereum1,304.53',
      'ETHBase0',
      'SOLSolana12.000005',
    ])
  })

  it('says which network does not answer, beside the last known amount', async () => {
    const screen = await show(balancesExamples['a network that does not answer'].props)
    expect(rows(screen)).to.deep.equal([
      "ETHEthereum · Couldn't be updated1.25",
      "ETHBase · Couldn't be updated",
    ])
  })

  it('shows less than can be displayed as such, and leaves out what is no token', async () => {
    const [wallet] = balancesExamples['very little'].props.wallets
    if (!wallet) throw new Error('There is no wallet')
    const balances = wallet.balances.flatMap((each) => [each, { ...each, status: 'no-token' } as const])
    const screen = await show({ wallets: [{ ...wallet, balances }], isRefreshing: false, now: 0 })
    expect(rows(screen)).to.deep.equal(['ETHEthereum<0.000001'])
  })

  it('answers with a refresh, but not while there is one', async () => {
    const screen = await show(balancesExamples.full.props)
    press(screen, 'Refresh')
    await painted()
    expect(screen.answers).to.deep.equal(['refresh'])
    unmountAll()
    const busy = await show(balancesExamples.loading.props)
    busy.find('[part=footer] button').click()
    await painted()
    expect(busy.answers).to.deep.equal([])
  })
})

describe('accessibility', () => {
  it('has no violations in any state of a transaction', async () => {
    for (const { props } of Object.values(detailExamples)) {
      const screen = mount()
      await screen.ask(activityDetail, props)
      expect(await violationsIn(screen.root)).to.deep.equal([])
      unmountAll()
    }
  })
})
