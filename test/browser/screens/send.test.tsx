/** What the screens of the form for sending show and answer. */
import { expect } from '@open-wc/testing'
import { examples as amountExamples } from '../../../src/signing/send/send-amount.examples.tsx'
import { type SendAmountProps, sendAmount } from '../../../src/signing/send/send-amount.tsx'
import { examples as assetExamples } from '../../../src/signing/send/send-asset.examples.tsx'
import { sendAsset } from '../../../src/signing/send/send-asset.tsx'
import { examples as recipientExamples } from '../../../src/signing/send/send-recipient.examples.tsx'
import { type SendRecipientProps, sendRecipient } from '../../../src/signing/send/send-recipient.tsx'
import { examples as reviewExamples } from '../../../src/signing/transaction/approve-transaction.examples.tsx'
import { approveTransaction } from '../../../src/signing/transaction/approve-transaction.tsx'
import { type Mounted, mount, painted, pressKey, tooWide, unmountAll, write } from './mount.tsx'

const body = ({ find }: Mounted) => find('[part=body]').textContent ?? ''
const input = ({ find }: Mounted) => find<HTMLInputElement>('[part=input]')
function press({ all }: Mounted, words: string) {
  const found = all('button').find((each) => each.textContent?.includes(words))
  if (!found) throw new Error(`There is no button '${words}'`)
  found.click()
}
const isOff = ({ all }: Mounted, words: string) =>
  all('button')
    .find((each) => each.textContent?.includes(words))
    ?.getAttribute('aria-disabled') === 'true'

afterEach(unmountAll)

describe('send: recipient', () => {
  const show = async (props: SendRecipientProps, options = {}) => {
    const screen = mount(options)
    await screen.ask(sendRecipient, props)
    return screen
  }

  it('answers with what is typed, once', async () => {
    const screen = await show(recipientExamples.empty.props)
    write(input(screen), '0xabc')
    await painted()
    press(screen, 'Continue')
    press(screen, 'Continue')
    await painted()
    expect(screen.answers).to.deep.equal([{ to: '0xabc', isAccepted: false }])
  })

  it('fills in a known address, and does not go on by itself', async () => {
    const { props } = recipientExamples['with addresses that are known']
    const screen = await show(props)
    press(screen, '0x7099…79C8')
    await painted()
    expect(input(screen).value).to.equal(props.recent[0])
    expect(screen.answers).to.deep.equal([])
  })

  it('shows a long address whole, and the Enter key goes on with it', async () => {
    const { props } = recipientExamples.solana
    const [address = ''] = props.recent
    for (const options of [{}, { dir: 'rtl' }, { textScale: 2 }] as const) {
      const screen = await show(props, options)
      write(input(screen), `${address}\n`)
      await painted()
      expect(input(screen).value).to.equal(address)
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = input(screen)
      expect(scrollWidth).to.be.at.most(clientWidth)
      expect(scrollHeight).to.be.at.most(clientHeight)
      expect(clientHeight, 'more than one line').to.be.greaterThan(40)
      await pressKey('Enter')
      expect(screen.answers).to.deep.equal([{ to: address, isAccepted: false }])
      unmountAll()
    }
  })

  it('leads to what else can be sent, and takes along what was typed', async () => {
    const screen = await show(recipientExamples.empty.props)
    write(input(screen), 'friend')
    await painted()
    press(screen, 'ETH')
    await painted()
    expect(screen.answers).to.deep.equal([{ change: 'friend' }])
  })

  it('takes an error away once something else is typed', async () => {
    const screen = await show(recipientExamples['nobody has the name'].props)
    expect(body(screen)).to.contain('Nobody has this name.')
    write(input(screen), 'friend.eth')
    await painted()
    expect(body(screen)).not.to.contain('Nobody has this name.')
  })

  it('shows both addresses of a look-alike in full, and goes on only after a second look', async () => {
    const { props } = recipientExamples['looks like a known address']
    const screen = await show(props)
    const addresses = screen.all('[part=address]').map((each) => each.textContent)
    expect(addresses).to.deep.equal([props.caution?.looksLike, props.caution?.address])
    expect(isOff(screen, 'Continue')).to.equal(true)
    press(screen, 'Continue')
    screen.find<HTMLInputElement>('input[type=checkbox]').click()
    await painted()
    press(screen, 'Continue')
    await painted()
    expect(screen.answers).to.deep.equal([{ to: props.to, isAccepted: true }])
  })

  it('takes a warning away with the address that it is about', async () => {
    const screen = await show(recipientExamples['looks like a known address'].props)
    write(input(screen), '0x1')
    await painted()
    expect(screen.all('[part=banner]').length).to.equal(0)
    expect(isOff(screen, 'Continue')).to.equal(false)
  })

  it('fits from right to left and with large text', async () => {
    for (const options of [{ dir: 'rtl' }, { textScale: 2 }]) {
      const screen = await show(recipientExamples['long names'].props, options)
      expect(tooWide(screen)).to.deep.equal([])
      unmountAll()
    }
  })
})

describe('send: what', () => {
  it('lists what each wallet has, with its worth, and answers with what is pressed, once', async () => {
    const screen = mount()
    await screen.ask(sendAsset, assetExamples.full.props)
    const rows = screen.all('[part=row]').map((each) => each.textContent ?? '')
    expect(rows[0]).to.contain('ETH').and.contain('1.25').and.contain('$3,906.75').and.contain('Ethereum')
    press(screen, 'USDC')
    press(screen, 'SOL')
    await painted()
    expect(screen.answers).to.deep.equal([{ asset: 'usdc' }])
  })

  it('leaves out a price that is too old', async () => {
    const screen = mount()
    await screen.ask(sendAsset, assetExamples['a price that is too old'].props)
    expect(body(screen)).not.to.contain('$')
  })
})

describe('send: amount', () => {
  const show = async (props: SendAmountProps, options = {}) => {
    const screen = mount(options)
    await screen.ask(sendAmount, props)
    return screen
  }

  it('shows the worth of what is typed, as it is typed', async () => {
    const screen = await show(amountExamples.empty.props)
    expect(body(screen)).not.to.contain('About')
    write(input(screen), '0.25')
    await painted()
    expect(body(screen)).to.contain('About $781.35')
    write(input(screen), '0.25x')
    await painted()
    expect(body(screen)).not.to.contain('About')
  })

  it('asks for the maximum, and then says that it is one until the amount is changed', async () => {
    const screen = await show(amountExamples['with what it is worth'].props)
    press(screen, 'Maximum')
    await painted()
    await screen.ask(sendAmount, amountExamples.maximum.props)
    const { text } = amountExamples.maximum.props.filled
    expect(input(screen).value).to.equal(text)
    press(screen, 'Continue')
    await painted()
    await screen.ask(sendAmount, amountExamples.maximum.props)
    write(input(screen), '0.1')
    await painted()
    press(screen, 'Continue')
    await painted()
    expect(screen.answers).to.deep.equal([
      { maximum: '0.25' },
      { amount: text, isMaximum: true },
      { amount: '0.1', isMaximum: false },
    ])
  })

  it('keeps what was typed while balances come in', async () => {
    const { props } = amountExamples.empty
    const screen = await show(props)
    write(input(screen), '0.7')
    await painted()
    await screen.ask(sendAmount, { ...props, asset: { ...props.asset, balance: 5n } })
    expect(input(screen).value).to.equal('0.7')
  })

  it('goes back with what was typed', async () => {
    const screen = await show(amountExamples['with what it is worth'].props)
    press(screen, 'Back')
    await painted()
    expect(screen.answers).to.deep.equal([{ back: '0.25', isMaximum: false }])
  })

  it('shows the recipient in full, with its name', async () => {
    const { props } = amountExamples['to a name']
    const screen = await show(props)
    expect(screen.find('[part=address]').textContent).to.equal(props.to)
    expect(body(screen)).to.contain('friend.eth')
  })

  it('fits from right to left and with large text', async () => {
    for (const options of [{ dir: 'rtl' }, { textScale: 2 }]) {
      const screen = await show(amountExamples['long names'].props, options)
      expect(tooWide(screen)).to.deep.equal([])
      unmountAll()
    }
  })
})

describe('send: review of a token of Token-2022', () => {
  const { props } = reviewExamples.Solana
  const transfer = {
    kind: 'transferToken',
    source: 'source',
    destination: recipientExamples.solana.props.recent[0] ?? '',
    authority: props.preview.wallet,
    amount: 100_000n,
    mint: 'mint',
    decimals: 6,
    symbol: 'GOLD',
    sourceOwner: undefined,
    destinationOwner: undefined,
    instruction: 0,
    isInner: false,
    program: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
    accounts: [],
    data: new Uint8Array(),
  } as const
  async function review(more: { scale?: number; fee?: bigint }) {
    const screen = mount()
    const instruction = { fee: undefined, ...transfer, ...more }
    const preview = { ...props.preview, value: 0n, actions: [{ kind: 'instruction', instruction }] as const }
    await screen.ask(approveTransaction, { ...props, preview })
    return body(screen)
  }

  it('shows the amount as it was typed, and what arrives after a fee', async () => {
    const text = await review({ scale: 10, fee: 1_000n })
    expect(text).to.contain('1 GOLD')
    expect(text).to.match(/gets\s*0\.99 GOLD/)
    expect(text).not.to.contain('0.1 GOLD')
  })

  it('names smallest units, and says so, where nobody knows how people see them', async () => {
    const text = await review({})
    expect(text).to.contain('100,000 smallest units')
    expect(text).to.contain("How many of these make one token isn't known here.")
  })
})
