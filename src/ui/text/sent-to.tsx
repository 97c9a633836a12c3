import type { CSSObject } from '@emotion/react'
import { color, isolated } from '../../../styles/tokens.ts'
import { pieces } from '../../copy/copy.ts'
import { breakable, whole } from './breakable.tsx'

/** A sentence that says where something went, which stands out in it. @param text has `{to}` where that stands */
export const SentTo = ({ text, to }: { text: string; to: string }) =>
  pieces(text).map((piece) =>
    piece.name ? (
      <bdi key="to" css={place}>
        {breakable(to)}
      </bdi>
    ) : (
      piece.text
    ),
  )

const place: CSSObject = { ...isolated, ...whole, color: color('text'), fontWeight: 500 }
