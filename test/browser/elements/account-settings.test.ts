import { expect } from '@open-wc/testing'
import type { AccountSettings } from '../../../elements/account-settings.ts'
import type { PasskeyManager } from '../../../elements/passkey-manager.ts'
import type { PasskeyAccount, User } from '../../../src/protocol/user.ts'
import { fakeKit, somebody } from './support/fake-kit.ts'
import { clear, headingOf, pressOn, record, until, within } from './support/page.ts'

function place<T extends AccountSettings | PasskeyManager>(tag: string) {
  const kit = fakeKit()
  const element = document.createElement(tag) as T
  element.kit = kit
  document.body.append(element)
  return { element, kit }
}
async function pressThrough(element: AccountSettings | PasskeyManager) {
  await until(() => within(element, '#next') !== null)
  await pressOn(element, '#next')
  await until(() => headingOf(element) === 'Second screen')
  await pressOn(element, '#done')
}

describe('<account-settings>', () => {
  afterEach(clear)

  it('resolves with the person once they close it, and passes on what they have changed', async () => {
    const { element, kit } = place<AccountSettings>('account-settings')
    const seen = record(element, 'lk-open', 'lk-unlink', 'lk-close')
    const managed = element.manage()
    await until(() => element.open)
    kit.emit('unlinked', { user: somebody, method: 'email', account: null })
    await pressThrough(element)
    expect(await managed).to.equal(somebody)
    await until(() => seen.some(({ name }) => name === 'lk-close'))
    expect(seen.map(({ name, event }) => [name, event.detail])).to.deep.equal([
      ['lk-open', { intent: 'settings' }],
      ['lk-unlink', { user: somebody, method: 'email', account: null }],
      ['lk-close', { completed: true }],
    ])
  })

  it('opens by its attribute, and a second call joins the first', async () => {
    const { element } = place<AccountSettings>('account-settings')
    element.open = true
    const joined = element.manage()
    await pressThrough(element)
    expect(await joined).to.equal(somebody)
    await until(() => !element.open)
  })
})

describe('<passkey-manager>', () => {
  afterEach(clear)
  const passkey = (credentialId: string) => ({ type: 'passkey', credentialId }) as PasskeyAccount
  const withPasskeys = (...linkedAccounts: PasskeyAccount[]): User => ({ ...somebody, linkedAccounts })

  it('resolves with the passkeys once the person closes it', async () => {
    const { element } = place<PasskeyManager>('passkey-manager')
    const managed = element.manage()
    await pressThrough(element)
    expect(await managed).to.deep.equal([])
  })

  it('tells the page when the passkeys of the same person change, and only then', async () => {
    const { element, kit } = place<PasskeyManager>('passkey-manager')
    await until(() => element.kit !== undefined)
    const seen = record(element, 'lk-passkeys')
    kit.setUser(withPasskeys())
    kit.setUser(withPasskeys(passkey('p-1')))
    kit.setUser({ ...withPasskeys(passkey('p-1')), hasAcceptedTerms: true })
    kit.setUser({ ...withPasskeys(passkey('p-2')), id: 'somebody else' })
    expect(seen.map(({ event }) => event.detail)).to.deep.equal([{ passkeys: [passkey('p-1')] }])
  })

  it('leaves the removal of an element from its page to the browser', () => {
    const { element } = place<PasskeyManager>('passkey-manager')
    element.remove()
    expect(element.isConnected).to.equal(false)
  })
})
