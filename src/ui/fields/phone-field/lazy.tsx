import type { CSSObject } from '@emotion/react'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { color, radius } from '../../../../styles/tokens.ts'
import { lazily } from '../../../errors/lazily.ts'
import { Row } from '../../actions/row.tsx'
import { MethodIcon } from '../../brand/method-icon.tsx'
import { smartphone } from '../../icons/landing.ts'
import { useWords } from '../../text/words.tsx'
import { UnderField } from '../field.tsx'
import type { PhoneFieldProps } from './phone-field.tsx'

type Field = ComponentType<PhoneFieldProps>
/** Once it is here, no field that comes later has to wait for it. */
let arrived: Field | undefined
const fetchField = lazily(async () => (await import('./phone-field.tsx')).default)

/**
 * The phone field, loaded when it is first shown. Until then there is a shape of its height; where it can't be had, a
 * row that asks for it again.
 */
export function LazyPhoneField({
  load = fetchField,
  ...props
}: PhoneFieldProps & { load?: () => Promise<Field> }) {
  const t = useWords()
  const [Field, setField] = useState(() => arrived)
  const [failed, setFailed] = useState(false)
  const label = t('login.sms.continue')

  useEffect(() => {
    if (Field || failed) return
    let over = false
    load().then(
      (field) => {
        arrived = field
        if (!over) setField(() => field)
      },
      () => !over && setFailed(true),
    )
    return () => {
      over = true
    }
  }, [Field, failed, load])

  if (Field) return <Field {...props} />
  if (failed)
    return (
      <Row
        icon={<MethodIcon icon={smartphone} label={label} />}
        label={label}
        detail={t('login.sms.unavailable')}
        inert={props.inert}
        onClick={() => setFailed(false)}
      />
    )
  return <Awaited after={props.after} />
}

const Awaited = ({ after }: { after: ReactNode }) => (
  <div aria-hidden>
    <div css={waiting} />
    <UnderField after={after} />
  </div>
)

const waiting: CSSObject = { height: 48, borderRadius: radius(12), background: color('fill-hover') }
