import { appLink } from '../../lib/app-link.ts'
import { Face, nextStep, OutwardWords } from './button.tsx'

interface AppLinkProps {
  /** https, or the app's own scheme; anything else gives no link at all. */
  href: string | undefined
  onFollow?: (() => void) | undefined
  children: string
}

/**
 * The next step if that is another app: a real link, whose address is there before it is pressed, because
 * browsers open apps only within a press.
 */
export function AppLink({ href, onFollow, children }: AppLinkProps) {
  const safe = appLink(href)
  if (!safe) return null
  // A new tab for an app's scheme would stay behind, empty; this page stays where it is anyway.
  const page = safe.startsWith('https:') && { target: '_blank' }
  return (
    <a
      {...page}
      part="button button-primary"
      css={nextStep()}
      href={safe}
      rel="noopener noreferrer"
      onClick={() => onFollow?.()}
    >
      <Face shown small={children.length > 30}>
        <OutwardWords>{children}</OutwardWords>
      </Face>
    </a>
  )
}
