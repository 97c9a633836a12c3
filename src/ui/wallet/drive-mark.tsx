import type { ReactNode } from 'react'
import { color } from '../../../styles/tokens.ts'
import { drives } from '../icons/drives.ts'

/** The icon of a drive that holds a backup. */
export function DriveMark({ drive, size = 24 }: { drive: keyof typeof drives; size?: 24 | 28 }): ReactNode {
  const { box, shapes } = drives[drive]
  return (
    <svg css={{ display: 'block' }} width={size} height={size} viewBox={box} aria-hidden>
      {shapes.map(([path, light = color('text'), dark = color('text')]) => (
        <path key={path} d={path} style={{ fill: `light-dark(${light},${dark})` }} />
      ))}
    </svg>
  )
}
