import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color, hidden, media, quick, text } from '../../../../styles/tokens.ts'
import { pieces } from '../../../copy/copy.ts'
import { useAnnounced } from '../../panel/use-announced.ts'
import { useWords } from '../../text/words.tsx'
import { type Strength, strengthOf } from './strength.ts'

/** Three bars and a word for how strong a password is; a hint while there is none. */
export function StrengthMeter({ password, hint }: { password: string; hint: string }): ReactNode {
  const t = useWords()
  const strength = strengthOf(password)
  const words = t(`password.${strength}`)
  useAnnounced(password !== '' && t('password.strength', { strength: words }))
  if (!password) return <span css={[line, { color: color('text-faint') }]}>{hint}</span>
  const level = levels.indexOf(strength)
  const tone = tones[strength]
  return (
    <span css={line}>
      <span css={bars} aria-hidden>
        {levels.map((name, at) => (
          <span
            key={name}
            css={[bar, at <= level && { background: color(tone), borderColor: 'CanvasText' }]}
          />
        ))}
      </span>
      <span css={[word, { color: color(`${tone}-text`) }]}>
        {pieces(t('password.strength', { strength: '{strength}' })).map((piece) =>
          piece.name ? (
            words
          ) : (
            <span key={piece.text} css={hidden}>
              {piece.text}
            </span>
          ),
        )}
      </span>
    </span>
  )
}

const levels: readonly Strength[] = ['weak', 'medium', 'strong']
const tones = { weak: 'danger', medium: 'warning', strong: 'success' } as const
const line: CSSObject = { display: 'flex', alignItems: 'center', gap: 12 }
const bars: CSSObject = { flex: 1, display: 'flex', gap: 4 }
const bar: CSSObject = {
  flex: 1,
  height: 4,
  borderRadius: 4,
  background: color('fill-pressed'),
  transition: quick('background-color'),
  [media.forced]: { border: '1px solid GrayText' },
}
const word: CSSObject = { ...text('caption'), flex: 'none', minWidth: '8ch', textAlign: 'end' }
