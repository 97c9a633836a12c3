import type { CSSObject } from '@emotion/react'
import { type ReactNode, useEffect, useState } from 'react'
import { color, radius, text } from '../../styles/tokens.ts'
import { Icon } from './icon.tsx'
import { mail } from './icons/landing.ts'
import type { Shape } from './icons/providers.ts'
import { imageUrl } from './image-url.ts'

interface MethodIconProps {
  /** 'mail', path data, the address of an image, or the name of a provider; what is none of these shows its initial. */
  icon: string | undefined
  label: string
  size?: 24 | 28
}

/** The picture of a way to log in, in a box that is there before the picture is. */
export function MethodIcon({ icon, label, size = 24 }: MethodIconProps): ReactNode {
  const path = icon === 'mail' ? mail : icon?.startsWith('M') && icon
  if (path) return <Icon path={path} size={size} stroke={1.75} />
  if (icon && /^[a-z]+$/.test(icon)) return <Mark name={icon} label={label} size={size} />
  const image = imageUrl(icon)
  if (image) return <Picture key={image} url={image} label={label} size={size} />
  return <Initial label={label} size={size} />
}

interface PartProps {
  label: string
  size: number
}

/** The marks of providers come by themselves: a page that offers none of them does not load them. */
let marks: Readonly<Record<string, readonly Shape[]>> | undefined
const loadMarks = async () => {
  marks ??= (await import('./icons/providers.ts')).providers
  return marks
}

function Mark({ name, label, size }: PartProps & { name: string }) {
  const [known, setKnown] = useState(marks)
  useEffect(() => {
    let wanted = true
    if (!known)
      loadMarks()
        // A picture is not worth a failure: without it the initial stands there.
        .catch(() => ({}))
        .then((loaded) => wanted && setKnown(loaded))
    return () => {
      wanted = false
    }
  }, [known])
  const shapes = known && Object.hasOwn(known, name) ? known[name] : undefined
  if (known && !shapes) return <Initial label={label} size={size} />
  return (
    <svg css={mark} viewBox="-2 -2 28 28" style={{ width: size, height: size }} aria-hidden>
      {shapes?.map(([path, ...colours]) => (
        <path key={path} d={path} fillRule="evenodd" style={{ fill: fillOf(colours) }} />
      ))}
    </svg>
  )
}

/** A brand's colour on this panel, or the text's. */
function fillOf([light, dark]: readonly (string | undefined)[]): string {
  if (light === dark) return light || color('text')
  return `light-dark(${light || color('text')},${dark || color('text')})`
}

/** An app's own picture; one that can't be shown leaves its place to the initial. */
function Picture({ url, label, size }: PartProps & { url: string }) {
  const [broken, setBroken] = useState(false)
  if (broken) return <Initial label={label} size={size} />
  return (
    <img
      css={[picture, { width: size, height: size }]}
      src={url}
      alt=""
      referrerPolicy="no-referrer"
      onError={() => setBroken(true)}
    />
  )
}

function Initial({ label, size }: PartProps) {
  return (
    <span css={initial} style={{ width: size, height: size }} aria-hidden>
      {[...label.trim()][0]?.toUpperCase()}
    </span>
  )
}

const mark: CSSObject = { flex: 'none', display: 'block', color: color('text') }
const picture: CSSObject = { display: 'block', borderRadius: radius(6), objectFit: 'cover' }
const initial: CSSObject = {
  ...text('caption'),
  display: 'grid',
  placeItems: 'center',
  border: '1px solid transparent',
  borderRadius: radius(6),
  background: color('fill-hover'),
  color: color('text-muted'),
}
