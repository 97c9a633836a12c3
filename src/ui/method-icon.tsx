import { lazy, type ReactNode, Suspense } from 'react'
import { Icon } from './icon.tsx'

interface MethodIconProps {
  /** Path data, the name of a provider, or the address of an image. */
  icon: string | undefined
  label: string
  size?: 24 | 28
}

/** A picture is not worth a failure: where it can't be had its place stays empty. */
const MethodMark = lazy(() => import('./method-mark.tsx').catch(() => ({ default: () => null })))

/** The picture of a way to log in, in a box that is there before the picture is. */
export function MethodIcon({ icon, label, size = 24 }: MethodIconProps): ReactNode {
  if (icon?.startsWith('M')) return <Icon path={icon} size={size} stroke={1.75} />
  return (
    <span css={{ display: 'block', flex: 'none' }} style={{ width: size, height: size }}>
      <Suspense>
        <MethodMark icon={icon} label={label} />
      </Suspense>
    </span>
  )
}
