import type { CSSObject } from '@emotion/react'
import { useState } from 'react'
import { color, radius, text } from '../../../styles/tokens.ts'
import { imageUrl } from './image-url.ts'

/** The app's logo in its own colours, or the app's initial if there is none that can be shown. */
export function Logo({ url, name }: { url?: string | undefined; name: string }) {
  const src = imageUrl(url)
  const [broken, setBroken] = useState<string>()
  if (src && src !== broken)
    return (
      <img css={image} src={src} alt={name} referrerPolicy="no-referrer" onError={() => setBroken(src)} />
    )
  return (
    <span css={initial} aria-hidden>
      {[...name.trim()][0]?.toUpperCase()}
    </span>
  )
}

const image: CSSObject = { display: 'block', maxWidth: 'min(180px,100%)', height: 48, objectFit: 'contain' }
const initial: CSSObject = {
  ...text('hero'),
  display: 'grid',
  placeItems: 'center',
  width: 48,
  height: 48,
  border: '1px solid transparent',
  borderRadius: radius(12),
  background: color('accent-subtle'),
  color: color('accent-text'),
}
