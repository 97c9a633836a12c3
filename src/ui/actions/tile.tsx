import type { CSSObject } from '@emotion/react'
import { type ReactNode, useState } from 'react'
import { color, radius, shadow, text } from '../../../styles/tokens.ts'
import { imageUrl } from '../brand/image-url.ts'
import { useWalletPicture } from '../wallet/use-wallet-picture.ts'
import type { ShownWallet } from '../wallet/wallet-mark.tsx'

/**
 * A wallet's icon as the subject of a screen. Our drawings fill the tile; an announced icon may have no
 * background.
 */
export function WalletTile({ id, name, icon }: ShownWallet): ReactNode {
  const { picture, announced, refuse } = useWalletPicture({ id, icon })
  return (
    <div css={[tile, { color: color('text-muted') }]} aria-hidden>
      {picture ? (
        <img css={announced ? image : whole} src={picture} alt="" onError={refuse} />
      ) : (
        picture === null && [...name.trim()][0]?.toUpperCase()
      )}
    </div>
  )
}

/** An app beside a wallet: its logo, if that fits the shape of the tile, else its initial. */
export function AppTile({ name, logoUrl }: { name: string; logoUrl?: string | undefined }): ReactNode {
  const src = imageUrl(logoUrl)
  const [seen, setSeen] = useState<{ src: string; fits: boolean }>()
  const state = seen?.src === src ? seen : undefined
  const shown = src && state?.fits !== false
  return (
    <div css={shown ? tile : [tile, tinted]} aria-hidden>
      {shown ? (
        <img
          css={image}
          style={{ opacity: state ? 1 : 0 }}
          src={src}
          alt=""
          referrerPolicy="no-referrer"
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
            setSeen({ src, fits: width <= 1.5 * height })
          }
          onError={() => setSeen({ src, fits: false })}
        />
      ) : (
        [...name.trim()][0]?.toUpperCase()
      )}
    </div>
  )
}

const tile: CSSObject = {
  ...text('hero'),
  display: 'grid',
  placeItems: 'center',
  flex: 'none',
  boxSizing: 'border-box',
  overflow: 'hidden',
  width: 56,
  height: 56,
  border: `1px solid ${color('border')}`,
  borderRadius: radius(16),
  background: color('surface-raised'),
  boxShadow: shadow(1),
  WebkitUserSelect: 'none',
  userSelect: 'none',
}
const tinted: CSSObject = {
  borderColor: 'transparent',
  background: color('accent-subtle'),
  color: color('accent-text'),
  boxShadow: 'none',
}
const whole: CSSObject = { display: 'block', width: '100%', height: '100%' }
const image: CSSObject = {
  display: 'block',
  width: 36,
  height: 36,
  borderRadius: radius(8),
  objectFit: 'contain',
}
