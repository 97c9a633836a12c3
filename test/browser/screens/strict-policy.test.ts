/** The strictest policy that a page can have. Every screen is drawn in a host's page under it by `every-screen-*.test.ts`. */
import { expect } from '@open-wc/testing'
import { limit } from '../../support/limit.ts'
import { soaking } from '../../support/soak.ts'
import { entries } from './entries.ts'
import { mountVault, painted, unmountAll } from './mount.tsx'
import { underStrictPolicy } from './strict-policy.ts'

describe('under a policy without inline styles, inline scripts and any Trusted Types policy', () => {
  let violations: string[] = []
  before(() => {
    violations = underStrictPolicy()
  })
  afterEach(unmountAll)

  it('an inline style is refused, and counted', async () => {
    const style = document.createElement('style')
    style.textContent = 'body { color: red }'
    document.body.append(style)
    await painted()
    style.remove()
    expect(violations.splice(0)).to.deep.equal(['style-src-elem: inline '])
  })

  it('every screen is drawn by a page of the vault’s own without a violation', async function () {
    this.timeout(limit(120_000))
    for (const { screen, example, name } of entries.filter(({ isFirst }) => soaking || isFirst)) {
      const { ask } = mountVault()
      await ask(screen, example.props)
      expect(violations.splice(0), `${screen.id}: ${name}`).to.deep.equal([])
      unmountAll()
    }
  })
})
