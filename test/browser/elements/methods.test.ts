import { expect } from '@open-wc/testing'
import type { LoginModal } from '../../../elements/login-modal.ts'
import { KitError } from '../../../src/errors/kit-error.ts'
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
  takesPresses,
  until,
  within,
} from './support/page.ts'
import { first } from './support/screens.tsx'

const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('it resolved')
    },
    (error: { code: string }) => error,
  )
const codeOf = async (promise: Promise<unknown>) => (await rejection(promise)).code

const positionOf = (element: Element) =>
  within(element, '[part=header] > span:first-of-type')?.textContent ?? undefined

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

  it('sign: a second request waits, and is displayed in the dialog of the first', async () => {
    const { element, kit } = placeSign()
    kit.flow = (stage) => stage.ask(first, {})
    const seen = record(element, 'lk-open', 'lk-close', 'lk-step')
    const [one, two] = [element.sign('one'), element.sign('two')]
    await until(() => positionOf(element) === '1 of 2')
    const dialog = dialogOf(element)
    const field = () => within<HTMLInputElement>(element, '[data-layer]:not([inert]) input')
    const typed = await until(field)
    typed.value = 'typed'
    await takesPresses(element)
    await pressOn(element, '#next')
    expect(await one).to.equal('0xs')
    await until(() => positionOf(element) === '2 of 2')
    expect([dialogOf(element), dialog?.open, element.open]).to.deep.equal([dialog, true, true])
    await until(() => field()?.value === '')
    await takesPresses(element)
    await pressOn(element, '[data-layer]:not([inert]) #next')
    expect(await two).to.equal('0xs')
    await until(() => !dialogOf(element))
    expect(seen.map(({ name }) => name)).to.deep.equal(['lk-open', 'lk-step', 'lk-step', 'lk-close'])
  })

  it('sign: a request that fails before anything is drawn leaves the dialog to the next one', async () => {
    const { element, kit } = placeSign()
    let count = 0
    kit.flow = async (stage) => {
      if (++count === 1) throw new KitError('invalid_data', 'Nothing to sign')
      await stage.ask(first, {})
    }
    const seen = record(element, 'lk-open', 'lk-close')
    const [one, two] = [codeOf(element.sign('one')), element.sign('two')]
    expect(await one).to.equal('invalid_data')
    await until(() => positionOf(element) === '2 of 2')
    await until(() => element.open)
    await takesPresses(element)
    await pressOn(element, '#next')
    expect(await two).to.equal('0xs')
    await until(() => !dialogOf(element))
    expect(seen.map(({ name }) => name)).to.deep.equal(['lk-open', 'lk-close'])
  })

  it('sign: a press meant for one request does not answer the next', async () => {
    const { element, kit } = placeSign()
    const answers: string[] = []
    kit.flow = async (stage) => void answers.push(JSON.stringify(await stage.ask(first, {})))
    const [one, two] = [element.sign('one'), element.sign('two')]
    await until(() => positionOf(element) === '1 of 2')
    await takesPresses(element)
    await pressOn(element, '#next')
    await one
    await until(() => positionOf(element) === '2 of 2')
    await until(() => within(element, '[data-arriving]'))
    const next = await until(() => within(element, '[data-layer]:not([inert]) #next'))
    expect(getComputedStyle(next).pointerEvents).to.equal('none')
    element.close()
    expect(await codeOf(two)).to.equal('unable_to_sign')
    expect(answers.length).to.equal(1)
  })

  it('sign: closing the dialog rejects the requests that wait', async () => {
    const { element } = placeSign()
    const asked = [element.sign('one'), element.sign('two'), element.sign('three')].map(codeOf)
    await until(() => positionOf(element) === '1 of 3')
    await pressOn(element, '[part=header] button')
    expect(await Promise.all(asked)).to.deep.equal(['unable_to_sign', 'unable_to_sign', 'unable_to_sign'])
    await until(() => !dialogOf(element))
    expect(element.open).to.equal(false)
  })

  it('sign: close ends all requests, and the next one opens a dialog', async () => {
    const { element } = placeSign()
    const asked = [element.sign('one'), element.sign('two')].map(codeOf)
    await until(() => element.open)
    element.close()
    expect(await Promise.all(asked)).to.deep.equal(['unable_to_sign', 'unable_to_sign'])
    await until(() => !dialogOf(element))
    const again = element.sign('three')
    await until(() => element.open)
    element.close()
    expect(await codeOf(again)).to.equal('unable_to_sign')
  })

  it('sign: a permit that the user may lower resolves with the typed data that were signed', async () => {
    const { element, kit } = placeSign()
    const asked: unknown[] = []
    const lowered = { message: { value: '1' } }
    kit.signTypedData = async (input, { acceptsEdited } = {}) => {
      asked.push({ input, acceptsEdited })
      return { signature: '0xs', ...(acceptsEdited && { typedData: lowered }) }
    }
    const typedData = { types: {}, primaryType: 'Permit', message: { value: '2' } }
    expect(await element.sign({ typedData, acceptsEdited: true })).to.deep.equal({
      signature: '0xs',
      typedData: lowered,
    })
    expect(await element.sign({ typedData })).to.equal('0xs')
    expect(asked).to.deep.equal([
      { input: typedData, acceptsEdited: true },
      { input: typedData, acceptsEdited: undefined },
    ])
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
