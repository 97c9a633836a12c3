import type { CSSObject } from '@emotion/react'
import { serializeStyles } from '@emotion/serialize'

/** The steps of an animation as a word for `animation`. Emotion puts the name in its place and brings the steps along. */
export function keyframes(steps: Readonly<Record<string, CSSObject>>): string {
  const { name: hash, styles } = serializeStyles([steps])
  const name = `animation-${hash}`
  return `_EMO_${name}_@keyframes ${name}{${styles}}_EMO_`
}

export const fadeIn = keyframes({ from: { opacity: 0 } })
export const fadeOut = keyframes({ to: { opacity: 0 } })
