import type { CSSObject } from '@emotion/react'
import { type ReactNode, useEffect, useState } from 'react'
import { color, text } from '../../../styles/tokens.ts'
import type { AssetDrawing } from '../icons/asset-drawing.ts'

/** A coin or token on its network. */
export interface ShownAsset {
  /** CAIP-2 */
  readonly chain: string
  /** Its contract or mint; `undefined` for the network's own coin. */
  readonly token?: string | undefined
  readonly symbol: string
}

type Draw = (chain: string, token: string | undefined) => AssetDrawing
/** Stored once it is loaded, so that the next screen has its marks at once. */
let loaded: Draw | undefined

/** The mark of an asset, or its initial, with the mark of its network in the corner. Their place is there before them. */
export function AssetMark({ chain, token, symbol }: ShownAsset): ReactNode {
  const [draw, setDraw] = useState(() => loaded)
  useEffect(() => {
    if (draw) return
    let isActive = true
    const take = (drawing: Draw) => isActive && setDraw(() => drawing)
    import('../icons/asset-drawing.ts')
      .then(({ assetDrawing }) => {
        loaded = assetDrawing
        take(assetDrawing)
      })
      // A mark is not worth a failure.
      .catch(() => take(() => ({})))
    return () => {
      isActive = false
    }
  }, [draw])
  const drawn = draw?.(chain, token)
  return (
    <span css={place} aria-hidden>
      {drawn &&
        (drawn.asset ? (
          <img css={coin} src={drawn.asset} alt="" />
        ) : (
          <span css={[coin, initial]}>{[...symbol.trim()][0]?.toUpperCase()}</span>
        ))}
      {drawn?.network && <img css={badge} src={drawn.network} alt="" />}
    </span>
  )
}

const place: CSSObject = { position: 'relative', display: 'block', flex: 'none', width: 24, height: 24 }
const coin: CSSObject = {
  display: 'block',
  width: '100%',
  height: '100%',
  borderRadius: '50%',
  // A black mark keeps its shape on a black panel.
  outline: `1px solid color-mix(in srgb,${color('text')} 14%,transparent)`,
  outlineOffset: -1,
}
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
