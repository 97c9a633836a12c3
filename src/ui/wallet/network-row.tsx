import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { AssetDisc, useAssetDrawings } from './asset-drawings.tsx'

interface NetworkNameProps {
  /** CAIP-2; `undefined` where nobody but the page says which network it is. */
  chain: string | undefined
  children: string
}

/** The name of a network, after its mark where we have one. */
function NetworkName({ chain, children }: NetworkNameProps): ReactNode {
  const drawing = useAssetDrawings()?.networkDrawing(chain ?? '')
  return (
    <span>
      {drawing && (
        <span css={mark}>
          <AssetDisc drawing={drawing} />
        </span>
      )}
      <bdi>{children}</bdi>
    </span>
  )
}

/** A row of details that says which network it is. */
export const networkRow = (label: string, chain: string | undefined, name: string) =>
  [
    label,
    <NetworkName key="network" chain={chain}>
      {name}
    </NetworkName>,
  ] as const

const mark: CSSObject = {
  display: 'inline-block',
  width: 16,
  height: 16,
  // No line is higher for it.
  marginBlock: -1,
  marginInlineEnd: 8,
  verticalAlign: -3,
}
