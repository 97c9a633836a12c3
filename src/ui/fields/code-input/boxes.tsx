import type { CSSObject } from '@emotion/react'
import { Fragment } from 'react'
import { keyframes } from '../../../../styles/keyframes.ts'
import { color, media, motion, quick, radius, tabular, text } from '../../../../styles/tokens.ts'

export type BoxState = 'entry' | 'inert' | 'checking' | 'error' | 'success' | 'blocked'

/** The drawing of a code. It is hidden from assistive technology, which reads the input over it. */
export function Boxes({ digits, length, state }: { digits: string; length: number; state: BoxState }) {
  return (
    <div css={[row, state === 'error' && shaken]} aria-hidden data-boxes>
      {Array.from({ length }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a box is its place
        <Fragment key={i}>
          {i === length / 2 && <span />}
          <span
            part="code-box"
            css={[box, digits[i] && { background: color('surface') }, looks[state]]}
            data-current={(state === 'entry' && i === digits.length) || undefined}
          >
            <span css={state === 'checking' && { opacity: 0.6 }}>{digits[i]}</span>
          </span>
        </Fragment>
      ))}
    </div>
  )
}

const shake = keyframes({
  '25%,75%': { transform: 'translateX(-6px)' },
  '50%,100%': { transform: 'translateX(6px)' },
  '0%,to': { transform: 'none' },
})
const row: CSSObject = {
  display: 'grid',
  gridTemplateColumns: 'repeat(3,minmax(0,44px)) 0 repeat(3,minmax(0,44px))',
  justifyContent: 'center',
  gap: 8,
  direction: 'ltr',
}
const shaken: CSSObject = {
  animation: `${shake} 240ms ${motion.ease}`,
  [media.reduced]: { animation: 'none' },
}
const box: CSSObject = {
  ...text('digit'),
  ...tabular,
  display: 'grid',
  placeItems: 'center',
  minHeight: 52,
  border: `1px solid ${color('border-strong')}`,
  borderRadius: radius(10),
  background: color('surface-sunken'),
  color: color('text'),
  transition: quick('border-color', 'background-color'),
}
const edge = (name: Parameters<typeof color>[0]): CSSObject => ({ borderColor: color(name) })
const looks: Record<BoxState, CSSObject> = {
  entry: {},
  inert: {},
  checking: {},
  error: edge('danger'),
  success: edge('success'),
  blocked: { background: color('fill-hover'), color: color('text-faint') },
}
