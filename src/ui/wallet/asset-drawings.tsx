import type { CSSObject } from '@emotion/react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { color } from '../../../styles/tokens.ts'
import type * as Drawings from '../icons/asset-drawing.ts'

/** Stored once they are loaded, so that the next screen has its marks at once. */
let loaded: typeof Drawings | undefined
/** A mark is not worth a failure. */
const none: typeof Drawings = { assetDrawing: () => ({}), networkDrawing: () => undefined }

/** Our drawings of assets and networks, which are loaded by the first screen that has any. */
export function useAssetDrawings(): typeof Drawings | undefined {
  const [drawings, setDrawings] = useState(loaded)
  useEffect(() => {
    if (drawings) return
    let isActive = true
    import('../icons/asset-drawing.ts')
      .then((module) => {
        loaded = module
        return module
      })
      .catch(() => none)
      .then((found) => isActive && setDrawings(found))
    return () => {
      isActive = false
    }
  }, [drawings])
  return drawings
}

/** A mark as a disc. */
export function AssetDisc({ drawing }: { drawing: Drawings.Drawing }): ReactNode {
  const id = useId()
  const gradient = (at: number) => `${id}-${at}`
  return (
    <svg css={disc} viewBox="0 0 24 24" aria-hidden>
      {drawing.map(({ path, fill, isEvenOdd }, at) => (
        <path
          key={path}
          d={path}
          fill={typeof fill === 'string' ? fill : `url(#${gradient(at)})`}
          {...(isEvenOdd && { fillRule: 'evenodd' })}
        />
      ))}
      {drawing.map(
        ({ path, fill }, at) =>
          typeof fill !== 'string' && (
            <linearGradient
              key={path}
              id={gradient(at)}
              gradientUnits="userSpaceOnUse"
              {...{ x1: fill.from[0], y1: fill.from[1], x2: fill.to[0], y2: fill.to[1] }}
            >
              {fill.stops.map(([offset, shade]) => (
                <stop key={offset} offset={offset} stopColor={shade} />
              ))}
            </linearGradient>
          ),
      )}
    </svg>
  )
}

/** The outline of any mark. */
export const disc: CSSObject = {
  display: 'block',
  width: '100%',
  height: '100%',
  borderRadius: '50%',
  // A black mark keeps its shape on a black panel.
  outline: `1px solid color-mix(in srgb,${color('text')} 14%,transparent)`,
  outlineOffset: -1,
}
