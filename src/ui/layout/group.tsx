import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color } from '../../../styles/tokens.ts'

/** Facts that belong together, with a hairline to the group before. */
export const Group = ({ children }: { children: ReactNode }): ReactNode => <div css={group}>{children}</div>

const group: CSSObject = {
  '&:empty': { display: 'none' },
  '&:not(:empty) ~ &': {
    marginBlockStart: 4,
    paddingBlockStart: 4,
    borderBlockStart: `1px solid ${color('border')}`,
  },
}
