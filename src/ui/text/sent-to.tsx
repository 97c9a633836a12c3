import type { CSSObject } from '@emotion/react'
import { color, isolated } from '../../../styles/tokens.ts'
import { pieces } from '../../copy/copy.ts'

/** A sentence that says where something went, which stands out in it. @param text has `{to}` where that stands */
export const SentTo = ({ text, to }: { text: string; to: string }) =>
  pieces(text).map((piece) =>
    piece.name ? (
      <bdi key="to" css={place}>
        {to}
      </bdi>
    ) : (
      piece.text
    ),
  )

const place: CSSObject = { ...isolated, color: color('text'), fontWeight: 500 }
