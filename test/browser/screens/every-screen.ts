/**
 * Rules that hold for every screen: each example is drawn once, and looked at in all ways. The short run draws the first example of each screen
 * and every third one of the others.
 */
import { expect } from '@open-wc/testing'
import { emulateMedia } from '@web/test-runner-commands'
import { failure } from '../../../src/app/failure/failure.tsx'
import { rules, rulesOfColour, violationsIn } from './axe.ts'
import { entries, show } from './entries.ts'
import { mount, painted, unmountAll } from './mount.tsx'
import { partsOf, promisedParts } from './parts.ts'
import { underStrictPolicy } from './strict-policy.ts'

/**
 * A third of all, for pages run beside each other. The short run asks of one example of a screen what takes longer, and what the screen
 * does whatever it shows.
 */
export function checkThird(third: 0 | 1 | 2, soaking: boolean) {
  const drawn = soaking ? entries : entries.filter(({ at }) => at % 3 === 0)
  describe(`every screen, in every ${soaking ? '' : 'third '}example from its first one on`, () => {
    const errors: string[] = []
    const real = console.error
    let checked = 0
    let promised: string[] = []
    let violations: string[] = []
    before(async () => {
      violations = underStrictPolicy()
      promised = (await promisedParts())[0] ?? []
      console.error = (...words: unknown[]) => {
        errors.push(words.map(String).join(' ').slice(0, 300))
      }
      await emulateMedia({ reducedMotion: 'reduce' })
    })
    after(async () => {
      console.error = real
      await emulateMedia({ reducedMotion: 'no-preference' })
      console.log(`axe: ${checked} gallery entries without a violation in either theme`)
    })

    for (const entry of drawn.filter((_, at) => at % 3 === third))
      describe(`${entry.screen.id}: ${entry.name}`, () => {
        let scene: ReturnType<typeof show> | undefined
        const shown = () => {
          scene ??= show(entry)
          return scene
        }
        after(unmountAll)

        it('is drawn without an error, under a strict policy and one heading that names the dialog', async () => {
          const { all: find, root } = await shown()
          expect(errors.splice(0)).to.deep.equal([])
          expect(violations.splice(0)).to.deep.equal([])
          expect(find('h1,h2').length).to.equal(1)
          expect(find('h2')[0]?.textContent).to.not.equal('')
          expect(root.querySelector('dialog')?.getAttribute('aria-labelledby')).to.equal(find('h2')[0]?.id)
          expect(root.querySelectorAll('style').length).to.equal(0)
          expect(partsOf(find('[part]')).filter((name) => !promised.includes(name))).to.deep.equal([])
        })

        if (!soaking && !entry.isFirst) return

        it('takes the focus to its first field or heading', async () => {
          const { all: find, focuses } = await shown()
          expect(focuses(find('[data-first]')[0] ? '[data-first]' : '[data-heading]')).to.equal(true)
        })

        it('is accessible in the light theme, and in the dark one', async () => {
          const { all: find, root, setTheme } = await shown()
          const colour = () => find('h2').map((heading) => getComputedStyle(heading).color)
          expect(await violationsIn(root)).to.deep.equal([])
          const light = colour()
          setTheme('dark')
          expect(await violationsIn(root, soaking ? rules : rulesOfColour)).to.deep.equal([])
          expect(colour()).to.not.deep.equal(light)
          expect(violations.splice(0)).to.deep.equal([])
          checked++
        })

        if ('done' in entry.example.props && entry.example.props.done)
          it('says nothing of a danger any more once it has succeeded', async () => {
            const { all: find } = await shown()
            expect(find('[part=banner],[part~=button-danger]').length).to.equal(0)
          })

        it('gives at most one answer, and none while it is busy', async () => {
          const { all: find, answers, stage } = await shown()
          for (let i = 0; i < 3; i++)
            for (const button of find('button'))
              if (button.getAttribute('aria-label') !== 'Close') button.click()
          for (const form of find('form') as HTMLFormElement[]) form.requestSubmit()
          await painted()
          expect(answers.length).to.be.at.most(1)
          if (entry.example.busy !== undefined) expect(answers).to.deep.equal([entry.example.busy])
          if (answers.length === 0) return
          // The close button stays: leaving is always possible where the screen allows it. So do those that copy: they answer nothing.
          for (const button of find('button'))
            if (!/^(Close$|Copy )/.test(button.getAttribute('aria-label') ?? ''))
              expect(button.getAttribute('aria-disabled'), button.textContent ?? '').to.equal('true')
          for (const input of find('input') as HTMLInputElement[]) expect(input.readOnly).to.equal(true)
          expect(stage.scene.get()?.busy).to.deep.equal(answers[0])
        })

        if (entry.screen.id !== failure.id)
          it('takes the focus to its heading where it comes after another one', async () => {
            const later = mount()
            await later.ask(failure, { title: 'Before', action: 'close' })
            later.find('[part=footer] button').click()
            await later.ask(entry.screen, entry.example.props)
            expect(later.focuses('[data-heading]')).to.equal(true)
          })
      })
  })
}
