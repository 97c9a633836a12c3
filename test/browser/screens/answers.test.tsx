/** What holds for the answers of every screen in every example. */
import { expect } from '@open-wc/testing'
import { entries, show } from './entries.ts'
import { painted, unmountAll } from './mount.tsx'

describe('every screen, in every example', () => {
  afterEach(unmountAll)

  for (const entry of entries)
    it(`${entry.screen.id}: ${entry.name}: gives at most one answer, and none while it is busy`, async () => {
      const { all: find, answers, stage } = await show(entry)
      for (let i = 0; i < 3; i++)
        for (const button of find('button')) if (button.getAttribute('aria-label') !== 'Close') button.click()
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
})
