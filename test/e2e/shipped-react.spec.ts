/** The build makes React small (tools/build): what is left must do all that React does. */
import { fileURLToPath } from 'node:url'
import { expect, type Page, test } from '@playwright/test'
import { build } from 'esbuild'
import { rollup } from 'rollup'
import { program } from '../../tools/build/program.mjs'

const entry = fileURLToPath(new URL('../support/shipped-react/page.tsx', import.meta.url))

async function whole(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return outputFiles[0]?.text ?? ''
}

async function shipped(): Promise<string> {
  const bundle = await rollup({ input: entry, ...program() })
  const { output } = await bundle.generate({ format: 'es', inlineDynamicImports: true })
  await bundle.close()
  return output[0].code
}

/** Lives through everything, and tells what the page wrote down and what was left of it at every turn. */
async function live(page: Page, script: string) {
  const problems: string[] = []
  const looks: string[] = []
  page.on('pageerror', (cause) => problems.push(cause.message))
  await page.setContent('<!doctype html><title>Page</title><body></body>')
  await page.addScriptTag({ type: 'module', content: script })
  const at = (id: string) => page.locator(`#host #${id}`)
  const look = async () => {
    const markup = await page.evaluate(() => document.querySelector('#host')?.shadowRoot?.innerHTML ?? '')
    looks.push(markup)
  }
  const press = async (id: string) => {
    await at(id).dispatchEvent('click')
    await look()
  }

  await at('inner').click()
  await at('inner').dblclick()
  await at('inner').click({ button: 'right' })
  await at('still').click()
  await look()

  await page.locator('#host [data-name=text]').fill('typed')
  await page.keyboard.press('End')
  await page.keyboard.type(' more')
  await at('tick').check()
  await at('choice').selectOption('a')
  await at('area').fill('other')
  await at('area').evaluate((area) =>
    area.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, composed: true })),
  )
  await at('send').click()
  await look()

  await page.getByLabel('one').fill('stays with its row')
  await press('turn')
  looks.push(await page.getByLabel('one').inputValue())
  await press('load')
  await press('arrive')
  await at('late').waitFor()
  await look()
  await press('raise')
  await press('effects')
  await press('effects')
  await press('light')
  await at('caught').waitFor()

  await at('box').evaluate((box) => box.scrollTo(0, 100))
  await at('from').dragTo(at('to'))
  await at('summary').click()
  await at('open').dispatchEvent('click')
  await at('inside').focus()
  await page.keyboard.press('Escape')
  await expect(at('dialog')).not.toHaveAttribute('open')
  await expect
    .poll(() => page.evaluate(() => window.log.filter((line) => line.startsWith('close'))))
    .toHaveLength(1)
  await look()
  await page.evaluate(() => window.stop())
  await look()
  return { log: await page.evaluate(() => window.log), looks, problems }
}

test('the React that is shipped does what React does @soak', async ({ browser }) => {
  const [ours, theirs] = await Promise.all(
    [await shipped(), await whole()].map(async (script) => live(await browser.newPage(), script)),
  )
  expect(theirs?.log.length).toBeGreaterThan(50)
  expect(theirs?.looks.at(-1)).toBe('')
  expect(ours).toEqual(theirs)
  const seen = new Set(theirs?.log.map((line) => line.split(' ')[0]))
  for (const kind of ['click', 'submit', 'focus', 'scroll', 'drop', 'toggle', 'cancel', 'caught', 'effect'])
    expect([...seen]).toContain(kind)
  console.log(`React: ${theirs?.log.length} events and ${theirs?.looks.length} states, the same with both`)
})
