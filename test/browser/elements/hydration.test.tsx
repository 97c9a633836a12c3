import { expect } from '@open-wc/testing'
import { hydrateRoot } from 'react-dom/client'
import { elementRef } from '../../../elements/element-ref.ts'
import { fakeKit, somebody } from './support/fake-kit.ts'
import { clear, sleep, until } from './support/page.ts'

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
      ...{ kit, config },
      'onlk-user': (event) => heard.push(event.detail.user),
    })
    const root = hydrateRoot(place, <login-modal ref={ref as never} />)
    await until(() => heard.length > 0)
    const element = place.querySelector('login-modal')
    expect(heard).to.deep.equal([somebody])
    expect(element?.config).to.equal(config)
    root.unmount()
    await sleep(20)
    kit.setUser(null)
    expect(heard).to.have.length(1)
  })
})

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'login-modal': { ref?: never }
    }
  }
}
