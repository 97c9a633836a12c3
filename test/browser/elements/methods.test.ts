import { expect } from '@open-wc/testing'
import type { LoginModal } from '../../../elements/login-modal.ts'
import { fakeKit, somebody } from './support/fake-kit.ts'
import {
  clear,
  dialogOf,
  drawn,
  headingOf,
  opened,
  place,
  placeSign,
  pressOn,
  record,
  until,
} from './support/page.ts'

const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('it resolved')
    },
    (error: { code: string }) => error,
  )
const codeOf = async (promise: Promise<unknown>) => (await rejection(promise)).code

describe('methods', () => {
  afterEach(clear)

  it('log in: a second call joins the first', async () => {
    const { element } = place()
    const both = [element.login(), element.login()]
    await until(() => element.open)
    expect(element.shadowRoot?.querySelectorAll('dialog').length).to.equal(1)
    await pressOn(element, '#next')
    await until(() => headingOf(element) === 'Second screen')
    await pressOn(element, '#done')
    expect(await Promise.all(both)).to.deep.equal([somebody, somebody])
  })

  it('joins the login that setting open began', async () => {
    const { element } = place()
    element.open = true
    await until(() => dialogOf(element)?.open)
    const login = element.login()
    element.close()
    expect(await codeOf(login)).to.equal('exited_auth_flow')
  })

  it('log in again after the dialog was closed, also while it is still going', async () => {
    const { element } = place()
    const seen = record(element, 'lk-open', 'lk-close')
    for (let i = 0; i < 3; i++) {
      const { login } = await opened(element)
      element.close()
      expect(await login).to.have.property('code', 'exited_auth_flow')
    }
    await until(() => !dialogOf(element))
    expect(seen.map(({ name }) => name)).to.deep.equal([
      'lk-open',
      'lk-close',
      'lk-open',
      'lk-close',
      'lk-open',
      'lk-close',
    ])
  })

  it('log in again in the very moment of closing, by method and by property', async () => {
    const { element } = place()
    const { login } = await opened(element)
    element.close()
    const again = element.login().catch((error) => error)
    expect(await login).to.have.property('code', 'exited_auth_flow')
    await until(() => element.open && dialogOf(element)?.matches(':modal'))
    const seen = record(element, 'lk-open', 'lk-close')
    element.close()
    element.open = true
    expect(await again).to.have.property('code', 'exited_auth_flow')
    await until(() => seen.length === 1)
    await until(() => element.open && dialogOf(element)?.matches(':modal'))
    // The end of the first is reported; the page itself asked for the second.
    expect(seen.map(({ name }) => name)).to.deep.equal(['lk-close'])
    element.close()
    element.open = true
    await Promise.resolve()
    element.open = false
    await until(() => !dialogOf(element))
    await drawn()
    expect(element.open).to.equal(false)
    expect(dialogOf(element)).to.equal(null)
  })

  it('end by the signal of the caller, at any moment', async () => {
    const { element, kit } = place()
    expect(await codeOf(element.login({ signal: AbortSignal.abort() }))).to.equal('exited_auth_flow')
    const early = new AbortController()
    const soon = element.login({ signal: early.signal })
    early.abort()
    expect(await codeOf(soon)).to.equal('exited_auth_flow')
    const late = new AbortController()
    const login = element.login({ signal: late.signal })
    await until(() => element.open)
    late.abort()
    expect(await codeOf(login)).to.equal('exited_auth_flow')
    await until(() => !dialogOf(element))
    expect(kit.isModalOpen).to.equal(false)
  })

  it('let one of two callers leave without the other', async () => {
    const { element } = place()
    const leaver = new AbortController()
    const staying = element.login()
    const leaving = element.login({ signal: leaver.signal })
    await until(() => element.open)
    leaver.abort()
    expect(await codeOf(leaving)).to.equal('exited_auth_flow')
    expect(element.open).to.equal(true)
    element.close()
    expect(await codeOf(staying)).to.equal('exited_auth_flow')
  })

  it('close before there is a dialog', async () => {
    const { element } = place()
    const login = element.login()
    element.close()
    expect(await codeOf(login)).to.equal('exited_auth_flow')
    await drawn()
    expect(dialogOf(element)).to.equal(null)
    expect(element.open).to.equal(false)
  })

  it('say who is logged in, and give the token', async () => {
    const { element, kit } = place()
    expect(element.user).to.equal(null)
    expect(await element.getAccessToken()).to.equal(null)
    kit.setUser(somebody)
    expect(element.user).to.equal(somebody)
    expect(await element.getAccessToken()).to.equal('token')
    await element.logout()
    expect(element.user).to.equal(null)
    expect(() => Object.assign(element, { user: somebody })).to.throw(TypeError)
  })

  it('reject with a code where there is no kit to be had', async () => {
    const element = document.createElement('login-modal')
    expect(await codeOf(element.login())).to.equal('invalid_configuration')
    document.body.append(element)
    const seen = record(element, 'lk-error')
    expect(await codeOf(element.getAccessToken())).to.equal('invalid_configuration')
    expect(seen.length).to.equal(1)
  })

  for (const [name, markup] of Object.entries({
    'a bad app id': '<login-modal app-id="short" api-url="https://api.example"></login-modal>',
    'no app id': '<login-modal api-url="https://api.example"></login-modal>',
    'no address': `<login-modal app-id="${'a'.repeat(25)}"></login-modal>`,
    'a plain http address': `<login-modal app-id="${'a'.repeat(25)}" api-url="http://api.example"></login-modal>`,
    'a bad vault address': `<login-modal app-id="${'a'.repeat(25)}" api-url="https://api.example" vault-url="javascript:1"></login-modal>`,
  })) {
    it(`${name} is an lk-error, not a throw, and methods reject`, async () => {
      const box = document.createElement('div')
      const seen = record(box, 'lk-error', 'lk-ready')
      box.innerHTML = markup
      document.body.append(box)
      const element = box.firstElementChild as LoginModal
      await until(() => seen.length)
      expect(seen[0]?.event.detail.code).to.equal('invalid_configuration')
      expect(await codeOf(element.login())).to.equal('invalid_configuration')
      expect(seen.some(({ name }) => name === 'lk-ready')).to.equal(false)
      element.open = true
      await until(() => !element.open)
    })
  }

  it('sign: resolve with the signature, and tell of it', async () => {
    const { element } = placeSign()
    const seen = record(element, 'lk-sign-request', 'lk-signature', 'lk-open')
    const signature = element.sign('hello')
    await until(() => element.open)
    await pressOn(element, '#next')
    await until(() => headingOf(element) === 'Second screen')
    await pressOn(element, '#done')
    expect(await signature).to.equal('0xs')
    expect(seen.map(({ name, event }) => [name, event.detail])).to.deep.equal([
      ['lk-sign-request', { message: 'hello' }],
      ['lk-open', { intent: 'sign' }],
      ['lk-signature', { signature: '0xs', address: '0xa' }],
    ])
  })

  it('sign: the page may veto it before there is a dialog', async () => {
    const { element, kit } = placeSign()
    element.addEventListener('lk-sign-request', (event) => event.preventDefault(), { once: true })
    expect(await codeOf(element.sign({ message: 'no' }))).to.equal('unable_to_sign')
    expect(kit.isModalOpen).to.equal(false)
  })

  it('sign: a second request is refused while the first is asked for', async () => {
    const { element } = placeSign()
    const signing = element.sign('one')
    expect(await codeOf(element.sign('two'))).to.equal('flow_in_progress')
    await until(() => element.open)
    element.close()
    expect(await codeOf(signing)).to.equal('unable_to_sign')
    await until(() => !dialogOf(element))
    const again = element.sign('three')
    await until(() => element.open)
    element.close()
    expect(await codeOf(again)).to.equal('unable_to_sign')
  })

  it('sign: setting open starts nothing', async () => {
    const { element, kit } = placeSign()
    element.open = true
    await until(() => !element.open)
    expect(kit.isModalOpen).to.equal(false)
  })

  it('refuse a second run on an element that shows one', async () => {
    const kit = fakeKit()
    const { element } = place(kit)
    const { login } = await opened(element)
    const other = fakeKit('other')
    expect(await codeOf(other.login({ surface: element }))).to.equal('flow_in_progress')
    expect(element.open).to.equal(true)
    element.close()
    await login
  })
})
