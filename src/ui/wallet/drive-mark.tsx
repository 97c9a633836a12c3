import type { ReactNode } from 'react'
import { color } from '../../../styles/tokens.ts'
import { drives } from '../icons/drives.ts'

/** The icon of a drive that holds a backup. */
export function DriveMark({ drive, size = 24 }: { drive: keyof typeof drives; size?: 24 | 28 }): ReactNode {
  const [path, light = color('text'), dark = color('text')] = drives[drive]
  return (
    <svg css={{ display: 'block' }} width={size} height={size} viewBox="-2 -2 28 28" aria-hidden>
      <path d={path} style={{ fill: `light-dark(${light},${dark})` }} />
    </svg>
  )
}
