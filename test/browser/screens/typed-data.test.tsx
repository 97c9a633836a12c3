/** What the screens do on which typed data and transactions are signed. */

import { expect } from '@open-wc/testing'
import {
  type SignAuthorizationProps,
  signAuthorization,
} from '../../../src/signing/authorization/sign-authorization.tsx'
import type { TransactionPreview } from '../../../src/signing/preview.ts'
import {
  type ApproveTransactionProps,
  approveTransaction,
} from '../../../src/signing/transaction/approve-transaction.tsx'
import { type SignTypedDataProps, signTypedData } from '../../../src/signing/typed-data/sign-typed-data.tsx'
import { uiLimits } from '../../../src/ui/limits.ts'
import { shortAddress } from '../../../src/ui/wallet/address-text.ts'
import { limit } from '../../support/limit.ts'
import { type Mounted, mount, painted, press, unmountAll, until } from './mount.tsx'

const owner = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const spender = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
const field = (name: string, type: string, value: SignTypedDataProps['fields'][number]['value']) => ({
  name,
  type,
  value,
})
const berth: SignTypedDataProps = {
  origin: 'https://a.example',
  address: owner,
  domain: { name: 'Harbor', version: '1', chain: 'Base', contract: spender, salt: '0x07' },
  primaryType: 'Berth',
  fields: [field('number', 'uint8', '7')],
  cancellable: true,
}
const well = ({ find }: Mounted) => find('[role=group]')
const button = ({ all }: Mounted, words: string) => {
  const found = all('button').find((each) => each.textContent?.includes(words) || each.ariaLabel === words)
  if (!found) throw new Error(`There is no button '${words}'`)
  return found
}
const off = (screen: Mounted, words: string) => button(screen, words).ariaDisabled === 'true'
/** Each field's name, type and value as they are read. */
const rows = (screen: Mounted) =>
  screen.all('[role=group] dt').map((term) => `${term.textContent} = ${term.nextElementSibling?.textContent}`)

afterEach(unmountAll)

describe('sign typed data', () => {
  it('shows every field, structures with their type, and all that the signature is valid for', async () => {
    const screen = mount()
    await screen.ask(signTypedData, {
      ...berth,
      fields: [
        ...berth.fields,
        field('guests', 'Guest[]', [field('0', 'Guest', [field('name', 'string', 'Ada')])]),
        field('fees', 'uint256[]', []),
        field('note', 'string', ''),
      ],
    })
    expect(well(screen).querySelector('h3')?.textContent).to.equal('Berth')
    expect(rows(screen)).to.deep.equal([
      'number = 7',
      'guestsGuest[] = 0GuestnameAda',
      '0Guest = nameAda',
      'name = Ada',
      'feesuint256[] = Empty',
      'note = Empty',
      'App = Harbor',
      'Version = 1',
      'Network = Base',
      `Contract = ${spender}`,
      'Salt = 0x07',
    ])
    expect(screen.find('[part=body]').textContent).to.contain('https://a.example')
  })

  it('shows addresses in full, and figures in people’s words beside the raw ones', async () => {
    const screen = mount()
    const most = String(2n ** 256n - 1n)
    await screen.ask(signTypedData, {
      ...berth,
      fields: [
        field('spender', 'address', spender),
        field('value', 'uint256', most),
        field('deadline', 'uint256', '1893456000'),
      ],
    })
    const [to, value, deadline] = rows(screen)
    expect(to).to.equal(`spender = ${spender}`)
    expect(value).to.equal(`value = Maximum${most}`)
    expect(deadline).to.match(/20(29|30).*1893456000$/)
    expect(screen.find('[part=footer]').textContent).to.contain(
      'This lets 0xE592…1564 spend all of your tokens.',
    )
  })

  it('typed data: what it does is named in the title and above the raw fields, the gravest warning first', async () => {
    const screen = mount()
    const allowance = (amount: bigint, unlimited: boolean) =>
      ({
        kind: 'token',
        call: { action: 'approve', contract: owner, party: spender, amount, unlimited },
      }) as const
    await screen.ask(signTypedData, {
      ...berth,
      primaryType: 'PermitBatch',
      actions: [allowance(5n, false), allowance(2n ** 160n - 1n, true)],
      warnings: [
        { code: 'witness', severity: 'warning' },
        { code: 'unlimited-allowance', severity: 'danger', spender },
      ],
    })
    expect(screen.find('h2').textContent).to.equal('Approve spending')
    const terms = screen
      .all('dt')
      .map((each) => `${each.textContent} ${each.nextElementSibling?.textContent}`)
    expect(terms.filter((each) => each.startsWith('Spender'))).to.have.length(2)
    expect(terms.filter((each) => each.startsWith('Amount')).at(-1)).to.equal('Amount Maximum')
    expect(terms).to.contain('number 7')
    expect(screen.all('[part=banner]').map((each) => each.textContent)).to.deep.equal([
      'This lets 0xE592…1564 spend all of your tokens.',
    ])
    expect(button(screen, 'and 1 more').textContent).to.contain('and 1 more')
  })

  it('is signed at once when all of it is in sight', async () => {
    const screen = mount()
    await screen.ask(signTypedData, { ...berth, domain: {} })
    await until(() => !off(screen, 'Sign and continue'), 'signing to be possible')
    button(screen, 'Sign and continue').click()
    await painted()
    expect(screen.answers).to.deep.equal(['sign'])
    await until(() => screen.root.textContent?.includes('Signing...'), 'the busy words')
    await screen.ask(signTypedData, { ...berth, domain: {}, done: true })
    expect(screen.root.textContent).to.contain('Success')
  })

  it('is signed only after its end has been in sight', async () => {
    const screen = mount()
    const fields = Array.from({ length: 60 }, (_, i) => field(`field${i}`, 'uint256', String(i)))
    await screen.ask(signTypedData, { ...berth, fields })
    expect(off(screen, 'Sign and continue')).to.equal(true)
    button(screen, 'Sign and continue').click()
    await painted()
    expect(screen.answers).to.deep.equal([])
    expect(well(screen).tabIndex).to.equal(0)
    expect(well(screen).clientHeight).to.be.at.most(uiLimits.previewHeight)
    well(screen).scrollTop = well(screen).scrollHeight
    await until(() => !off(screen, 'Sign and continue'), 'signing to be possible')
    // Other data has to be read again.
    await screen.ask(signTypedData, { ...berth, fields: fields.slice(1) })
    expect(well(screen).scrollTop).to.equal(0)
    button(screen, 'Sign and continue').click()
    await painted()
    expect(screen.answers).to.deep.equal([])
  })

  it('is signed without scrolling once nothing but the padding is out of sight', async () => {
    const screen = mount()
    const sheet = new CSSStyleSheet()
    screen.root.adoptedStyleSheets.push(sheet)
    const bottom = (el: Element | undefined) => el?.getBoundingClientRect().bottom ?? Number.NaN
    /** @param missing as many pixels of the text are out of sight */
    const cut = (missing: number) => {
      const { scrollHeight } = well(screen)
      sheet.replaceSync(`[role=group] { max-height: ${scrollHeight - padding - missing}px !important }`)
    }
    sheet.replaceSync('[role=group] { max-height: 120px !important }')
    await screen.ask(signTypedData, {
      ...berth,
      domain: {},
      fields: Array.from({ length: 6 }, (_, i) => field(`field${i}`, 'uint256', String(i))),
    })
    const padding = Number.parseFloat(getComputedStyle(well(screen)).paddingBlockEnd)
    expect(padding).to.be.greaterThan(8)
    for (const missing of [18, 4]) {
      cut(missing)
      await painted()
      await painted()
      expect(off(screen, 'Sign and continue'), `${missing} pixels of the text`).to.equal(true)
      expect(screen.root.textContent).to.contain('Read to the end')
    }
    cut(0)
    await until(() => !off(screen, 'Sign and continue'), 'signing to be possible')
    expect(well(screen).scrollTop).to.equal(0)
    expect(well(screen).scrollHeight - well(screen).clientHeight).to.equal(padding)
    // No fading end lies over the last line.
    expect(bottom(screen.all('[role=group] dd').at(-1))).to.be.at.most(bottom(well(screen)) + 0.5)
    expect(well(screen).style.getPropertyValue('--_b')).to.equal('')
  })

  it('shows invisible characters anywhere in the text, and no markup', async () => {
    const screen = mount()
    await screen.ask(signTypedData, {
      ...berth,
      domain: { name: 'Har\u202Ebor' },
      primaryType: 'Or\u200Bder',
      fields: [field('na\u2066me', 'str\u00ADing', 'a\u202Eb<img src=x onerror=alert(1)>')],
    })
    for (const words of ['HarU+202Ebor', 'OrU+200Bder', 'naU+2066me', 'strU+00ADing', 'aU+202Eb<img src=x'])
      expect(well(screen).textContent).to.contain(words)
    expect(screen.all('img').length).to.equal(0)
  })

  it('draws ten thousand fields, and the deepest that there are', async function () {
    this.timeout(limit(120_000))
    const screen = mount()
    const deep = (level: number): ReturnType<typeof field> =>
      field('node', 'Node', level === 0 ? 'leaf' : [deep(level - 1)])
    const list = Array.from({ length: 10_000 }, (_, i) => field(String(i), 'uint8', '1'))
    await screen.ask(signTypedData, { ...berth, fields: [deep(32), field('list', 'uint8[]', list)] })
    await until(() => rows(screen).length === 10_039, 'all of them to be drawn', 110_000)
    for (const each of screen.all('[role=group] dd'))
      if (!each.querySelector('dl')) expect(each.clientWidth).to.be.at.least(100)
  })

  it('can be left only where the app allows it', async () => {
    const screen = mount()
    await screen.ask(signTypedData, { ...berth, cancellable: false })
    expect(screen.all('[aria-label=Close]').length).to.equal(0)
    expect(screen.all('button').some((each) => each.textContent === 'Cancel')).to.equal(false)
  })
})

describe('sign authorization', () => {
  const code: SignAuthorizationProps = {
    origin: 'https://a.example',
    address: owner,
    chain: 'eip155:8453',
    network: 'Base',
    action: { kind: 'code', delegate: spender, name: 'Account' },
    nonce: 12n,
    warnings: [],
    cancellable: true,
  }
  const delegates = { 'of code for the wallet': spender, 'that takes the code back': undefined }
  for (const [which, delegate] of Object.entries(delegates))
    it(`one ${which} is signed only after its end has been in sight`, async () => {
      const screen = mount()
      const sheet = new CSSStyleSheet()
      screen.root.adoptedStyleSheets.push(sheet)
      sheet.replaceSync('[role=group] { max-height: 120px !important }')
      await screen.ask(signAuthorization, { ...code, action: { ...code.action, delegate } })
      expect(off(screen, 'Sign and continue')).to.equal(true)
      button(screen, 'Sign and continue').click()
      await painted()
      expect(screen.answers).to.deep.equal([])
      well(screen).scrollTop = well(screen).scrollHeight
      await until(() => !off(screen, 'Sign and continue'), 'signing to be possible')
    })
})

describe('approve transaction', () => {
  const preview: TransactionPreview = {
    origin: 'https://a.example',
    wallet: owner,
    network: { name: 'Base', chain: 'eip155:8453' },
    coin: { symbol: 'ETH', decimals: 18 },
    value: 25n * 10n ** 16n,
    actions: [{ kind: 'transfer', to: spender, amount: 25n * 10n ** 16n }],
    fee: 10n ** 13n,
    total: 25_001n * 10n ** 13n,
    balance: 10n ** 18n,
    isUnderfunded: false,
    warnings: [],
  }
  const transfer: ApproveTransactionProps = { preview, action: 'send' }
  const withPreview = (change: Partial<TransactionPreview>): ApproveTransactionProps => ({
    ...transfer,
    preview: { ...preview, ...change },
  })
  const facts = (screen: Mounted) =>
    Object.fromEntries(
      screen.all('dt').map((term) => [term.textContent, term.nextElementSibling?.textContent]),
    )

  it('shows what leaves, where it goes, on which network and what it costs', async () => {
    const screen = mount()
    await screen.ask(approveTransaction, transfer)
    expect(screen.find('[part=body]').textContent).to.contain('−0.25ETH')
    expect(screen.find('h2').textContent).to.equal('Transfer')
    expect(facts(screen)).to.deep.equal({
      'Requested by': 'https://a.example',
      Amount: '0.25 ETH',
      To: spender,
      Network: 'Base',
      Fee: '0.00001 ETH',
      Total: '0.25001 ETH',
    })
    expect(screen.find('[part=body]').textContent).to.contain('0x71C7…976F').and.to.contain('1 ETH')
    button(screen, 'Approve').click()
    await painted()
    expect(screen.answers).to.deep.equal(['approve'])
    await until(() => screen.root.textContent?.includes('Sending...'), 'the busy words')
  })

  it('tells a call from the making of a contract, and shows its data in full', async () => {
    const screen = mount()
    const data = `0xa9059cbb${'00'.repeat(64)}`
    const actions = [{ kind: 'call', to: spender }] as const
    await screen.ask(approveTransaction, withPreview({ value: 0n, actions, data }))
    expect(facts(screen).Action).to.equal('Contract call')
    expect(screen.find('[part=body]').textContent).to.not.contain('−').and.not.to.contain('0ETH')
    expect(screen.root.textContent).to.not.contain(data)
    button(screen, 'Data').click()
    await painted()
    expect(button(screen, 'Data').ariaExpanded).to.equal('true')
    expect(screen.find('pre').textContent).to.equal(data)
    const panel = screen.find(`[id="${button(screen, 'Data').getAttribute('aria-controls')}"]`)
    expect(getComputedStyle(panel).maxHeight).to.equal('700px')
    expect(getComputedStyle(panel).overflowY).to.equal('auto')
    await screen.ask(approveTransaction, withPreview({ value: 0n, actions: [{ kind: 'deploy' }], data }))
    expect(facts(screen).Action).to.equal('Contract creation')
    expect('To' in facts(screen)).to.equal(false)
  })

  it('described call: the sentence, the fields, whose words they are, and the address beside a name', async () => {
    const screen = mount()
    const actions = [
      {
        kind: 'described',
        intent: 'Swap',
        sentence: 'Swap 5 USDC for Ada',
        owner: 'Harbor',
        trust: 'app',
        auditors: [],
        contract: spender,
        fields: [
          { label: 'Amount', value: '5 USDC' },
          { label: 'Limit', value: '2^256', isMaximum: true },
          { label: 'Recipient', value: 'Ada', address: owner, source: 'ens' },
        ],
      },
    ] as const
    await screen.ask(approveTransaction, withPreview({ value: 0n, actions }))
    expect(screen.find('[part=body]').textContent).to.contain('Swap 5 USDC for Ada')
    expect(facts(screen)).to.deep.include({
      Action: 'Swap',
      Amount: '5 USDC',
      Limit: 'Maximum',
      Recipient: `AdaName in ENS${owner}`,
      Contract: spender,
      'According to Harbor': 'This app, not checked',
    })
  })

  it('instructions: what is known is named, anything else is listed with its accounts and data', async () => {
    const screen = mount()
    const program = '11111111111111111111111111111111'
    const account = '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK'
    const accounts = [{ address: account, isResolved: true, signer: true, writable: true }]
    const source = { accounts, isInner: false }
    const data = Uint8Array.from([0xde, 0xad])
    const send = { kind: 'transferSol', from: account, program, ...source } as const
    const instructions = [
      { ...send, to: spender, lamports: 1_500_000_000n, instruction: 0, data: Uint8Array.from([2, 0]) },
      { ...send, to: account, lamports: 7_000_000n, instruction: 1, data: Uint8Array.from([2, 0]) },
      { kind: 'unknown', instruction: 2, program: account, data, ...source },
    ] as const
    const actions = instructions.map((instruction) => ({ kind: 'instruction', instruction }) as const)
    await screen.ask(approveTransaction, withPreview({ value: 0n, actions }))
    for (const _ of instructions) await press(button(screen, 'Continue'))
    expect('Action' in facts(screen)).to.equal(false)
    const [known, second, unknown] = screen.all('section > ol > li').map((each) => each.textContent)
    expect(known).to.contain('Send SOL').and.to.contain('1.5 SOL').and.not.to.contain('0x0200')
    expect(known).to.contain(spender)
    expect(second).to.contain('0.007 SOL').and.to.contain(account)
    expect(unknown)
      .to.contain('Unknown instruction')
      .and.to.contain(account)
      .and.to.contain('signs, can be changed')
      .and.to.contain('0xdead')
  })

  it('unusual fee: nothing is approved before the user has said that they know it', async () => {
    const screen = mount()
    await screen.ask(approveTransaction, withPreview({ fee: 9n * 10n ** 17n, feeConcern: 'high' }))
    expect(isHeld(button(screen, 'Approve'))).to.equal(true)
    ;(screen.find('input[type=checkbox]') as HTMLInputElement).click()
    await painted()
    expect(isHeld(button(screen, 'Approve'))).to.equal(false)
  })

  it('says that a fee is unknown where it is sent, and that a page may send what is only signed', async () => {
    const screen = mount()
    const unknown = withPreview({ fee: undefined, total: undefined })
    await screen.ask(approveTransaction, unknown)
    expect(facts(screen).Fee).to.equal('Unavailable')
    await screen.ask(approveTransaction, { ...unknown, action: 'sign' })
    expect('Fee' in facts(screen)).to.equal(false)
    expect(screen.root.textContent).to.contain('This page can send it at any time')
  })

  it('insufficient funds: names the missing amount, and offers to check again in place of approving', async () => {
    const screen = mount()
    await screen.ask(
      approveTransaction,
      withPreview({
        balance: 10n ** 17n,
        isUnderfunded: true,
        missing: 15_001n * 10n ** 13n,
        warnings: [{ code: 'insufficient-funds', severity: 'danger' }],
      }),
    )
    expect(screen.find('[part=banner]').textContent).to.equal(
      `Wallet ${shortAddress(preview.wallet)} does not have enough funds. 0.15001 ETH more is needed.`,
    )
    expect(screen.all('button').some((each) => each.textContent === 'Approve')).to.equal(false)
    button(screen, 'Check balance again').click()
    await painted()
    expect(screen.answers).to.deep.equal(['recheck'])
  })

  it('several warnings: the gravest is displayed, and the others on request', async () => {
    const screen = mount()
    await screen.ask(
      approveTransaction,
      withPreview({
        isUnderfunded: true,
        warnings: [
          { code: 'insufficient-funds', severity: 'danger' },
          { code: 'allowance', severity: 'warning', spender },
          { code: 'unlimited-allowance', severity: 'danger', spender },
        ],
      }),
    )
    const banners = () => screen.all('[part=banner]').map((each) => each.textContent)
    const gravest = 'This lets 0xE592…1564 spend all of your tokens.'
    expect(banners()).to.deep.equal([gravest])
    button(screen, 'and 2 more').click()
    await painted()
    expect(banners()).to.deep.equal([
      gravest,
      `Wallet ${shortAddress(preview.wallet)} does not have enough funds.`,
      'This lets 0xE592…1564 spend your tokens. It may be all of them.',
    ])
  })

  describe('allowance', () => {
    const asset = { symbol: 'USDC', decimals: 6 }
    const most = 2n ** 256n - 1n
    const allowance = {
      at: 0,
      token: spender,
      spender,
      asked: most,
      amount: most,
      isMaximum: true,
      once: 30_000_000n,
      asset,
    }
    const editable = withPreview({
      value: 0n,
      actions: [{ kind: 'call', to: spender }],
      allowances: [allowance],
    })
    const choices = (screen: Mounted) => screen.all('fieldset label').map((each) => each.textContent)
    const choose = async (screen: Mounted, words: string) => {
      const label = screen.all('fieldset label').find((each) => each.textContent?.startsWith(words))
      label?.querySelector('input')?.click()
      await painted()
    }
    const type = async (screen: Mounted, words: string) => {
      const input = screen.find('[part=input]') as HTMLInputElement
      const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {}
      set?.call(input, words)
      input.dispatchEvent(new Event('input', { bubbles: true }))
      await painted()
      button(screen, 'Use').click()
      await painted()
    }

    it('allowance: “Only this once” comes first, and what is asked for is chosen', async () => {
      const screen = mount()
      await screen.ask(approveTransaction, editable)
      expect(choices(screen)).to.deep.equal(['Only this once30 USDC', 'Maximum', 'Own amount'])
      expect((screen.find('fieldset input:checked') as HTMLInputElement).value).to.equal('maximum')
      await choose(screen, 'Only this once')
      expect(screen.answers).to.deep.equal([{ edited: { allowance: { at: 0, amount: 30_000_000n } } }])
    })

    it('allowance: nothing is approved beside an amount that is typed and not used yet', async () => {
      const screen = mount()
      await screen.ask(approveTransaction, editable)
      await choose(screen, 'Own amount')
      expect(isHeld(button(screen, 'Approve'))).to.equal(true)
      await type(screen, '1,304.53')
      expect(screen.root.textContent).to.contain("Use '.' before the decimals, and no other separator.")
      await type(screen, '1.2345678')
      expect(screen.root.textContent).to.contain('At most 6 decimals.')
      await type(screen, '0')
      expect(screen.root.textContent).to.contain('Enter an amount.')
      expect(screen.answers).to.deep.equal([])
      await type(screen, '1304.53')
      expect(screen.answers).to.deep.equal([{ edited: { allowance: { at: 0, amount: 1_304_530_000n } } }])
    })

    it('allowance: an own amount is never more than what is asked for', async () => {
      const screen = mount()
      const small = {
        ...allowance,
        asked: 5_000_000n,
        amount: 5_000_000n,
        isMaximum: false,
        once: 5_000_000n,
      }
      await screen.ask(approveTransaction, withPreview({ value: 0n, actions: [], allowances: [small] }))
      expect(choices(screen)).to.deep.equal(['Only this once5 USDC', 'Own amount'])
      await choose(screen, 'Own amount')
      await type(screen, '5.000001')
      expect(screen.root.textContent).to.contain('That is more than this asks for.')
      await choose(screen, 'Only this once')
      expect(screen.answers).to.deep.equal([])
      expect(isHeld(button(screen, 'Approve'))).to.equal(false)
    })
  })

  it('allowance: each of several is named, and may end sooner than what is asked for', async () => {
    const screen = mount()
    const one = { token: spender, spender, isMaximum: false, asset: { symbol: 'USDC', decimals: 6 } }
    const day = 86_400n
    const allowances = [
      { ...one, at: 0, asked: 5n, amount: 5n, once: 5n },
      {
        ...one,
        at: 2,
        asked: 6n,
        amount: 6n,
        once: 6n,
        end: { asked: 9n * day, now: 9n * day, sooner: [day] },
      },
    ]
    await screen.ask(approveTransaction, withPreview({ value: 0n, actions: [], allowances }))
    const legends = screen.all('legend').map((each) => each.textContent)
    expect(legends).to.deep.equal([
      'Allowance of USDC for 0xE592…1564',
      'Allowance of USDC for 0xE592…1564',
      'Ends',
    ])
    const ends = screen.all('fieldset')[2]?.querySelectorAll('input')
    expect(ends?.length).to.equal(2)
    ends?.[0]?.click()
    await painted()
    expect(screen.answers).to.deep.equal([{ edited: { allowance: { at: 2, expires: day } } }])
  })

  it('can always be declined', async () => {
    const screen = mount()
    await screen.ask(approveTransaction, transfer)
    expect(screen.all('[aria-label=Close]').length).to.equal(1)
    button(screen, 'Cancel').click()
    await painted()
    expect(screen.answers).to.deep.equal(['cancel'])
  })
})

/** Whether a press on a button counts for nothing. */
const isHeld = (one: HTMLElement) => one.matches(':disabled, [aria-disabled="true"]')
