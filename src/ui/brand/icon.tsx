import type { CSSObject } from '@emotion/react'

interface IconProps {
  /** Path data on 24 by 24, from `icons/`. */
  path: string
  size?: 12 | 16 | 18 | 20 | 24 | 28
  stroke?: number
  /** Arrows and chevrons point the other way in right-to-left scripts. */
  mirrored?: boolean
}

/** An interface icon, drawn as strokes in the colour of the text beside it; always beside words or a name. */
export function Icon({ path, size = 20, stroke = 2, mirrored }: IconProps) {
  return (
    <svg
      css={mirrored ? [base, turned] : base}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      strokeWidth={stroke}
      aria-hidden
    >
      <path d={path} />
    </svg>
  )
}

const base: CSSObject = {
  flex: 'none',
  display: 'block',
  fill: 'none',
  stroke: 'currentColor',
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
}
const turned: CSSObject = { '&:dir(rtl)': { transform: 'scaleX(-1)' } }
