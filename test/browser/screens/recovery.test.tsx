/** What the screens do that bring a wallet back, and that show its key. */
import { expect } from '@open-wc/testing'
import { visitProvider } from '../../../src/vault/approval/providers/screens.ts'
import { walletCreated } from '../../../src/wallets/embedded/create/created.tsx'
import { type KeyExportProps, keyExport } from '../../../src/wallets/export/key-export.tsx'
import { automaticRecovery } from '../../../src/wallets/recovery/automatic-recovery.tsx'
import { recoveryOAuth } from '../../../src/wallets/recovery/drives/recovery-oauth.tsx'
import { selectRecovery } from '../../../src/wallets/recovery/recovery-selection.tsx'
import { atRest } from './axe.ts'
import { type Mounted, mount, painted, unmountAll, until } from './mount.tsx'

const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const said = ({ root }: Mounted, how: 'alert' | 'status') => root.querySelector(`[role=${how}]`)?.textContent
const button = ({ all }: Mounted, words: string) => {
  const found = all('button').find((each) => each.textContent?.includes(words) || each.ariaLabel === words)
  if (!found) throw new Error(`There is no button '${words}'`)
  return found
}
const title = ({ find }: Mounted) => find('[data-heading]').textContent

afterEach(unmountAll)

describe('recovery selection', () => {
  it('answers with the method that was chosen', async () => {
    const screen = mount()
    const methods = ['google-drive', 'icloud', 'password'] as const
    await screen.ask(selectRecovery, { purpose: 'secure', methods, cancellable: true })
    expect(title(screen)).to.equal('Secure your account')
    expect(screen.all('[part=row]').length).to.equal(3)
    button(screen, 'Apple iCloud').click()
    await painted()
    expect(screen.answers).to.deep.equal([{ method: 'icloud' }])
  })

  it('mentions the existing recovery, and offers to reset its password', async () => {
    const screen = mount()
    const shown = { purpose: 'update', methods: ['icloud', 'password'], cancellable: true } as const
    await screen.ask(selectRecovery, { ...shown, current: 'google-drive' })
    expect(title(screen)).to.equal('Update backup method')
    expect(screen.find('[part=body]').textContent).to.contain(
      'Your recovery file is currently on Google Drive.',
    )
    await screen.ask(selectRecovery, { ...shown, current: 'password' })
    expect(button(screen, 'Reset password').textContent).to.contain('Current')
  })

  it('can’t be left where the app wants a method', async () => {
    const screen = mount()
    await screen.ask(selectRecovery, { purpose: 'secure', methods: ['icloud'], cancellable: false })
    expect(screen.all('[part=header] button').length).to.equal(0)
    unmountAll()
    const other = mount()
    await other.ask(selectRecovery, { purpose: 'secure', methods: ['icloud'], cancellable: true })
    button(other, 'Back').click()
    await painted()
    expect(other.answers).to.deep.equal(['back'])
  })
})

describe('automatic recovery', () => {
  it('turns its button into a success, or into another try', async () => {
    const screen = mount()
    await screen.ask(automaticRecovery, {})
    button(screen, 'Confirm').click()
    await screen.ask(automaticRecovery, { error: { title: 'Something went wrong' } })
    expect(title(screen)).to.equal('Something went wrong')
    expect(screen.focuses('[data-heading]')).to.equal(true)
    button(screen, 'Try again').click()
    await screen.ask(automaticRecovery, { done: true })
    expect(title(screen)).to.equal('Automatically secure your account')
    expect(button(screen, 'Success').ariaDisabled).to.equal('true')
    expect(said(screen, 'status')).to.equal('Success')
    expect(screen.answers).to.deep.equal(['confirm', 'retry'])
  })
})

describe('recovery at a drive, in the vault’s own window', () => {
  const drive = {
    provider: 'google-drive',
    purpose: 'recover',
    visit: { state: 's', url: 'https://drive.example' },
  } as const
  const text = ({ find }: Mounted) => find('[part=body]').textContent

  it('confirms that it’s the user, with the drive’s name', async () => {
    const screen = mount()
    await screen.ask(visitProvider, { ...drive, phase: 'confirm' })
    expect(title(screen)).to.equal("Confirm it's really you")
    button(screen, 'Confirm with Google Drive')
    await screen.ask(visitProvider, { ...drive, provider: 'icloud', purpose: 'back-up', phase: 'confirm' })
    button(screen, 'Confirm with Apple iCloud')
  })

  it('says what was unsuccessful, which account to choose, and offers another try', async () => {
    const screen = mount()
    const hint = (name: string) =>
      `Please verify that you are selecting the ${name} account associated with your backup.`
    for (const phase of ['failed', 'other'] as const) {
      await screen.ask(visitProvider, { ...drive, phase })
      expect(title(screen)).to.equal('Recovery with Google Drive unsuccessful')
      expect(text(screen)).to.contain(hint('Google Drive'))
      button(screen, 'Try again')
      await screen.ask(visitProvider, { ...drive, provider: 'icloud', purpose: 'back-up', phase })
      expect(title(screen)).to.equal('Back up with Apple iCloud unsuccessful')
      expect(text(screen)).to.contain(hint('Apple iCloud'))
    }
  })

  it('blames no account where the server can’t be reached', async () => {
    const screen = mount()
    await screen.ask(visitProvider, { ...drive, phase: 'failed', remedy: 'error.network.detail' })
    expect(text(screen)).to.contain('Check your connection.').and.not.contain('verify')
  })
})

describe('recovery at a drive', () => {
  const google = { provider: 'google-drive', purpose: 'recover' } as const
  const failure = { title: 'Recovery with Google Drive unsuccessful', retryable: true }

  it('names the drive, and has its window opened by the press itself', async () => {
    const screen = mount()
    await screen.ask(recoveryOAuth, { ...google, phase: 'confirm' })
    expect(title(screen)).to.equal("Confirm it's really you")
    button(screen, 'Confirm with Google Drive').click()
    await screen.ask(recoveryOAuth, { provider: 'icloud', purpose: 'back-up', phase: 'blocked' })
    button(screen, 'Confirm with Apple iCloud').click()
    await screen.ask(recoveryOAuth, { ...google, phase: 'failed', failure })
    button(screen, 'Try again').click()
    await painted()
    expect(screen.answers).to.deep.equal(['confirm', 'confirm', 'retry'])
    const opens = (answer: 'confirm' | 'retry' | 'back') =>
      recoveryOAuth.opens?.(answer, { ...google, phase: 'confirm' })
    expect([opens('confirm'), opens('retry'), opens('back')]).to.deep.equal([true, true, false])
  })

  it('offers no other try where that is of no use', async () => {
    const screen = mount()
    const none = { ...failure, retryable: false }
    await screen.ask(recoveryOAuth, { ...google, phase: 'failed', failure: none })
    expect(screen.root.textContent).to.not.contain('Try again')
    button(screen, 'Go back').click()
    await painted()
    expect(screen.answers).to.deep.equal(['back'])
  })

  it('can be left in each phase but the work itself', async () => {
    const back = (phase: Parameters<typeof recoveryOAuth.back>[0]['phase']) =>
      recoveryOAuth.back({ ...google, phase })
    for (const phase of ['confirm', 'blocked', 'window', 'failed'] as const)
      expect(back(phase)).to.equal(true)
    for (const phase of ['working', 'done'] as const) expect(back(phase)).to.equal(false)
  })
})

describe('wallet created', () => {
  it('shows both addresses where two wallets were made', async () => {
    const screen = mount()
    const second = '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK'
    await screen.ask(walletCreated, { address, second, isNewUser: true })
    const shown = screen.all('[part=address]').map((each) => each.title)
    expect(shown).to.deep.equal([address, second])
  })
})

describe('key export', () => {
  /** Replaces the vault's page: counts how often it was mounted and removed. */
  function standIn() {
    const log: string[] = []
    const element = document.createElement('iframe')
    element.srcdoc = '<!doctype html><button>Show private key</button>'
    const frame: NonNullable<KeyExportProps['frame']> = {
      mount(into, look) {
        log.push(`in ${into.getRootNode() instanceof ShadowRoot}`, look.colors.background, look.width)
        into.append(element)
        return () => {
          log.push('out')
          element.remove()
        }
      },
    }
    return { log, element, frame }
  }
  const wallet = { address, chainType: 'ethereum', imported: false } as const

  it('shows the whole address and a warning, and puts the frame in once', async () => {
    const screen = mount()
    const { frame, log } = standIn()
    await screen.ask(keyExport, { ...wallet, frame, state: 'loading' })
    expect(title(screen)).to.equal('Transfer wallet')
    expect(screen.find('[part=address]').textContent).to.equal(address)
    expect(screen.find('[part=banner]').textContent).to.contain('Never share your private key or seed phrase')
    expect(screen.all('[role=img]').map((each) => each.ariaLabel)).to.deep.equal(['Loading your wallet'])
    await screen.ask(keyExport, { ...wallet, frame, state: 'ready' })
    expect(screen.all('[role=img]').length).to.equal(0)
    expect(log).to.deep.equal(['in true', 'rgb(255, 255, 255)', '312px'])
    unmountAll()
    expect(log.at(-1)).to.equal('out')
  })

  it('says nothing of a phrase where there is only a key', async () => {
    const screen = mount()
    await screen.ask(keyExport, { ...wallet, imported: true, frame: standIn().frame, state: 'loading' })
    expect(screen.find('[part=banner]').textContent).to.not.contain('phrase')
  })

  it('tells what went wrong, and takes another frame for another try', async () => {
    const screen = mount()
    const first = standIn()
    await screen.ask(keyExport, { ...wallet, frame: first.frame, state: 'loading' })
    await screen.ask(keyExport, { ...wallet, frame: first.frame, state: 'failed', error: 'No answer' })
    expect(said(screen, 'alert')).to.equal('No answer')
    button(screen, 'Try again').click()
    await painted()
    expect(screen.answers).to.deep.equal(['retry'])
    const second = standIn()
    await screen.ask(keyExport, { ...wallet, frame: second.frame, state: 'loading' })
    expect([first.log.at(-1), second.log[0]]).to.deep.equal(['out', 'in true'])
    button(screen, 'Close').click()
  })

  it('keeps nothing over or around the frame that would make its buttons count as unseen', async () => {
    const screen = mount()
    const { frame, element } = standIn()
    const loaded = new Promise((resolve) => element.addEventListener('load', resolve, { once: true }))
    await screen.ask(keyExport, { ...wallet, frame, state: 'loading' })
    await loaded
    await screen.ask(keyExport, { ...wallet, frame, state: 'ready' })
    // What the vault's page asks of the browser before it heeds a press.
    const inside = element.contentWindow as (Window & typeof globalThis) | null
    const seen: boolean[] = []
    const options = { threshold: [1], trackVisibility: true, delay: 100 }
    const observer = new (inside ?? window).IntersectionObserver((entries) => {
      for (const entry of entries)
        seen.push((entry as IntersectionObserverEntry & { isVisible: boolean }).isVisible)
    }, options)
    observer.observe(inside?.document.querySelector('button') as Element)
    await until(() => seen.at(-1), `the button to be seen: ${seen}`)
    await atRest(screen.root)
    expect(seen.at(-1)).to.equal(true)
    observer.disconnect()
  })
})
