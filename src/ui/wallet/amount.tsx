import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color, isolated, tabular, text } from '../../../styles/tokens.ts'

/** An amount that leaves, with its symbol; `-` becomes a true minus sign. It shrinks to stay on one line. */
export function Amount({ children }: { children: string }): ReactNode {
  const [, figure = children, symbol = ''] = /^(\S+)\s+(.+)$/.exec(children) ?? []
  const leaves = /[1-9]/.test(figure) && !/^[-−<]/.test(figure)
  const shown = `${leaves ? '−' : ''}${figure.replace(/^-/, '−')}`
  const long = shown.length + symbol.length / 2
  return (
    <p data-essential css={[look, long > 14 && { '--_amount': long > 20 ? '20px' : '24px' }]}>
      {shown}
      {symbol && <span css={unit}>{symbol}</span>}
    </p>
  )
}

const look: CSSObject = {
  ...text('amount'),
  ...tabular,
  ...isolated,
  fontSize: 'calc(var(--_amount,32px)*var(--lk-text-scale,1))',
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'baseline',
  justifyContent: 'center',
  gap: '0 8px',
  margin: 0,
  overflowWrap: 'anywhere',
  textAlign: 'center',
}
const unit: CSSObject = { ...text('title'), fontWeight: 400, color: color('text-muted') }
