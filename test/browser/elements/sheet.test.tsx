import { serializeStyles } from '@emotion/serialize'
import { expect } from '@open-wc/testing'
import { createRoot } from 'react-dom/client'
import { keyframes } from '../../../styles/keyframes.ts'
import { Shadow } from '../../../styles/shadow.tsx'
import { sheetOf } from '../../../styles/sheet.ts'
import { sleep, until } from './support/page.ts'

const red = serializeStyles([{ color: 'red', '&:hover': { color: 'blue' } }])
const blue = serializeStyles([{ color: 'blue' }])
const rootIn = (document: Document) => {
  const host = document.createElement('div')
  document.body.append(host)
  return host.attachShadow({ mode: 'open' })
}
const texts = (root: ShadowRoot) =>
  root.adoptedStyleSheets.map((sheet) => [...sheet.cssRules].map((rule) => rule.cssText).join(' '))

describe('adopted sheets', () => {
  afterEach(() => document.body.replaceChildren())

  it('takes each rule once, and leaves out what the browser does not know', () => {
    const root = rootIn(document)
    const sheet = sheetOf(root)
    const odd = serializeStyles([
      { color: 'red', '&::-ms-nonsense': { color: 'red' }, '&:hover': { top: 1 } },
    ])
    for (const styles of [blue, odd, blue]) sheet.add(styles)
    const [text] = texts(root)
    expect(text?.match(/lk-/g)?.length).to.equal(2)
    expect(text).to.contain('hover').and.not.to.contain('nonsense')
    expect(sheetOf(root)).to.equal(sheet)
  })

  it('leaves the sheets of others alone', () => {
    const root = rootIn(document)
    const foreign = new CSSStyleSheet()
    root.adoptedStyleSheets = [foreign]
    sheetOf(root).add(red)
    expect(root.adoptedStyleSheets.length).to.equal(2)
    expect(root.adoptedStyleSheets[0]).to.equal(foreign)
  })

  it('is made anew for another document', () => {
    const frame = document.createElement('iframe')
    document.body.append(frame)
    const other = frame.contentDocument as Document
    const root = rootIn(document)
    const sheet = sheetOf(root)
    sheet.add(red)
    other.body.append(root.host)
    expect(root.adoptedStyleSheets).to.deep.equal([])
    sheet.rebuild()
    sheet.add(blue)
    expect(root.adoptedStyleSheets.length).to.equal(1)
    expect(root.adoptedStyleSheets[0]?.cssRules.length).to.equal(2)
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
    await sleep(0)
  })
})
