/** Fees that a user chooses, amounts with their worth, and actions that are read one at a time. */
import { expect } from '@open-wc/testing'
import { setViewport } from '@web/test-runner-commands'
import type { Action, EditableFees, TransactionPreview } from '../../../src/signing/preview.ts'
import {
  type ApproveTransactionProps,
  approveTransaction,
} from '../../../src/signing/transaction/approve-transaction.tsx'
import { atRest, violationsIn } from './axe.ts'
import {
  type Mounted,
  mount,
  painted,
  press,
  pressKey,
  tooWide,
  type,
  typeText,
  unmountAll,
  until,
} from './mount.tsx'

const spender = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
const gwei = 10n ** 9n
const fees: EditableFees = {
  chosen: 'usual',
  levels: [
    { speed: 'slow', fee: 42n * 10n ** 12n },
    { speed: 'usual', fee: 63n * 10n ** 12n },
    { speed: 'fast', fee: 84n * 10n ** 12n },
  ],
  own: { maxFeePerGas: 3n * gwei, maxPriorityFeePerGas: gwei },
}
const preview: TransactionPreview = {
  origin: 'https://a.example',
  wallet: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  network: { name: 'Base' },
  coin: { symbol: 'ETH', decimals: 18 },
  value: 25n * 10n ** 16n,
  actions: [{ kind: 'transfer', to: spender, amount: 25n * 10n ** 16n }],
  fee: 63n * 10n ** 12n,
  total: 25n * 10n ** 16n + 63n * 10n ** 12n,
  balance: 10n ** 18n,
  fees,
  isUnderfunded: false,
  warnings: [],
}
const withPreview = (
  change: Partial<TransactionPreview> = {},
  more: Partial<ApproveTransactionProps> = {},
): ApproveTransactionProps => ({ preview: { ...preview, ...change }, action: 'send', ...more })
const button = ({ all }: Mounted, words: string) => {
  const found = all('button').find((each) => each.textContent?.includes(words))
  if (!found) throw new Error(`There is no button '${words}'`)
  return found
}
const isHeld = (screen: Mounted, words: string) => button(screen, words).ariaDisabled === 'true'
const radio = ({ find }: Mounted, value: string) =>
  find<HTMLInputElement>(`input[type=radio][value=${value}]`)
const inputs = ({ all }: Mounted) => all('form input') as HTMLInputElement[]

afterEach(async () => {
  unmountAll()
  await setViewport({ width: 800, height: 600 })
})

describe('fee choice', () => {
  it('fee choice: the levels are closed at first, and say what each costs at most', async () => {
    const screen = mount()
    await screen.ask(approveTransaction, withPreview({ prices: { coin: 2_500, tokens: {} } }))
    expect(screen.all('input[type=radio]')).to.have.length(0)
    await press(button(screen, 'Change fee'))
    const labels = screen.all('fieldset label').map((each) => each.textContent)
    expect(labels).to.deep.equal([
      'Slow0.000042 ETH$0.11',
      'Usual0.000063 ETH$0.16',
      'Fast0.000084 ETH$0.21',
      'Own fee',
    ])
    expect(radio(screen, 'usual').checked).to.equal(true)
  })

  it('fee choice: by keys alone, another level is asked for', async () => {
    const screen = mount()
    await screen.ask(approveTransaction, withPreview())
    await until(() => screen.all('[data-arriving]').length === 0, 'the screen takes presses')
    button(screen, 'Change fee').focus()
    await pressKey('Enter')
    await until(() => screen.all('input[type=radio]').length > 0, 'the levels')
    await pressKey('Tab')
    expect(screen.focuses('input[type=radio][value=usual]')).to.equal(true)
    await pressKey('ArrowDown')
    await until(() => screen.answers.length > 0, 'an answer')
    expect(screen.answers).to.deep.equal([{ edited: { fees: 'fast' } }])
    expect(isHeld(screen, 'Approve')).to.equal(true)
    // The choice stays open, and keeps the focus, while the fee is on its way.
    const chosen: EditableFees = { ...fees, chosen: 'fast' }
    await screen.ask(
      approveTransaction,
      withPreview({ fees: chosen, fee: undefined, total: undefined }, { preparing: true }),
    )
    expect(radio(screen, 'fast').checked).to.equal(true)
    await screen.ask(approveTransaction, withPreview({ fees: chosen }))
    expect(screen.focuses('input[type=radio][value=fast]')).to.equal(true)
    expect(isHeld(screen, 'Approve')).to.equal(false)
  })

  it('fee choice: nothing is approved beside own fees that are typed and not used yet', async () => {
    const screen = mount()
    await screen.ask(approveTransaction, withPreview())
    await press(button(screen, 'Change fee'))
    await press(radio(screen, 'own'))
    expect(isHeld(screen, 'Approve')).to.equal(true)
    const [most, tip] = inputs(screen)
    expect([most?.value, tip?.value]).to.deep.equal(['3', '1'])
    type(tip as HTMLInputElement, '4')
    await press(button(screen, 'Use'))
    expect(screen.root.textContent).to.contain("The tip can't be more than the max fee.")
    type(tip as HTMLInputElement, '0.000000001')
    type(most as HTMLInputElement, '2.5')
    await press(button(screen, 'Use'))
    expect(screen.answers).to.deep.equal([
      { edited: { fees: { maxFeePerGas: 2_500_000_000n, maxPriorityFeePerGas: 1n } } },
    ])
  })

  for (const [typed, words] of [
    ['', 'Enter a fee.'],
    ['1e3', 'Enter a fee.'],
    ['1,304.5', "Use '.' before the decimals"],
    ['0.0000000001', 'At most 9 decimals.'],
  ] as const)
    it(`fee choice: '${typed}' is refused in words`, async () => {
      const screen = mount()
      await screen.ask(approveTransaction, withPreview({ fees: { ...fees, own: { gasPrice: gwei } } }))
      await press(button(screen, 'Change fee'))
      await press(radio(screen, 'own'))
      const [price] = inputs(screen)
      type(price as HTMLInputElement, typed)
      price?.focus()
      await pressKey('Enter')
      expect(screen.root.textContent).to.contain(words)
      expect(screen.answers).to.deep.equal([])
    })

  it('fee choice: on Solana the priority fee is typed in SOL', async () => {
    const screen = mount()
    const coin = { symbol: 'SOL', decimals: 9 }
    await screen.ask(
      approveTransaction,
      withPreview({ coin, fees: { chosen: 'usual', levels: [], own: { priority: 4_290n } } }),
    )
    await press(button(screen, 'Change fee'))
    await press(radio(screen, 'own'))
    const [amount] = inputs(screen)
    expect(amount?.value).to.equal('0.00000429')
    amount?.select()
    await typeText('0.00001')
    await press(button(screen, 'Use'))
    expect(screen.answers).to.deep.equal([{ edited: { fees: { priority: 10_000n } } }])
  })

  for (const textScale of [1, 2])
    it(`fee choice: at 320 px with text ${textScale} times as large, nothing is cut and axe finds nothing`, async () => {
      await setViewport({ width: 320, height: 640 })
      const screen = mount({ textScale })
      await screen.ask(approveTransaction, withPreview({ prices: { coin: 2_500, tokens: {} } }))
      // The drawer comes in from below.
      await atRest(screen.root)
      await press(button(screen, 'Change fee'))
      await until(() => screen.all('input[type=radio]').length > 0, 'the levels')
      await press(radio(screen, 'own'))
      await atRest(screen.root)
      expect(tooWide(screen)).to.deep.equal([])
      expect(await violationsIn(screen.root)).to.deep.equal([])
    })
})

describe('worth', () => {
  it('worth: amount, fee and total have theirs below them', async () => {
    const screen = mount()
    await screen.ask(approveTransaction, withPreview({ prices: { coin: 2_500, tokens: {} } }))
    const facts = Object.fromEntries(
      screen.all('dt').map((term) => [term.textContent, term.nextElementSibling?.textContent]),
    )
    expect(screen.find('[part=body]').textContent).to.contain('$625.00')
    expect(facts.Fee).to.equal('0.000063 ETH$0.16')
    expect(facts.Total).to.equal('0.250063 ETH$625.16')
  })

  it('notice: what has moved, and fees that are refused, are said above the buttons', async () => {
    const screen = mount()
    await screen.ask(approveTransaction, withPreview({}, { notice: 'renewed' }))
    expect(screen.find('[part=footer]').textContent).to.contain('Check the figures again.')
    await screen.ask(approveTransaction, withPreview({}, { notice: 'fees-refused' }))
    expect(screen.find('[part=footer]').textContent).to.contain("These fees can't be used.")
  })
})

describe('steps', () => {
  const actions: readonly Action[] = [
    { kind: 'call', to: spender },
    { kind: 'transfer', to: spender, amount: 5n },
  ]

  it('steps: each action is read by itself, and all of them before anything is approved', async () => {
    const screen = mount()
    await screen.ask(approveTransaction, withPreview({ actions }))
    const place = () => `${screen.find('[data-strip]').textContent} ${screen.find('[part=body]').textContent}`
    expect(place()).to.contain('Step 1 of 2').and.to.contain('Contract call')
    expect(screen.all('[data-approves]')).to.have.length(0)
    await press(button(screen, 'Continue'))
    expect(place()).to.contain('Step 2 of 2').and.not.to.contain('Contract call')
    await press(button(screen, 'Back'))
    expect(place()).to.contain('Step 1 of 2')
    await press(button(screen, 'Continue'))
    await press(button(screen, 'Continue'))
    expect(place()).to.contain('Contract call').and.to.contain('Total')
    await press(button(screen, 'Back'))
    expect(place()).to.contain('Step 2 of 2')
    await press(button(screen, 'Continue'))
    await until(() => !isHeld(screen, 'Approve'), 'the button lives')
    await press(button(screen, 'Approve'))
    expect(screen.answers).to.deep.equal(['approve'])
  })

  it('steps: a double press of Continue approves nothing', async () => {
    const screen = mount()
    await screen.ask(approveTransaction, withPreview({ actions }))
    await press(button(screen, 'Continue'))
    button(screen, 'Continue').click()
    await painted()
    button(screen, 'Approve').click()
    await painted()
    expect(screen.answers).to.deep.equal([])
  })

  it('steps: Cancel on the first one declines', async () => {
    const screen = mount()
    await screen.ask(approveTransaction, withPreview({ actions }))
    await press(button(screen, 'Cancel'))
    expect(screen.answers).to.deep.equal(['cancel'])
  })
})
