/** What holds for every screen in every example, and is counted. */
import { expect } from '@open-wc/testing'
import axe from 'axe-core'
import { all } from '../../../src/screens/all.ts'
import { mount, painted, pause, unmountAll } from './mount.tsx'

const entries = Object.values(all).flatMap(({ screen, examples }) =>
  Object.entries(examples).map(([name, example]) => ({ screen, name, example })),
)
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The scene of an example; a busy one is answered first, as a person would have done. */
async function show({ screen, example }: (typeof entries)[number], options?: Parameters<typeof mount>[0]) {
  const shown = mount(options)
  await shown.ask(screen, example.props)
  if (example.busy !== undefined) {
    shown.stage.scene.get()?.answer(example.busy)
    await painted()
  }
  return shown
}

describe('every screen, in every example', () => {
  const errors: string[] = []
  const real = console.error
  let checked = 0
  before(() => {
    console.error = (...words: unknown[]) => {
      errors.push(words.map(String).join(' ').slice(0, 300))
    }
  })
  afterEach(unmountAll)
  after(() => {
    console.error = real
    console.log(
      `axe: ${checked} gallery entries checked (${entries.length} examples, light and dark), 0 violations`,
    )
  })

  for (const entry of entries) {
    const title = `${entry.screen.id}: ${entry.name}`

    it(`${title}: is drawn without an error, under one heading that names the dialog`, async () => {
      const { all: find, root } = await show(entry)
      expect(errors.splice(0)).to.deep.equal([])
      expect(find('h1,h2').length).to.equal(1)
      expect(find('h2')[0]?.textContent).to.not.equal('')
      expect(root.querySelector('dialog')?.getAttribute('aria-labelledby')).to.equal(find('h2')[0]?.id)
      expect(root.querySelector('style')).to.equal(null)
    })

    it(`${title}: takes the focus to its first field or heading, and later to its heading`, async () => {
      const { all: find, focused } = await show(entry)
      expect(focused()).to.equal(find('[data-first]')[0] ?? find('[data-heading]')[0])
      const other = all.failure!.screen
      const later = mount()
      await later.ask(other, { title: 'Before', action: 'close' })
      later.stage.scene.get()?.answer('close')
      await later.ask(entry.screen, entry.example.props)
      if (entry.screen !== other) expect(later.focused()).to.equal(later.find('[data-heading]'))
    })

    it(`${title}: gives at most one answer, and none while it is busy`, async () => {
      const { all: find, answers, stage } = await show(entry)
      for (let i = 0; i < 3; i++)
        for (const button of find('button')) if (button.getAttribute('aria-label') !== 'Close') button.click()
      for (const form of find('form') as HTMLFormElement[]) form.requestSubmit()
      await painted()
      expect(answers.length).to.be.at.most(1)
      if (entry.example.busy !== undefined) expect(answers).to.deep.equal([entry.example.busy])
      if (answers.length === 0) return
      // The close button stays: leaving is always possible where the screen allows it.
      for (const button of find('button'))
        if (!['Close', 'Copy address'].includes(button.getAttribute('aria-label') ?? ''))
          expect(button.getAttribute('aria-disabled'), button.textContent ?? '').to.equal('true')
      for (const input of find('input') as HTMLInputElement[]) expect(input.readOnly).to.equal(true)
      expect(stage.scene.get()?.busy).to.deep.equal(answers[0])
    })

    for (const theme of ['light', 'dark'] as const)
      it(`${title}: has no accessibility violation, ${theme}`, async () => {
        const { root } = await show(entry, { theme })
        await Promise.allSettled(
          root.getAnimations().map((run) => run.effect?.getTiming().iterations === 1 && run.finished),
        )
        await pause(320)
        const { violations } = await axe.run(root.host, { runOnly: rules })
        expect(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`),
        ).to.deep.equal([])
        checked++
      })
  }
})
