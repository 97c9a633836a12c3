import type { CSSObject } from '@emotion/react'
import { type ReactNode, useState } from 'react'
import { color, media, radius, text } from '../../../styles/tokens.ts'
import { providers } from '../icons/providers.ts'
import { WalletMark } from '../wallet/wallet-mark.tsx'
import { imageUrl } from './image-url.ts'

interface MethodMarkProps {
  /** The name of a provider or a wallet, or the address of an image; anything else shows its initial. */
  icon: string | undefined
  label: string
  /** The size of its box. */
  size: 24 | 28
}

/** A provider's icon, or another app's own. Loaded separately, because some pages show none. */
export default function MethodMark({ icon, label, size }: MethodMarkProps): ReactNode {
  const known = icon !== undefined && Object.hasOwn(providers, icon) && providers[icon]
  if (known)
    return (
      <svg css={mark} viewBox={known.box} aria-hidden>
        {known.shapes.map(([path, ...colours]) => (
          <path key={path} d={path} style={{ fill: fillOf(colours) }} />
        ))}
      </svg>
    )
  const image = icon?.includes(':') ? imageUrl(icon) : undefined
  if (image) return <Picture key={image} url={image} label={label} />
  const [wallet] = icon?.split(':') ?? []
  return wallet ? <WalletMark id={wallet} name={label} size={size} /> : <Initial label={label} />
}

/** A brand's colour on this panel, or the text's. */
function fillOf([light, dark]: readonly (string | undefined)[]): string {
  if (light === dark) return light || color('text')
  return `light-dark(${light || color('text')},${dark || color('text')})`
}

/** An image that can't be shown is replaced by the initial. */
function Picture({ url, label }: { url: string; label: string }) {
  const [broken, setBroken] = useState(false)
  if (broken) return <Initial label={label} />
  return <img css={picture} src={url} alt="" referrerPolicy="no-referrer" onError={() => setBroken(true)} />
}

function Initial({ label }: { label: string }) {
  return (
    <span css={initial} aria-hidden>
      {[...label.trim()][0]?.toUpperCase()}
    </span>
  )
}

const filling: CSSObject = { display: 'block', width: '100%', height: '100%' }
const mark: CSSObject = {
  ...filling,
  color: color('text'),
  // What is behind it is the system's then, whatever the theme.
  [media.forced]: { colorScheme: 'light dark' },
}
const picture: CSSObject = { ...filling, borderRadius: radius(6), objectFit: 'cover' }
const initial: CSSObject = {
  ...filling,
  ...text('caption'),
  display: 'grid',
  placeItems: 'center',
  // Large text is higher than its box.
  placeContent: 'center',
  border: '1px solid transparent',
  borderRadius: radius(6),
  background: color('fill-hover'),
  color: color('text-muted'),
}
