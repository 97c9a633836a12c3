import { expect } from '@open-wc/testing'
import type { LatchkeyEventMap } from '../../../elements/events.ts'
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
  until,
  within,
} from './support/page.ts'
import { broken, first, second } from './support/screens.tsx'

const all = [
  'lk-ready',
  'lk-open',
  'lk-step',
  'lk-close-request',
  'lk-close',
  'lk-error',
  'lk-login',
  'lk-user',
  'lk-logout',
]

describe('events', () => {
  afterEach(clear)

  it('tells a whole login, in order, with its details', async () => {
    const { element } = place()
    const seen = record(element, ...all)
    const { login } = await opened(element)
    await pressOn(element, '#next')
    await until(() => headingOf(element) === 'Second screen')
    await pressOn(element, '#done')
    await login
    await until(() => seen.at(-1)?.name === 'lk-close')
    expect(seen.map(({ name, event: { detail } }) => [name, detail?.user?.id ?? detail])).to.deep.equal([
      ['lk-ready', null],
      ['lk-open', { intent: 'login' }],
      ['lk-step', { screen: 'first', from: null }],
      ['lk-step', { screen: 'second', from: 'first' }],
      ['lk-login', somebody.id],
      ['lk-user', somebody.id],
      ['lk-close', { completed: true }],
    ])
  })

  it('tells of a screen once, however often the flow shows it anew', async () => {
    const kit = fakeKit()
    kit.flow = async (stage) => {
      for (const note of ['one', 'two']) await stage.ask(first, { note })
      await stage.hold(first, { note: 'three' }, 0)
      await stage.ask(second, {})
      await stage.ask(first, {})
    }
    const { element } = place(kit)
    const seen = record(element, 'lk-step')
    const { login } = await opened(element)
    for (const note of ['one', 'two']) {
      await until(() => within(element, '#note')?.textContent === note)
      await pressOn(element, '#next')
    }
    await until(() => headingOf(element) === 'Second screen')
    await pressOn(element, '#done')
    await until(() => headingOf(element) === 'First screen')
    await pressOn(element, '#next')
    await login
    expect(seen.map(({ event: { detail } }) => detail)).to.deep.equal([
      { screen: 'first', from: null },
      { screen: 'second', from: 'first' },
      { screen: 'first', from: 'second' },
    ])
  })

  it('bubbles and leaves every shadow root it is in', async () => {
    const outer = document.createElement('div')
    const root = outer.attachShadow({ mode: 'open' })
    document.body.append(outer)
    const { element } = place(fakeKit(), root)
    const seen = record(document, ...all)
    const { login } = await opened(element)
    element.close()
    await login
    await until(() => seen.at(-1)?.name === 'lk-close')
    for (const { event } of seen) {
      expect(event.bubbles && event.composed, event.type).to.equal(true)
      expect(event.cancelable, event.type).to.equal(false)
      expect(event).to.be.instanceOf(CustomEvent)
    }
  })

  it('is not told of what the page did itself', async () => {
    const { element } = place()
    const seen = record(element, 'lk-open', 'lk-close', 'lk-close-request', 'lk-step')
    element.open = true
    await until(() => dialogOf(element)?.open && seen.length > 0)
    element.open = false
    await until(() => !dialogOf(element))
    await drawn()
    expect(seen.map(({ name }) => name)).to.deep.equal(['lk-step'])
    // What comes from elsewhere is reported again.
    await opened(element)
    within(element, '[part=header] button[aria-label=Close]')?.click()
    await until(() => seen.at(-1)?.name === 'lk-close')
    expect(seen.slice(1).map(({ name }) => name)).to.deep.equal([
      'lk-open',
      'lk-step',
      'lk-close-request',
      'lk-close',
    ])
  })

  it('tells of the next closing when the page had changed its mind before there was a dialog', async () => {
    const { element, kit } = place()
    const seen = record(element, 'lk-close')
    const login = element.login().catch((error) => error)
    element.open = true
    await Promise.resolve()
    element.open = false
    expect(await login).to.have.property('code', 'exited_auth_flow')
    await until(() => !kit.isModalOpen)
    await opened(element)
    element.close()
    await until(() => seen.length === 1)
  })

  it('tells of a closing by the person after the page had opened it', async () => {
    const { element } = place()
    const seen = record(element, 'lk-open', 'lk-close')
    element.open = true
    await until(() => dialogOf(element)?.open)
    within(element, '[aria-label=Close]')?.click()
    await until(() => seen.length)
    expect(seen[0]?.event.detail).to.deep.equal({ completed: false, code: 'exited_auth_flow' })
    expect(element.open).to.equal(false)
    expect(element.hasAttribute('open')).to.equal(false)
  })

  it('lets the page veto a closing', async () => {
    const { element } = place()
    const { login } = await opened(element)
    const seen = record(element, 'lk-close-request', 'lk-close')
    const veto = (event: Event) => event.preventDefault()
    element.addEventListener('lk-close-request', veto)
    within(element, '[aria-label=Close]')?.click()
    await drawn()
    expect(element.open).to.equal(true)
    expect(seen.map(({ event }) => event.detail)).to.deep.equal([{ reason: 'button' }])
    element.removeEventListener('lk-close-request', veto)
    within(element, '[aria-label=Close]')?.click()
    expect(await login).to.have.property('code', 'exited_auth_flow')
  })

  it('survives listeners that throw', async () => {
    const thrown: unknown[] = []
    const { onerror } = window
    window.onerror = (...words) => {
      thrown.push(words[4])
      return true
    }
    try {
      const { element } = place()
      for (const name of all)
        element.addEventListener(name as keyof LatchkeyEventMap, () => {
          throw new Error(`the page's own in ${name}`)
        })
      const { login } = await opened(element)
      within(element, '[aria-label=Close]')?.click()
      expect(await login).to.have.property('code', 'exited_auth_flow')
      await until(() => !dialogOf(element))
    } finally {
      window.onerror = onerror
    }
    expect(thrown.length).to.be.greaterThan(3)
  })

  it('tells of a failure once, on one element', async () => {
    const kit = fakeKit()
    place(kit)
    placeSign(kit)
    const seen = record(document, 'lk-error')
    await drawn()
    kit.fail(new KitError('network_unavailable', 'No way', { retryable: true, details: 'GET' }))
    expect(seen.map(({ event }) => event.detail)).to.deep.equal([
      { code: 'network_unavailable', message: 'No way (GET)', retryable: true },
    ])
  })

  it('ends a run whose screen throws, with its code, and leaves nothing on the page', async () => {
    const { element, kit } = place()
    const seen = record(element, 'lk-open', 'lk-error', 'lk-close')
    kit.flow = (stage) => stage.ask(broken, {})
    const { onerror } = window
    window.onerror = () => true
    const { error } = console
    console.error = () => {}
    try {
      const failure = await element.login().catch((cause) => cause)
      expect(failure).to.have.property('code', 'unknown_auth_error')
      await until(() => seen.at(-1)?.name === 'lk-close')
    } finally {
      window.onerror = onerror
      console.error = error
    }
    expect(seen.map(({ name, event }) => [name, event.detail.code])).to.deep.equal([
      ['lk-error', 'unknown_auth_error'],
      ['lk-close', 'unknown_auth_error'],
    ])
    expect(element.shadowRoot?.childElementCount).to.equal(0)
    expect(element.open).to.equal(false)
  })

  it('tells who is logged in', async () => {
    const { element, kit } = place()
    const seen = record(element, 'lk-user', 'lk-logout')
    await drawn()
    kit.setUser(somebody)
    expect(element.user).to.equal(somebody)
    await element.logout()
    expect(seen.map(({ name, event }) => [name, event.detail])).to.deep.equal([
      ['lk-user', { user: somebody }],
      ['lk-user', { user: null }],
      ['lk-logout', null],
    ])
  })

  it('tells an element that comes late who is logged in, after it is ready', async () => {
    const { kit } = place()
    kit.setUser(somebody)
    const late = document.createElement('login-modal')
    late.kit = kit
    const seen = record(late, 'lk-ready', 'lk-user')
    document.body.append(late)
    await until(() => seen.length === 2)
    await drawn()
    expect(seen.map(({ name, event }) => [name, event.detail])).to.deep.equal([
      ['lk-ready', null],
      ['lk-user', { user: somebody }],
    ])
  })

  it('tells an element that was away what it has missed, and nothing while it leaves', async () => {
    const { element, kit } = place()
    await drawn()
    kit.setUser(somebody)
    const seen = record(element, 'lk-user')
    element.remove()
    await drawn()
    expect(seen).to.deep.equal([])
    kit.setUser(null)
    document.body.append(element)
    await until(() => seen.length === 1)
    expect(seen[0]?.event.detail).to.deep.equal({ user: null })
  })

  it('tells the document that a dialog is gone whose element was removed', async () => {
    const { element } = place()
    await opened(element)
    const seen = record(document, 'lk-close')
    element.remove()
    await until(() => seen.length === 1)
    expect(seen[0]?.event.detail).to.deep.equal({ completed: false, code: 'exited_auth_flow' })
  })

  it('warns once, in words that help, of an app id that is none', async () => {
    const said: string[] = []
    const { warn } = console
    console.warn = (...words) => said.push(words.join(' '))
    try {
      for (const _ of [1, 2]) {
        const element = document.createElement('login-modal')
        element.appId = 'too-short'
        element.apiUrl = 'https://api.example'
        document.body.append(element)
      }
      await until(() => said.length > 0)
      await drawn()
    } finally {
      console.warn = warn
    }
    expect(said).to.have.length(1)
    expect(said[0]).to.include('"too-short" has 9 characters, and an app id has 25')
  })
})
