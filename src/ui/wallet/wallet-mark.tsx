import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color, radius, text } from '../../../styles/tokens.ts'
import { useWalletPicture } from './use-wallet-picture.ts'

/** A wallet as people recognise it. */
export interface ShownWallet {
  /** The wallet client type. */
  readonly id: string
  readonly name: string
  /** The icon that it announced: a data URL. */
  readonly icon?: string | undefined
}

/** A wallet's icon, in a place that is there before it: the announced one, our drawing, or its initial. */
export function WalletMark({ id, name, icon, size = 28 }: ShownWallet & { size?: 24 | 28 }): ReactNode {
  const { picture, refuse } = useWalletPicture({ id, icon })
  return (
    <span css={{ display: 'block', flex: 'none' }} style={{ width: size, height: size }} aria-hidden>
      {picture ? (
        <img css={[filling, edge]} src={picture} alt="" onError={refuse} />
      ) : (
        picture === null && <span css={[filling, initial]}>{[...name.trim()][0]?.toUpperCase()}</span>
      )}
    </span>
  )
}

const filling: CSSObject = {
  display: 'block',
  width: '100%',
  height: '100%',
  objectFit: 'contain',
  borderRadius: radius(6),
}
// A white icon keeps its shape on a white panel.
const edge: CSSObject = {
  outline: `1px solid color-mix(in srgb,${color('text')} 14%,transparent)`,
  outlineOffset: -1,
}
const initial: CSSObject = {
  ...text('label'),
  display: 'grid',
  placeItems: 'center',
  boxSizing: 'border-box',
  border: '1px solid transparent',
  background: color('fill-hover'),
  color: color('text-muted'),
}
