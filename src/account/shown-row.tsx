import { Row } from '../ui/actions/row.tsx'
import { Icon } from '../ui/brand/icon.tsx'
import { MethodIcon } from '../ui/brand/method-icon.tsx'
import { Chip } from '../ui/feedback/chip.tsx'
import { check } from '../ui/icons/notices.ts'
import { breakable } from '../ui/text/breakable.tsx'
import type { Shown } from './shown.ts'

interface ShownRowProps {
  shown: Shown
  busy: boolean
  inert: boolean
  onClick(): void
}

/** One thing that a person has; a press leads to what can be done with it. */
export function ShownRow({ shown: { icon, label, detail, mark }, ...row }: ShownRowProps) {
  return (
    <Row
      {...row}
      stacked
      icon={<MethodIcon icon={icon} label={label} />}
      label={label}
      detail={detail && <bdi dir="auto">{breakable(detail)}</bdi>}
      chip={
        mark && (
          <Chip tone={mark.tone} mark={mark.tone === 'success' && <Icon path={check} size={12} />}>
            {mark.text}
          </Chip>
        )
      }
    />
  )
}
