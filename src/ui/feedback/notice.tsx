import { Button } from '../actions/button.tsx'
import { Hero } from '../layout/hero.tsx'
import { Circle, Outcome } from '../layout/hero-art.tsx'
import { Body, Footer } from '../layout/layout.tsx'

interface NoticeProps {
  /** Without one, it is a failure. */
  icon?: string
  title: string
  detail?: string | undefined
  action: string
  href?: string | undefined
  busy: boolean
  disabled?: boolean
  onAction(): void
}

/** A screen that says one thing and offers one way on. */
export function Notice({ icon, title, detail, action, href, busy, disabled, onAction }: NoticeProps) {
  return (
    <>
      <Body>
        <Hero art={icon ? <Circle icon={icon} /> : <Outcome is="failure" />} title={title}>
          {detail}
        </Hero>
      </Body>
      <Footer>
        <Button busy={busy} disabled={disabled} href={href} onClick={onAction}>
          {action}
        </Button>
      </Footer>
    </>
  )
}
