import { expect } from '@open-wc/testing'
import { pageSurface } from '../../../elements/base/page-dialog.ts'
import { kitOf } from '../../../elements/kit-of.ts'
import type { LoginModal } from '../../../elements/login-modal.ts'
import type { WalletSign } from '../../../elements/wallet-sign.ts'
import { createRuns } from '../../../src/dialog/runs.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { fakeKit, somebody, twoScreens } from './support/fake-kit.ts'
import { clear, dialogOf, drawn, opened, place, record, until } from './support/page.ts'

let count = 0
/** An app of the page whose kit is a fake. */
function app() {
  const id = `app-${++count}`
  const kit = fakeKit(id)
  kitOf(id, () => kit)
  return { id, kit }
}
const add = <E extends HTMLElement>(tag: string, id?: string) => {
  const element = document.createElement(tag)
  if (id) element.setAttribute('app-id', id)
  document.body.append(element)
  return element as E
}
const made: { kit: { destroy(): void } }[] = []
const destroyed = <A extends { kit: { destroy(): void } }>(each: A) => {
  made.push(each)
  return each
}

describe('kits of a page', () => {
  afterEach(async () => {
    await clear()
    for (const { kit } of made.splice(0)) kit.destroy()
  })

  it('is shared by elements with the same app id', async () => {
    const { id, kit } = destroyed(app())
    const login = add<LoginModal>('login-modal', id)
    const sign = add<WalletSign>('wallet-sign', id)
    await until(() => login.kit && sign.kit)
    expect(login.kit).to.equal(kit)
    expect(sign.kit).to.equal(kit)
    kit.setUser(somebody)
    expect(login.user).to.equal(somebody)
    expect(sign.matches(':state(signed-in)')).to.equal(true)
  })

  it('is another one for another app id: they never see each other', async () => {
    const one = destroyed(app())
    const two = destroyed(app())
    const first = add<LoginModal>('login-modal', one.id)
    const second = add<LoginModal>('login-modal', two.id)
    await until(() => first.kit && second.kit)
    one.kit.setUser(somebody)
    expect(second.user).to.equal(null)
    const seen = record(second, 'lk-open', 'lk-login', 'lk-user')
    const { login } = await opened(first)
    first.close()
    await login
    expect(seen).to.deep.equal([])
  })

  it('is the only one for an element that names none, also when it comes later', async () => {
    const nameless = add<LoginModal>('login-modal')
    await drawn()
    expect(nameless.kit).to.equal(undefined)
    const seen = record(nameless, 'lk-ready')
    const { kit } = destroyed(app())
    await until(() => nameless.kit)
    expect(nameless.kit).to.equal(kit)
    await until(() => seen.length === 1)
    await opened(nameless)
    nameless.close()
  })

  it('is waited for by a method', async () => {
    const nameless = add<LoginModal>('login-modal')
    const token = nameless.getAccessToken()
    await drawn()
    const { kit } = destroyed(app())
    kit.setUser(somebody)
    expect(await token).to.equal('token')
  })

  it('is not guessed where there are two', async () => {
    const [one, two] = [destroyed(app()), destroyed(app())]
    add('login-modal', one.id)
    add('login-modal', two.id)
    const nameless = add<LoginModal>('login-modal')
    await drawn()
    expect(nameless.kit).to.equal(undefined)
    const failure = await nameless.login().catch((error) => error)
    expect(failure).to.have.property('code', 'invalid_configuration')
  })

  it('changes with the app id, and is left alone when it is destroyed', async () => {
    const [one, two] = [app(), destroyed(app())]
    const element = add<LoginModal>('login-modal', one.id)
    await until(() => element.kit === one.kit)
    expect(one.kit.counts().surfaces).to.equal(1)
    element.appId = two.id
    await until(() => element.kit === two.kit)
    expect(one.kit.counts()).to.deep.equal({ surfaces: 0, listeners: 0 })
    element.appId = one.id
    await until(() => element.kit === one.kit)
    one.kit.destroy()
    await until(() => element.kit === undefined)
  })

  it('is overridden by the property', async () => {
    const { id, kit } = destroyed(app())
    const element = add<LoginModal>('login-modal', id)
    await until(() => element.kit === kit)
    const own = fakeKit('own')
    element.kit = own
    await until(() => own.counts().surfaces === 1)
    expect(kit.counts()).to.deep.equal({ surfaces: 0, listeners: 0 })
    element.kit = undefined
    await until(() => element.kit === kit && kit.counts().surfaces === 1)
    expect(own.counts()).to.deep.equal({ surfaces: 0, listeners: 0 })
  })

  it('is let go by an element that leaves the page, and taken again when it comes back', async () => {
    const { element, kit } = place()
    await until(() => kit.counts().surfaces === 1)
    element.remove()
    await drawn()
    expect(kit.counts()).to.deep.equal({ surfaces: 0, listeners: 0 })
    document.body.append(element)
    await until(() => kit.counts().surfaces === 1)
  })

  it('is not loaded for an element that is never used', async () => {
    const loaded = () => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
    const before = loaded().length
    const element = add<LoginModal>('login-modal', 'a'.repeat(25))
    element.apiUrl = 'https://api.example'
    const seen = record(element, 'lk-ready')
    await until(() => seen.length === 1)
    expect(element.kit).to.equal(undefined)
    expect(loaded().length).to.equal(before)
  })

  it('shows its dialogs on the page where there is no element, and takes them away', async () => {
    const kit = fakeKit()
    const runs = createRuns({
      clock: systemClock,
      openWindow: () => null,
      makeSurface: () => pageSurface(kit),
    })
    const seen = record(document, 'lk-open', 'lk-close')
    const before = document.body.childElementCount
    const run = runs.run('login', {}, twoScreens).catch((error) => error)
    await until(() => seen.length === 1)
    const host = document.body.lastElementChild as HTMLElement
    expect(dialogOf(host)?.matches(':modal')).to.equal(true)
    host.shadowRoot?.querySelector<HTMLElement>('[aria-label=Close]')?.click()
    expect(await run).to.have.property('code', 'exited_auth_flow')
    await until(() => document.body.childElementCount === before)
    expect(seen.map(({ name }) => name)).to.deep.equal(['lk-open', 'lk-close'])
  })
})
