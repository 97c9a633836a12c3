import type { CSSObject } from '@emotion/react'
import type { ReactNode } from 'react'
import { color, isolated, mono, tabular, text } from '../../../styles/tokens.ts'
import { Address } from '../address.tsx'
import { Marked } from '../marked.tsx'
import { useWords } from '../words.tsx'
import { meaningOf, type TypedField } from './fields.ts'

/** All of some typed data, each field with its type and its value in full, and some of them in people's words as well. */
export function TypedFields({
  fields,
  depth = 0,
}: {
  fields: readonly TypedField[]
  depth?: number
}): ReactNode {
  return (
    <dl css={depth === 0 ? list : [list, nested, depth > DEEP && narrow]}>
      {fields.map((field, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: nothing keeps two fields of a hostile page from having one name
        <div key={i} css={row}>
          <dt css={label}>
            <Marked>{field.name}</Marked>
            {field.type && (
              <span css={kind}>
                <Marked>{field.type}</Marked>
              </span>
            )}
          </dt>
          {typeof field.value !== 'string' && field.value.length > 0 ? (
            <dd css={[value, whole]}>
              <TypedFields fields={field.value} depth={depth + 1} />
            </dd>
          ) : (
            <dd css={value}>
              <Value field={field} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}

function Value({ field }: { field: TypedField }): ReactNode {
  const t = useWords()
  const meaning = meaningOf(field)
  if (typeof field.value !== 'string' || field.value === '')
    return <span css={{ color: color('text-faint') }}>{t('sign.data.empty')}</span>
  if (meaning?.is === 'address') return <Address>{field.value}</Address>
  return (
    <>
      {meaning && <Words meaning={meaning} />}
      <bdi
        css={meaning ? [raw, { color: color('text-muted') }] : raw}
        dir={field.type === 'string' ? 'auto' : 'ltr'}
      >
        <Marked>{field.value}</Marked>
      </bdi>
    </>
  )
}

function Words({ meaning }: { meaning: NonNullable<ReturnType<typeof meaningOf>> }): ReactNode {
  const t = useWords()
  if (meaning.is === 'maximum') return <span css={[words, warning]}>{t('sign.data.maximum')}</span>
  if (meaning.is === 'endless') return <span css={[words, warning]}>{t('sign.data.endless')}</span>
  if (meaning.is === 'address') return null
  return <bdi css={words}>{dates.format(meaning.at)}</bdi>
}

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Deeper than this there is little room left. */
const DEEP = 4
const list: CSSObject = { ...isolated, margin: 0, display: 'flex', flexDirection: 'column', gap: 8 }
const nested: CSSObject = {
  marginBlockStart: 4,
  paddingInlineStart: 11,
  borderInlineStart: `1px solid ${color('border')}`,
}
const narrow: CSSObject = { paddingInlineStart: 3 }
const row: CSSObject = { display: 'flex', flexWrap: 'wrap', gap: '0 12px' }
const label: CSSObject = {
  ...text('detail'),
  flex: 'none',
  minWidth: 88,
  maxWidth: '100%',
  fontFamily: mono,
  color: color('text-muted'),
}
const kind: CSSObject = { ...text('caption'), display: 'block', fontWeight: 400, color: color('text-faint') }
const value: CSSObject = { flex: '1 1 150px', minWidth: 0, margin: 0 }
const whole: CSSObject = { flexBasis: '100%' }
const raw: CSSObject = { ...tabular, display: 'block', fontFamily: mono, whiteSpace: 'pre-wrap' }
const words: CSSObject = { display: 'block', fontWeight: 500 }
const warning: CSSObject = { color: color('warning-text') }
