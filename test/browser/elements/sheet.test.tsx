import { css, Global, keyframes } from '@emotion/react'
import { expect } from '@open-wc/testing'
import { createRoot } from 'react-dom/client'
import { Shadow } from '../../../styles/shadow.tsx'
import { AdoptedSheet, rebuildSheets } from '../../../styles/sheet.ts'
import { sleep, until } from './support/page.ts'

const rootIn = (document: Document) => {
  const host = document.createElement('div')
  document.body.append(host)
  return host.attachShadow({ mode: 'open' })
}
const texts = (root: ShadowRoot) =>
  root.adoptedStyleSheets.map((sheet) => [...sheet.cssRules].map((rule) => rule.cssText).join(' '))

describe('adopted sheets', () => {
  afterEach(() => document.body.replaceChildren())

  it('drops the rule that the browser does not know, and keeps the others', () => {
    const root = rootIn(document)
    const sheet = new AdoptedSheet({ key: 'lk', container: root })
    for (const rule of [
      '.a{color:red}',
      '.b::-ms-nonsense{color:red}',
      '@import url(x.css);',
      '.c{color:blue}',
    ])
      sheet.insert(rule)
    expect(texts(root)).to.deep.equal(['.a { color: red; } .c { color: blue; }'])
    sheet.flush()
    expect(root.adoptedStyleSheets).to.deep.equal([])
  })

  it('leaves the sheets of others alone and puts global rules before particular ones', () => {
    const root = rootIn(document)
    const foreign = new CSSStyleSheet()
    root.adoptedStyleSheets = [foreign]
    const main = new AdoptedSheet({ key: 'lk', container: root })
    main.insert('.a{}')
    const global = new AdoptedSheet({ key: 'lk-global', container: root })
    global.insert('.g{}')
    expect(root.adoptedStyleSheets).to.deep.equal([foreign, global.css, main.css])
  })

  it('is made anew for another document', async () => {
    const frame = document.createElement('iframe')
    document.body.append(frame)
    const other = frame.contentDocument as Document
    const root = rootIn(document)
    const sheet = new AdoptedSheet({ key: 'lk', container: root })
    sheet.insert('.a{color:red}')
    other.body.append(root.host)
    expect(root.adoptedStyleSheets).to.deep.equal([])
    rebuildSheets(root)
    expect(texts(root)).to.deep.equal(['.a { color: red; }'])
    sheet.insert('.b{}')
    expect(root.adoptedStyleSheets[0]?.cssRules.length).to.equal(2)
  })

  it('serves Emotion whole: rules, keyframes, media rules, and Global that comes and goes', async () => {
    const root = rootIn(document)
    const spin = keyframes({ to: { opacity: 0.5 } })
    const mount = document.createElement('div')
    root.append(mount)
    const react = createRoot(mount)
    const draw = (global: string | undefined) =>
      react.render(
        <Shadow root={root} theme="light">
          {global && <Global styles={{ b: { color: global } }} />}
          <p
            css={css({
              animation: `${spin} 1s`,
              '@media (min-width:1px)': { top: 7 },
              '&::placeholder': { top: 1 },
            })}
          >
            <b>bold</b>
          </p>
        </Shadow>,
      )
    const look = (name: string) => getComputedStyle(root.querySelector(name) as Element)
    draw('rgb(1, 2, 3)')
    await until(() => root.querySelector('b') && look('b').color === 'rgb(1, 2, 3)')
    expect(look('p').animationName).to.match(/^animation-/)
    expect(look('p').top).to.equal('7px')
    draw('rgb(4, 5, 6)')
    await until(() => look('b').color === 'rgb(4, 5, 6)')
    draw(undefined)
    await until(() => look('b').color === 'rgb(0, 0, 0)' || look('b').color !== 'rgb(4, 5, 6)')
    expect(texts(root).some((text) => text.includes('rgb(4, 5, 6)'))).to.equal(false)
    expect(root.querySelectorAll('style').length).to.equal(0)
    react.unmount()
    await sleep(0)
  })
})
