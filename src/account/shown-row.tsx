import { Row } from '../ui/actions/row.tsx'
import { Icon } from '../ui/brand/icon.tsx'
import { MethodIcon } from '../ui/brand/method-icon.tsx'
import { Chip } from '../ui/feedback/chip.tsx'
import { check } from '../ui/icons/notices.ts'
import { breakable } from '../ui/text/breakable.tsx'
import { Dotted } from '../ui/text/dotted.tsx'
import type { Shown } from './shown.ts'

interface ShownRowProps {
  shown: Shown
  busy: boolean
  inert: boolean
  onClick(): void
}

/** Short facts, or an address, which keeps its own direction. */
const Facts = ({ text }: { text: string }) => (
  <Dotted
    parts={text.split(' · ').map((part) => (
      <bdi key={part} dir="auto">
        {breakable(part)}
      </bdi>
    ))}
  />
)

/** One thing that a person has; a press leads to what can be done with it. */
export function ShownRow({ shown: { icon, label, detail, mark }, ...row }: ShownRowProps) {
  return (
    <Row
      {...row}
      stacked
      icon={<MethodIcon icon={icon} label={label} />}
      label={label}
      detail={detail && <Facts text={detail} />}
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
