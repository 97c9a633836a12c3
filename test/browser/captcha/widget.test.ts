import { expect } from '@open-wc/testing'
import { resetMouse, sendMouse } from '@web/test-runner-commands'
import type { KitError } from '../../../src/errors/kit-error.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { pageOf } from '../../../src/lib/page.ts'
import { createStore } from '../../../src/lib/store.ts'
import { captcha as screen } from '../../../src/login/captcha/captcha.tsx'
import { createCaptchaAuth, isBlocked } from '../../../src/login/captcha/service.ts'
import type { FlowState } from '../../../src/login/flow-state.ts'
import type { AuthContext } from '../../../src/login/service-context.ts'
import { mount, unmountAll } from '../screens/mount.tsx'

const base = '/__captcha__'
const keys = {
  passes: '1x00000000000000000000AA',
  blocks: '2x00000000000000000000AB',
  asks: '3x00000000000000000000FF',
  expires: '5x00000000000000000000E1',
}

/** The captcha of an app, on a page. */
function captchaOn(window: Window, key: string) {
  const app = { captcha: { enabled: true, siteKey: key } }
  const host = { captcha: { scriptUrl: `${location.origin}${base}/turnstile/v0/api.js` } }
  return createCaptchaAuth({
    appId: 'latchkey-unit-test-app-01',
    clock: systemClock,
    page: pageOf(() => window),
    app: () => app,
    config: () => ({ theme: 'light', host, app }),
    state: () => createStore<FlowState>({ status: 'initial' }),
  } as unknown as AuthContext)
}

const frames: HTMLIFrameElement[] = []
/** A page under one of the policies, and what it forbade. */
async function pageUnder(policy: string): Promise<{ window: Window; violations: string[] }> {
  const frame = document.createElement('iframe')
  frame.src = `${base}/page-${policy}`
  frames.push(frame)
  await new Promise((loaded) => {
    frame.addEventListener('load', loaded, { once: true })
    document.body.append(frame)
  })
  const { contentWindow: window, contentDocument } = frame
  if (!window || !contentDocument) throw new Error('The page did not load')
  const violations: string[] = []
  contentDocument.addEventListener('securitypolicyviolation', (event) =>
    violations.push(`${event.effectiveDirective} ${event.blockedURI}`),
  )
  return { window, violations }
}
const caught = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: KitError) => error,
  )
const until = async (so: () => unknown) => {
  for (let tries = 0; tries < 300 && !so(); tries++) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(Boolean(so())).to.equal(true)
}

describe('the captcha’s widget', () => {
  afterEach(() => {
    for (const frame of frames.splice(0)) frame.remove()
    unmountAll()
  })

  it('works on a page with a strict policy and Trusted Types, and leaves nothing behind', async () => {
    const { window, violations } = await pageUnder('strict')
    const { length } = window.document.body.children
    const token = await captchaOn(window, keys.passes).token()
    expect(token).to.match(/^XXXX\.DUMMY\.TOKEN\./)
    expect(violations).to.deep.equal([])
    expect(window.document.body.children).to.have.length(length)
    expect(window.document.querySelectorAll('script')).to.have.length(1)
  })

  it('loads the script once, however many tokens are asked for', async () => {
    const { window } = await pageUnder('strict')
    const captcha = captchaOn(window, keys.passes)
    const tokens = await Promise.all([captcha.token(), captcha.token()])
    expect(new Set([...tokens, await captcha.token()]).size).to.equal(3)
    expect(window.document.querySelectorAll('script')).to.have.length(1)
  })

  for (const [policy, words] of [
    ['untrusting', 'a page that allows no policy for Trusted Types'],
    ['scriptless', 'a page that allows no scripts of others'],
  ] as const)
    it(`on ${words} it is said to be blocked, without an endless wait`, async () => {
      const { window } = await pageUnder(policy)
      const error = await caught(captchaOn(window, keys.passes).token())
      expect(error?.code).to.equal('captcha_failure')
      expect(error && isBlocked(error)).to.equal(true)
    })

  it('says so when the vendor blocks', async () => {
    const { window } = await pageUnder('strict')
    const error = await caught(captchaOn(window, keys.blocks).token())
    expect([error?.code, error?.details]).to.deep.equal(['captcha_failure', 'the vendor says 300030'])
  })

  it('replaces a token that expires', async () => {
    const { window } = await pageUnder('strict')
    const widget = captchaOn(window, keys.expires).widget()
    window.document.body.append(widget.box)
    const first = await widget.check()
    await until(() => widget.state.get().status === 'loading')
    expect(widget.take()).to.equal(undefined)
    const second = await widget.check()
    expect(second).not.to.equal(first)
    expect(widget.take()).to.equal(second)
    widget.close()
  })

  it('is part of the page, shown in the dialog, and can be used there', async () => {
    const widget = captchaOn(window, keys.asks).widget()
    const { root, ask, find } = mount()
    await ask(screen, { state: 'checking', box: widget.box })
    const done = widget.check()
    await until(() => {
      const state = widget.state.get()
      return state.status === 'loading' && state.asking
    })
    expect(widget.box.parentElement === root.host).to.equal(true)
    const frame = widget.box.querySelector('iframe')
    await ask(screen, { state: 'asking', box: widget.box })
    expect(widget.box.querySelector('iframe') === frame).to.equal(true)
    const own = frame?.getBoundingClientRect()
    const around = find('[part=body]').getBoundingClientRect()
    if (!own) throw new Error('There is no frame')
    expect(own.top >= around.top && own.bottom <= around.bottom).to.equal(true)
    expect(own.left >= around.left && own.right <= around.right).to.equal(true)
    expect([own.width, own.height]).to.deep.equal([300, 65])
    await until(() => frame?.contentDocument?.querySelector('label:not([hidden])'))
    await until(() => root.querySelector('[data-arriving]') === null)
    await sendMouse({ type: 'click', position: [Math.round(own.left + 28), Math.round(own.top + 33)] })
    expect(await done).to.match(/^XXXX/)
    await resetMouse()
    widget.close()
    unmountAll()
    expect(document.querySelectorAll('iframe[src*=turnstile]')).to.have.length(0)
  })
})
