import { Row } from '../ui/actions/row.tsx'
import { MethodIcon } from '../ui/brand/method-icon.tsx'
import { Chip } from '../ui/feedback/chip.tsx'
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
      icon={<MethodIcon icon={icon} label={label} />}
      label={label}
      {...(detail && { detail })}
      chip={mark && <Chip tone={mark.tone}>{mark.text}</Chip>}
    />
  )
}
