import type { CSSObject } from '@emotion/react'
import type { Ref } from 'react'
import { color, isolated, mono, tabular, text } from '../../../styles/tokens.ts'
import { groups, shortAddress } from './address-text.ts'

interface AddressProps {
  children: string
  /** Shortened, only where nothing depends on it. */
  short?: boolean
  ref?: Ref<HTMLElement>
}

/** An address, in full and in groups of four unless it is only a reminder. */
export function Address({ children, short, ref }: AddressProps) {
  if (short)
    return (
      <bdi ref={ref} part="address" css={look} title={children}>
        {shortAddress(children)}
      </bdi>
    )
  const parts = groups(children)
  return (
    <bdi ref={ref} part="address" css={[look, whole]} style={{ maxWidth: halfOf(parts) }}>
      {parts.map((part, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the groups of an address have no other identity
        <span key={i}>{part}</span>
      ))}
    </bdi>
  )
}

const GAP = 6
/** Two lines of equally many groups, so that an address stands beside a label instead of below it. */
function halfOf(parts: readonly string[]): string {
  const line = parts.slice(0, Math.ceil(parts.length / 2))
  // Each group may be a fraction of a pixel wider than its letters.
  return `calc(${line.join('').length}ch + ${line.length * GAP + 1}px)`
}

const look: CSSObject = { ...text('detail'), ...tabular, ...isolated, fontFamily: mono, color: color('text') }
const whole: CSSObject = {
  // Flush with the side at which it stands, whatever the direction around it.
  textAlign: ['-webkit-match-parent', 'match-parent'],
  textWrap: 'balance',
  WebkitUserSelect: 'all',
  userSelect: 'all',
  // Gaps are drawn, not typed, so that only the address is copied. Each line begins and ends flush.
  display: 'inline-block',
  // A label beside it stands by its first line.
  verticalAlign: 'top',
  marginInlineStart: -GAP,
  span: { display: 'inline-block', marginInlineStart: GAP },
  'span:not(:first-of-type,:last-of-type)': { color: color('text-muted') },
}
