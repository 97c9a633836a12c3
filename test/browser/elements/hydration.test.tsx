import { expect } from '@open-wc/testing'
import { hydrateRoot } from 'react-dom/client'
import { elementRef } from '../../../elements/element-ref.ts'
import { fakeKit, somebody } from './support/fake-kit.ts'
import { clear, drawn, place, until } from './support/page.ts'

describe('a page that was rendered on a server', () => {
  afterEach(clear)

  it('gives an element its properties and handlers when React hydrates it, and takes the handlers off', async () => {
    const kit = fakeKit()
    kit.setUser(somebody)
    const place = document.createElement('div')
    document.body.append(place)
    place.innerHTML = '<login-modal></login-modal>'
    const heard: unknown[] = []
    const config = { appearance: { loginMessage: 'Hello' } }
    const ref = elementRef<'login-modal'>({
      kit,
      config,
      'onlk-user': (event) => heard.push(event.detail.user),
    })
    const root = hydrateRoot(place, <login-modal ref={ref as never} />)
    await until(() => heard.length > 0)
    const element = place.querySelector('login-modal')
    expect(heard).to.deep.equal([somebody])
    expect(element?.config).to.equal(config)
    root.unmount()
    await drawn()
    kit.setUser(null)
    expect(heard).to.have.length(1)
  })

  it('tells handlers that come later what the element has said by then, and each of them once', async () => {
    const kit = fakeKit()
    kit.setUser(somebody)
    const { element } = place(kit)
    const early: string[] = []
    for (const name of ['lk-ready', 'lk-user']) element.addEventListener(name, () => early.push(name))
    await until(() => early.length === 2)

    const heard: unknown[] = []
    const ref = elementRef<'login-modal'>({
      'onlk-ready': () => heard.push('ready'),
      'onlk-user': ({ detail }) => heard.push(detail.user),
    })
    // As in strict mode.
    ref(element)?.()
    const takeOff = ref(element)
    await drawn()
    expect(heard).to.deep.equal(['ready', somebody])
    takeOff?.()
    ref(element)
    await drawn()
    kit.setUser(null)
    await until(() => heard.length === 3)
    expect(heard).to.deep.equal(['ready', somebody, null])
    expect(early).to.deep.equal(['lk-ready', 'lk-user', 'lk-user'])
  })
})

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'login-modal': { ref?: never }
    }
  }
}
