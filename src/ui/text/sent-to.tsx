import type { CSSObject } from '@emotion/react'
import { color, isolated } from '../../../styles/tokens.ts'
import { breakable, withName } from './breakable.tsx'

/** A sentence that says where something went, which stands out in it. @param text has `{to}` where that stands */
export const SentTo = ({ text, to }: { text: string; to: string }) =>
  withName(text, () => <bdi css={place}>{breakable(to)}</bdi>)

const place: CSSObject = { ...isolated, color: color('text'), fontWeight: 500 }
