import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color, text } from '../../../styles/tokens.ts'
import { AssetDisc, disc, useAssetDrawings } from './asset-drawings.tsx'

/** A coin or token on its network. */
export interface ShownAsset {
  /** CAIP-2 */
  readonly chain: string
  /** Its contract or mint; `undefined` for the network's own coin. */
  readonly token?: string | undefined
  readonly symbol: string
}

/** The mark of an asset, or its initial, with the mark of its network in the corner. Their place is there before them. */
export function AssetMark({ chain, token, symbol }: ShownAsset): ReactNode {
  const drawn = useAssetDrawings()?.assetDrawing(chain, token)
  return (
    <span css={place} aria-hidden>
      {drawn &&
        (drawn.asset ? (
          <AssetDisc drawing={drawn.asset} />
        ) : (
          <span css={[disc, initial]}>{[...symbol.trim()][0]?.toUpperCase()}</span>
        ))}
      {drawn?.network && (
        <span css={badge}>
          <AssetDisc drawing={drawn.network} />
        </span>
      )}
    </span>
  )
}

const place: CSSObject = { position: 'relative', display: 'block', flex: 'none', width: 24, height: 24 }
const badge: CSSObject = {
  position: 'absolute',
  insetInlineEnd: -6,
  insetBlockEnd: -6,
  boxSizing: 'content-box',
  width: 12,
  height: 12,
  border: `2px solid ${color('surface')}`,
  borderRadius: '50%',
  background: color('surface'),
}
const initial: CSSObject = {
  ...text('caption'),
  display: 'grid',
  placeItems: 'center',
  // Large text is higher than its box.
  placeContent: 'center',
  boxSizing: 'border-box',
  background: color('fill-hover'),
  color: color('text-muted'),
}
