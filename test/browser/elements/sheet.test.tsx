import { css, type SerializedStyles } from '@emotion/react'
import { expect } from '@open-wc/testing'
import { createRoot } from 'react-dom/client'
import { cacheOf, rebuildStyles } from '../../../styles/cache.ts'
import { keyframes } from '../../../styles/keyframes.ts'
import { Shadow } from '../../../styles/shadow.tsx'
import { drawn, until } from './support/page.ts'

const red = css({ color: 'red', '&:hover': { color: 'blue' } })
const blue = css({ color: 'blue' })
const rootIn = (document: Document) => {
  const host = document.createElement('div')
  document.body.append(host)
  return host.attachShadow({ mode: 'open' })
}
const texts = (root: ShadowRoot) =>
  root.adoptedStyleSheets.map((sheet) => [...sheet.cssRules].map((rule) => rule.cssText).join(' '))
/** As Emotion does for an element with a `css` prop. */
const add = (root: ShadowRoot, styles: SerializedStyles) => {
  const cache = cacheOf(root)
  cache.insert(`.${cache.key}-${styles.name}`, styles, cache.sheet, true)
}

describe('the Emotion cache of a shadow root', () => {
  afterEach(() => document.body.replaceChildren())

  it('belongs to that root alone, and permanently', () => {
    const root = rootIn(document)
    expect(cacheOf(root)).to.equal(cacheOf(root))
    expect(cacheOf(rootIn(document))).to.not.equal(cacheOf(root))
  })

  it('writes to one adopted style sheet, and leaves out what the browser does not know', () => {
    const root = rootIn(document)
    const odd = css({ color: 'red', '&::-ms-nonsense': { color: 'red' }, '&:hover': { top: 1 } })
    for (const styles of [blue, odd]) add(root, styles)
    const [text, ...others] = texts(root)
    expect(others).to.deep.equal([])
    expect(text?.match(/lk-/g)?.length).to.equal(3)
    expect(text).to.contain('hover').and.not.to.contain('nonsense')
    expect(root.querySelectorAll('style').length).to.equal(0)
  })

  it('leaves the style sheets of others alone, also when it is flushed', () => {
    const root = rootIn(document)
    const foreign = new CSSStyleSheet()
    root.adoptedStyleSheets = [foreign]
    add(root, red)
    expect(root.adoptedStyleSheets.length).to.equal(2)
    expect(root.adoptedStyleSheets[0]).to.equal(foreign)
    cacheOf(root).sheet.flush()
    expect(root.adoptedStyleSheets).to.deep.equal([foreign])
    cacheOf(root).sheet.insert('p { color: red }')
    expect(texts(root)[1]).to.equal('p { color: red; }')
  })

  it('brings its rules along into another document', () => {
    const frame = document.createElement('iframe')
    document.body.append(frame)
    const other = frame.contentDocument as Document
    const root = rootIn(document)
    add(root, red)
    other.body.append(root.host)
    expect(root.adoptedStyleSheets).to.deep.equal([])
    rebuildStyles(root)
    add(root, blue)
    cacheOf(root).sheet.insert('p::-ms-nonsense { color: red }')
    expect(root.adoptedStyleSheets.length).to.equal(1)
    expect(root.adoptedStyleSheets[0]?.cssRules.length).to.equal(3)
  })

  it('carries what a `css` prop says: rules, keyframes, media rules, what is around before what is inside', async () => {
    const root = rootIn(document)
    const spin = keyframes({ to: { opacity: 0.5 } })
    const mount = document.createElement('div')
    root.append(mount)
    const react = createRoot(mount)
    const draw = (top: number) =>
      react.render(
        <Shadow root={root} theme="light">
          <p
            css={[
              { animation: `${spin} 1s`, '& > *': { zIndex: 1, order: 1 } },
              false,
              { '@media (min-width:1px)': { top }, '&::placeholder': { top: 1 } },
            ]}
          >
            <b css={{ zIndex: 2 }}>bold</b>
          </p>
        </Shadow>,
      )
    const look = (name: string) => getComputedStyle(root.querySelector(name) as Element)
    draw(7)
    await until(() => root.querySelector('b') && look('p').top === '7px')
    expect(look('p').animationName).to.match(/^animation-/)
    expect(look('b').zIndex).to.equal('2')
    expect(look('b').order).to.equal('1')
    draw(8)
    await until(() => look('p').top === '8px')
    expect(root.querySelectorAll('style').length).to.equal(0)
    react.unmount()
    await drawn()
  })
})
