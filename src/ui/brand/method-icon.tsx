import { lazy, type ReactNode, Suspense } from 'react'
import { Icon } from './icon.tsx'

interface MethodIconProps {
  /** Path data, the name of a provider, or the address of an image. */
  icon: string | undefined
  label: string
  size?: 24 | 28
}

/** An icon is not worth a failure: if it can't be loaded its place stays empty. */
const MethodMark = lazy(() => import('./method-mark.tsx').catch(() => ({ default: () => null })))

/** The icon of a login method, in a box that is there before the icon is. */
export function MethodIcon({ icon, label, size = 24 }: MethodIconProps): ReactNode {
  if (icon?.startsWith('M')) return <Icon path={icon} size={size} stroke={1.75} />
  return (
    <span css={{ display: 'block', flex: 'none' }} style={{ width: size, height: size }}>
      <Suspense>
        <MethodMark icon={icon} label={label} size={size} />
      </Suspense>
    </span>
  )
}
