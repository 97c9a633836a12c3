import { appLink } from '../core/app-link.ts'
import { Face, nextStep } from './button.tsx'
import { Icon } from './icon.tsx'
import { externalLink } from './icons/landing.ts'

interface AppLinkProps {
  /** https, or the app's own scheme; anything else gives no link at all. */
  href: string | undefined
  onFollow?: (() => void) | undefined
  children: string
}

/** The next step where that is another app: a real link, whose address is there before it is pressed (elements 3.34). */
export function AppLink({ href, onFollow, children }: AppLinkProps) {
  const safe = appLink(href)
  if (!safe) return null
  // A page of its own for an app's scheme would stay behind, empty; this one stays where it is anyway.
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
        {children}
        <Icon path={externalLink} size={16} />
      </Face>
    </a>
  )
}
