/** How addresses, numbers and names are written where people manage their account. */
import { expect } from '@open-wc/testing'
import { setViewport } from '@web/test-runner-commands'
import { enterAddress } from '../../../src/account/link/enter-address.tsx'
import { accountSettings, type SettingsProps } from '../../../src/account/settings/settings.tsx'
import { lastLogin } from '../../../src/account/unlink/last-login.tsx'
import { asking, linkConflict } from '../../../src/login/transfer/link-conflict.tsx'
import { mail, smartphone } from '../../../src/ui/icons/landing.ts'
import { type Mounted, mount, tooWide, unmountAll } from './mount.tsx'

const empty: Omit<SettingsProps, 'accounts'> = {
  canAdd: false,
  passkeys: [],
  canAddPasskey: false,
  factors: undefined,
  wallets: [],
  permissions: undefined,
  canRevokeAll: false,
  connectedApps: undefined,
  sessions: { state: 'loaded', items: [] },
  elsewhere: false,
  devices: undefined,
  waiting: false,
  proofs: undefined,
}
const old = { via: 'email', value: '', plusAllowed: true } as const

/** The lines into which a text is broken. */
function linesOf(element: Element): string[] {
  const lines: { top: number; text: string }[] = []
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const range = document.createRange()
    for (let i = 0; i < (node.textContent?.length ?? 0); i++) {
      range.setStart(node, i)
      range.setEnd(node, i + 1)
      const { top } = range.getBoundingClientRect()
      const last = lines.at(-1)
      if (last && Math.abs(last.top - top) < 4) last.text += range.toString()
      else lines.push({ top, text: range.toString() })
    }
  }
  return lines.map(({ text }) => text)
}

/** The characters of a text from left to right, as they are seen. */
function seen(element: Element): string {
  const found: { left: number; text: string }[] = []
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (let i = 0; i < (node.textContent?.length ?? 0); i++) {
      const range = document.createRange()
      range.setStart(node, i)
      range.setEnd(node, i + 1)
      found.push({ left: range.getBoundingClientRect().left, text: range.toString() })
    }
  return found
    .sort((a, b) => a.left - b.left)
    .map(({ text }) => text)
    .join('')
}
const nameIn = ({ find }: Mounted) => find('bdi')

describe('the wallets that go with an account', () => {
  afterEach(unmountAll)
  const ethereum = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
  const solana = '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK'
  const cards = ({ all }: Mounted) =>
    all('[data-card] bdi').map((card) => card.textContent?.replace(/\s/g, ''))

  it('are shown one and all before it is deleted', async () => {
    const screen = mount()
    const several = { ...asking, walletAddress: ethereum, walletAddresses: [ethereum, solana] }
    await screen.ask(linkConflict, several)
    expect(screen.all('button').at(-1)?.textContent).to.equal('Continue')
    await screen.ask(linkConflict, { ...several, page: 'check' })
    expect(cards(screen)).to.deep.equal([ethereum, solana])
  })

  it('are the one that a server names which has no list', async () => {
    const screen = mount()
    await screen.ask(linkConflict, { ...asking, walletAddress: ethereum, page: 'check' })
    expect(cards(screen)).to.deep.equal([ethereum])
  })
})

describe('an address in a sentence', () => {
  afterEach(unmountAll)

  it('stays whole where it fits a line', async () => {
    const screen = mount()
    await screen.ask(enterAddress, { ...old, old: 'ada.lovelace@example.com' })
    expect(linesOf(nameIn(screen))).to.deep.equal(['ada.lovelace@example.com'])
  })

  it('is broken between its parts where it doesn’t', async () => {
    const screen = mount()
    const account = 'maximiliane.von-der-hohenstein@department.organisation.example'
    await screen.ask(lastLogin, { app: 'Harbor', account })
    const lines = linesOf(nameIn(screen))
    expect(lines.join('')).to.equal(account)
    expect(lines.length).to.be.greaterThan(1)
    for (const line of lines.slice(1)) expect(line).to.match(/^[@.]|^(von|der|hohenstein)/)
  })
})

describe('a list from right to left', () => {
  afterEach(unmountAll)

  it('writes numbers, names and addresses as they are', async () => {
    const screen = mount({ dir: 'rtl' })
    const accounts = [
      { key: 'p', icon: smartphone, label: 'Phone', detail: '+1 202-555-0123' },
      { key: 'f', icon: 'farcaster', label: 'Farcaster', detail: '@ada' },
      { key: 'e', icon: mail, label: 'Email', detail: 'ada@example.com' },
    ]
    await screen.ask(accountSettings, { ...empty, accounts })
    expect(screen.all('[part=row] bdi').map(seen)).to.deep.equal(accounts.map(({ detail }) => detail))
  })
})

describe('a field in large text', () => {
  before(() => setViewport({ width: 360, height: 700 }))
  after(() => setViewport({ width: 800, height: 600 }))
  afterEach(unmountAll)

  it('leaves room for what is typed beside its button', async () => {
    const screen = mount({ textScale: 2 })
    await screen.ask(enterAddress, { ...old, value: 'ada@example.com' })
    expect(screen.find('input').clientWidth).to.be.greaterThan(200)
    expect(screen.find('button[type=submit]').getBoundingClientRect().width).to.be.greaterThan(0)
    expect(tooWide(screen).filter((each) => !each.startsWith('input'))).to.deep.equal([])
  })
})
