import axe from 'axe-core'
import { painted } from './mount.tsx'

export const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Those of them that look at colours, which are all that a theme changes. */
export const rulesOfColour = ['color-contrast', 'link-in-text-block']

/** What axe finds wrong in what is drawn, once it is at rest. */
export async function violationsIn(root: ShadowRoot, runOnly = rules): Promise<string[]> {
  await atRest(root)
  // The markup of a violation is enough: finding a selector for every element takes a good part of the time.
  const { violations } = await axe.run(root.host, { runOnly, resultTypes: ['violations'], selectors: false })
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Colours are measured as they are once nothing moves any longer; endless animations, such as a spinner, go on. */
export async function atRest(root: ShadowRoot): Promise<void> {
  await painted()
  const ending = root
    .getAnimations()
    .filter(({ playState, effect }) => playState === 'running' && endOf(effect) <= 2_000)
  for (const animation of ending) animation.finish()
}
/** Milliseconds from the beginning of an animation to its end. */
const endOf = (effect: AnimationEffect | null): number => Number(effect?.getComputedTiming().endTime)
