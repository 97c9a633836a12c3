import type { CSSObject } from '@emotion/react'
import { type ReactNode, useMemo } from 'react'
import { color, isolated, mono, tabular, text } from '../../../../styles/tokens.ts'
import { breakableFigure } from '../../text/figure.tsx'
import { Marked } from '../../text/marked.tsx'
import { useWords } from '../../text/words.tsx'
import { Address } from '../address.tsx'
import { type Meaning, meaningOf, type TypedField } from './fields.ts'

/**
 * All typed data, each field with its full value, and some of them in plain words as well.
 */
export function TypedFields({ fields }: { fields: readonly TypedField[] }): ReactNode {
  // There may be ten thousand: they are drawn once, and share the rules of one element.
  const list = useMemo(() => <List fields={fields} />, [fields])
  return <div css={look}>{list}</div>
}

function List({ fields }: { fields: readonly TypedField[] }): ReactNode {
  return (
    <dl>
      {fields.map(({ name, type, value }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: nothing keeps two fields of a hostile page from having one name
        <div key={i}>
          <dt title={type || undefined}>
            <Marked>{name}</Marked>
            {type && !isPlain({ name, type, value }) && (
              <small>
                <Marked>{type}</Marked>
              </small>
            )}
          </dt>
          <dd>
            {typeof value !== 'string' && value.length > 0 ? (
              <List fields={value} />
            ) : (
              <Value field={{ name, type, value }} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Value({ field }: { field: TypedField }): ReactNode {
  const t = useWords()
  const meaning = meaningOf(field)
  if (typeof field.value !== 'string' || field.value === '') return <i>{t('sign.data.empty')}</i>
  if (meaning?.is === 'address') return <Address>{field.value}</Address>
  return (
    <>
      {meaning && <Words meaning={meaning} />}
      <bdi data-beside={meaning !== undefined || undefined} dir={field.type === 'string' ? 'auto' : 'ltr'}>
        {isNumber(field.type) ? breakableFigure(field.value) : <Marked>{field.value}</Marked>}
      </bdi>
    </>
  )
}

/** A value of one of the types that every field may have, which says little about it. */
const isPlain = ({ type, value }: TypedField) =>
  typeof value === 'string' && /^(address|bool|string|bytes\d*|u?int\d*)$/.test(type)
const isNumber = (type: string) => /^u?int\d*$/.test(type)

function Words({ meaning }: { meaning: Meaning }): ReactNode {
  const t = useWords()
  if (meaning.is === 'time') return <b>{dates.format(meaning.at)}</b>
  return <b css={warning}>{t(meaning.is === 'maximum' ? 'sign.data.maximum' : 'sign.data.endless')}</b>
}

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

const warning: CSSObject = { color: color('warning-text') }
const look: CSSObject = {
  ...isolated,
  ...text('detail'),
  dl: { margin: 0, display: 'flex', flexDirection: 'column', gap: 8 },
  'dl dl': {
    marginBlockStart: 4,
    paddingInlineStart: 11,
    borderInlineStart: `1px solid ${color('border')}`,
  },
  // Deeper than this there is little room left.
  'dl dl dl dl dl dl': { paddingInlineStart: 3 },
  'dl > div': { display: 'flex', flexWrap: 'wrap', gap: '0 12px' },
  dt: { flex: 'none', minWidth: 88, maxWidth: '100%', fontFamily: mono, color: color('text-muted') },
  // Beside the name: below it, each field would take two lines.
  'dt > small': { ...text('caption'), marginInlineStart: 8, fontWeight: 400, color: color('text-faint') },
  dd: { flex: '1 1 150px', minWidth: 0, margin: 0 },
  'dd:has(> dl)': { flexBasis: '100%' },
  'dd > bdi:not([part])': { ...tabular, display: 'block', fontFamily: mono, whiteSpace: 'pre-wrap' },
  'dd > [data-beside]': { color: color('text-muted') },
  b: { display: 'block', fontWeight: 500 },
  i: { fontStyle: 'normal', color: color('text-faint') },
}
